"""What the admin interface tells of settings, faults, webhooks and the like can be sent back as it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.clock import Clock
from fakes.parts.settings import DomainSettings
from svckit.models.lifecycle import RETIREMENTS, SWITCHES

from .actions import everything_done
from .admin import Admin
from .caller import NOW, make

TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
PROPERTIES = st.lists(
    st.fixed_dictionaries(
        {"name": TEXT, "propertyType": st.just("STRING"), "multiValued": st.booleans()},
        optional={"options": st.none() | st.lists(TEXT, max_size=3)},
    )
    | st.fixed_dictionaries(
        {
            "name": TEXT,
            "propertyType": st.sampled_from(["DATE", "INTEGER", "LINK"]),
            "multiValued": st.booleans(),
        },
        optional={"options": st.none()},
    ),
    max_size=4,
    unique_by=lambda definition: definition["name"],
)
SETTINGS = {
    "domainId": st.just(10000001),
    "domainName": TEXT,
    "profileStatusEnabled": st.booleans(),
    "singleSignOn": st.booleans(),
    "advancedPlan": st.booleans(),
    "forbiddenEmailWords": st.lists(TEXT, max_size=4),
    "customProperties": PROPERTIES,
    "propertyRestrictions": st.dictionaries(
        st.sampled_from(["nickName", "birthday", "telephone", "customProperties"]),
        st.fixed_dictionaries({}, optional={"settable": st.booleans(), "readable": st.booleans()}),
    ),
    "headerWord": st.sampled_from(["SERVICE", "ACME", "x-1"]),
    "apiCallsPerMinute": st.none() | st.integers(min_value=1),
    "retirementDates": st.dictionaries(
        st.sampled_from([item.key for item in (*RETIREMENTS, *SWITCHES)]), st.dates().map(str), max_size=4
    ),
}


def test_every_setting_is_among_those_that_are_tried():
    assert SETTINGS.keys() == DomainSettings.wire_names()


@settings(max_examples=60, deadline=None)
@given(st.fixed_dictionaries({}, optional=SETTINGS))
def test_settings_are_taken_back_and_nothing_changes(changes):
    admin = Admin(make())
    assert admin("PATCH", "/domain", changes).status_code == 200
    told, before = admin("GET", "/domain").json(), admin.fake.snapshot()
    assert told == admin.fake.settings.model_dump(mode="json", by_alias=True)
    assert told.items() >= {each for each in changes.items() if not isinstance(each[1], list | dict)}
    assert told["propertyRestrictions"].keys() == changes.get("propertyRestrictions", {}).keys()
    again = admin("PATCH", "/domain", told)
    assert (again.status_code, again.json()) == (200, told)
    assert admin.fake.snapshot() == before
    for name, value in told.items():
        assert admin("PATCH", "/domain", {name: value}).json() == told, name


@pytest.mark.parametrize("seconds", [0, 0.25, 86_400, 1e-6])
def test_the_time_that_is_told_is_the_time_to_go_to(seconds, admin):
    now = admin("POST", "/clock", {"advance": seconds}).json()["now"]
    assert (admin.fake.clock.now() - Clock(NOW).now()).total_seconds() == seconds
    assert admin("POST", "/clock", {"to": admin("GET", "/clock").json()["now"]}).json() == {
        "now": now,
        "standing": True,
    }


FAULTS = {
    "status 503": {"kind": "status", "target": "users.*", "status": 503, "times": 3, "retryAfter": 30},
    "status 429": {"kind": "status", "status": 429, "times": None},
    "delay of 0.5 s": {"kind": "delay", "target": "/users/*", "seconds": 0.5},
    "connect error": {"kind": "connect_error", "times": 2},
    "read timeout after it took effect": {"kind": "read_timeout", "applied": True},
    "connection reset before it took effect": {"kind": "reset", "skip": 3},
    "body truncated after 7 bytes": {"kind": "truncate", "after": 7},
    "slow body, 3 bytes each 0.5 s": {"kind": "slow", "chunk": 3, "seconds": 0.5},
    "callback dropped": {"kind": "drop_callback", "target": "bot-1"},
}
"""By what they are called."""


@pytest.mark.parametrize("used", [0, 2])
@pytest.mark.parametrize("label", FAULTS)
def test_faults_are_taken_back(label, used, admin):
    fault = FAULTS[label]
    made = admin("POST", "/faults", fault).json()
    assert (made["target"], made["left"]) == (fault.get("target", "*"), fault.get("times", 1))
    assert admin("GET", "/faults").json() == {"faults": [made]}
    if used:
        for each in admin.fake.faults:
            each.times, each.used = None if each.times is None else each.times + used, used
    (told,) = admin("GET", "/faults").json()["faults"]
    assert (told["used"], told["label"]) == (used, label)
    assert admin("DELETE", "/faults").status_code == 204
    again = admin("POST", "/faults", told)
    again_told = told | {"number": told["number"] + 1}
    assert (again.status_code, again.json()) == (201, again_told)
    assert admin("GET", "/faults").json() == {"faults": [again_told]}


@pytest.mark.parametrize("used", [-1, 3, 4, "1", True, None, 1.0])
def test_spent_or_impossible_fault_is_refused(used):
    told = Admin(make()).refused("POST", "/faults", {"kind": "reset", "times": 3, "used": used})
    assert "used" in told
    assert repr(used) in told


def test_an_entry_of_the_webhook_list_is_taken_back_with_its_url(admin):
    admin("PUT", "/rooms/r-2/bot")
    admin("POST", "/webhooks", {"title": "Builds", "channelId": "r-2"})
    entries = admin("GET", "/webhooks").json()["webhooks"]
    admin("POST", "/reset")
    admin("PUT", "/rooms/r-2/bot")
    for entry in entries:  # the first of which the sample has
        again = admin("POST", "/webhooks", entry)
        assert (again.status_code, again.json()) == (201, entry)
    assert admin("GET", "/webhooks").json()["webhooks"] == entries
    assert admin.http.post(entries[1]["url"], json={"body": {"text": "hello"}}).status_code == 200


@pytest.mark.parametrize("change", [{"title": "Other"}, {"channelId": "r-2"}])
def test_an_entry_that_is_there_is_not_changed_by_another_of_its_url(change, admin):
    admin("PUT", "/rooms/r-2/bot")
    (entry,) = admin("GET", "/webhooks").json()["webhooks"]
    told = admin.refused("POST", "/webhooks", entry | change, status=409)
    assert entry["title"] in told
    assert entry["url"].rpartition("/")[2] not in told


@pytest.mark.parametrize(
    "url",
    ["https://elsewhere.example/message/wh_1", "https://hooks.fake.test/message/", "wh_1"]
    + [f"https://hooks.fake.test/message/{odd}" for odd in ("a/b", "a?b", "a%20b", "é", "wh 1")],
)
def test_a_webhook_url_is_one_of_this_fake(url):
    body = {"title": "Builds", "channelId": "channel-1", "url": url}
    assert "https://hooks.fake.test/message/" in Admin(make()).refused("POST", "/webhooks", body)


def test_a_snapshot_is_taken_back():
    admin = Admin(everything_done())
    told = admin("GET", "/snapshot").json()
    assert admin("PUT", "/snapshot", told).status_code == 204
    assert admin("GET", "/snapshot").json() == told


def test_the_alternatives_that_are_told_are_taken_back():
    admin = Admin(make(assume={"api.unauthorized": "403"}))
    told = admin("GET", "/rules").json()
    chosen = {rule["id"]: rule["chosen"] for rule in told["rules"] if rule["chosen"] is not None}
    assert len(chosen) > 100
    assert admin("PATCH", "/rules", {"assume": chosen}).json() == told
