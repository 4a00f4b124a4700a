"""A control panel for an in-process fake: everything in it, its clock and its faults."""

from svckit.session.session import Session
from svckit.widgets.explorers.explorer_box import ExplorerBox, on_head
from svckit.widgets.explorers.fake.fake_head import FakeHead
from svckit.widgets.explorers.time_explorer import TimeExplorer
from svckit.widgets.form.session_check import check_session

__all__ = ["FakeExplorer"]


class ExplorerTime(TimeExplorer):
    """The clock and the faults of an explorer, independent of other time explorers."""

    @property
    def _key(self) -> tuple[str, int]:
        return self.template, id(self)


class FakeExplorer(ExplorerBox):
    """An explorer that shows and changes everything in an in-process fake.

    It has the users by state and adds some in any state, the webhooks, rooms, bots, stubs and deviations, and takes
    and restores snapshots. Below, it has the clock and the faults. For a real service or a fake in another process, it
    says why that is not possible, and what to use instead.

    A new explorer for the same session replaces the earlier one, and takes over the snapshots.

    Args:
        svc: a session.

    Attributes:
        head: the data of the fake and its snapshots.
        time: the clock and the faults, a `svckit.widgets.TimeExplorer`; None without an in-process fake.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(users=3, now="2026-06-01T09:00:00+09:00")
        >>> explorer = FakeExplorer(svc)
        >>> explorer.take_snapshot(snapshot="three users")
        >>> explorer.add_user(state="suspended", name="Sato Mina")
        >>> explorer.add_webhook(webhook="Builds", room="channel-2")
        >>> explorer.add_bot()
        >>> explorer.add_stub(path="/groups", json='{"groups": []}')
        >>> explorer.deviate("file.stored", "200")
        >>> print(explorer.code)
        svc.fake.rules.choose({}, deviations={"file.stored": "200"})
        >>> explorer.write(shown="suspended")
        >>> explorer.head
        Fake [FAKE]
        The deviation file.stored is now 200.
        Users
        4 users: 3 active, 1 suspended
        Listed users
          ID     State      Name       Email
          new-1  suspended  Sato Mina  new-1@example.com
        Webhooks and rooms
        ...
        Snapshots
        - three users: 3 users, 1 file, clock 2026-06-01T09:00:00+09:00
        >>> explorer.remove_stub("GET /groups")
        >>> fork = explorer.fork()
        >>> explorer.restore("three users")
        >>> explorer.reset()
        >>> explorer.refresh()
        >>> len(svc.fake.directory), len(fork.fake.directory), explorer.forks == [fork]
        (3, 4, True)
        >>> explorer.time.move_to("2026-06-02T09:00:00+09:00")
        >>> explorer.close()
    """

    head: FakeHead

    def __init__(self, svc: Session) -> None:
        check_session(svc, type(self).__name__)
        self.svc = svc
        self.head = FakeHead(svc)
        self.time = None if svc.fake is None else ExplorerTime(svc)
        super().__init__(tuple(filter(None, (self.head, self.time))))
        self.layout.flex_flow = "column"
        self.layout.grid_gap = "12px"
        self.head.group = self
        self.head.observe(self._follow, "view")
        if self.time is not None:
            self.time.embed()

    @property
    def code(self) -> str:
        """The Python that does what the latest action did; empty before the first."""
        return self.head.code

    @property
    def forks(self) -> list[Session]:
        """The sessions with copies of the fake, the newest last."""
        return self.head.forks

    write = on_head(FakeHead.write)
    add_user = on_head(FakeHead.add_user)
    add_webhook = on_head(FakeHead.add_webhook)
    add_bot = on_head(FakeHead.add_bot)
    add_stub = on_head(FakeHead.add_stub)
    remove_stub = on_head(FakeHead.remove_stub)
    deviate = on_head(FakeHead.deviate)
    take_snapshot = on_head(FakeHead.take_snapshot)
    restore = on_head(FakeHead.restore)
    fork = on_head(FakeHead.fork)
    reset = on_head(FakeHead.reset)
    refresh = on_head(FakeHead.refresh)

    def _follow(self, _change: object) -> None:
        """Update the clock and the faults after a snapshot was restored."""
        if self.time is not None and not self.head.is_replaced:
            self.time.refresh()
