"""The words in the names of environment variables."""

__all__ = ["PREFIX", "TAKEN"]

PREFIX = "SVCKIT_"
"""How all of them start."""

TAKEN = "SERVE"
"""The word of the variables that set the options of ``svckit serve``, so no profile can have it."""
