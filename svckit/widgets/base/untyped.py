"""The classes of ipywidgets, which has no types, with the types that a subclass needs."""

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

    class Box(DOMWidget):
        """A widget that holds others."""
else:
    from ipywidgets import Box, DOMWidget, Widget

__all__ = ["Box", "DOMWidget", "Widget"]
