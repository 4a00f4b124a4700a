"""The classes of ipywidgets and anywidget, which have no types, with those that a subclass needs."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from traitlets import HasTraits

    class Widget(HasTraits):
        """An object with a model in the browser."""

        def __getattr__(self, name: str) -> Any: ...

        def close(self) -> None:
            """Remove it from the page."""

    class DOMWidget(Widget):
        """A widget that a cell shows."""

        def _repr_mimebundle_(self, **options: Any) -> Any: ...

    class AnyWidget(DOMWidget):
        """A widget with a script of its own."""

        def send(self, *message: Any, **options: Any) -> None:
            """Send a message to the browser."""

    class Box(DOMWidget):
        """A widget that holds others."""

        children: Any
else:
    from anywidget import AnyWidget
    from ipywidgets import Box, DOMWidget, Widget

__all__ = ["AnyWidget", "Box", "DOMWidget", "Widget"]
