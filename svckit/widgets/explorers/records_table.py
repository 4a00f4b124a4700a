"""The records of an explorer as a table, which is made when it is asked for."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from svckit.extras import has_pandas, needing
from svckit.session.session import Session
from svckit.widgets.base.callbacks import button
from svckit.widgets.base.template_widget import TemplateWidget
from svckit.widgets.base.untyped import AnyWidget
from svckit.widgets.explorers.explorer_box import WidgetBox
from svckit.widgets.table.plain_table import PlainTable

if TYPE_CHECKING:
    from svckit.frames.source import RecordSource
    from svckit.widgets.table.paged_table import PagedTable

__all__ = ["TABLES", "RecordsTable", "find_selected", "make_table", "replace_records"]

TABLES: Final[Mapping[str, tuple[str, str]]] = {
    "files": ("files", "All files"),
    "notifications": ("messages", "All messages"),
    "inbox": ("deliveries", "All deliveries"),
    "sign-in": ("credentials", "All credentials"),
    "traffic": ("journal", "All requests"),
}
"""By explorer, the frame of its records, and the title of their table; the other explorers have tables of their own."""


class TableSwitch(TemplateWidget, AnyWidget):
    """The buttons that open, refresh and close a table."""

    template = "widgets/explorers/records_table.html"

    def __init__(self, records: "RecordsTable") -> None:
        self._records = records
        super().__init__()

    @button
    def load(self) -> None:
        """Show the table, or what has changed since."""
        self._records.load()

    @button
    def hide(self) -> None:
        """Close the table."""
        self._records.hide()


class RecordsTable(WidgetBox):
    """A table of all records of a kind: to search, sort, filter, copy and save.

    Args:
        source: a session, or another source of `svckit.frames`.
        kind: the frame of the records.
        title: the title of the table.

    Attributes:
        table: the table; None while it is closed.

    Examples:
        >>> import svckit
        >>> records = RecordsTable(svckit.connect(now="2026-06-01T09:00:00+09:00"), "files", "All files")
        >>> records.load()
        >>> records.table.rows["file_name"].tolist()
        ['answer.txt']
        >>> records.close()
    """

    def __init__(self, source: "RecordSource", kind: str, title: str) -> None:
        self._source, self._kind, self._title = source, kind, title
        self.table: PagedTable | None = None
        self.head: TableSwitch = TableSwitch(self)
        super().__init__([self.head])
        self._show()

    def load(self) -> None:
        """Show the table, or what has changed since.

        Raises:
            ModuleNotFoundError: pandas is missing.
        """
        with needing(f"the table of {self._kind}"):
            from svckit import frames  # it loads pandas
            from svckit.frames.zones import in_zone, name_zone, write_conversion
            from svckit.widgets.table.paged_table import PagedTable

        zone = name_zone(self._source)
        frame = in_zone(getattr(frames, self._kind)(self._source), zone)
        if self.table is None:
            # No expression gives a trace, such as that of a real session's traffic.
            source = f"svckit.frames.{self._kind}(svc)" if isinstance(self._source, Session) else ""
            code = write_conversion(source, zone)
            self.table = PagedTable(frame, caption=self._title, source=code, many=True)
        else:
            self.table.replace(frame)
        self._show()

    def hide(self) -> None:
        """Close the table."""
        table, self.table = self.table, None
        self._show()
        if table is not None:
            table.close()

    def _show(self) -> None:
        self.children: tuple[Any, ...] = (self.head,) if self.table is None else (self.head, self.table)
        self.head.view = {"title": self._title, "open": self.table is not None}


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
