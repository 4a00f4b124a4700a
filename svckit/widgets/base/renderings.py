"""The three renderings of a widget: live with a kernel, else HTML, else text."""

from typing import Any

from svckit.widgets.base.untyped import DOMWidget

__all__ = ["RenderedWidget"]


class RenderedWidget(DOMWidget):
    """A widget that also renders as static HTML (``to_html()``) and as text (``repr``), the same in every run.

    Stored notebooks keep these two, so they stay correct without a kernel.

    Examples:
        >>> from svckit.widgets import RecordView
        >>> view = RecordView()
        >>> view.show({"task": "Sales"}, title="Mori Ken", key="u-1")
        >>> "Sales" in view.to_html()
        True
    """

    def to_html(self) -> str:
        """Return what the widget shows now as HTML without scripts, fully escaped."""
        raise NotImplementedError

    def close(self) -> None:
        """Free the widget and its layout, here and in the browser."""
        super().close()
        self.layout.close()

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        live = super()._repr_mimebundle_(**kwargs) or {}
        data, metadata = live if isinstance(live, tuple) else (live, {})
        return {**data, "text/html": self.to_html(), "text/plain": repr(self)}, metadata
