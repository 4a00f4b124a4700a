"""All scenarios and their outcomes, by rule ID."""

from . import scenarios_calls, scenarios_files, scenarios_messages, scenarios_people  # noqa: F401 - they enter theirs
from .scenario import OUTCOMES, SCENARIOS

__all__ = ["OUTCOMES", "SCENARIOS"]
