"""One record, all its fields: live, as static HTML and as text."""

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from svckit.card import TEMPLATES
from svckit.widgets import plain
from svckit.widgets.assets import script, style
from svckit.widgets.faces import Faces
from svckit.widgets.record import Order, lines_of

__all__ = ["RecordView"]


class RecordView(Faces, anywidget.AnyWidget):
    """A table of the fields of one record, with its ID to copy.

    Args:
        hint: what to say while there is no record.

    Examples:
        >>> view = RecordView()
        >>> view.show({"userId": "u-1", "task": None}, title="Mori Ken", key="u-1")
        >>> view
        Mori Ken
          User ID  u-1
          Task     –
        >>> view.close()
    """

    _esm = script("record_view.js")
    _css = style("record_view.css")

    view = traitlets.Dict().tag(sync=True)

    def __init__(self, *, hint: str = "No record.") -> None:
        self.hint = hint
        super().__init__(view=self._view())

    def show(
        self,
        record: Mapping[str, Any],
        *,
        title: str,
        key: str,
        order: Order = (),
    ) -> None:
        """Show a record; ``order`` is that of :func:`~svckit.widgets.record.lines_of`."""
        lines = [line._asdict() for line in lines_of(record, order)]
        self.view = self._view() | {"title": title, "key": key, "lines": lines}

    def clear(self) -> None:
        """Show no record."""
        self.view = self._view()

    def to_html(self) -> str:
        """The record as static HTML; empty where there is none."""
        return TEMPLATES.get_template("record.html").render(self.view) if self.view["lines"] else ""

    def _view(self) -> dict[str, Any]:
        return {"hint": self.hint, "title": "", "key": "", "lines": []}

    def __repr__(self) -> str:
        lines = self.view["lines"]
        if not lines:
            return self.hint
        labels = ["  " * line["depth"] + line["label"] for line in lines]
        values = ["" if line["heading"] else line["value"] or "–" for line in lines]
        table = plain.columns(list(zip(labels, values, strict=True)), widest=72)
        return "\n".join([self.view["title"], *(f"  {line}" for line in table)])
