"""A view of all fields of one record: live, as static HTML and as text."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from svckit.models.record_card import Groups
from svckit.widgets.base.template_widget import TemplateWidget
from svckit.widgets.base.untyped import AnyWidget
from svckit.widgets.record.record import group_lines, lines_of

__all__ = ["RecordView"]


class RecordView(TemplateWidget, AnyWidget):
    """A table of the fields of one record, with an ID to copy.

    Args:
        records: not accepted; pass the record to :meth:`show`.
        hint: the text shown without a record.
        change: opens and closes the form that changes the record, if it can be changed.

    Raises:
        TypeError: a record was given.

    Examples:
        >>> view = RecordView()
        >>> view.show({"userId": "u-1", "task": None}, title="Mori Ken", key="u-1")
        >>> view
        Mori Ken
          User ID  u-1
          Task     –
        >>> view.clear()
        >>> view.close()
    """

    template = "widgets/record/record.html"

    def __init__(
        self, *records: object, hint: str = "No record.", change: Callable[[], None] | None = None
    ) -> None:
        if records:
            raise TypeError("RecordView() takes no record; call RecordView().show(record, title=…, key=…)")
        self.hint = hint
        self._change = change
        super().__init__(view=self._view())

    def show(
        self,
        record: Mapping[str, Any],
        *,
        title: str,
        key: str,
        order: Groups = (),
        about: Sequence[str] = (),
        state: str = "",
        changing: bool = False,
    ) -> None:
        """Show a record.

        Args:
            record: the record, with wire names.
            title: the heading.
            key: the ID to copy.
            order: the order of the fields, as for `svckit.widgets.record.record.lines_of`.
            about: what else the head says in the browser, such as an e-mail address.
            state: a word beside the heading there, such as "active".
            changing: whether the form that changes the record is open.
        """
        lines = lines_of(record, order)
        self.view = self._view() | {
            "title": title,
            "key": key,
            "about": [*filter(None, about)],
            "state": state,
            "lines": [line._asdict() for line in lines],
            "groups": group_lines(lines),
            "changing": changing,
            "locale": str(dict(record).get("locale") or ""),
        }

    def clear(self) -> None:
        """Show no record."""
        self.view = self._view()

    def _view(self) -> dict[str, Any]:
        return {"hint": self.hint, "title": "", "lines": [], "changes": self._change is not None}

    def _do_change(self) -> None:
        if self._change is not None:
            self._change()

    def __repr__(self) -> str:
        return super().__repr__() or self.hint
