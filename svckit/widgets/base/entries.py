"""Requests from the browser: handled in the order they were made, and each entry acknowledged."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

import traitlets
from ipywidgets import Widget  # type: ignore[import-untyped]

__all__ = ["ListeningWidget"]


@dataclass
class _Turns:
    """The numbered requests of one view."""

    next: int = 1
    early: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    """What arrived before requests that were made earlier, by number."""


class ListeningWidget(Widget):  # type: ignore[misc]  # ipywidgets is untyped
    """A widget that handles the requests of its views in order, and acknowledges each.

    1. A view numbers its requests from 1 on (``entries.js``).
    2. They may arrive in another order: JupyterLab sends the first ones to the kernel's main thread, which may be busy
       with cells, and those after its subshell has started to that. A request that is early waits for its turn.
    3. What is handled is acknowledged in `heard`. Until then the view keeps an entry, so that an older state cannot
       undo it.
    """

    heard = traitlets.Unicode("").tag(sync=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._turns: defaultdict[str, _Turns] = defaultdict(_Turns)  # by the ID of the view
        self._taking_turns = RLock()
        super().__init__(*args, **kwargs)

    def _hear(self, widget: object, content: Any, buffers: object) -> None:
        """Handle a request when its turn has come, and what has waited for it."""
        entry = content.get("entry") if isinstance(content, Mapping) else None
        if not isinstance(entry, str):
            self._receive(widget, content, buffers)
            return
        view, _, number = entry.partition(" ")
        with self._taking_turns:
            turns = self._turns[view]
            turns.early[int(number)] = (widget, content, buffers)
            while request := turns.early.pop(turns.next, None):
                turns.next += 1
                try:
                    self._receive(*request)
                finally:  # acknowledged, even if it failed
                    self.heard = f"{view} {turns.next - 1}"

    def _receive(self, _widget: object, content: Any, _buffers: object) -> None:
        """Do what the browser asks for."""
        raise NotImplementedError
