"""The words in the names of environment variables, for commands that start without the models that `keys` loads."""

__all__ = ["PREFIX", "TAKEN"]

PREFIX = "SVCKIT_"
"""The beginning of the name of each environment variable."""
TAKEN = "SERVE"
"""The word of the variables that set the options of ``svckit serve``, so no profile can have it."""
