"""Widgets of which one is open at a time: a new one takes over, and the old one says so in its cell."""

from collections.abc import Callable, Hashable
from typing import Any, ClassVar, Final
from weakref import WeakValueDictionary

from svckit.display.tab import PublicNames
from svckit.session.session import Session
from svckit.widgets.base.callbacks import button
from svckit.widgets.base.template_widget import TemplateWidget

__all__ = ["REPLACED", "TakeoverWidget"]

REPLACED: Final = (
    "Another {} was created later for the same session and replaced this one. "
    "To show it here, run this cell again."
)


class TakeoverWidget(PublicNames, TemplateWidget, internal="badge embed focus"):
    """A widget of a session, open once at a time, so that its cell can be run again.

    1. A new widget finds the open one (`_predecessor`), and takes over its state (`_take_over`).
    2. The old one retires: it ends its work, and says in its cell that it was replaced. It ignores what the browser
       still asks for.
    3. Once its replacement is closed or replaced in turn, it is closed.

    With a real service, what writes is only asked (`_ask_first`): `confirm` does it, and `cancel` or an edit withdraws
    the question.

    Attributes:
        svc: the session.
        is_replaced: whether another widget has replaced this one.
    """

    svc: Session
    replaced_text: ClassVar[str]
    """The text shown once another widget has replaced this one."""
    is_replaced: bool = False

    _before: "TakeoverWidget | None" = None
    """The widget that this one replaced."""
    _asking: Callable[[], None] | None = None
    """What is done once somebody confirms it; None if nothing was asked."""
    _question = ""
    """The question that is open."""
    _open: ClassVar[WeakValueDictionary[Hashable, "TakeoverWidget"]] = WeakValueDictionary()

    @property
    def badge(self) -> str:
        """FAKE or REAL."""
        return "FAKE" if self.svc.is_fake else "REAL"

    @button
    def confirm(self) -> None:
        """Do what the open confirmation asks about.

        Raises:
            ValueError: no confirmation is open, or something was edited since.
        """
        asked, self._asking, self._question = self._asking, None, ""
        if asked is None:
            raise ValueError("there is nothing to confirm: nothing was asked, or something was edited since")
        self._show()
        asked()

    @button
    def cancel(self) -> None:
        """Withdraw the open confirmation; what was typed stays."""
        self._asking, self._question = None, ""
        self._show()

    def focus(self) -> None:
        """Take the focus in the browser, and come into sight, as what somebody has just opened."""
        self.view = {**self.view, "arrives": True}

    def embed(self) -> None:
        """Make it a part of another widget, so that a new one of its kind does not replace it."""
        self._leave()

    def close(self) -> None:
        """Free the widget, here and in the browser."""
        if "svc" in vars(self):  # else __init__ rejected its arguments
            if self._open.get(self._key) is self:
                self._leave()
            self._end()
        super().close()

    @property
    def _key(self) -> Hashable:
        """The key that is unique among open widgets; not the type, as each anywidget has its own."""
        raise NotImplementedError

    @property
    def _predecessor(self) -> Any:
        """The open widget to replace, if any."""
        before = self._open.get(self._key)
        return before if before is not None and before.svc is self.svc else None

    def _ask_first(self, what: str, do: Callable[[], None]) -> None:
        """Do something that writes; with a real service, only ask, and :meth:`confirm` does it."""
        if self.svc.is_fake:
            do()
            return
        profile = self.svc.profile
        self._asking = do
        self._question = f"{what} {profile.name} ({profile.base_url}), which is REAL."
        self._show()

    def _take_over(self, before: "TakeoverWidget | None") -> None:
        """Replace another widget."""
        if before is not None:
            before._retire()
        self._before = before

    def _leave(self) -> None:
        """Have no other widget replace it."""
        self._open.pop(self._key, None)

    def _retire(self) -> None:
        """Give way to a new widget: stop, and say so."""
        self._leave()
        self.is_replaced = True
        self._end()
        self.error = ""
        self._show()

    def _end(self) -> None:
        """Stop all work, and drop all state."""
        before, self._before = self._before, None
        if before is not None:
            before.close()

    def _show(self) -> None:
        replaced = {"badge": self.badge, "takenOver": self.replaced_text}
        self.view = replaced if self.is_replaced else self._make_view()

    def _hear(self, widget: object, content: Any, buffers: object) -> None:
        if not self.is_replaced:  # else the browser has not been told yet
            super()._hear(widget, content, buffers)

    def _view(self) -> dict[str, Any]:
        """Return the data of the template."""
        raise NotImplementedError

    def _make_view(self) -> dict[str, Any]:
        """Return what the view of each kind has, and its own data."""
        return {"badge": self.badge, "asking": self._question, **self._view()}
