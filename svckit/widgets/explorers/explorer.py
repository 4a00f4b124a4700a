"""What explorers of a session share: one at a time, what was typed is kept, what is real is asked about."""

from collections.abc import Callable
from threading import RLock
from typing import Any, ClassVar, Generic, Protocol, TypeVar
from weakref import WeakKeyDictionary

import anywidget

from svckit.display.card import TEMPLATES
from svckit.session.clock import Clock
from svckit.session.session import Session
from svckit.widgets.base.callbacks import clear_error, show_background_errors
from svckit.widgets.base.succession import MOVED, TakeoverWidget
from svckit.widgets.form.session_check import check_session

__all__ = ["Explorer"]

Draft = TypeVar("Draft")


class ExplorerGroup(Protocol):
    """Several widgets that are one explorer together."""

    def hand_over(self) -> None:
        """Keep only the head."""

    def close(self) -> None:
        """Free all of them."""


class Explorer(TakeoverWidget, anywidget.AnyWidget, Generic[Draft]):
    """A view of a session, and what can be done there.

    Another one of the same kind over the same session takes the place of the one before, and has what was typed
    there: so a cell can be run again; see `svckit.widgets.base.succession`. What was typed is kept in memory, as
    long as the session.

    Args:
        svc: the session.

    Raises:
        TypeError: it is no session, or one for ``await``.

    Attributes:
        svc: the session.
        draft: what was typed.
        error: what the last request failed with, or empty text.
        is_moved: whether another one has taken its place.
    """

    moved = MOVED.format("explorer of this kind")

    template: ClassVar[str]
    """The template of its static face, which is also what the kind of explorer is known by."""
    begin: ClassVar[Callable[[], Any]]
    """Makes the draft to begin with."""
    whole: ExplorerGroup | None = None
    """What it is the head of, if anything, which is closed and taken over with it."""

    _drafts: ClassVar[WeakKeyDictionary[Session, dict[str, Any]]] = WeakKeyDictionary()

    def __init__(self, svc: Session) -> None:
        check_session(svc, type(self).__name__)
        self.svc = svc
        self._take_over(self._predecessor)
        self.draft: Draft = self._drafts.setdefault(svc, {}).setdefault(self.template, type(self).begin())
        self._asking: Callable[[], None] | None = None
        self._question = ""
        self._showing = RLock()  # work in a thread shows how far it is
        super().__init__(view=self._view())
        self._open[self._key] = self
        self.on_msg(self._hear)

    @property
    def clock(self) -> Clock:
        """The clock of the service, as far as it can be known."""
        return self.svc.clock

    def _keep(self, draft: Draft) -> None:
        """Keep what was typed; what would be sent now is not what was asked about."""
        self.draft = self._drafts[self.svc][self.template] = draft
        self.cancel()

    @clear_error
    def confirm(self) -> None:
        """Do what was asked about.

        Raises:
            ValueError: nothing was.
        """
        asked, self._asking, self._question = self._asking, None, ""
        if asked is None:
            raise ValueError("there is nothing to confirm")
        self._show()
        asked()

    @clear_error
    def cancel(self) -> None:
        """Do not do what was asked about; what was typed stays."""
        self._asking, self._question = None, ""
        self._show()

    def close(self) -> None:
        """Free the explorer, here and in the browser; what was typed stays with the session."""
        super().close()
        whole, self.whole = self.whole, None
        if whole is not None:
            whole.close()

    def _html(self) -> str:
        return TEMPLATES.get_template(self.template).render(self.view)

    def _hand_over(self) -> None:
        super()._hand_over()
        if self.whole is not None:
            self.whole.hand_over()

    def _ask_first(self, what: str, do: Callable[[], None]) -> None:
        """Do something that writes; where the service is no fake, only ask, and :meth:`confirm` does it."""
        if self.svc.is_fake:
            do()
            return
        profile = self.svc.profile
        self._asking = do
        self._question = f"{what} at {profile.name} ({profile.base_url}), which is REAL."
        self._show()

    def _show(self) -> None:
        with self._showing:
            super()._show()

    def refresh(self) -> None:
        """Look at what has come since."""
        self._show()

    def _hear(self, widget: object, content: Any, buffers: object) -> None:
        """Tell what somebody asks for from the browser's own looks now and then."""
        if content == {"do": "watch"} and not self.is_moved:
            self._refresh_in_background()
        else:
            super()._hear(widget, content, buffers)

    @show_background_errors
    def _refresh_in_background(self) -> None:
        self.refresh()
        super().send({"looked": True})

    @property
    def _key(self) -> tuple[str, int]:
        return self.template, id(self.svc)
