"""Requests from the browser, and the acknowledgment of each."""

from collections.abc import Mapping
from typing import Any

import traitlets
from ipywidgets import Widget  # type: ignore[import-untyped]

__all__ = ["ListeningWidget"]


class ListeningWidget(Widget):  # type: ignore[misc]  # ipywidgets is untyped
    """A widget that handles requests from its views, and acknowledges each entry.

    A view keeps an entry until it is acknowledged, so that an older state cannot undo it (``entries.js``).
    """

    heard = traitlets.Unicode("").tag(sync=True)

    def _hear(self, widget: object, content: Any, buffers: object) -> None:
        """Handle a request, then acknowledge its number, even if it failed."""
        try:
            self._receive(widget, content, buffers)
        finally:
            if isinstance(content, Mapping) and isinstance(entry := content.get("entry"), str):
                self.heard = entry

    def _receive(self, _widget: object, content: Any, _buffers: object) -> None:
        """Do what the browser asks for."""
        raise NotImplementedError
