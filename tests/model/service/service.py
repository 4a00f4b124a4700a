"""The whole service as plain data: what each operation does to it, and what its response has to be."""

from collections.abc import Callable
from copy import deepcopy
from datetime import date, datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any

from . import credentials, directory, files, notifications
from .expecting import NOT_FOUND, UNAUTHORIZED, Anything, Broken, Expected, Outcome, refusal

State = dict[str, Any]
Handler = Callable[[State, dict[str, Any]], Outcome]

SETTINGS = {
    "profileStatusEnabled": True,
    "singleSignOn": False,
    "advancedPlan": False,
    "forbiddenEmailWords": [],
    "customProperties": [],
}
RETIRED = {"/directory/custom-fields": date(2026, 12, 5), "/directory/employment-types": None}
"""The day on which a feature ends; None while undecided."""
OPERATIONS: dict[str, tuple[str, Handler]] = {
    "update": ("users.update", directory.update),
    "status": ("users.set_status", directory.register),
    "announce": ("upload.any", files.announce),
    "send": ("storage.receive", files.send),
    "locate": ("download.any", files.locate),
    "fetch": ("storage.send", files.fetch),
    "notify": ("notifications.post", notifications.notify),
    "authorize": ("auth.authorize", credentials.authorize),
    "log_in": ("auth.login", credentials.log_in),
    "exchange": ("auth.token", credentials.exchange),
    "refresh": ("auth.token", credentials.refresh),
}
ADMIN: dict[str, Handler] = {
    "issue": credentials.issue,
    "read_user": directory.read_user,
    "webhook": notifications.add_webhook,
    "read_room": notifications.read_room,
}


class Service:
    """The service by its description, and by what is assumed where that is silent.

    Attributes:
        state: everything that a snapshot has.
        snapshots: earlier states by the number of the operation that took them.
    """

    def __init__(
        self, facts: dict[str, Any], now: datetime, users: dict[str, Any], passwords: dict[str, str]
    ) -> None:
        webhooks = [url.rpartition("/")[2] for url in facts["webhooks"]]
        self.state: State = {
            **{name: facts[name] for name in ("client_id", "client_secret", "redirect_uri")},
            "now": now, "users": users, "passwords": passwords, "link_ids": {}, "statuses": {},
            "tickets": {}, "codes": {}, "access": {}, "refresh": {},
            "uploads": {}, "files": {}, "file_ids": {}, "turn": 0, "downloads": {},
            "webhooks": {each: {"title": facts["title"], "channelId": "channel-1"} for each in webhooks},
            "rooms": {"channel-1": []}, "calls": [],
            "settings": deepcopy(SETTINGS), "faults": [], "stubs": {},
        }  # fmt: skip
        self._first = deepcopy(self.state)
        self.snapshots: dict[str, State] = {}

    def expect(self, op: dict[str, Any], method: str, path: str) -> Outcome:
        """Carry out an operation, and return what its response has to be."""
        does = op["do"]
        if does in ADMIN:
            return ADMIN[does](self.state, op)
        if hasattr(self, f"_{does}"):
            return getattr(self, f"_{does}")(op)  # type: ignore[no-any-return]
        if does == "call":
            name, handle = self._route(method, path)
        else:
            name, handle = OPERATIONS[does]
        return self._apply_faults(name, path, lambda: handle(self.state, op))

    # -- faults -------------------------------------------------------------------------------------------------

    def _apply_faults(self, name: str, path: str, serve: Callable[[], Outcome]) -> Outcome:
        state = self.state
        if not state["faults"]:
            return serve()
        covering = [
            f for f in state["faults"] if fnmatchcase(path if f["target"][0] == "/" else name, f["target"])
        ]
        ready = [fault for fault in covering if not fault["skip"]]
        delay = next((fault for fault in ready if fault["kind"] == "delay"), None)
        fault = next((fault for fault in ready if fault["kind"] != "delay"), None)
        skipping = [fault for fault in covering if fault["skip"]]
        outcome = self._fail(fault, serve)
        for each in skipping:
            each["skip"] -= 1
        if delay is not None:
            delay["left"] -= 1
            state["now"] += timedelta(seconds=delay["seconds"])
        state["faults"] = [each for each in state["faults"] if each["left"]]
        return outcome

    def _fail(self, fault: dict[str, Any] | None, serve: Callable[[], Outcome]) -> Outcome:
        if fault is None:
            return serve()
        kind = fault["kind"]
        if kind == "truncate":
            outcome = serve()
            if isinstance(outcome, Expected) and not outcome.body:
                return outcome
            fault["left"] -= 1
            return Broken()
        fault["left"] -= 1
        if kind == "status":
            retry = {"retry-after": str(fault["retryAfter"])} if fault.get("retryAfter") is not None else {}
            return Expected(fault["status"], Anything(), retry, content_type=None)
        if fault.get("applied"):
            serve()
        return Broken()

    def _fault(self, op: dict[str, Any]) -> Outcome:
        fault = op["fault"]
        self.state["faults"].append({"skip": 0, "left": fault.get("times", 1), **fault})
        return Expected(201, Anything())

    def _read_faults(self, op: dict[str, Any]) -> Outcome:
        def check(_: dict[str, str], body: Any) -> None:
            shown = [(each["kind"], each["target"], each["left"], each["skip"]) for each in body["faults"]]
            expected = [
                tuple(each[name] for name in ("kind", "target", "left", "skip"))
                for each in self.state["faults"]
            ]
            assert shown == expected, f"the faults left are {shown}, not {expected}"

        return Expected(200, Anything(), learn=check)

    def _clear_faults(self, op: dict[str, Any]) -> Outcome:
        self.state["faults"] = []
        return Expected(204)

    # -- calls that are not described ---------------------------------------------------------------------------

    def _route(self, method: str, path: str) -> tuple[str, Handler]:
        """Return the operation that responds to a call: a retired one, a stub, or none."""
        retired = next((each for each in RETIRED if path == each and method in ("GET", "POST")), None)
        if retired is not None:
            return "retired.any", lambda state, _: refuse_retired(state, RETIRED[retired])
        found = [place for place in self.state["stubs"] if fits(place, method, path)]
        if found:
            stub = self.state["stubs"][min(found, key=lambda place: place.count("{"))]
            return "stubbed", lambda state, op: respond_as_stubbed(state, op, stub)
        return "unmatched", refuse_unmatched

    def _stub(self, op: dict[str, Any]) -> Outcome:
        stub = op["stub"]
        if stub["path"].startswith("/users/"):  # described
            return refusal(409, "CONFLICT", stub["path"])
        self.state["stubs"][f"{stub['method']} {stub['path']}"] = stub
        return Expected(201, Anything())

    def _clear_stubs(self, op: dict[str, Any]) -> Outcome:
        self.state["stubs"] = {}
        return Expected(204)

    # -- the domain as a whole ----------------------------------------------------------------------------------

    def _clock(self, op: dict[str, Any]) -> Outcome:
        self.state["now"] += timedelta(seconds=op["advance"])
        return Expected(200, {"now": self.state["now"].isoformat(), "standing": True})

    def _settings(self, op: dict[str, Any]) -> Outcome:
        self.state["settings"] |= op["change"]

        def check(_: dict[str, str], body: Any) -> None:
            for name, value in self.state["settings"].items():
                assert body[name] == value or name == "customProperties", (
                    f"{name} is {body[name]}, not {value}"
                )

        return Expected(200, Anything(), learn=check)

    def _snapshot(self, op: dict[str, Any]) -> Outcome:
        def keep(_: dict[str, str], body: Any) -> None:
            self.snapshots[op["name"]] = deepcopy(self.state)

        return Expected(200, Anything(), learn=keep)

    def _restore(self, op: dict[str, Any]) -> Outcome:
        self.state = deepcopy(self.snapshots[op["snapshot"]])
        return Expected(204)

    def _reset(self, op: dict[str, Any]) -> Outcome:
        self.state = deepcopy(self._first)
        return Expected(204)


def fits(place: str, method: str, path: str) -> bool:
    """Whether a stub is for a call."""
    of, _, template = place.partition(" ")
    pairs = list(zip(template.split("/"), path.split("/"), strict=False))
    return (
        of == method
        and template.count("/") == path.count("/")
        and all(one[:1] == "{" or one == other for one, other in pairs)
    )


def respond_as_stubbed(state: State, op: dict[str, Any], stub: dict[str, Any]) -> Outcome:
    if not directory.is_signed_in(state, op["token"]):
        return UNAUTHORIZED
    return Expected(stub.get("status", 200), stub["json"])


def refuse_unmatched(state: State, op: dict[str, Any]) -> Outcome:
    return NOT_FOUND if directory.is_signed_in(state, op["token"]) else UNAUTHORIZED


def refuse_retired(state: State, end: date | None) -> Outcome:
    if end is not None and state["now"].date() >= end:
        return refusal(404, "ENDED", end.isoformat())
    return refusal(501, "NOT_DESCRIBED")
