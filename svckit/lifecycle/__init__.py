"""Features of the service that have ended or are planned to end, and where code still uses them."""

from svckit.lifecycle.calendar import Notices, ServiceDeprecationWarning, Table, find_retirement, table

__all__ = ["Notices", "ServiceDeprecationWarning", "Table", "find_retirement", "table"]


def __dir__() -> list[str]:
    return sorted(__all__)
