"""Base classes of what is made of several widgets, such as an explorer with a head and others."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from svckit.display.tab import PublicNames
from svckit.widgets.base.renderings import RenderedWidget
from svckit.widgets.base.untyped import Box

__all__ = ["ExplorerBox", "WidgetBox", "on_head"]

Given = ParamSpec("Given")
Result = TypeVar("Result")


class WidgetBox(RenderedWidget, Box):
    """Several widgets that are shown, rendered and closed together.

    Args:
        parts: the widgets.
        classes: the CSS classes; set here, as each change later is a message of its own to the browser.
        layout: the traits of its `ipywidgets.Layout`.
    """

    children: tuple[Any, ...]

    def __init__(self, parts: Iterable[Any], *, classes: tuple[str, ...] = (), **layout: str) -> None:
        super().__init__(tuple(parts), layout={"flex_flow": "column", **layout}, _dom_classes=classes)

    def close(self) -> None:
        """Free the widgets, here and in the browser; sessions keep the text typed."""
        for part in self.children:  # empty if __init__ rejected its arguments
            part.close()
        super().close()

    def to_html(self) -> str:
        """Return the current view of all parts as static HTML."""
        return "\n".join(filter(None, (part.to_html() for part in self._shown)))

    def __repr__(self) -> str:
        return "\n\n".join(filter(None, map(repr, self._shown)))

    @property
    def _shown(self) -> Iterable[Any]:
        return self.children


class ExplorerBox(PublicNames, WidgetBox, internal="embed retire"):
    """Several widgets that form one explorer.

    Attributes:
        head: the explorer among them; the others are closed and taken over with it. None without a session.
    """

    head: Any

    def __init__(self, parts: Iterable[Any], **options: Any) -> None:
        super().__init__(parts, **{"grid_gap": "12px", **options})
        if self.head is not None:
            self.head.group = self

    def embed(self) -> None:
        """Become part of another widget, so that a new explorer of this kind does not close this one."""
        if self.head is not None:
            self.head.embed()

    def retire(self) -> None:
        """Keep only the head, which says that another explorer has replaced this one."""
        others = [part for part in self.children if part is not self.head]
        self.children: tuple[Any, ...] = (self.head,)
        for part in others:
            part.close()


def on_head(
    method: Callable[Concatenate[Any, Given], Result],
) -> Callable[Concatenate[ExplorerBox, Given], Result]:
    """Return a method of an explorer that is one of its head, with the same signature and docstring."""

    @wraps(method)
    def call(explorer: ExplorerBox, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        __tracebackhide__ = True
        return method(explorer.head, *args, **kwargs)

    return call
