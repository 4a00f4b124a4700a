"""All explorers of a session in one panel."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar, Final
from weakref import WeakValueDictionary

import traitlets
from ipywidgets import Widget  # type: ignore[import-untyped]

from svckit.display.suggestions import did_you_mean
from svckit.extras import has_pandas
from svckit.models.phrases import describe_given
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_session
from svckit.widgets.base.template_widget import TemplateWidget
from svckit.widgets.base.untyped import AnyWidget
from svckit.widgets.explorers.explorer import describe_session
from svckit.widgets.explorers.explorer_box import WidgetBox
from svckit.widgets.explorers.plain_users import PlainUsersExplorer
from svckit.widgets.explorers.traffic.messages import TraceSource

__all__ = ["ExplorerPanel"]


EXPLORERS: Final[Mapping[str, str]] = {
    "users": "UsersExplorer",
    "statuses": "StatusesExplorer",
    "files": "FilesExplorer",
    "notifications": "NotificationsExplorer",
    "inbox": "InboxExplorer",
    "sign-in": "SignInExplorer",
    "traffic": "TrafficExplorer",
    "time": "TimeExplorer",
    "rules": "RulesExplorer",
    "fake": "FakeExplorer",
}
"""The classes of the explorers in `svckit.widgets`, by the names in the panel."""


CONTROLS: Final = frozenset({"time", "rules", "fake"})
"""Those that control a fake, which the panel of a real service does not offer."""


def open_explorer(name: str, svc: Session, **options: Any) -> Any:
    """Open one of `EXPLORERS`; that of users imports pandas, which happens only here, or is a plain one without."""
    if name == "users" and not has_pandas():
        return PlainUsersExplorer(svc)
    return getattr(import_module("svckit.widgets"), EXPLORERS[name])(svc, **options)


class PanelHead(TemplateWidget, AnyWidget):
    """The service of a session, its badge, who is signed in, and the explorers to choose from.

    Attributes:
        chosen: the name of the explorer shown; observe it or set it.
    """

    template = "widgets/explorers/explorer_panel.html"

    chosen: "traitlets.Enum[str]" = traitlets.Enum(list(EXPLORERS))

    def __init__(self, svc: Session, chosen: str) -> None:
        self._svc = svc
        super().__init__(chosen=chosen)

    @traitlets.observe("chosen")
    def _show(self, _change: object = None) -> None:
        profile = self._svc.profile
        self.view = {
            "badge": "FAKE" if profile.is_fake else "REAL",
            "profile": profile.name,
            "url": profile.base_url,
            "names": [
                name for name in EXPLORERS if profile.is_fake or name not in CONTROLS or name == self.chosen
            ],
            "shown": self.chosen,
            "session": describe_session(self._svc),
        }

    def _do_show(self, name: str) -> None:
        self.chosen = name

    def _do_watch(self, only: str = "") -> None:
        self._show()
        self.send({"looked": True})


class ExplorerPanel(WidgetBox):
    """The explorers of a session, one shown at a time; created by ``svc.explore()``.

    An explorer is created when it is first shown and keeps its draft while another one is shown. If there is no
    journal of an in-process fake, the panel records the session's calls from the start for the traffic explorer.

    Attributes:
        head: the session, its badge, and the explorers to choose from.
        current: the explorer shown.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> panel = svc.explore()
        >>> panel.head
        Session with fake (https://api.fake.test): users; also statuses, files, notifications, ...
        >>> panel.show("notifications")
        >>> panel.current.draft.text
        ''
        >>> svc.explore() is ExplorerPanel.of(svc) is panel
        True
        >>> panel.close()
    """

    _open: ClassVar[WeakValueDictionary[int, "ExplorerPanel"]] = WeakValueDictionary()
    """The open panel of each session, by its ``id``, which another one may get once the session is gone."""

    def __init__(self, svc: Session, show: str | None = None) -> None:
        check_session(svc, type(self).__name__)
        self.svc = svc
        # By name: the explorers shown so far, which stay as they are while another one is shown.
        self._made: dict[str, Widget] = {}
        # The session's calls, recorded before anybody opens the traffic explorer, which then closes it.
        self._source = TraceSource(svc) if svc.local_fake is None else None
        self.head: PanelHead = PanelHead(svc, show or next(iter(EXPLORERS)))
        super().__init__([self.head], grid_gap="8px", classes=("svckit-panel-of-explorers",))
        self.head.observe(self._switch, "chosen")
        self._switch()

    @classmethod
    def of(cls, svc: Session, show: str | None = None) -> "ExplorerPanel":
        """Return the open panel of a session, or a new one.

        Args:
            svc: the session.
            show: the explorer to show; by default the current one.

        Raises:
            TypeError, ValueError: as for :meth:`show`; no panel is created then.
        """
        name = None if show is None else _check_name(show)
        panel = cls._open.get(id(svc))
        if panel is None or panel.svc is not svc:
            panel = cls._open[id(svc)] = cls(svc, name)
        if name is not None:
            panel.head.chosen = name
        return panel

    @property
    def current(self) -> Any:
        """The explorer shown."""
        return self._made[self.head.chosen]

    def show(self, name: str) -> None:
        """Show the explorer with this name.

        Args:
            name: such as ``users`` or ``notifications``; the panel's text lists all.

        Raises:
            TypeError: the name is not a string.
            ValueError: no such explorer; the message suggests the nearest name.
        """
        self.head.chosen = _check_name(name)
        self.head.error = ""

    def close(self) -> None:
        """Free the panel and its explorers, here and in the browser."""
        if "_made" in vars(self):  # otherwise __init__ rejected its arguments
            if self._open.get(id(self.svc)) is self:  # not a panel opened later
                del self._open[id(self.svc)]
            if self._source is not None and "traffic" not in self._made:
                self._source.close()
        super().close()

    @property
    def _shown(self) -> list[Any]:
        return [self.head, self.current]

    def _switch(self, _change: object = None) -> None:
        name = self.head.chosen
        if name not in self._made:
            self._made[name] = explorer = self._make(name)
            explorer.embed()
            explorer.add_class(f"svckit-explorer-{name}")
        for other, part in self._made.items():
            part.layout.display = None if other == name else "none"
        self.children: tuple[Any, ...] = (self.head, *self._made.values())

    def _make(self, name: str) -> Any:
        """Create an explorer."""
        options: dict[str, Any] = {}
        if name == "traffic":
            options = {"trace": self._source, "visit": None if self.svc.local_fake is None else self._visit}
        return open_explorer(name, self.svc, **options)

    def _visit(self, name: str) -> Any:
        """Show an explorer as the fake is now, after what was done in another, and return it."""
        self.show(name)
        self.current.refresh()
        return self.current


def _check_name(name: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"an explorer's name is a string such as 'users'; given {describe_given(name)}")
    if name not in EXPLORERS:
        near = did_you_mean(name, EXPLORERS) or f"; the explorers are {', '.join(EXPLORERS)}"
        raise ValueError(f"no explorer {name!r}{near}")
    return name
