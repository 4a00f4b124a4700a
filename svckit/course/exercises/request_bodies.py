"""Bodies of requests, as exercises read them."""

from typing import Any

from fakes.parts.journal_entry import JournalEntry

__all__ = ["read_fields"]


def read_fields(entry: JournalEntry) -> dict[str, Any]:
    """Return the fields of the JSON object that a request sent; empty if it sent none.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect()
        >>> user = svc.users.update("u-003", nick_name="Mina")
        >>> read_fields(svc.fake.journal[-1]), read_fields(svc.fake.journal[0])
        ({'nickName': 'Mina'}, {})
    """
    return entry.json if isinstance(entry.json, dict) else {}
