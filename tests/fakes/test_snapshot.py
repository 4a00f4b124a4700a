"""Snapshots, forks and resets: nothing observable is lost, nothing is shared, nothing half restored."""

import json
import os
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import fields
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FakeService
from fakes.snapshot import PARTS, Snapshot
from fakes.state import State

NOW = "2026-06-01T09:00:00+09:00"
LARGE = 3 * 1024 * 1024
TEXT = {"type": "text", "text": "héllo <b>"}


class Client:
    """Literal HTTP with a bearer of the fake's own; answers as what a client sees of them."""

    def __init__(self, fake: FakeService) -> None:
        self.fake, self.facts = fake, fake.facts
        self.http = httpx.Client(transport=fake.transport(), trust_env=False)

    def call(self, method: str, url: str, **request: Any) -> tuple[int, dict[str, str], bytes]:
        token = self.fake.state.tokens.issue("u-001", "client-1", "file").access_token
        answer = self.http.request(method, url, headers={"Authorization": f"Bearer {token}"}, **request)
        return answer.status_code, dict(answer.headers), answer.content

    def upload_url(self, name: str, size: int, overwrite: bool = False) -> str:
        asked = {"fileName": name, "fileSize": size, "overwrite": overwrite}
        return json.loads(
            self.call("POST", f"{self.facts['base_url']}/users/u-001/drive/files", json=asked)[2]
        )["uploadUrl"]


def sign_in(client: Client) -> object:
    auth = "https://auth.fake.test/oauth2/v2.0/authorize"
    names = ("client_id", "redirect_uri")
    asked = {name: client.facts[name] for name in names} | {
        "scope": "file",
        "response_type": "code",
        "state": "s",
    }
    page = client.call("GET", auth, params=asked)
    ticket = page[2].decode().partition('name="login_ticket" value="')[2].partition('"')[0]
    form = {"login_ticket": ticket} | {name: client.facts[name] for name in ("login_id", "password")}
    begun = client.call("GET", auth, params=asked)
    return page, begun, client.call("POST", auth, data=form)


def refresh(client: Client) -> object:
    issued = client.fake.state.tokens.issue("u-002", "client-1", "file")
    form = {"grant_type": "refresh_token", "refresh_token": issued.refresh_token}
    form |= {name: client.facts[name] for name in ("client_id", "client_secret")}
    return client.call("POST", "https://auth.fake.test/oauth2/v2.0/token", data=form)


def patch(client: Client) -> object:
    count = client.fake.state.ids.counts["at"]
    change = {"nickName": f"名 {count}", "email": f"new.{count}@example.com", "userExternalKey": f"k-{count}"}
    return client.call("PATCH", f"https://api.fake.test/users/u-00{1 + count % 3}", json=change)


def upload(client: Client) -> object:
    url = client.upload_url("ä.txt", 5, overwrite=True)
    return client.call("POST", url, files={"Filedata": ("ä.txt", b"h\x00\xffyo", "text/plain")})


def upload_partly(client: Client) -> object:
    url = client.upload_url("part.bin", 10)
    part = {"Filedata": ("part.bin", b"01234", "text/plain")}
    token = client.fake.state.tokens.issue("u-001", "client-1", "file").access_token
    headers = {"Authorization": f"Bearer {token}", "Content-Range": "bytes 0-4/10"}
    return client.http.post(url, files=part, headers=headers).content


def download(client: Client) -> object:
    last = client.fake.files.stored()[-1].latest.address
    return client.call("GET", f"https://storage.fake.test/downloads/{last}")


def register_status(client: Client) -> object:
    start = client.fake.clock.now().replace(microsecond=0)
    times = {
        "startTime": start.replace(year=2027).isoformat(),
        "endTime": start.replace(year=2028).isoformat(),
    }
    url = "https://api.fake.test/users/u-002/user-profile-statuses"
    reply = {"autoReplyMail": {"internal": {"content": "away"}}}
    return client.call("POST", url, json={"profileStatusId": "BUSY"}), client.call(
        "POST", url, json={"profileStatusId": "AWAY"} | times | reply
    )


def notify(client: Client) -> object:
    url = client.facts["webhooks"][-1]
    button = {"label": "Open", "url": "https://example.com"}
    return client.call("POST", url, json={"body": {"text": '<m userId="u-002">'}, "button": button})


def send(client: Client) -> object:
    delivery = client.fake.callbacks.send("bot-1", "u-003", TEXT, channel_id="room")
    return delivery.headers, delivery.body, delivery.record()


def set_up(client: Client) -> object:
    fake, count = client.fake, len(client.fake.webhooks.all())
    if count < 5:
        fake.webhooks.invite_bot(f"room-{count}")
        fake.webhooks.add(f"Hook {count}", f"room-{count}")
        fake.callbacks.add_bot(f"bot-{count + 1}")
        fake.callbacks.client_versions["u-002"] = f"2.{count}"
    fake.settings.forbidden_email_words = [*fake.settings.forbidden_email_words, "new"]
    fake.settings.custom_properties = [{"name": "rank", "propertyType": "INTEGER", "multiValued": False}]
    return fake.facts["webhooks"]


def break_down(client: Client) -> object:
    client.fake.faults.status("users.update", 503, times=2, retry_after=5)
    client.fake.faults.truncate("storage.*", after=10_000)
    client.fake.faults.drop_callback(times=None)
    return repr(client.fake.faults)


def wait(client: Client) -> object:
    return client.fake.clock.advance(days=29.5, seconds=0.25).isoformat()


ACTIONS: list[Callable[[Client], object]] = [
    sign_in,
    refresh,
    patch,
    upload,
    upload_partly,
    download,
    register_status,
    notify,
    send,
    set_up,
    break_down,
    wait,
]
SEQUENCES = st.lists(st.sampled_from(ACTIONS), max_size=12)


def run(fake: FakeService, actions: list[Callable[[Client], object]]) -> list[object]:
    client = Client(fake)
    return [action(client) for action in actions]


@pytest.fixture
def fake() -> FakeService:
    """A fake in which all has been done."""
    full = FakeService.sample(now=NOW, assume={"token.refresh-reuse": "single-use"})
    run(full, ACTIONS)
    return full


@settings(max_examples=40, deadline=None, derandomize=True)
@given(before=SEQUENCES, after=SEQUENCES)
def test_a_restored_fake_goes_on_as_the_original_does(before: list, after: list) -> None:
    original, restored = FakeService.sample(now=NOW, seed=7), FakeService.sample(users=3)
    run(original, before)
    text = json.dumps(original.snapshot())
    restored.restore(json.loads(text))
    assert json.dumps(restored.snapshot()) == text
    assert run(restored, after) == run(original, after)
    assert restored.snapshot() == original.snapshot()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(before=SEQUENCES, after=SEQUENCES)
def test_a_fork_and_its_origin_do_not_influence_each_other(before: list, after: list) -> None:
    origin = FakeService.sample(now=NOW)
    run(origin, before)
    taken, fork = origin.snapshot(), origin.fork()
    assert fork.snapshot() == taken
    assert dict(fork.facts) == dict(origin.facts)
    outcomes = run(fork, after)
    assert origin.snapshot() == taken
    forked = fork.snapshot()
    assert run(origin, after) == outcomes
    assert fork.snapshot() == forked


@settings(max_examples=25, deadline=None, derandomize=True)
@given(actions=SEQUENCES)
def test_a_reset_fake_is_as_it_began(actions: list) -> None:
    new, used = (FakeService.sample(now=NOW, assume={"file.size": "not-checked"}) for _ in range(2))
    run(used, actions)
    used.reset()
    assert used.snapshot() == new.snapshot()
    assert len(used.journal) == 0
    assert run(used, actions) == run(new, actions)
    assert [entry.number for entry in used.journal] == [entry.number for entry in new.journal]
    assert list(used.rules.records()) == list(new.rules.records())


def test_everything_is_in_a_snapshot_but_what_is_said_not_to_be() -> None:
    derived = {"lifecycle"}  # a function of clock and settings
    assert {field.name for field in fields(State)} == {*PARTS, *derived, "journal", "admin_key"}


def test_parts_stay_the_same_objects(fake: FakeService) -> None:
    names = ("clock", "files", "faults", "rules", "directory", "callbacks", "journal", "settings")
    parts, taken = {name: getattr(fake, name) for name in names}, fake.snapshot()
    fake.reset()
    fake.restore(taken)
    assert all(getattr(fake, name) is part for name, part in parts.items())
    assert parts["clock"].now().isoformat() == taken["clock"]["stands_at"]


def test_a_snapshot_holds_still(fake: FakeService) -> None:
    taken = fake.snapshot()
    text = json.dumps(taken)
    run(fake, ACTIONS)
    assert json.dumps(taken) == text


def test_receivers_stay_at_a_restore_and_go_with_a_reset(fake: FakeService) -> None:
    fake.faults.clear()
    received: list[bytes] = []
    fake.callbacks.connect("bot-1", lambda headers, body: received.append(body))
    taken = fake.snapshot()
    assert fake.fork().callbacks.send("bot-1", "u-001", TEXT).outcome == "not-sent"
    fake.restore(taken)
    assert fake.callbacks.send("bot-1", "u-001", TEXT).delivered
    assert len(received) == 1
    fake.reset()
    assert fake.callbacks.send("bot-1", "u-001", TEXT).outcome == "not-sent"


def test_a_running_clock_keeps_its_lead() -> None:
    original, restored = FakeService.sample(), FakeService.sample(now=NOW)
    original.clock.advance(days=365)
    restored.restore(original.snapshot())
    assert not restored.clock.standing
    assert abs((restored.clock.now() - original.clock.now()).total_seconds()) < 60


def test_an_unlimited_upload_address_outlives_the_next_request_of_one() -> None:
    client = Client(FakeService.sample(now=NOW, assume={"file.upload-lifetime": "unlimited"}))
    address = client.upload_url("first.txt", 2)
    client.fake.clock.advance(hours=49)
    client.upload_url("second.txt", 2)
    assert client.call("POST", address, files={"Filedata": ("first.txt", b"ok")})[0] == 201


def test_what_answers_rest_on_goes_back_with_the_state() -> None:
    fake = FakeService.sample(now=NOW)
    taken = fake.snapshot()
    client, rests_on = Client(fake), "notification.refused-calls"
    client.fake.clock.advance(hours=1)
    assert client.call("POST", fake.facts["webhooks"][0], json={"title": "x"})[0] == 400
    assert rests_on in notify(client)[1]["x-fake-assumed"]
    for undo in (lambda: fake.restore(taken), fake.reset):
        undo()
        assert rests_on not in notify(Client(fake))[1].get("x-fake-assumed", "")


def test_a_partial_upload_goes_on_in_each_by_itself(fake: FakeService) -> None:
    address = Client(fake).upload_url("two.bin", 4)
    copies = [fake, fake.fork()]
    restored = FakeService.sample()
    restored.restore(fake.snapshot())
    for copy, content in zip([*copies, restored], (b"aaaa", b"bbbb", b"cccc"), strict=True):
        token = copy.state.tokens.issue("u-001", "client-1", "file").access_token
        for start in (0, 2):
            answer = httpx.Client(transport=copy.transport()).post(
                address,
                files={"Filedata": ("two.bin", content[start : start + 2])},
                headers={"Authorization": f"Bearer {token}", "Content-Range": f"bytes {start}-{start + 1}/4"},
            )
        assert answer.status_code == 201
        assert copy.files.stored()[-1].latest.content.read() == content


def test_a_snapshot_does_not_show_its_secrets(fake: FakeService) -> None:
    taken = fake.snapshot()
    assert isinstance(taken, Snapshot)
    assert repr(taken).startswith("<Snapshot, version 1: 20 users, ")
    assert len(repr(taken)) < 200


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts open files the way Linux shows them")
def test_large_content_is_shared_by_forks_and_its_space_returned() -> None:
    fake = FakeService.sample(now=NOW)
    opened = open_files()
    fake.files.seed(("drive", "u-001"), "large", "a.bin", "application/octet-stream", b"x" * LARGE)
    assert open_files() == opened + 1
    fork = fake.fork()
    assert open_files() == opened + 1
    fake.reset()
    assert fork.files.stored()[-1].latest.content.read() == b"x" * LARGE
    fork.reset()
    assert open_files() == opened


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


# Damage


def paths(value: object, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """All places of a snapshot, but for what is kept as free JSON."""
    if at[:3] == ("directory", "users", "changed") and len(at) > 3:
        return
    if at[:2] == ("statuses", "by_user") and len(at) > 4:
        return
    if at:
        yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths(inner, (*at, key))


def put(snapshot: dict, at: tuple[str | int, ...], value: object) -> object:
    """Put another value in its place, and return the one that was there."""
    *above, last = at
    holder: Any = snapshot
    for key in above:
        holder = holder[key]
    old, holder[last] = holder[last], value
    return old


def test_a_wrong_value_anywhere_is_refused_and_changes_nothing(fake: FakeService) -> None:
    damaged = json.loads(json.dumps(fake.snapshot()))
    other = FakeService.sample(now=NOW)
    before, tried = other.snapshot(), 0
    for at in list(paths(damaged)):
        old = put(damaged, at, [{"wrong": 1}])
        with pytest.raises(ValueError, match=r"this snapshot is damaged|this is no snapshot"):
            other.restore(damaged)
        tried += 1
        put(damaged, at, old)
    assert tried > 300
    assert other.snapshot() == before


DAMAGES: dict[str, tuple[Callable[[dict], object], str]] = {
    "newer": (lambda s: s.update(version=2), "has version 2, and this fake reads up to 1"),
    "no version": (lambda s: s.pop("version"), "no snapshot of a fake"),
    "no part": (lambda s: s.pop("tokens"), "tokens: Field required"),
    "another part": (lambda s: s.update(boards={}), "boards: Extra inputs are not permitted"),
    "less of a part": (lambda s: s["clock"].pop("ahead"), "clock.ahead: Field required"),
    "more of a part": (lambda s: s["ids"].update(next=1), "ids.next: Extra inputs"),
    "more of a setting": (lambda s: s["settings"].update(colour="red"), "settings.colour: Extra inputs"),
    "more of a token": (
        lambda s: next(iter(s["tokens"]["access"].values())).update(extra=1),
        r"tokens\.access\.at_\*\*\*\.extra: ",
    ),
    "another domain": (lambda s: s["settings"].update(domainId=2), "domainId is always 10000001"),
    "a time without offset": (
        lambda s: s["clock"].update(stands_at="2026-06-01T09:00:00"),
        "clock.stands_at: Value error, must have an offset",
    ),
    "an unknown rule": (lambda s: s["rules"]["chosen"].update(x="y"), "'x' is no rule of this fake"),
    "an unknown alternative": (
        lambda s: s["rules"]["chosen"].update({"file.size": "maybe"}),
        "'maybe' is no alternative of file.size",
    ),
    "a user too many": (lambda s: s["directory"]["users"].update(size=1), "there is no user u-00"),
    "no users": (lambda s: s["directory"]["users"].update(size=0), "greater than or equal to 1"),
    "half a user": (
        lambda s: next(iter(s["directory"]["users"]["changed"].values())).pop("email"),
        "is another's, or lacks email",
    ),
    "no first bot": (lambda s: s["callbacks"].update(bots=[]), "the bot bot-1 must be there"),
    "a version that counts as 1": (lambda s: s.update(version=True), "no snapshot of a fake"),
    "half a status": (
        lambda s: next(iter(s["statuses"]["by_user"].values()))["PRESENT"].pop("endTime"),
        "lacks endTime",
    ),
    "a status that is none": (
        lambda s: next(iter(s["statuses"]["by_user"].values()))["PRESENT"].update(profileStatusId="GONE"),
        "profileStatusId: Input should be 'BUSY'",
    ),
    "cut content": (
        lambda s: s["files"]["files"][0]["revisions"][0].update(content="abc"),
        "files.files.0.revisions.0.content: ",
    ),
    "a file without content": (
        lambda s: s["files"]["files"][0].update(revisions=[]),
        "attachment-1 needs numbered revisions",
    ),
    "a lost file": (lambda s: s["files"]["newest"].append("file-99"), "the files file-99 are not there"),
    "a webhook astray": (lambda s: s["webhooks"]["rooms"].clear(), "lead to no room"),
    "an event that is none": (
        lambda s: s["callbacks"]["deliveries"][0].update(body="{}"),
        "the body is no event",
    ),
    "an unknown fault": (lambda s: s["faults"]["pending"][0].update(kind="fire"), "faults.pending.0"),
}


@pytest.mark.parametrize(("damage", "told"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_snapshot_is_refused_with_what_is_wrong(
    fake: FakeService, damage: Callable[[dict], object], told: str
) -> None:
    taken = fake.snapshot()
    damaged = deepcopy(dict(taken))
    damage(damaged)
    with pytest.raises(ValueError, match=told) as refused:
        fake.restore(damaged)
    assert "_***" in str(refused.value) or not any(secret in str(refused.value) for secret in secrets(taken))
    assert fake.snapshot() == taken


def test_no_field_of_a_user_may_be_damaged(fake: FakeService) -> None:
    taken = fake.snapshot()
    user_id, record = next(iter(taken["directory"]["users"]["changed"].items()))
    for name in record:
        damaged = deepcopy(dict(taken))
        damaged["directory"]["users"]["changed"][user_id][name] = 5.5
        with pytest.raises(ValueError, match=f"the record of {user_id} is") as refused:
            fake.restore(damaged)
        assert "5.5" not in str(refused.value)
    assert fake.snapshot() == taken


def test_a_number_accepted_under_a_loose_reading_is_restored() -> None:
    fake = FakeService.sample(now=NOW, assume={"user.telephone": "prefix"})
    url = f"{fake.facts['base_url']}/users/u-002"
    assert Client(fake).call("PATCH", url, json={"telephone": "1 call me", "cellPhone": "2 or me"})[0] == 200
    taken = fake.snapshot()
    fake.restore(taken)
    assert fake.snapshot() == taken


@pytest.mark.parametrize("copied", [False, True])
@pytest.mark.parametrize(("name", "prefix"), [("email", ""), ("userExternalKey", "externalKey:")])
def test_what_two_users_shared_is_still_the_others_when_one_gives_it_up(
    name: str, prefix: str, copied: bool
) -> None:
    client = Client(FakeService.sample(now=NOW, assume={"user.conflict-condition": "never"}))
    users = f"{client.facts['base_url']}/users"
    theirs, own = (client.fake.directory.record(user_id)[name] for user_id in ("u-003", "u-002"))
    for user_id, change in (("u-003", {"nickName": "x"}), ("u-002", {name: theirs})):
        assert client.call("PATCH", f"{users}/{user_id}", json=change)[0] == 200
    if copied:
        client = Client(client.fake.fork())
    assert client.call("PATCH", f"{users}/u-002", json={name: own})[0] == 200
    for value, user_id in ((theirs, "u-003"), (own, "u-002")):
        assert client.fake.directory.find(prefix + value) == user_id


def secrets(taken: dict) -> list[str]:
    return [
        taken["auth"]["application"]["client_secret"],
        *taken["tokens"]["access"],
        *taken["auth"]["codes"],
    ]


@pytest.mark.parametrize(
    "value", [None, "text", [], 7, {}, {"version": "1"}, {"version": 1, "clock": object()}]
)
def test_what_is_no_snapshot_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="snapshot"):
        FakeService.sample().restore(value)
