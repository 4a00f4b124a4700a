"""The kinds of records that a session, a fake or an inbox of events gives to a frame."""

from typing import Literal

__all__ = ["Kind"]

Kind = Literal["users", "files", "messages", "events", "journal", "lifecycle", "rules"]
"""The kinds of records, and so of frames."""
