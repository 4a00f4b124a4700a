"""The rows of the growth test: how each collection grows, and what is done then."""

import copy
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import httpx

import svckit
from fakes import FakeService
from fakes.http.messages import RequestHead
from fakes.parts.journal_entry import JournalEntry
from svckit import places
from svckit.http.messages import Response
from svckit.models.custom_properties import PropertyDefinition
from svckit.models.files import UploadRequest
from svckit.session.session import Session

__all__ = ["GROWING", "NOW", "Row", "Scene"]

NOW = "2026-06-01T09:00:00+09:00"
TEXT = {"type": "text", "text": "hello"}


class Scene:
    """A fake with a session, and what is done with them."""

    def __init__(self, **options: Any) -> None:
        self.fake = FakeService.sample(**{"users": 20, "now": NOW} | options)
        self.svc: Session = svckit.connect(self.fake)
        self.stack = ExitStack()
        self.drive = places.drive("u-001")
        self.fake.files.put("/users/u-001/drive/files", "first.txt", "first", file_id="first")
        self.fake.files.put("/users/u-001/drive/files", "over.txt", "over", file_id="over")
        self.fake.stub("GET", "/groups/{groupId}", json={"groupId": "{groupId}"})
        self.fake.stubs.add_file([{"method": "GET", "path": "/users/{userId}/drive/files", "view": "files"}])
        self.bot = self.fake.callbacks.add_bot().bot_id
        self.fake.state.outbox.add(self.bot, "u-001", None, {"content": TEXT})
        bearer = {"Authorization": f"Bearer {self.fake.access_token()}"}
        self.http = httpx.Client(
            transport=self.fake.transport(), base_url=self.fake.facts["base_url"], headers=bearer
        )
        self.user = self.fake.facts["users"][-1]
        self.email = self.fake.directory[self.user]["email"]

    def actions(self) -> Mapping[str, Callable[[], object]]:
        """What is measured, by name."""
        fake, svc, user = self.fake, self.svc, self.user
        team = ["team@example.com"]
        return {
            "update": lambda: svc.users.update(
                user, nick_name="Mina", alias_emails=team, user_external_key="k"
            ),
            "read": lambda: svc.users.read(self.email),
            "facts": lambda: (fake.facts["users"][-1], fake.facts["user_id"], fake.facts["webhooks"]),
            "connect": lambda: svckit.connect(fake).close(),
            "status": lambda: svc.users.set_status(user, "BUSY"),
            "upload": lambda: svc.files.upload(b"x", to=self.drive, name="first.txt"),
            "overwrite": lambda: svc.files.upload(b"x", to=self.drive, name="over.txt", overwrite=True),
            "download": lambda: svc.files.download(self.drive.file("first")),
            "notify": lambda: svc.notify("hello"),
            "refused": lambda: self.http.post(fake.facts["webhooks"][0], json={}),
            "event": lambda: fake.callbacks.send("bot-1", "u-001", TEXT),
            "stub": lambda: self.http.get("/groups/group-1"),
            "page of files": lambda: self.http.get("/users/u-001/drive/files?count=2").raise_for_status(),
            "messages of a bot": lambda: fake.bots.sent(self.bot),
            "journal": lambda: (fake.journal.since(fake.journal.mark()), fake.journal[-1], fake.journal[-3:]),
        }

    def edit(self, change: Callable[[dict[str, Any]], object]) -> None:
        """Change the state as a snapshot has it."""
        snapshot = self.fake.snapshot()
        change(snapshot)
        self.fake.restore(snapshot)


Grow = Callable[[Scene, int], object]


@dataclass(frozen=True)
class Row:
    """How a collection grows.

    Attributes:
        containers: the attributes that it is in.
        grow: adds so many to it.
        options: the arguments of `FakeService.sample`.
    """

    grow: Grow
    containers: tuple[str, ...] = ()
    options: Callable[[int], Mapping[str, Any]] = field(default=lambda count: {})


GROWING: dict[str, Row] = {}


def grows(
    *containers: str, options: Callable[[int], Mapping[str, Any]] = lambda count: {}
) -> Callable[[Grow], Grow]:
    """Add a row."""

    def add(grow: Grow) -> Grow:
        GROWING[grow.__name__.replace("_", " ")] = Row(grow, containers, options)
        return grow

    return add


def repeat(entries: dict[str, Any], count: int) -> None:
    """Add copies of the first entry of a mapping."""
    first = next(iter(entries.values()))
    entries.update((f"key-{number}", copy.copy(first)) for number in range(count))


# -- the directory ----------------------------------------------------------------------------------------------------


@grows(options=lambda count: {"users": count})
def sample_users(scene: Scene, count: int) -> None:
    assert len(scene.fake.directory) == count


@grows("Users._changed", "Users._at_work", "Index._owners", options=lambda count: {"users": count + 20})
def changed_users(scene: Scene, count: int) -> None:
    users = scene.fake.state.users
    for user in [*users][:count]:
        users.keep(user, users.draft(user) | {"nickName": "Mina", "aliasEmails": ["team@example.com"]})


@grows("Users._added", "Users.known_active")
def own_users(scene: Scene, count: int) -> None:
    directory = scene.fake.directory
    for number in range(count):
        key = {
            "email": f"{number}@example.com",
            "userExternalKey": f"key-{number}",
            "userId": f"own-{number}",
        }
        directory.put(directory["u-002"] | key)
        assert scene.fake.state.users.is_active(f"own-{number}")


@grows("Users._removed", "Users._removed_numbers", options=lambda count: {"users": count + 20})
def removed_users(scene: Scene, count: int) -> None:
    for user in [*scene.fake.directory][1 : count + 1]:
        scene.fake.directory.remove(user)


@grows("Users._link_ids", options=lambda count: {"users": count})
def link_ids(scene: Scene, count: int) -> None:
    users = scene.fake.facts["users"]
    scene.edit(lambda state: state["directory"].update(link_ids=dict.fromkeys(users, "a@example.com")))


@grows("Statuses._by_user", options=lambda count: {"users": count})
def statuses(scene: Scene, count: int) -> None:
    scene.svc.users.set_status("u-001", "BUSY")

    def add(state: dict[str, Any]) -> None:
        by_user = state["statuses"]["by_user"]
        by_user.update(dict.fromkeys(scene.fake.facts["users"], by_user["u-001"]))

    scene.edit(add)


# -- signing in -------------------------------------------------------------------------------------------------------


@grows("TokenStore._access", "TokenStore._refresh")
def tokens(scene: Scene, count: int) -> None:
    for _ in range(count):
        scene.fake.access_token()


@grows("TokenStore._renewed", "TokenStore._reused_codes", "TokenStore._rotated")
def renewed_tokens(scene: Scene, count: int) -> None:
    names = [f"rt_{number}" for number in range(count)]
    more = {"renewed": dict.fromkeys(names, "at_1"), "reused_codes": names, "rotated": names}
    scene.edit(lambda state: state["tokens"].update(more))


@grows("AuthorizationServer._codes", "AuthorizationServer._used_codes", "AuthorizationServer._logins")
def codes(scene: Scene, count: int) -> None:
    url = scene.fake.facts["auth_url"] + "/oauth2/v2.0/authorize"
    facts = {name: scene.fake.facts[name] for name in ("client_id", "redirect_uri")}
    query = httpx.QueryParams({"scope": "user", "response_type": "code", "state": "s", **facts})
    scene.fake.auth.follow(f"{url}?{query}")
    scene.http.get(f"{url}?{query}")

    def add(state: dict[str, Any]) -> None:
        repeat(state["auth"]["codes"], count)
        repeat(state["auth"]["logins"], min(count, 1000))
        state["auth"]["used_codes"] += [f"code_{number}" for number in range(count)]

    scene.edit(add)


@grows("AuthorizationServer._further")
def applications(scene: Scene, count: int) -> None:
    for number in range(count):
        scene.fake.auth.register(f"https://app-{number}.example.com/callback")


# -- files ------------------------------------------------------------------------------------------------------------


@grows(*(f"FileStore._{name}" for name in ("files", "revisions", "turns", "newest_at", "named", "folders")))
def files_of_one_name(scene: Scene, count: int) -> None:
    for number in range(count):
        scene.fake.files.seed(("drive", "u-001"), f"f-{number}", "first.txt", "text/plain", b"x")


@grows()
def files_in_many_places(scene: Scene, count: int) -> None:
    for number in range(count):
        scene.fake.files.seed(("drive", f"u-{number}"), f"f-{number}", f"{number}.txt", "text/plain", b"x")


@grows("FileStore._sent", "FileStore._asked")
def downloads(scene: Scene, count: int) -> None:
    scene.svc.files.download(scene.drive.file("first"))

    def add(state: dict[str, Any]) -> None:
        state["files"]["sent"] += [f"dl_{number}" for number in range(count)]
        repeat(state["files"]["asked"], count)

    scene.edit(add)


@grows()
def revisions_of_a_file(scene: Scene, count: int) -> None:
    def add(state: dict[str, Any]) -> None:
        revisions = next(file["revisions"] for file in state["files"]["files"] if file["file_id"] == "over")
        revisions += [revisions[0] | {"number": str(n), "address": f"dl_{n}"} for n in range(2, count)]

    scene.edit(add)


@grows(options=lambda count: {"users": count})
def people_who_download_one_file(scene: Scene, count: int) -> None:
    scene.svc.files.download(scene.drive.file("first"))

    def add(state: dict[str, Any]) -> None:
        (asked,) = state["files"]["asked"].values()
        asked.update(dict.fromkeys(scene.fake.facts["users"], NOW))

    scene.edit(add)


@grows("UploadURLs._by_address")
def upload_urls(scene: Scene, count: int) -> None:
    request = UploadRequest(file_name="a.txt", file_size=1)
    for _ in range(count):
        scene.fake.files.uploads.issue(("drive", "u-001"), None, request, "u-001")


# -- messages ---------------------------------------------------------------------------------------------------------


@grows("Webhooks.by_room", "Webhooks.invited", "ChangeLog.collections")
def rooms(scene: Scene, count: int) -> None:
    for number in range(count):
        scene.fake.webhooks.invite_bot(f"room-{number}")


@grows()
def messages_in_a_room(scene: Scene, count: int) -> None:
    scene.svc.notify("hello")

    def add(state: dict[str, Any]) -> None:
        room = state["webhooks"]["rooms"]["channel-1"]
        state["webhooks"]["rooms"]["channel-1"] = room * count

    scene.edit(add)


@grows("Tally.calls", options=lambda count: {"assume": {"notification.window": "sliding"}})
def refused_notifications(scene: Scene, count: int) -> None:
    for _ in range(count):
        scene.fake.state.webhooks.limiter.hit_refused()


@grows("Callbacks.bots")
def bots(scene: Scene, count: int) -> None:
    for _ in range(count):
        scene.fake.callbacks.add_bot()


@grows("Deliveries.kept")
def deliveries(scene: Scene, count: int) -> None:
    delivery = scene.fake.callbacks.send("bot-1", "u-001", TEXT)
    for _ in range(count):
        scene.fake.callbacks.deliveries.append(delivery)


@grows("Outbox._messages", "Outbox._of_bots")
def sent_messages(scene: Scene, count: int) -> None:
    for _ in range(count):
        scene.fake.state.outbox.add("bot-1", "u-001", None, {"content": TEXT})


@grows("ClientVersions.data", options=lambda count: {"users": count})
def client_versions(scene: Scene, count: int) -> None:
    versions = dict.fromkeys(scene.fake.facts["users"], "9.0")
    scene.edit(lambda state: state["callbacks"].update(client_versions=versions))


# -- what a test sets and reads ---------------------------------------------------------------------------------------


@grows("Journal._entries")
def requests_in_the_journal(scene: Scene, count: int) -> None:
    scene.svc.users.read("u-001")
    last, head = scene.fake.journal[-1], RequestHead("PATCH", "https://api.fake.test/users/u-001", ())
    for _ in range(count):
        scene.fake.journal.append(JournalEntry(last.at, "users.update", (), head, None))


@grows("Stubs._stubs", "Node.fixed")
def stubs(scene: Scene, count: int) -> None:
    scene.fake.stubs.add_file({"method": "GET", "path": f"/groups/g-{n}/members"} for n in range(count // 2))
    scene.fake.stubs.add_file({"method": "GET", "path": f"/groups/group-{n}"} for n in range(2, count // 2))


@grows("Faults.pending", "FaultIndex.faults", "FaultIndex._by_start")
def faults(scene: Scene, count: int) -> None:
    faults = scene.fake.faults
    for number in range(count // 2):
        faults.status(f"/users/u-{100 + number}/*", 503)
        faults.status(f"/users/u-{100 + number}", 503)


@grows()
def faults_that_differ_in_their_ends(scene: Scene, count: int) -> None:
    for number in range(100, 100 + count):
        scene.fake.faults.status(("*.none-", "/users/u-*")[number % 2] + str(number), 503)


@grows("FakeService.in_progress")
def requests_in_progress(scene: Scene, count: int) -> None:
    for number in range(count):
        head = RequestHead("PATCH", f"https://api.fake.test/users/u-{100 + number}", ())
        scene.stack.enter_context(scene.fake.open(head))


@grows("DomainSettings.custom_properties")
def custom_properties(scene: Scene, count: int) -> None:
    scene.fake.settings.custom_properties = [
        PropertyDefinition(name=f"p-{number}", property_type="STRING", multi_valued=False)
        for number in range(count)
    ]


@grows("Decisions._made")
def decisions(scene: Scene, count: int) -> None:
    made = {f"download/{number}": ["file.overwrite"] for number in range(count)}
    scene.edit(lambda state: state["decisions"]["made"].update(made))


# -- the session ------------------------------------------------------------------------------------------------------


@grows("SeenRecords.users", "SeenRecords._ids", "SeenRecords.statuses")
def users_seen(scene: Scene, count: int) -> None:
    user, status = scene.svc.users.read("u-001"), scene.svc.users.set_status("u-001", "BUSY")
    seen = scene.svc._driver.seen
    for number in range(count):
        key = {
            "email": f"{number}@example.com",
            "user_external_key": f"key-{number}",
            "user_id": f"seen-{number}",
        }
        seen.remember(user.model_copy(update=key), "")
        seen.remember(status, f"/users/seen-{number}/user-profile-statuses")


@grows("SeenRecords.files", "SeenRecords.revisions")
def files_uploaded(scene: Scene, count: int) -> None:
    result = scene.svc.files.upload(b"x", to=scene.drive, name="first.txt")
    for number in range(count):
        scene.svc._driver.seen.remember(result, f"/users/u-{number}/drive/files")


@grows("Driver._traces")
def requests_in_a_trace(scene: Scene, count: int) -> None:
    trace = scene.stack.enter_context(scene.svc.trace())
    scene.svc.users.read("u-001")
    first = trace[0]
    for _ in range(count):
        trace.record_request(first.request, first.at)


@grows("Notices._notices")
def differences(scene: Scene, count: int) -> None:
    response = Response(200, {}, b"", "users.update", "")
    for number in range(count):
        scene.svc.notices.add(response, f"an unknown field {number}")
