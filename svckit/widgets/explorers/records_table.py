"""The table of the records that the head of an explorer has, with pandas or without."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from svckit.extras import has_pandas
from svckit.session.session import Session
from svckit.widgets.table.plain_table import PlainTable

__all__ = ["make_table"]

Record = Mapping[str, Any]
PAGE_SIZE = 5
"""Rows on a page; a plain table has no pages."""


def make_table(
    kind: str,
    head: Any,
    columns: Mapping[str, str],
    pick: Callable[[Record], None],
    *,
    source: str,
    caption: str,
    key: str | None = None,
) -> Any:
    """Return a table that follows the records of a head: a `PagedTable`, or without pandas a `PlainTable`.

    Args:
        kind: the frame of the records.
        head: the head of the explorer, whose ``records`` have wire names.
        columns: the headings by column, in order.
        pick: called with the record of a row that is selected.
        source: an expression for the frame.
        caption: the title of the table.
        key: the column that identifies a row.
    """
    if has_pandas():
        table = _make_paged_table(kind, head, columns, source=source, caption=caption, key=key)
    else:
        table = PlainTable(head.records, columns, key=key or "", caption=caption, badge=head.badge)

    def follow(change: Mapping[str, Any]) -> None:
        if not head.is_replaced:
            records = change["new"]
            table.replace(records if isinstance(table, PlainTable) else _make_frame(kind, records, head.svc))

    def pick_selected(_change: object) -> None:
        if table.selected is not None:
            plain = isinstance(table, PlainTable)
            pick(table.selected_record if plain else head.records[table.model.position(table.selected)])

    head.observe(follow, "records")
    table.observe(pick_selected, "selected")
    return table


def _make_paged_table(
    kind: str, head: Any, columns: Mapping[str, str], *, source: str, **options: Any
) -> Any:
    from svckit.frames.zones import name_zone, write_conversion
    from svckit.widgets.table.paged_table import PagedTable

    if any(name.endswith("_time") for name in columns):
        source = write_conversion(source, name_zone(head.svc))
    return PagedTable(
        _make_frame(kind, head.records, head.svc),
        columns=list(columns),
        labels=dict(columns),
        badge=head.badge,
        page_size=PAGE_SIZE,
        source=source,
        **options,
    )


def _make_frame(kind: str, records: Sequence[Record], svc: Session) -> Any:
    from svckit import frames  # it loads pandas
    from svckit.frames.zones import in_zone, name_zone

    return in_zone(getattr(frames, kind)(records), name_zone(svc))
