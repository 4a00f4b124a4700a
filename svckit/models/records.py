"""The kinds of records that a session, a fake or an inbox of events gives to a frame."""

from typing import Literal

__all__ = ["Kind"]

Kind = Literal[
    "users",
    "statuses",
    "files",
    "revisions",
    "messages",
    "events",
    "deliveries",
    "journal",
    "credentials",
    "lifecycle",
    "rules",
]
"""The kinds of records; each has a frame of its name, and users also have frames for their lists."""
