"""A control panel for an in-process fake: its users, webhooks, rooms, bots, stubs, deviations and snapshots."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from svckit.display.python_code import write_call, write_value
from svckit.errors import InvalidInput
from svckit.models.limits import WEBHOOKS_PER_DOMAIN
from svckit.models.user_parts import STATES
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_names
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.explorers.fake.controls import FakeControls
from svckit.widgets.explorers.fake.fake_view import (
    build_parts,
    build_users,
    describe_snapshot,
    is_editable,
    make_user,
)

__all__ = ["FakeExplorer"]

PARTS = ("People", "Rooms and bots", "Stubs", "Deviations", "Snapshots")
"""What it shows one at a time."""


@dataclass(frozen=True, slots=True)
class FakeDraft:
    """The part that shows, the text typed so far, the name of the stub that is edited, and the snapshots by name."""

    part: str = PARTS[0]
    editing: str = ""
    shown: str = ""
    state: str = "pending"
    user_id: str = ""
    email: str = ""
    name: str = ""
    webhook: str = ""
    room: str = "channel-1"
    bot: str = ""
    method: str = "GET"
    path: str = ""
    status: str = "200"
    json: str = "{}"
    snapshot: str = ""
    snapshots: Mapping[str, Any] = field(default_factory=dict)


TYPED = tuple(field.name for field in fields(FakeDraft) if field.name not in ("part", "editing", "snapshots"))
"""The fields of the draft that hold text."""


class FakeExplorer(FakeControls[FakeDraft]):
    """An explorer that shows and changes what is in an in-process fake.

    It has the users by state and adds some in any state, the webhooks, rooms, bots, stubs and deviations, and takes and
    restores snapshots. The clock and the faults are in `svckit.widgets.TimeExplorer`, the rules in
    `svckit.widgets.RulesExplorer`. For a real service or a fake in another process, it says why that is not possible,
    and what to use instead.

    A new explorer for the same session replaces the earlier one, and takes over the snapshots.

    Args:
        svc: a session.

    Attributes:
        draft: the text typed so far, and the snapshots.
        forks: the sessions with copies of the fake, the newest last.
        error: the error of the last request, or an empty string.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(users=3, now="2026-06-01T09:00:00+09:00")
        >>> explorer = FakeExplorer(svc)
        >>> explorer.take_snapshot(snapshot="three users")
        >>> explorer.add_user(state="suspended", name="Sato Mina")
        >>> explorer.add_webhook(webhook="Builds", room="channel-2")
        >>> explorer.add_bot()
        >>> explorer.add_stub(path="/groups", json='{"groups": []}')
        >>> print(explorer.code)
        svc.fake.stub("GET", "/groups", status=200, json={"groups": []})
        >>> explorer.write(shown="suspended")
        >>> explorer
        Fake [FAKE]
        Added the stub GET /groups.
        People
        4 users: 3 active, 1 suspended
        Listed users
          ID     State      Name       Email
          new-1  suspended  Sato Mina  new-1@example.com
        Rooms and bots
        ...
        Snapshots
        - three users: 3 users, 1 file, clock 2026-06-01T09:00:00+09:00
        >>> explorer.edit_stub("GET /groups")
        >>> explorer.draft.status
        '200'
        >>> explorer.propose_stub("GET", "/jobs/job-1")
        >>> explorer.draft.path
        '/jobs/job-1'
        >>> explorer.remove_stub("GET /groups")
        >>> fork = explorer.fork()
        >>> explorer.restore("three users")
        >>> explorer.reset()
        >>> explorer.refresh()
        >>> len(svc.fake.directory), len(fork.fake.directory), explorer.forks == [fork]
        (3, 4, True)
        >>> explorer.close()
    """

    template = "widgets/explorers/fake/fake.html"
    make_draft: ClassVar[type[FakeDraft]] = FakeDraft
    controlled = "the users, rooms, bots, stubs and state"
    instead = "svc.fake.directory, stub() and restore(), or POST /webhooks and POST /bots for rooms and bots,"

    def __init__(self, svc: Session) -> None:
        self.forks: list[Session] = []
        self._listed: dict[str, Any] | None = None  # as of the last look, as counting takes a while
        super().__init__(svc)

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Fill in fields as if typed.

        The fields are ``shown`` (the state of the listed users, empty for all); ``state``, ``user_id``, ``email`` and
        ``name`` of a new user; ``webhook`` (its title) and ``room``; ``bot`` (an ID); ``method``, ``path``, ``status``
        and ``json`` of a stub; and ``snapshot`` (a name).

        Args:
            **fields: the fields by name.

        Raises:
            InvalidInput: no such field, or no such state.
        """
        check_names(fields, TYPED)
        # In place of what was not given: a state that passes.
        check_names([fields.get("state", "active"), fields.get("shown") or "active"], STATES, what="state")
        typed: dict[str, Any] = {name: str(value) for name, value in fields.items()}
        if "shown" in fields:
            self._listed = None
        self._keep(replace(self.draft, **typed))

    @button
    def add_user(self, /, **fields: Any) -> None:
        """Add a user in any state: active, on leave, pending, awaiting, suspended or deleted.

        Without an ID and an e-mail address, the user gets new ones.

        Args:
            **fields: ``state``, ``user_id``, ``email`` and ``name``, family name first; by default those typed.

        Raises:
            InvalidInput: there is no in-process fake, the ID is taken, or no such field or state.
            Refusal: the e-mail address is taken or not valid.
        """
        draft, directory = self._fill(fields), self._fake.directory
        if draft.user_id in directory:
            raise InvalidInput(f"no user was added: {draft.user_id} exists; give another ID, or none")
        user = make_user(self._fake, draft.state, user_id=draft.user_id, email=draft.email, name=draft.name)
        directory.put(user)
        code = write_call("svc.fake.directory.put", user)
        self._finish(f"Added {user['userId']}, who is {draft.state}.", code, "user_id", "email", "name")

    @button
    def add_webhook(self, /, **fields: Any) -> None:
        """Add an entry to the webhook list, and invite the app's bot to its room first if necessary.

        Args:
            **fields: ``webhook``, its title, and ``room``; by default those typed.

        Raises:
            InvalidInput: there is no in-process fake, no such field, no title or room, or the list is full.
            Refusal: the app is not added.
        """
        draft, webhooks = self._fill(fields), self._fake.webhooks
        if not (draft.webhook and draft.room):
            raise InvalidInput("no webhook was added: give a title and a room")
        if len(webhooks.all()) >= WEBHOOKS_PER_DOMAIN:
            raise InvalidInput(f"no webhook was added: a domain has at most {WEBHOOKS_PER_DOMAIN}")
        was_invited = draft.room in self._fake.state.webhooks.invited
        invited = "" if was_invited else f"Invited the app’s bot to {draft.room}. "
        webhooks.invite_bot(draft.room)
        webhooks.add(draft.webhook, draft.room)
        where = 'svc.fake.facts["webhooks"][-1]'
        invite = write_call("svc.fake.webhooks.invite_bot", draft.room)
        code = f"{invite}\n{write_call('svc.fake.webhooks.add', draft.webhook, draft.room)}"
        self._finish(f"{invited}Added the webhook {draft.webhook}; its URL is {where}.", code, "webhook")

    @button
    def add_bot(self, /, **fields: Any) -> None:
        """Add a bot.

        Args:
            **fields: ``bot``, its ID; by default the one typed, or else the next that is free.

        Raises:
            InvalidInput: there is no in-process fake, or no such field.
            Refusal: the ID is taken, or is not 1 to 100 visible ASCII characters without a slash.
        """
        bot = self._fake.callbacks.add_bot(self._fill(fields).bot or None).bot_id
        code = write_call("svc.fake.callbacks.add_bot", bot)
        self._finish(f"Added {bot}; its secret is svc.fake.callbacks.bot({bot!r}).secret.", code, "bot")

    @button
    def add_stub(self, /, **fields: Any) -> None:
        """Set the response to calls that the service's description does not have.

        Args:
            **fields: ``method``, ``path``, ``status`` and ``json``, as text; by default those typed.

        Raises:
            InvalidInput: there is no in-process fake, this is not a status or not JSON, or no such field.
            ValueError: the description has this operation, or the stub is not valid.
        """
        draft = self._fill(fields)
        is_edited = draft.editing == f"{draft.method} {draft.path}"
        kept = self._find_stub(draft.editing).to_wire() if is_edited else {}
        own: dict[str, Any] = {name: kept[name] for name in ("area", "bearer", "headers") if name in kept}
        if draft.json.strip():
            own["json"] = _read("JSON", json.loads, draft.json)
        status = _read("a status", int, draft.status)
        stub = self._fake.stub(draft.method, draft.path, status=status, **own)
        code = write_call("svc.fake.stub", draft.method, draft.path, status=status, **own)
        self._finish(f"{'Saved' if kept else 'Added'} the stub {stub.name}.", code, "path", "editing")

    @button
    def edit_stub(self, name: str) -> None:
        """Fill in the form with a stub; its headers, its area, and whether it needs a token stay as they are.

        Args:
            name: its method and path, such as ``GET /groups``.

        Raises:
            InvalidInput: there is no in-process fake, no such stub, or one that has a function or several responses.
        """
        stub = self._find_stub(name)
        if not is_editable(stub):
            raise InvalidInput(f"{name} has a function or several responses: set it again with svc.fake.stub")
        wire = stub.to_wire()
        body = json.dumps(wire["json"], indent=2, ensure_ascii=False) if "json" in wire else ""
        self._open_form(wire["method"], wire["path"], status=str(wire["status"]), json=body, editing=name)

    def propose_stub(self, method: str, path: str) -> None:
        """Show the form of a stub for a call: of the one that it has, or of a new one.

        Args:
            method: the method.
            path: the path below the base URL.

        Raises:
            InvalidInput: there is no in-process fake.
        """
        found = self._fake.stubs.find("api", method, path)
        if found is None:
            self._open_form(method, path)
        elif is_editable(found[0]):
            self.edit_stub(found[0].name)
        else:
            self._do_part("Stubs")

    def _open_form(self, method: str, path: str, **typed: str) -> None:
        new: dict[str, Any] = {"status": "200", "json": "{}", "editing": "", **typed}
        self._opened += 1
        self._keep(replace(self.draft, part="Stubs", method=method, path=path, **new))

    def _find_stub(self, name: str) -> Any:
        stubs = {stub.name: stub for stub in self._fake.stubs}
        check_names([name], stubs, what="stub")
        return stubs[name]

    @button
    def remove_stub(self, name: str) -> None:
        """Remove a stub.

        Args:
            name: its method and path, such as ``GET /groups``.

        Raises:
            InvalidInput: there is no in-process fake, or no such stub.
        """
        self._fake.stubs.remove(self._find_stub(name))
        found = f"next(stub for stub in svc.fake.stubs if stub.name == {write_value(name)})"
        self._finish(f"Removed the stub {name}.", f"svc.fake.stubs.remove({found})")

    @button
    def take_snapshot(self, /, **fields: Any) -> None:
        """Keep a snapshot of the whole state in this explorer; one of the same name is replaced.

        Args:
            **fields: ``snapshot``, its name; by default the one typed, or else its number.

        Raises:
            InvalidInput: there is no in-process fake, or no such field.
        """
        name = self._fill(fields).snapshot or str(len(self.draft.snapshots) + 1)
        self._keep_snapshot(name)
        self._finish(f"Took the snapshot {name}.", "snapshot = svc.fake.snapshot()", "snapshot")

    @button
    def restore(self, name: str) -> None:
        """Restore the state of a snapshot, and sign in again unless faults could disturb that.

        Args:
            name: its name.

        Raises:
            InvalidInput: there is no in-process fake, or no such snapshot.
        """
        fake = self._fake
        check_names([name], self.draft.snapshots, what="snapshot")
        fake.restore(self.draft.snapshots[name])
        code = "svc.fake.restore(snapshot)"
        if fake.faults:
            self._finish(f"Restored the snapshot {name}. It has faults, so nobody was signed in again.", code)
        else:
            self.svc.sign_in()
            self._finish(f"Restored the snapshot {name}, and signed in again.", f"{code}\nsvc.sign_in()")

    @button
    def fork(self) -> Session:
        """Return a new session with an independent copy of the fake; ``forks`` keeps it, too.

        Raises:
            InvalidInput: there is no in-process fake.
        """
        fork = connect(self._fake.fork())
        self.forks.append(fork)
        code, name = "svckit.connect(svc.fake.fork())", f"forks[{len(self.forks) - 1}] of this explorer"
        if self._is_part:
            code = name = f'svc.explore("fake").current.forks[{len(self.forks) - 1}]'
        self._finish(f"Forked: a session with the copy is {name}.", f"fork = {code}")
        return fork

    @button
    def reset(self) -> None:
        """Restore what the fake started from, and sign in again; a snapshot keeps the state until then.

        Raises:
            InvalidInput: there is no in-process fake.
        """
        self._keep_snapshot("before reset")
        self._fake.reset()
        self.svc.sign_in()
        done = "Reset to the start, and signed in again. The snapshot before reset has the state until then."
        self._finish(done, "svc.fake.reset()\nsvc.sign_in()")

    def _fill(self, given: dict[str, Any]) -> FakeDraft:
        """Fill in fields, and return the draft without surrounding blanks."""
        self.write(**given)
        stripped: dict[str, Any] = {name: getattr(self.draft, name).strip() for name in TYPED}
        return replace(self.draft, **stripped)

    def _keep_snapshot(self, name: str) -> None:
        kept = {**self.draft.snapshots, name: self._fake.snapshot()}
        self._keep(replace(self.draft, snapshots=kept))

    def _finish(self, done: str, code: str, *used: str) -> None:
        """Empty the fields that were used, and show what was done."""
        emptied: dict[str, Any] = dict.fromkeys(used, "")
        self._keep(replace(self.draft, **emptied))
        self._report(done, code)

    def _refresh(self) -> None:
        self._listed = None
        super()._refresh()

    def _do_part(self, name: str) -> None:
        check_names([name], PARTS, what="part")
        self._keep(replace(self.draft, part=name))

    def _write(self, name: str, entry: str | bool) -> None:
        if name.startswith("deviation "):
            self._deviate(name.removeprefix("deviation "), str(entry) or None)
        else:
            super()._write(name, entry)

    def _view_fake(self) -> dict[str, Any]:
        if self._listed is None:
            self._listed = build_users(self._fake, self.draft.shown)
        snapshots = [
            {"name": name, "words": describe_snapshot(snapshot)}
            for name, snapshot in self.draft.snapshots.items()
        ]
        return self._listed | build_parts(self._fake) | {"parts": PARTS, "snapshots": snapshots}


def _read(what: str, read: Any, text: str) -> Any:
    """Read what was typed for a stub."""
    try:
        return read(text)
    except ValueError as wrong:
        raise InvalidInput(f"no stub was added: this is not {what}: {text!r} ({wrong})") from None
