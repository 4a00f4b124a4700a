"""Under every alternative, each response has a status that the document lists, and rests on rules listed for it."""

from contextlib import suppress
from functools import cache
from unittest.mock import patch

import pytest

from fakes.openapi import document

from ...conformance.header_fields import malformed
from ..caller import calling, make
from ..documented import DOCUMENTED
from ..scenarios import SCENARIOS
from .fuzzing import listed
from .recording import RUNS
from .test_openapi import every_operation


@pytest.fixture(scope="module", autouse=True)
def without_schemas():
    """Leave out the schemas of bodies, which take most of the time to write and say nothing of outcomes."""
    with patch.multiple(document, model_schemas=lambda models: {}, make_event_schemas=dict):
        yield


@pytest.mark.parametrize(("rule_id", "alternative"), RUNS)
def test_the_document_lists_what_a_response_rests_on(rule_id, alternative):
    fake = make(assume={rule_id: alternative} if alternative else None)
    # As far as the alternative lets the scenario come.
    with calling(fake) as caller, suppress(AssertionError):
        (SCENARIOS.get(rule_id) or DOCUMENTED[rule_id])(caller)
    for entry in fake.journal:
        assert malformed(entry.response_headers) == [], entry
    hold_to_the_document(fake)


def hold_to_the_document(fake):
    """Each status is listed at its operation, and each rule in the operation's own list."""
    statuses, rules = lists_of(tuple((rule.id, rule.chosen) for rule in fake.rules if rule.alternatives))
    for entry in fake.journal:
        if entry.operation not in ("unmatched", "stubbed") and not entry.injected:
            assert (entry.operation, entry.status) in statuses, entry
            assert set(entry.rules) <= rules[entry.operation], entry


@cache
def lists_of(choices):
    """What the document of fakes with these alternatives lists; it takes longer than a run, and most share one."""
    described = make(assume=dict(choices)).openapi()
    return listed(described), list_by_operation(described)


def list_by_operation(described):
    """The rules that each operation lists, by its name in the journal."""
    found = {}
    for _, _, operation in every_operation(described):
        name = ".".join(operation["operationId"].split(".")[:2])
        found.setdefault(name, set()).update(operation["x-provenance"]["rules"])
    return found


def test_a_place_addressed_by_an_email_address_is_in_the_document(fake, me):
    email = me.fake.directory["u-001"]["email"].upper()
    me.api("POST", f"/users/{email}/user-profile-statuses", json={"profileStatusId": "BUSY"})
    me.api("POST", f"/users/{email}/photo", json={"fileName": "a", "fileSize": 1})
    me.api("GET", f"/users/{email}/drive/files/f/download")
    labelled = {entry.operation: entry.assumed for entry in fake.journal}
    assert all("user.email-case" in assumed for assumed in labelled.values())
    hold_to_the_document(fake)


def test_a_retired_operation_beyond_the_rate_is_in_the_document():
    fake = make(assume={"api.rate-limit": "per-minute"})
    fake.settings.api_calls_per_minute = 1
    with calling(fake) as me:
        for _ in range(2):
            me.api("GET", "/users/u-001/mail/vipmailfolders")
    assert [entry.status for entry in fake.journal][1] == 429
    hold_to_the_document(fake)


def test_the_document_lists_what_a_message_log_rests_on(me):
    me.say({"type": "text", "text": "Start", "postback": "start"})
    me.fetch(me.api("GET", "/monitoring/message-contents/download").headers["Location"])
    entry = list(me.fake.journal)[-1]
    assert {"callback.issued-time", "callback.other-events"} <= set(entry.rules)
    assert set(entry.rules) <= listed(me.fake.openapi())[entry.operation, entry.status]
