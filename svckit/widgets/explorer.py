"""What explorers of a session share: one at a time, what was typed is kept, what is real is asked about."""

from collections.abc import Callable
from threading import RLock
from typing import Any, ClassVar, Generic, Protocol, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

import anywidget
import traitlets

from svckit.card import TEMPLATES
from svckit.clock import Clock
from svckit.session import Session
from svckit.widgets.callbacks import asked, shown_beside
from svckit.widgets.entries import Hears
from svckit.widgets.faces import Faces
from svckit.widgets.session_check import check_session

__all__ = ["Explorer"]

Draft = TypeVar("Draft")
MOVED = (
    "Another explorer of this kind was made later for the same session, and has taken the place of this one. "
    "To have it here, run this cell again."
)


class Whole(Protocol):
    """Several widgets that are one explorer together."""

    def hand_over(self) -> None:
        """Keep only the head."""

    def close(self) -> None:
        """Free all of them."""


class Explorer(Hears, Faces, anywidget.AnyWidget, Generic[Draft]):
    """A view of a session, and what can be done there.

    Another one of the same kind over the same session takes the place of the one before, and has what was typed
    there: so a cell can be run again. What was typed is kept in memory, as long as the session. The one before holds
    nothing any more and does nothing; where it was shown in another cell, it says there what has become of it, until
    the one that took its place is closed or taken over in turn.

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

    view = traitlets.Dict().tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)

    template: ClassVar[str]
    """The template of its static face, which is also what the kind of explorer is known by."""
    begin: ClassVar[Callable[[], Any]]
    """Makes the draft to begin with."""
    whole: Whole | None = None
    """What it is the head of, if anything, which is closed and taken over with it."""
    is_moved = False

    _before: "Explorer[Any] | None" = None
    """Whose place it has taken."""

    _drafts: ClassVar[WeakKeyDictionary[Session, dict[str, Any]]] = WeakKeyDictionary()
    _open: ClassVar[WeakValueDictionary[tuple[str, int], "Explorer[Any]"]] = WeakValueDictionary()

    def __init__(self, svc: Session) -> None:
        check_session(svc, type(self).__name__)
        self.svc = svc
        before = self._open.get(self._key)
        if before is not None and before.svc is svc:
            before._hand_over()
            self._before = before
        self.draft: Draft = self._drafts.setdefault(svc, {}).setdefault(self.template, type(self).begin())
        self._asking: Callable[[], None] | None = None
        self._question = ""
        self._showing = RLock()  # work in a thread shows how far it is
        super().__init__(view=self._view())
        self._open[self._key] = self
        self.on_msg(self._hear)

    @property
    def badge(self) -> str:
        """FAKE or REAL."""
        return "FAKE" if self.svc.is_fake else "REAL"

    @property
    def clock(self) -> Clock:
        """The clock of the service, as far as it can be known."""
        return self.svc.clock

    def part(self) -> None:
        """Be a part of something, which is not closed when another explorer of this kind is made."""
        self._open.pop(self._key, None)

    def _keep(self, draft: Draft) -> None:
        """Keep what was typed; what would be sent now is not what was asked about."""
        self.draft = self._drafts[self.svc][self.template] = draft
        self.cancel()

    @asked
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

    @asked
    def cancel(self) -> None:
        """Do not do what was asked about; what was typed stays."""
        self._asking, self._question = None, ""
        self._show()

    def close(self) -> None:
        """Free the explorer, here and in the browser; what was typed stays with the session."""
        if "svc" in vars(self):  # else __init__ was refused its arguments
            if self._open.get(self._key) is self:
                self.part()
            self._end()
        super().close()
        whole, self.whole = self.whole, None
        if whole is not None:
            whole.close()

    def to_html(self) -> str:
        """What it shows now, as static HTML."""
        return TEMPLATES.get_template("moved.html").render(self.view) if self.is_moved else self._html()

    def __repr__(self) -> str:
        return f"[{self.badge}] {MOVED}" if self.is_moved else self._text()

    def _html(self) -> str:
        return TEMPLATES.get_template(self.template).render(self.view)

    def _text(self) -> str:
        raise NotImplementedError

    def _hand_over(self) -> None:
        """Leave the place to one that is made now: end, and say so in what is shown."""
        self.part()
        self.is_moved = True
        self._end()
        if self.whole is not None:
            self.whole.hand_over()
        self.error = ""
        self._show()

    def _end(self) -> None:
        """Stop what it does, and forget what it holds."""
        before, self._before = self._before, None
        if before is not None:
            before.close()

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
            self.view = {"badge": self.badge, "takenOver": MOVED} if self.is_moved else self._view()

    def _view(self) -> dict[str, Any]:
        """All three faces are made from this."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Look at what has come since."""
        self._show()

    def _hear(self, widget: object, content: Any, buffers: object) -> None:
        """Tell what somebody asks for from the browser's own looks now and then."""
        if self.is_moved:  # and the browser did not know yet
            return
        if content == {"do": "watch"}:
            self._looked()
        else:
            super()._hear(widget, content, buffers)

    @shown_beside
    def _looked(self) -> None:
        self.refresh()
        super().send({"looked": True})

    @property
    def _key(self) -> tuple[str, int]:
        return self.template, id(self.svc)  # not the type: each anywidget has one of its own
