"""Runs: operations carried out by a fake and by the model, up to the first difference."""

import json
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any

from .drawing import Drawer, Op
from .homes import HOMES, NOW
from .names import Names
from .service.credentials import keep_access
from .service.expecting import Broken, Reply, compare
from .service.service import Service
from .service.wire import Request, make_request

FIRST = "webhook:first"
SLOW = 5.0
"""Seconds after which a response is noted as slow."""


@dataclass
class Run:
    """What was done, and the difference that ended it.

    Attributes:
        home: where the fake lived.
        seed: what the operations were drawn with; None for given ones.
        ops: the operations.
        difference: what was not as expected; None if all was.
        slow: the responses that took long: the number of the operation, the door, and what is known of it.
    """

    home: str
    seed: int | None
    ops: list[Op] = field(default_factory=list)
    difference: str | None = None
    slow: list[tuple[int, str, str]] = field(default_factory=list)


class Player:
    """Carries operations out, by a new fake and by the model."""

    def __init__(self, home: str) -> None:
        self.home = HOMES[home]()
        self.names = Names()
        self._saved: dict[str, bytes] = {}
        self._known_then: dict[str, list[str]] = {}
        self.slow: list[tuple[int, str, str]] = []
        # What is stored since a call was refused, which changes nothing; None once another call may have changed it.
        self._stored: dict[str, Any] | None = None
        try:
            self.model = self._begin()
        except BaseException:
            self.home.close()
            raise

    def _begin(self) -> Service:
        """Return the model of the fake as it begins: its users, and what clients are told."""
        facts, door = self.home.facts(), self.home.door(self.home.doors[0])

        def ask(method: str, area: str, path: str, body: bytes = b"", **headers: str) -> Any:
            reply = door.call(Request(method, area, path, headers, body))
            assert isinstance(reply, Reply), reply
            return json.loads(reply.body)

        token = ask("POST", "admin", "/tokens", b"{}")["accessToken"]
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        users = {each: ask("PATCH", "api", f"/users/{each}", b"{}", **headers) for each in facts["users"]}
        passwords = {each: ask("GET", "admin", f"/users/{each}")["password"] for each in users}
        facts["title"] = ask("GET", "admin", "/webhooks")["webhooks"][0]["title"]
        self.names.learn(FIRST, facts["webhooks"][0].rpartition("/")[2])
        model = Service(facts, datetime.fromisoformat(NOW), users, passwords)
        keep_access(model.state, token, {"user": facts["user_id"]}, model.state["now"])
        return model

    def play(self, op: Op) -> str | None:
        """Carry out an operation, and return how its outcome is not what the model says, or None."""
        stored, self._stored = self._stored, None
        if op["do"] == "change_home":
            foreign = self.home.change(op["how"])
            if foreign in self.model.state["access"]:
                return "a token of another world is one of this world, too"
            return self._use(foreign, op) if foreign else None
        resolved = self._resolve(op)
        if op["do"] == "restore" and resolved["snapshot"] not in self.model.snapshots:
            return None
        request = make_request(resolved, self._saved)
        faulty = bool(self.model.state["faults"])  # faults count down
        before = None if faulty else stored or self.home.read_stored()
        reply = self._call(op, request)
        refused = isinstance(reply, Reply) and reply.status >= 400
        if refused and before is not None:
            self._stored = self.home.read_stored()
            if self._stored != before:
                return f"what is stored has changed, although the call was refused: {reply}"
        outcome = self.model.expect(resolved, request.method, request.path)
        learned: dict[str, str] = {}
        difference = compare(outcome, reply, learned)
        if difference is None and not isinstance(reply, Broken):
            for kind, value in learned.items():
                self.names.learn(f"{kind}:{op['n']}", value)
            if op["do"] == "snapshot":
                self._saved[resolved["name"]] = reply.body
                self.names.learn(resolved["name"], resolved["name"])
                self._known_then[resolved["name"]] = self.names.list_all()
            if op["do"] in ("restore", "reset"):
                return self._go_back(op, self._known_then.get(resolved.get("snapshot"), []))
        return difference

    def _go_back(self, op: Op, known: list[str]) -> str | None:
        """Forget what was issued since then, as secrets may be issued once more; one of the tokens is refused."""
        kept = {FIRST, *known}
        later = [n for n in self.names.list_all() if n not in kept and not n.startswith("snapshot:")]
        tokens = [name for name in later if name.startswith("token:")]
        found = self._use(tokens[-1], op) if tokens else None
        self.names.forget(later)
        return found

    def _use(self, token: str, op: Op) -> str | None:
        """Use a token that is not valid."""
        use = {"n": op["n"], "do": "update", "door": op["door"], "user": "u-001", "body": {}}
        return self.play(use | {"token": token})

    def _call(self, op: Op, request: Request) -> Reply | Broken:
        """Send a request, and note a response that takes long, or never comes, with what may be the cause."""
        name = op["door"] if op["door"] in self.home.doors else self.home.doors[0]
        door, before = self.home.door(name), time.perf_counter()
        try:
            return door.call(request)
        finally:
            if (seconds := time.perf_counter() - before) > SLOW:
                what = f"{request.method} {request.area}{request.path} took {seconds:.1f} s; {self.home.diagnose(door)}"
                self.slow.append((op["n"], name, what))

    def _resolve(self, op: Op) -> Op:
        """Return an operation with what the names in it stand for."""
        resolved = {name: self.names.look_up(value) for name, value in op.items()}
        if "form" in op and isinstance(op["form"], dict):
            resolved["form"] = {name: self.names.look_up(value) for name, value in op["form"].items()}
        if "content" in op:
            text, size = op["content"]
            resolved["content"] = (text.encode() * size)[: max(0, size)]
        if op["do"] == "snapshot":
            resolved["name"] = f"snapshot:{op['n']}"
        return resolved

    def close(self) -> None:
        self.home.close()


def run(home: str, seed: int, number: int) -> Run:
    """Draw operations and carry them out, until the first difference."""
    player, rng = Player(home), Random(f"{home} {seed}")  # a text is hashed the same in every process
    drawer = Drawer(rng, player.model, player.names, player.home)
    return _play(player, (drawer.draw() for _ in range(number)), Run(home, seed))


def run_again(home: str, ops: Iterable[Op]) -> Run:
    """Carry out given operations, until the first difference."""
    return _play(Player(home), iter(ops), Run(home, None))


def _play(player: Player, ops: Iterator[Op], outcome: Run) -> Run:
    outcome.slow = player.slow
    try:
        for op in ops:
            outcome.ops.append(op)
            try:
                outcome.difference = player.play(op)
            except Exception:  # noqa: BLE001 - whatever goes wrong is a difference
                outcome.difference = traceback.format_exc()
            if outcome.difference is not None:
                break
    finally:
        player.close()
    return outcome
