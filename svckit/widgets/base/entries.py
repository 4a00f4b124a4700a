"""What the browser sends, and how it learns what has arrived."""

from collections.abc import Mapping
from typing import Any

import traitlets
from ipywidgets import Widget  # type: ignore[import-untyped]

__all__ = ["ListeningWidget"]


class ListeningWidget(Widget):  # type: ignore[misc]  # ipywidgets is untyped
    """A widget that takes requests from its views, and shows each which of its entries it has heard.

    A view holds what was entered until then, so that a state from before cannot undo it (``entries.js``).
    """

    heard = traitlets.Unicode("").tag(sync=True)

    def _hear(self, widget: object, content: Any, buffers: object) -> None:
        """Take a request; its number is shown after all that it has changed, also where it failed."""
        try:
            self._receive(widget, content, buffers)
        finally:
            if isinstance(content, Mapping) and isinstance(entry := content.get("entry"), str):
                self.heard = entry

    def _receive(self, _widget: object, content: Any, _buffers: object) -> None:
        """Do what the browser asks for."""
        raise NotImplementedError
