"""The parts of the pytest plugin that load only when a test asks for them."""

__all__ = ["LABEL", "PASSED"]

LABEL = "svckit_assumption"
"""The report property that names the alternative."""
PASSED = "alternative"
"""The phase of reports for alternatives that passed: with "call", ``--lf`` would forget those that failed."""
