"""A sample fake, served, its state kept in a file where one is named: what the `svckit serve` command runs."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from fakes.doors.served import Path, Served
from fakes.rulebook.rules import Policy
from fakes.service import FakeService
from fakes.store.group_commit import GroupCommit
from fakes.store.state_file import Beginning, StateFile

__all__ = ["serve_sample"]

USERS = 20
SEED = 0


@contextmanager
def serve_sample(
    admin_key: str,
    port: int = 0,
    host: str = "127.0.0.1",
    *,
    users: int | None = None,
    seed: int | None = None,
    now: str | None = None,
    assume: Mapping[str, str] | None = None,
    assumptions: Policy | None = None,
    state: Path | None = None,
    tls: tuple[Path, Path] | None = None,
) -> Iterator[Served[FakeService]]:
    """Serve a sample fake while inside.

    With ``state`` the fake goes on from that file, and each answer is sent only after the changes it acknowledges are
    on the disk.

    Args:
        admin_key: what admin calls must present.
        port: the port to listen at; 0 for any that is free.
        host: the name or address to listen at.
        users: how many sample users; omitted, 20, or as many as the file began with.
        seed: what ids, secrets and sample data are derived from; omitted, 0, or that of the file.
        now: where the clock stands at first; omitted, it runs with the system, or as that of the file.
        assume: alternatives for assumptions, by rule id; also where the file had others.
        assumptions: ``"refuse"`` refuses an answer that would rest on an assumption; omitted, they are allowed, or as
            the file has it.
        state: the file the state is kept in; made where there is none.
        tls: the paths of a certificate and of its key, to serve ``https``.

    Raises:
        ValueError: an option is out of range or contradicts the file, or the file cannot be used.
        OSError: the port is taken, the file is in use, or a file cannot be read.

    Examples:
        >>> with serve_sample("an admin key", users=3) as served:
        ...     served.facts["users"]
        ['u-001', 'u-002', 'u-003']
    """
    with ExitStack() as stack:
        settle = None
        beginning = Beginning(USERS if users is None else users, SEED if seed is None else seed, now)
        kept = None if state is None else StateFile(state)
        if kept is not None:
            stack.callback(kept.close)
            beginning = check_beginning(kept.beginning, users, seed, now) or beginning
        fake = FakeService.sample(*beginning, assume=assume, assumptions=assumptions or "allow")
        fake.state.admin_key = admin_key
        if kept is not None:
            kept.attach(fake, beginning)
            fake.rules.choose(assume or {}, assumptions)
            settle = GroupCommit(kept.settle).settle
        yield stack.enter_context(Served(fake, port, host, tls, settle=settle))


def check_beginning(beginning: Beginning | None, *given: object) -> Beginning | None:
    """What a state file began with, if nothing else was asked for.

    Raises:
        ValueError: something else was.
    """
    for name, began, asked in zip(Beginning._fields, beginning or (), given, strict=False):
        if asked is not None and asked != began:
            with_it = f"without --{name}" if began is None else f"with --{name} {began}"
            raise ValueError(
                f"the state file began {with_it}, and --{name} {asked} was given; "
                "leave it out to go on, or name another file to begin anew"
            )
    return beginning
