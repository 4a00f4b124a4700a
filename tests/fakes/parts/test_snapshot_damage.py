"""Damaged snapshots: what is wrong with one is told without its secrets, and nothing is half restored."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from fakes import FakeService

from ..actions import everything_done
from ..caller import make


@pytest.fixture
def fake() -> FakeService:
    """A fake in which all has been done."""
    return everything_done()


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
    other = make()
    before, tried = other.snapshot(), 0
    for at in list(paths(damaged)):
        old = put(damaged, at, [{"wrong": 1}])
        with pytest.raises(ValueError, match=r"this snapshot is damaged|this is not a snapshot"):
            other.restore(damaged)
        tried += 1
        put(damaged, at, old)
    assert tried > 300
    assert other.snapshot() == before


def users(**changes: object) -> Callable[[dict], object]:
    """Other values for the users of a snapshot."""
    return lambda s: s["directory"]["users"].update(changes)


DAMAGES: dict[str, tuple[Callable[[dict], object], str]] = {
    "newer": (lambda s: s.update(version=3), "has version 3, and this fake reads version 2; update svckit"),
    "older": (
        lambda s: s.update(version=1),
        "has version 1, and this fake reads version 2; its sample users were others; take a new snapshot",
    ),
    "no version": (lambda s: s.pop("version"), "not a snapshot of a fake"),
    "no part": (lambda s: s.pop("tokens"), "tokens: Field required"),
    "another part": (lambda s: s.update(boards={}), "boards: Extra inputs are not permitted"),
    "less of a part": (lambda s: s["clock"].pop("ahead"), "clock.ahead: Field required"),
    "more of a part": (lambda s: s["ids"].update(next=1), "ids.next: Extra inputs"),
    "more of a setting": (lambda s: s["settings"].update(colour="red"), "settings.colour: Extra inputs"),
    "more of a token": (
        lambda s: next(iter(s["tokens"]["access"].values())).update(extra=1),
        r"tokens\.access\.at_\*\*\*\.extra: ",
    ),
    "no settings": (lambda s: s.update(settings={}), "settings: Value error, lacks .*domainName"),
    "a setting less": (
        lambda s: s["settings"].pop("singleSignOn"),
        "settings: Value error, lacks singleSignOn",
    ),
    "another domain": (lambda s: s["settings"].update(domainId=2), "domainId is always 10000001"),
    "a time without offset": (
        lambda s: s["clock"].update(stands_at="2026-06-01T09:00:00"),
        "clock.stands_at: Value error, must have an offset",
    ),
    "an unknown rule": (lambda s: s["rules"]["chosen"].update(x="y"), "'x' is not a rule of this fake"),
    "an unknown alternative": (
        lambda s: s["rules"]["chosen"].update({"file.size": "maybe"}),
        "'maybe' is not an alternative of file.size",
    ),
    "a user too many": (users(size=1), "there is no user u-00"),
    "a user whom the sample does not have": (
        lambda s: s["directory"]["users"]["changed"].update({"u-999": {}}),
        "there is no user u-999 among",
    ),
    "no users": (users(size=0), "there is no user u-00. among 0"),
    "no users at all": (
        lambda s: users(size=0, changed={})(s) or s["directory"].update(link_ids={}),
        "there (is|are) no user",
    ),
    "fewer than no users": (users(size=-1), "greater than or equal to 0"),
    "a listed user without a record": (users(added=["alice"]), "the record of alice is missing"),
    "a removed user who is not of the sample": (
        users(removed=["alice"]),
        "alice cannot be a removed user of the sample",
    ),
    "a first user who is not there": (users(first="alice"), "there is no user alice among"),
    "more users than there can be": (users(size=10**30), "directory.users.size: .*1000000"),
    "a link ID of nobody": (
        lambda s: s["directory"]["link_ids"].update(bob="bob@company.example"),
        "there is no user bob among",
    ),
    "a user without an ID": (
        lambda s: s["directory"]["users"]["changed"].update({"": {}}),
        "there is no user  among",
    ),
    "half a user": (
        lambda s: next(iter(s["directory"]["users"]["changed"].values())).pop("email"),
        "lacks email",
    ),
    "no bots": (lambda s: s["callbacks"].update(bots=[]), "there is no bot"),
    "a version that is not a number": (lambda s: s.update(version=True), "not a snapshot of a fake"),
    "half a status": (
        lambda s: next(iter(s["statuses"]["by_user"].values()))["PRESENT"].pop("endTime"),
        "lacks endTime",
    ),
    "an unknown status": (
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
    "a lost file": (lambda s: s["files"]["newest"].append("file-99"), "the files file-99 are missing"),
    "a webhook astray": (lambda s: s["webhooks"]["rooms"].clear(), "have no room"),
    "an invalid event": (
        lambda s: s["callbacks"]["deliveries"][0].update(body="{}"),
        "the body is not an event",
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


@pytest.mark.parametrize("name", ["birthday", "hiredDate", "activationDate", "timeZone"])
def test_what_is_wrong_with_a_user_is_said_without_the_value(fake: FakeService, name: str) -> None:
    damaged = deepcopy(dict(fake.snapshot()))
    record = next(iter(damaged["directory"]["users"]["changed"].values()))
    record[name] = "2026-13-77 of Mina"
    with pytest.raises(ValueError, match=f"is not a user: {name}: ") as refused:
        fake.restore(damaged)
    assert "Mina" not in str(refused.value)


def secrets(taken: dict) -> list[str]:
    return [
        taken["auth"]["application"]["client_secret"],
        *taken["tokens"]["access"],
        *taken["auth"]["codes"],
    ]


@pytest.mark.parametrize(
    "value", [None, "text", [], 7, {}, {"version": "1"}, {"version": 2, "clock": object()}]
)
def test_what_is_no_snapshot_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="snapshot"):
        FakeService.sample().restore(value)
