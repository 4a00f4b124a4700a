"""All scenarios and their outcomes, by rule ID."""

from . import (  # noqa: F401 - they enter theirs
    scenarios_assertions,
    scenarios_calls,
    scenarios_files,
    scenarios_messages,
    scenarios_people,
)
from .scenario import OUTCOMES, SCENARIOS

__all__ = ["OUTCOMES", "SCENARIOS"]
