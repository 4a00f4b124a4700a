"""All scenarios, by rule ID."""

from . import scenarios_calls, scenarios_files, scenarios_messages, scenarios_people  # noqa: F401 - they enter theirs
from .scenario import SCENARIOS

__all__ = ["SCENARIOS"]
