"""Base classes of a session's explorers: one at a time, kept drafts, confirmation before writing to a real service."""

from collections.abc import Callable, Generator
from functools import cached_property
from itertools import islice
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar
from weakref import WeakKeyDictionary

from svckit.models.user_parts import display_name
from svckit.session.session import Session
from svckit.session.steps import Clock
from svckit.widgets.base.argument_checks import check_session
from svckit.widgets.base.background import Worker
from svckit.widgets.base.callbacks import button
from svckit.widgets.base.takeover import REPLACED, TakeoverWidget
from svckit.widgets.base.untyped import AnyWidget

if TYPE_CHECKING:
    from svckit.widgets.explorers.explorer_box import ExplorerBox

__all__ = ["Explorer", "WorkingExplorer", "describe_session"]

Draft = TypeVar("Draft")

MAX_SUGGESTIONS: Final = 200
"""The users who are offered; any other can be entered by ID."""


class People:
    """The first users that a session knows: their IDs and names.

    Args:
        svc: the session.

    Examples:
        >>> import svckit
        >>> people = People(svckit.connect(now="2026-06-01T09:00:00+09:00"))
        >>> people.first, people.names["u-002"], people.refresh()
        ('u-001', 'Lopez Petra', False)
    """

    def __init__(self, svc: Session) -> None:
        self._svc = svc
        self.names: dict[str, str] = {}
        self.refresh()

    def refresh(self) -> bool:
        """Update the users known to the session; return whether they changed."""
        before = self.names
        users = islice(self._svc.records("users"), MAX_SUGGESTIONS)
        self.names = {str(user["userId"]): display_name(user) or "" for user in users if user.get("userId")}
        return self.names != before

    @property
    def first(self) -> str:
        """The ID of the first user, or an empty string."""
        return next(iter(self.names), "")


def describe_session(svc: Session) -> dict[str, str]:
    """Return who is signed in to a session, until when, and the time of its fake.

    A running clock is cut to the minute, so that views do not change every second.

    Examples:
        >>> import svckit
        >>> describe_session(svckit.connect(now="2026-06-01T09:00:00+09:00"))
        {'who': 'hana.nakamura.001@example.com', 'until': '2026-06-02T09:00:00+09:00',
         'now': '2026-06-01T09:00:00+09:00'}
    """
    who, tokens = svc.sign_in_status
    now = svc.clock.now()
    shown = now if svc.clock.standing else now.replace(second=0)
    return {
        "who": who,
        "until": tokens.expires.isoformat(timespec="seconds") if tokens and tokens.expires > now else "",
        "now": shown.isoformat(timespec="seconds") if svc.is_fake else "",
    }


class Explorer(TakeoverWidget, AnyWidget, Generic[Draft]):
    """A view of a session with actions.

    A new explorer of the same kind for the same session replaces the earlier one and takes over its draft, so you can
    run a cell again; see `svckit.widgets.base.takeover`. Drafts are kept in memory as long as the session.

    Args:
        svc: the session.

    Raises:
        TypeError: `svc` is not a session, or is one for ``await``.

    Attributes:
        svc: the session.
        draft: the text typed so far.
        error: the error of the last request, or an empty string.
        is_replaced: whether another explorer has replaced this one.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = svckit.widgets.NotificationsExplorer(svc)
        >>> explorer.clock is svc.clock
        True
        >>> explorer.refresh()
        >>> explorer.cancel()
        >>> explorer.confirm()
        Traceback (most recent call last):
        ...
        ValueError: there is nothing to confirm: nothing was asked, or something was edited since
        >>> explorer.close()
    """

    replaced_text = REPLACED.format("explorer of this kind")

    template: ClassVar[str]
    """The template of its static HTML, which also identifies the kind of explorer."""
    make_draft: ClassVar[Callable[[], Any]]
    """Creates the initial draft."""
    group: "ExplorerBox | None" = None
    """The group of widgets that this explorer heads, if any; it is closed and taken over with it."""
    _is_part = False

    _drafts: ClassVar[WeakKeyDictionary[Session, dict[str, Any]]] = WeakKeyDictionary()

    def __init__(self, svc: Session) -> None:
        check_session(svc, type(self).__name__)
        self.svc = svc
        self._take_over(self._predecessor)
        self.draft: Draft = self._drafts.setdefault(svc, {}).setdefault(
            self.template, type(self).make_draft()
        )
        self._showing = RLock()  # background threads show their progress
        super().__init__(view=self._make_view())
        self._open[self._key] = self

    @property
    def clock(self) -> Clock:
        """The service's clock, as far as it is known."""
        return self.svc.clock

    @cached_property
    def _people(self) -> People:
        """The users to suggest, as the session knew them when they were first shown."""
        return People(self.svc)

    def _keep(self, draft: Draft) -> None:
        """Store the draft and withdraw an open confirmation, because the request has changed."""
        self._remember(draft)
        self.cancel()

    def _remember(self, draft: Draft) -> None:
        self.draft = self._drafts[self.svc][self.template] = draft

    def close(self) -> None:
        """Free the explorer, here and in the browser; the session keeps the draft."""
        super().close()
        group, self.group = self.group, None
        if group is not None:
            group.close()

    def _retire(self) -> None:
        super()._retire()
        if self.group is not None:
            self.group.retire()

    def _ask_first(self, what: str, do: Callable[[], None]) -> None:
        super()._ask_first(f"{what} at", do)

    def embed(self) -> None:
        """Make it a part of another widget, which shows the session itself."""
        super().embed()
        self._is_part = True
        self._show_session()

    def _show(self) -> None:
        with self._showing:
            super()._show()

    def _make_view(self) -> dict[str, Any]:
        return {"draft": self.draft, **super()._make_view(), "session": self._describe_session()}

    def _show_session(self) -> None:
        with self._showing:
            self.view = {**self.view, "session": self._describe_session()}

    def _describe_session(self) -> dict[str, str] | None:
        return None if self._is_part else describe_session(self.svc)

    @button
    def refresh(self) -> None:
        """Show what has changed since."""
        self._refresh()

    def _refresh(self) -> None:
        """Show what has changed since; the browser asks for it every now and then."""
        self._show()

    def _do_watch(self, only: str = "") -> None:
        """Show what has changed since; with ``session``, only who is signed in."""
        if only == "session":
            self._show_session()
        else:
            self._refresh()
        super().send({"looked": True})

    @property
    def _key(self) -> tuple[str, int]:
        return self.template, id(self.svc)


class WorkingExplorer(Worker, Explorer[Draft]):
    """An explorer with background work, which stops when the explorer is closed.

    Examples:
        >>> import svckit
        >>> explorer = svckit.widgets.NotificationsExplorer(svckit.connect(now="2026-06-01T09:00:00+09:00"))
        >>> explorer.write(text="hello")
        >>> explorer.burst(3)
        >>> explorer.stop()
        >>> explorer.wait()
        >>> explorer.close()
    """

    _running = False
    """Whether work is under way."""

    @button
    def stop(self) -> None:
        """Stop the work after the current step."""
        super().stop()

    def _start(self, steps: Generator[None, None, None]) -> None:
        """Start work, and show that it runs, its failure, and its end."""
        self._running = True
        self._show()
        super()._start(self._watch_over(steps))

    def _watch_over(self, steps: Generator[None, None, None]) -> Generator[None, None, None]:
        try:
            yield from steps
        except Exception as failure:  # noqa: BLE001 - a thread has no caller to handle it
            self._fail(failure)
        finally:
            self._running = False
            self._show()

    def _end(self) -> None:
        self.stop()
        super()._end()
