"""A view of all fields of one record: live, as static HTML and as text."""

from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import traitlets

from svckit.display.card import TEMPLATES
from svckit.models.record_card import Groups
from svckit.widgets.base import plain
from svckit.widgets.base.assets import script, style
from svckit.widgets.base.callbacks import show_errors
from svckit.widgets.base.renderings import RenderedWidget
from svckit.widgets.record.record import lines_of

__all__ = ["RecordView"]


class RecordView(RenderedWidget, anywidget.AnyWidget):
    """A table of the fields of one record, with an ID to copy.

    Args:
        records: not accepted; pass the record to :meth:`show`.
        hint: the text shown without a record.
        change: opens and closes the form that changes the record, if it can be changed.

    Attributes:
        error: the error of the last request, or empty text.

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

    _esm = script("record/record_view.js")
    _css = style("record/record_view.css")

    view = traitlets.Dict().tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self, *records: object, hint: str = "No record.", change: Callable[[], None] | None = None
    ) -> None:
        if records:
            raise TypeError("RecordView() takes no record; call RecordView().show(record, title=…, key=…)")
        self.hint = hint
        self._change = change
        super().__init__(view=self._view())
        self.on_msg(self._receive)

    def show(
        self,
        record: Mapping[str, Any],
        *,
        title: str,
        key: str,
        order: Groups = (),
        changing: bool = False,
    ) -> None:
        """Show a record.

        Args:
            record: the record, with wire names.
            title: the heading.
            key: the ID to copy.
            order: the order of the fields, as for `svckit.widgets.record.record.lines_of`.
            changing: whether the form that changes the record is open.
        """
        lines = [line._asdict() for line in lines_of(record, order)]
        self.view = self._view() | {"title": title, "key": key, "lines": lines, "changing": changing}

    def clear(self) -> None:
        """Show no record."""
        self.view = self._view()

    def to_html(self) -> str:
        """Return the record as static HTML; empty without a record."""
        return (
            TEMPLATES.get_template("widgets/record/record.html").render(self.view)
            if self.view["lines"]
            else ""
        )

    def _view(self) -> dict[str, Any]:
        can = self._change is not None
        return {"hint": self.hint, "title": "", "key": "", "lines": [], "changes": can, "changing": False}

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Handle a request from the browser."""
        if content != {"do": "change"} or self._change is None:
            raise ValueError(f"a record does not understand {content!r}")
        self._change()

    def __repr__(self) -> str:
        lines = self.view["lines"]
        if not lines:
            return self.hint
        labels = ["  " * line["depth"] + line["label"] for line in lines]
        values = ["" if line["heading"] else line["value"] or "–" for line in lines]
        table = plain.columns(list(zip(labels, values, strict=True)), widest=72)
        return "\n".join([self.view["title"], *(f"  {line}" for line in table)])
