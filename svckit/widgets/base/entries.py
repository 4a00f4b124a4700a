"""Requests from the browser: handled in the order they were made, each entry acknowledged, and carried out."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, ClassVar

import traitlets

from svckit.widgets.base.callbacks import is_button, showing_errors
from svckit.widgets.base.untyped import Widget

__all__ = ["ListeningWidget"]


@dataclass
class _Turns:
    """The numbered requests of one view."""

    next: int = 1
    early: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    """What arrived before requests that were made earlier, by number."""


class ListeningWidget(Widget):
    """A widget that handles the requests of its views in order, and acknowledges each.

    1. A view numbers its requests from 1 on (``entries.js``).
    2. They may arrive in another order: JupyterLab sends the first ones to the kernel's main thread, which may be busy
       with cells, and those after its subshell has started to that. A request that is early waits for its turn.
    3. What is handled is acknowledged in `heard`. Until then the view keeps an entry, so that an older state cannot
       undo it.

    A request ``{"do": "select", "number": 3}`` calls the method ``_do_select(number=3)`` if there is one, or else
    ``select(number=3)`` if that is a `button`; one that says ``write`` fills in a field. Bytes are the argument
    ``buffers``.

    Attributes:
        error: the error of the last request, or an empty string.
    """

    error: "traitlets.Unicode[str, str | bytes]" = traitlets.Unicode("")
    heard: "traitlets.Unicode[str, str | bytes]" = traitlets.Unicode("").tag(sync=True)

    _by_itself: ClassVar[frozenset[str]] = frozenset({"watch"})
    """What the browser asks for without a person; the error line of what a person did stays."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._turns: defaultdict[str, _Turns] = defaultdict(_Turns)  # by the ID of the view
        self._taking_turns = RLock()
        super().__init__(*args, **kwargs)
        self.on_msg(self._hear)

    def _hear(self, widget: object, content: Any, buffers: Any) -> None:
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

    def _receive(self, _widget: object, content: Mapping[str, Any], buffers: Any) -> None:
        if content.get("do") not in self._by_itself:
            self.error = ""
        with showing_errors(self):
            self._carry_out({**content, **({"buffers": buffers} if buffers else {})})

    def _fail(self, failure: Exception) -> None:
        """Show a failure that has no caller to handle it, such as that of a thread."""
        with showing_errors(self):
            raise failure

    def _carry_out(self, request: Mapping[str, Any]) -> None:
        """Carry out a request."""
        match request:
            case {"do": "write", "field": str(name), "text": str() | bool() as entry}:
                self._write(name, entry)
            case {"do": str(name)} if method := self._find_method(name):
                method(**{key: value for key, value in request.items() if key not in ("do", "entry")})
            case _:
                # Not the whole request, which may hold a URL with a code.
                what = request.get("do")
                raise ValueError(f"{type(self).__name__} does not understand the request {what!r}")

    def _find_method(self, name: str) -> Callable[..., object] | None:
        own = getattr(self, f"_do_{name}", None)
        return own or (getattr(self, name) if is_button(type(self), name) else None)

    def _write(self, name: str, entry: str | bool) -> None:
        """Fill in a field that somebody typed into, ticked or chose."""
        self.write(**{name: entry})
