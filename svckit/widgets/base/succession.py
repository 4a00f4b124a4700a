"""One widget of a kind at a time: another takes the place of the one before, which says so where it was shown."""

from collections.abc import Hashable
from typing import Any, ClassVar, Final
from weakref import WeakValueDictionary

import traitlets

from svckit.display.card import TEMPLATES
from svckit.session.session import Session
from svckit.widgets.base.entries import ListeningWidget
from svckit.widgets.base.faces import RenderedWidget

__all__ = ["MOVED", "TakeoverWidget"]

MOVED: Final = (
    "Another {} was made later for the same session, and has taken the place of this one. "
    "To have it here, run this cell again."
)


class TakeoverWidget(ListeningWidget, RenderedWidget):
    """A widget over a session of which there is one at a time, so that a cell can be run again.

    The one before holds nothing any more and does nothing; where it was shown in another cell, it says there what has
    become of it, until the one that took its place is closed or taken over in turn.

    Attributes:
        svc: the session.
        is_moved: whether another one has taken its place.
    """

    view = traitlets.Dict().tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)

    svc: Session
    moved: ClassVar[str]
    """What it says when another one has taken its place."""
    is_moved = False

    _before: "TakeoverWidget | None" = None
    """Whose place it has taken."""
    _open: ClassVar[WeakValueDictionary[Hashable, "TakeoverWidget"]] = WeakValueDictionary()

    @property
    def badge(self) -> str:
        """FAKE or REAL."""
        return "FAKE" if self.svc.is_fake else "REAL"

    def detach(self) -> None:
        """Be a part of something, which is not closed when another one of this kind is made."""
        self._open.pop(self._key, None)

    def close(self) -> None:
        """Free it, here and in the browser."""
        if "svc" in vars(self):  # else __init__ was refused its arguments
            if self._open.get(self._key) is self:
                self.detach()
            self._end()
        super().close()

    def to_html(self) -> str:
        """What it shows now, as static HTML."""
        return (
            TEMPLATES.get_template("widgets/base/moved.html").render(self.view)
            if self.is_moved
            else self._html()
        )

    def __repr__(self) -> str:
        return f"[{self.badge}] {self.moved}" if self.is_moved else self._text()

    @property
    def _key(self) -> Hashable:
        """What there is one of at a time; not by its type: each anywidget has one of its own."""
        raise NotImplementedError

    @property
    def _predecessor(self) -> Any:
        """The one whose place is taken now, if there is one."""
        before = self._open.get(self._key)
        return before if before is not None and before.svc is self.svc else None

    def _take_over(self, before: "TakeoverWidget | None") -> None:
        """Take the place of the one before."""
        if before is not None:
            before._hand_over()
        self._before = before

    def _hand_over(self) -> None:
        """Leave the place to one that is made now: end, and say so in what is shown."""
        self.detach()
        self.is_moved = True
        self._end()
        self.error = ""
        self._show()

    def _end(self) -> None:
        """Stop what it does, and forget what it holds."""
        before, self._before = self._before, None
        if before is not None:
            before.close()

    def _show(self) -> None:
        self.view = self._moved_view() if self.is_moved else self._view()

    def _hear(self, widget: object, content: Any, buffers: object) -> None:
        if not self.is_moved:  # else the browser did not know yet
            super()._hear(widget, content, buffers)

    def _view(self) -> dict[str, Any]:
        """All three faces are made from this."""
        raise NotImplementedError

    def _moved_view(self) -> dict[str, Any]:
        return {"badge": self.badge, "takenOver": self.moved}

    def _html(self) -> str:
        raise NotImplementedError

    def _text(self) -> str:
        raise NotImplementedError
