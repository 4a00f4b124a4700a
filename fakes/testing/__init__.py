"""The parts of the pytest plugin that load only when a test asks for them."""

__all__ = ["LABEL", "PASSED"]

LABEL = "svckit_assumption"
"""The property of a report that names the alternative it is about."""
PASSED = "alternative"
"""The phase of a report that an alternative passed: after a "call" that passed, ``--lf`` would forget the others."""
