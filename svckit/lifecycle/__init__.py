"""Features of the service that are retired or will retire, and the code that still uses them."""

from svckit.retirements import ServiceDeprecationWarning, Table, find_retirement, table

__all__ = ["ServiceDeprecationWarning", "Table", "find_retirement", "table"]


def __dir__() -> list[str]:
    return sorted(__all__)
