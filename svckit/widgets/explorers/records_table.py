"""The table of an explorer's records, with pandas or without."""

from collections.abc import Mapping, Sequence
from typing import Any

from svckit.extras import has_pandas
from svckit.session.session import Session
from svckit.widgets.table.plain_table import PlainTable

__all__ = ["find_selected", "make_table", "replace_records"]


def make_table(
    kind: str,
    records: Sequence[Mapping[str, Any]],
    columns: Mapping[str, str],
    *,
    svc: Session,
    source: str,
    caption: str,
    badge: str,
    key: str | None = None,
    page_size: int = 10,
) -> Any:
    """Return a table of all records of a kind: a `PagedTable`, or without pandas a `PlainTable`.

    Args:
        kind: the frame of the records.
        records: the records, with wire names.
        columns: the headings by column, in order.
        svc: the session, in whose zone times are.
        source: an expression for the frame.
        caption: the title of the table.
        badge: a word beside the caption.
        key: the column that identifies a row.
        page_size: rows on a page; a plain table has no pages.
    """
    if not has_pandas():
        return PlainTable(records, columns, key=key or "", caption=caption, badge=badge)
    from svckit.frames.zones import name_zone, write_conversion
    from svckit.widgets.table.paged_table import PagedTable

    frame = _make_frame(kind, records, svc)
    if any(name.endswith("_time") for name in columns):
        source = write_conversion(source, name_zone(svc))
    return PagedTable(
        frame,
        key=key,
        columns=list(columns),
        labels=dict(columns),
        caption=caption,
        badge=badge,
        page_size=page_size,
        source=source,
    )


def replace_records(table: Any, kind: str, records: Sequence[Mapping[str, Any]], svc: Session) -> None:
    """Show other records in a table that `make_table` made."""
    if isinstance(table, PlainTable):
        table.replace(records)
    else:
        table.replace(_make_frame(kind, records, svc))


def find_selected(table: Any, records: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the record of the selected row of a table that `make_table` made; None without one."""
    if isinstance(table, PlainTable):
        return table.selected_record
    return None if table.selected is None else records[table.model.position(table.selected)]


def _make_frame(kind: str, records: Sequence[Mapping[str, Any]], svc: Session) -> Any:
    from svckit import frames  # it loads pandas
    from svckit.frames.zones import in_zone, name_zone

    return in_zone(getattr(frames, kind)(records), name_zone(svc))
