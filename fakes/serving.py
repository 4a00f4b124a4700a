"""The sample fake that `svckit serve` serves, with its state in a file if one is given."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

import fakes
from fakes.doors.served import Path, Served
from fakes.handlers.admin_worlds import WorldHost
from fakes.parts.domain import Beginning
from fakes.rulebook.assumptions_file import AssumptionsSource, read_measured
from fakes.rulebook.refusing import Policy
from fakes.service import FakeService
from fakes.store.group_commit import GroupCommit
from fakes.stubs.records import StubSource, read_records
from svckit.models.signature import HEADER_WORD

if TYPE_CHECKING:
    from fakes.parts.own_data import OwnData

__all__ = ["open_sample", "read_stubs", "register_redirects", "wait_for_stop"]

TICK = 1.0
"""Seconds between looks at whether the server still runs, and at which worlds other processes ask for."""


@contextmanager
def open_sample(
    admin_key: str,
    *,
    users: int | None = None,
    seed: int | None = None,
    now: str | None = None,
    assume: Mapping[str, str] | None = None,
    assume_from: AssumptionsSource | None = None,
    assumptions: Policy | None = None,
    deviations: Mapping[str, str] | None = None,
    state: Path | None = None,
    auto_login: str | None = None,
    header_word: str | None = None,
    stubs: StubSource | None = None,
    data: "Path | OwnData | None" = None,
    worlds: bool = False,
) -> Iterator[FakeService]:
    """Open a sample fake to be served inside the ``with`` block.

    With ``state`` the fake resumes from that file, and a server sends each response only after the changes it
    acknowledges are on the disk. A reset restores what the fake began with, and the settings given at this or an
    earlier start.

    Args:
        admin_key: the key that admin calls must send.
        users: the number of sample users; by default that of the file, or 20, or none if ``data`` has users.
        seed: determines the IDs, secrets and sample data; by default that of the file, or 0. With ``worlds``, and
            without a seed, the secrets are random.
        now: the instant at which the clock starts; by default that of the file, or it runs with the system clock.
        assume: alternatives for assumptions, by rule ID; they override those of the file.
        assume_from: what was measured of a real service, as a file or its data; it overrides that of the file.
        assumptions: ``"refuse"`` refuses responses that would rest on an assumption; by default as in the file, or
            allowed.
        deviations: departures from documented rules, as values by ID; they override those of the file.
        state: the file that keeps the state; created if it does not exist. With ``worlds``, the folder that keeps them.
        auto_login: the user whom each authorization request logs in, without a login screen; see
            `AuthorizationServer`.
        header_word: the word that stands for the product in the header names of callback events; by default that of
            the file, or ``SERVICE``.
        stubs: the stubs that it starts with, besides those of the file; see `FakeService.sample`.
        data: data of your own, as a file or already read; by default those of the state file.
        worlds: whether it has worlds; see `fakes.Worlds`.

    Raises:
        Refusal: there is no such user as ``auto_login``.
        ValueError: an option is out of range or contradicts the file, or the file cannot be used.
        OSError: the file is in use, or a file cannot be read.

    Examples:
        >>> with open_sample("an admin key", users=3) as fake:
        ...     fake.facts["users"]
        ['u-001', 'u-002', 'u-003']
    """
    with ExitStack() as stack:
        file, first = None, dict[str, Any]()
        if state is not None and not worlds:
            from fakes.parts.own_data import OwnData
            from fakes.store.state_file import StateFile  # most fakes need no database

            data = None if data is None else OwnData.read(data)
            file = StateFile(state)
            stack.callback(file.close)
            saved, first = check_beginning(file.beginning, users, seed, now), file.settings
            if saved is not None:
                data = check_data(file.own_data, data)
                users, seed, now = saved
        measured = None if assume_from is None else read_measured(assume_from)
        earlier = first.get("assume", {})
        if measured is not None:  # which overrides what was assumed before
            earlier = {name: value for name, value in earlier.items() if name not in measured.chosen}
        stubs = None if stubs is None else read_records(stubs)
        # `fakes` loads its names on first use.
        make: Callable[..., FakeService] = partial(fakes.Worlds, state=state) if worlds else FakeService
        fake = make(
            users,
            seed if worlds else seed or 0,  # without one, the secrets of worlds are random
            now,
            assume={**earlier, **(assume or {})},
            assume_from=measured.model_dump() if measured is not None else first.get("assume_from"),
            assumptions=assumptions or first.get("assumptions", "allow"),
            header_word=first.get("header_word", HEADER_WORD) if header_word is None else header_word,
            deviations={**first.get("deviations", {}), **(deviations or {})},
            stubs=[*(first.get("stubs") or []), *(stubs or [])],
            data=data,
        )
        fake.state.admin_key = admin_key
        if isinstance(fake, WorldHost):
            stack.callback(fake.close)
        if file is not None:
            file.attach(fake, fake.beginning)
            fake.rules.choose(assume or {}, assumptions, deviations=deviations, measured=measured)
            if header_word is not None:
                fake.settings.header_word = header_word
            fake.stubs.add_file(stubs or [])
            fake.settle = GroupCommit(file.settle, file.has_changes).settle
        if auto_login is not None:
            fake.state.users.resolve(auto_login)
            fake.auth.auto_login = auto_login
        yield fake


def wait_for_stop(served: Served[FakeService], stop: Event) -> bool:
    """Wait for an event, and return True; False if the server stopped before.

    Args:
        served: the server; meanwhile it gives back the worlds that other processes ask for.
        stop: the event.

    Examples:
        >>> stop = Event()
        >>> with open_sample("an admin key", users=3) as fake, fake.serve() as served:
        ...     stop.set()
        ...     wait_for_stop(served, stop)
        True
    """
    while served.running and not stop.wait(TICK):
        if isinstance(served.fake, WorldHost):
            served.fake.give_back()
    return served.running


def read_stubs(files: Iterable[str]) -> list[Mapping[str, Any]]:
    """Return the stubs of several files, or of ready ones by name, after checking them all.

    Raises:
        OSError: a file cannot be read.
        ValueError: a stub is not valid, or its operation is described; all problems of a file are reported together.

    Examples:
        >>> read_stubs(["common"])[0]["path"]
        '/users'
    """
    stubs: list[Mapping[str, Any]] = []
    fake = FakeService.sample(users=1)
    for file in files:
        records = read_records(file)
        try:
            fake.stubs.add_file(records)
        except ValueError as wrong:
            raise ValueError(f"{file}: {wrong}") from None
        stubs += records
    return stubs


def check_beginning(beginning: Beginning | None, *given: object) -> Beginning | None:
    """Return the beginning of a state file if the given arguments agree with it.

    Raises:
        ValueError: an argument differs.
    """
    for name, initial, value in zip(Beginning._fields, beginning or (), given, strict=False):
        if value is not None and value != initial:
            start = f"without --{name}" if initial is None else f"with --{name} {initial}"
            raise ValueError(
                f"the state file was created {start}, but --{name} {value} was given; "
                "omit the option to resume, or name another file to start again"
            )
    return beginning


def check_data(initial: "OwnData | None", given: "OwnData | None") -> "OwnData | None":
    """Return the data of a state file if the given ones, if any, are the same.

    Raises:
        ValueError: they differ.
    """
    if given is not None and (initial is None or initial.dump() != given.dump()):
        start = "without --data" if initial is None else "with other data"
        option = given.name if given.name.startswith("--") else f"--data {given.name}"
        raise ValueError(
            f"the state file was created {start}, but {option} was given; omit the option to resume, or name another "
            "file to start again"
        )
    return initial


def register_redirects(data: "OwnData | None", redirect_uris: Sequence[str]) -> "OwnData | None":
    """Return data whose only application has these redirect URLs; without any, the data as they are.

    Raises:
        ValueError: a URL is not valid, or the data have applications of their own.
    """
    if not redirect_uris:
        return data
    from fakes.parts.own_data import OwnData

    first, *further = redirect_uris
    setting = OwnData.read({"applications": [{"redirectUri": first, "redirectUris": further}]})
    if data is None:
        return replace(setting, name="--redirect-uri")
    if data.applications:
        raise ValueError(f"{data.name} has applications, with their redirect URLs; omit --redirect-uri")
    return replace(data, applications=setting.applications)
