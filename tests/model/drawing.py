"""Operations drawn at random, mostly sensible ones, with a taste for the ends of lifetimes.

An operation is plain JSON. What earlier ones have learned it names by the kind and the number of the operation, such
as ``token:17``, so that a list of operations can be run again, and shortened.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

from . import values
from .homes import Home
from .names import Names
from .service.service import Service
from .service.wire import DOWNLOADED

Op = dict[str, Any]

KINDS = {
    "update": 30, "status": 8, "announce": 9, "send": 15, "locate": 7, "fetch": 6, "notify": 12, "authorize": 3,
    "log_in": 3, "exchange": 4, "refresh": 3, "issue": 2, "clock": 4, "settings": 0.7, "fault": 1, "stub": 1, "call": 3,
    "read_user": 3, "read_room": 0.3, "read_faults": 0.3, "clear_faults": 0.2, "clear_stubs": 0.2, "webhook": 0.2,
    "snapshot": 0.2, "restore": 0.2, "reset": 0.03,
}  # fmt: skip
"""The operations, and how often each is drawn."""
PHASE = 150
"""After so many operations, other kinds are frequent."""
BURSTS, BURST = 0.08, {"notify": 60, "clock": 0.1}
"""The share of phases in which the rate of notifications is exceeded."""
PLACES = [
    ("drive", 14),
    ("shared_drive", 2),
    ("shared_folder", 1),
    ("group_folder", 1),
    ("photo", 2),
    ("contact_photo", 1),
    ("post", 1),
    ("comment", 1),
    ("note", 1),
    ("bot", 1),
]
OWNERS = {"drive": None, "shared_folder": None, "photo": None, "bot": "bot-1"}
TARGETS = [
    "*",
    "users.*",
    "users.update",
    "users.set_status",
    "upload.*",
    "storage.*",
    "download.*",
    "notifications.post",
    "auth.token",
    "auth.*",
    "/users/*",
    "/message/*",
    "/oauth2/v2.0/token",
    "/uploads/*",
    "unmatched",
    "stubbed",
]
PATHS = [
    "/groups",
    "/groups/g-1",
    "/groups/g-2",
    "/calendars",
    "/directory/custom-fields",
    "/directory/employment-types",
]
STUBBED = ["/groups", "/groups/{groupId}", "/groups/g-1", "/calendars", "/users/{userId}"]
LARGE = 1_100_000
"""Content that a fake with a state file keeps in a file of its own."""


CALENDAR = [datetime.fromisoformat(f"2026-{day}T00:00:00+09:00") for day in ("07-31", "11-15", "12-05")]
"""When a value of the messenger changes, one ends, and a feature ends."""


def list_times(status: dict[str, Any]) -> list[datetime]:
    """The times at which a status begins and ends."""
    return [datetime.fromisoformat(status[name]) for name in ("startTime", "endTime") if status[name]]


class Drawer:
    """Draws operations for a service in its present state.

    Args:
        rng: the source of chance.
        model: the service.
        names: what earlier operations learned, by name.
        home: where the fake lives.
    """

    def __init__(self, rng: Random, model: Service, names: Names, home: Home) -> None:
        self._rng, self._model, self._names, self._home = rng, model, names, home
        self._weights: list[float] = []
        self._door = home.doors[0]
        self._number = 0

    def draw(self) -> Op:
        rng = self._rng
        if self._number % PHASE == 0:
            self._weights = [share * rng.choice((0, 0.2, 1, 1, 1, 5)) for share in KINDS.values()]
            if rng.random() < BURSTS:
                self._weights = [share * BURST.get(does, 0.3) for does, share in KINDS.items()]
        if rng.random() < 0.2:
            self._door = rng.choice(self._home.doors)
        self._number += 1
        does = rng.choices(list(KINDS), self._weights)[0]
        if self._number % self._home.each == 0:
            does = "change_home"
        return {"n": self._number, "do": does, "door": self._door, **getattr(self, f"_{does}")()}

    def _pick(self, kind: str, works: Callable[[Any], bool] = bool, junk: float = 0.01) -> str:
        return self._names.pick(self._rng, kind, works, junk)

    def _works(self, part: str, lasts: Callable[[Any], bool]) -> Callable[[Any], bool]:
        """Whether what a name stands for is in a part of the state, and lasts."""
        held = self._model.state[part]
        return lambda secret: secret in held and lasts(held[secret])

    def _token(self, user: str | None = None) -> str | None:
        """A token, mostly one that is valid, and of a user if one is given."""
        if self._rng.random() < 0.01:
            return None
        now = self._model.state["now"]
        return self._pick(
            "token",
            self._works("access", lambda grant: now < grant["ends"] and user in (None, grant["user"])),
        )

    def _user(self) -> str:
        """A user by ID, by e-mail or by key."""
        rng, users = self._rng, self._model.state["users"]
        user = users[rng.choice(list(users))]
        kind = rng.random()
        if kind < 0.85:
            return str(user["userId"])
        if kind < 0.9 and "@" in user["email"]:
            return rng.choice((user["email"], user["email"].upper()))
        if kind < 0.95 and user["userExternalKey"]:
            return f"externalKey:{user['userExternalKey']}"
        return rng.choice(("u-999", "nobody@example.com", "externalKey:none", "東"))

    # -- the directory ------------------------------------------------------------------------------------------

    def _update(self) -> Op:
        return {
            "user": self._user(),
            "token": self._token(),
            "body": values.draw_update(self._rng),
            **self._type(),
        }

    def _type(self) -> Op:
        return {"type": "text/plain"} if self._rng.random() < 0.005 else {}

    def _status(self) -> Op:
        now, rng = self._model.state["now"], self._rng
        times = (now + timedelta(seconds=s) for s in (0, rng.choice((1, 600, 86400)), -rng.choice((1, 3600))))
        body = values.draw_status(rng, *(time.isoformat(timespec="seconds") for time in times))
        return {"user": self._user(), "token": self._token(), "body": body}

    def _read_user(self) -> Op:
        return {"user": self._rng.choice(list(self._model.state["users"]))}

    # -- files --------------------------------------------------------------------------------------------------

    def _place(self) -> list[str]:
        rng = self._rng
        kinds, shares = zip(*PLACES, strict=True)
        kind = rng.choices(kinds, shares)[0]
        if kind == "bot":
            return [kind, rng.choice(("bot-1", "bot-1", "bot-9"))]
        return [kind, rng.choice((self._user(), "u-001", "u-001")) if kind in OWNERS else f"{kind}-1"]

    def _announce(self) -> Op:
        rng, place = self._rng, self._place()
        size = LARGE if rng.random() < self._home.large else rng.choice(values.SIZES)
        op: Op = {"place": place, "token": self._token(), "body": values.draw_announcement(rng, size)}
        if place[0] in DOWNLOADED and rng.random() < 0.25:
            op["target"] = rng.choice(("folder-1", self._pick("file")))
        return op

    def _send(self) -> Op:
        """The whole content, the next range of it, or something that does not quite fit."""
        rng, name = self._rng, self._pick("upload", self._works("uploads", lambda upload: not upload["used"]))
        upload = self._model.state["uploads"].get(self._names.get(name))
        size = 3 if upload is None else upload["body"]["fileSize"]
        kind = rng.choices(("whole", "range", "wrong range"), (6, 4, 1))[0]
        form = rng.choices(("Filedata", "FileData", "file", "raw", "none"), (10, 2, 2, 0.3, 0.3))[0]
        user = None if upload is None else upload["user"]
        op: Op = {
            "upload": name,
            "token": self._token(user),
            "form": form,
            "type": rng.choice(("text/plain", "image/png", None)),
        }
        if kind == "whole":
            return op | {
                "content": [rng.choice(("x", "é", "\r\n", "--")), size + rng.choice((0,) * 12 + (1, -1))]
            }
        start = 0 if upload is None else len(upload["received"])
        length = max(0, min(size - start, rng.choice((1, 2, 5, size, size))))
        end, total = start + length - 1, size
        if kind == "wrong range":
            off = rng.choice((-1, 1))
            which = rng.randrange(4)
            start, end, total, length = (
                v + off * (i == which) for i, v in enumerate((start, end, total, length))
            )
        unit = rng.choice(("", "bytes ", "Bytes ", "items ")) if rng.random() < 0.3 else ""
        return op | {"content": ["x", max(0, length)], "range": f"{unit}{start}-{end}/{total}"}

    def _locate(self) -> Op:
        rng = self._rng
        name = self._pick("file", self._works("file_ids", lambda _: True))
        state = self._model.state
        number = state["file_ids"].get(self._names.get(name))
        place = self._place()
        if number is not None and rng.random() < 0.95:
            place = list(state["files"][number]["place"])
        op: Op = {"place": place, "token": self._token()}
        if place[0] not in ("photo", "contact_photo"):
            op["file"] = name
            if place[0] in DOWNLOADED and rng.random() < 0.3:
                op["revision"] = rng.choice(("1", "2", "3", "0", "x"))
        return op

    def _fetch(self) -> Op:
        return {"download": self._pick("download", self._works("downloads", bool)), "token": self._token()}

    # -- notifications ------------------------------------------------------------------------------------------

    def _notify(self) -> Op:
        return {
            "webhook": self._pick("webhook", junk=0.03),
            "body": values.draw_message(self._rng),
            **self._type(),
        }

    def _webhook(self) -> Op:
        return {"title": self._rng.choice(("CI", "Ops", "東京"))}

    # -- signing in ---------------------------------------------------------------------------------------------

    def _authorize(self) -> Op:
        rng, state = self._rng, self._model.state
        query = {
            "client_id": state["client_id"],
            "redirect_uri": state["redirect_uri"],
            "scope": rng.choice(("user", "user,file", "file user")),
            "response_type": "code",
            "state": rng.choice(("s-1", "other")),
        } | self._domain()
        if rng.random() < 0.1:
            query[rng.choice(list(query))] = rng.choice((None, "", "other"))
        if query["state"] == "other" and query["scope"] == "other":
            query["scope"] = "user"
        return {"query": query}

    def _domain(self) -> Op:
        sso = self._model.state["settings"]["singleSignOn"]
        if self._rng.random() < 0.05:
            return {"domain": "elsewhere"}
        return {"domain": "example"} if sso and self._rng.random() < 0.9 else {}

    def _log_in(self) -> Op:
        rng, state = self._rng, self._model.state
        user = state["users"][rng.choice(list(state["users"]))]
        password = state["passwords"][user["userId"]] if rng.random() < 0.95 else "wrong"
        login_id = user["email"] if rng.random() < 0.9 else user["email"].upper()
        return {
            "ticket": self._pick("ticket", self._works("tickets", bool)),
            "login_id": login_id,
            "password": password,
        }

    def _exchange(self) -> Op:
        return {
            "form": {"code": self._pick("code", self._works("codes", lambda grant: not grant["used"]))}
            | self._form("authorization_code")
            | self._domain()
        }

    def _refresh(self) -> Op:
        return {
            "form": {"refresh_token": self._pick("refresh", self._works("refresh", bool))}
            | self._form("refresh_token")
        }

    def _form(self, grant_type: str) -> Op:
        state, rng = self._model.state, self._rng
        form = {
            "grant_type": grant_type,
            "client_id": state["client_id"],
            "client_secret": state["client_secret"],
        }
        if rng.random() < 0.1:
            form[rng.choice(list(form))] = rng.choice((None, "", "other"))
        if grant_type == "authorization_code" and rng.random() < 0.1:
            form["redirect_uri"] = rng.choice((state["redirect_uri"], "https://other.example/"))
        return form

    def _issue(self) -> Op:
        return {"user": self._rng.choice(list(self._model.state["users"]))}

    # -- the domain ---------------------------------------------------------------------------------------------

    def _clock(self) -> Op:
        """Some time, or as much as brings the clock to about the end of a lifetime."""
        rng, state = self._rng, self._model.state
        lifetimes = rng.choices(
            (
                [call + timedelta(minutes=1) for call in state["calls"][:1]],
                [grant["at"] + timedelta(minutes=10) for grant in state["codes"].values()],
                [grant["ends"] for grant in state["access"].values()],
                [upload["at"] + timedelta(hours=24) for upload in state["uploads"].values()],
                [grant["ends"] for grant in state["refresh"].values()],
                [
                    time
                    for slots in state["statuses"].values()
                    for slot in slots.values()
                    for time in list_times(slot)
                ],
                [day for day in CALENDAR if day > state["now"]][:1],
            ),
            (10, 10, 2, 2, 0.6, 5, 2),
        )[0]
        ends = [end for end in lifetimes[-3:] if end > state["now"]]
        if ends and rng.random() < 0.5:
            then = rng.choice(ends) + timedelta(seconds=rng.choice((-1, 0, 0, 1, -0.5)))
            return {"advance": max(0.0, (then - state["now"]).total_seconds())}
        return {
            "advance": rng.choices(
                (0.25, 1, 20, 59, 60, 600, 86400, 30 * 86400), (2, 3, 4, 2, 2, 1, 0.15, 0.03)
            )[0]
        }

    def _settings(self) -> Op:
        rng = self._rng
        settings = {
            "profileStatusEnabled": rng.random() < 0.7,
            "singleSignOn": rng.random() < 0.3,
            "advancedPlan": rng.random() < 0.5,
            "forbiddenEmailWords": rng.choice(values.WORDS),
            "customProperties": rng.choice(values.PROPERTIES),
        }
        name = rng.choice(list(settings))
        return {"change": {name: settings[name]}}

    def _fault(self) -> Op:
        rng = self._rng
        kind = rng.choice(("status", "status", "delay", "connect_error", "reset", "reset", "truncate"))
        fault: Op = {"kind": kind, "target": rng.choice(TARGETS)}
        if kind == "status":
            fault["status"] = rng.choice((400, 404, 409, 429, 500, 503))
            fault |= {"retryAfter": 30} if rng.random() < 0.3 else {}
        elif kind == "delay":
            fault["seconds"] = rng.choice((0.5, 3, 61))
        elif kind == "reset":
            fault["applied"] = rng.random() < 0.5
        if rng.random() < 0.3:
            fault["times"] = rng.choice((2, 3))
        if rng.random() < 0.3:
            fault["skip"] = rng.choice((1, 2))
        return {"fault": fault}

    def _stub(self) -> Op:
        stub: Op = {
            "method": self._rng.choice(("GET", "GET", "POST")),
            "path": self._rng.choice(STUBBED),
            "json": {"made": self._number},
        }
        if stub["path"].startswith("/users/"):
            stub["method"] = "PATCH"
        if self._rng.random() < 0.3:
            stub["status"] = self._rng.choice((201, 404, 503))
        return {"stub": stub}

    def _call(self) -> Op:
        return {
            "method": self._rng.choice(("GET", "GET", "POST")),
            "path": self._rng.choice(PATHS),
            "token": self._token(),
        }

    def _restore(self) -> Op:
        return {"snapshot": self._pick("snapshot", junk=0)}

    def _change_home(self) -> Op:
        return {"how": self._rng.choice(self._home.ways)}

    def _nothing(self) -> Op:
        return {}

    _read_room = _read_faults = _clear_faults = _clear_stubs = _snapshot = _reset = _nothing
