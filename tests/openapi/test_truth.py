"""Under every alternative, each answer has a status that the document lists, and rests on rules listed for it."""

from contextlib import suppress

import pytest

from fakes.rulebook.rules import RULEBOOK

from ..fakes import scenarios_files, scenarios_messages, scenarios_people  # noqa: F401 - they enter their scenarios in the table
from ..fakes.caller import calling, make
from ..fakes.documented import DOCUMENTED
from ..fakes.scenarios import SCENARIOS
from ..header_fields import malformed
from .fuzzing import listed

RUNS = [
    (rule_id, alternative)
    for rule_id in (*SCENARIOS, *DOCUMENTED)
    for alternative in (RULEBOOK[rule_id].alternatives or (None,))
]


@pytest.mark.parametrize(("rule_id", "alternative"), RUNS)
def test_the_document_lists_what_an_answer_rests_on(rule_id, alternative):
    fake = make(assume={rule_id: alternative} if alternative else None)
    with (
        calling(fake) as caller,
        suppress(AssertionError),
    ):  # as far as the alternative lets the scenario come
        (SCENARIOS.get(rule_id) or DOCUMENTED[rule_id])(caller)
    document = listed(fake.openapi())
    for entry in fake.journal:
        assert malformed(entry.response_headers) == [], entry
        if entry.operation != "unmatched" and not entry.injected:
            assert set(entry.rules) <= document[entry.operation, entry.status], entry


def test_the_document_lists_what_a_message_log_rests_on():
    with calling(make()) as me:
        me.say({"type": "text", "text": "Start", "postback": "start"})
        me.fetch(me.api("GET", "/monitoring/message-contents/download").headers["Location"])
    entry = list(me.fake.journal)[-1]
    assert {"callback.issued-time", "callback.other-events"} <= set(entry.rules)
    assert set(entry.rules) <= listed(me.fake.openapi())[entry.operation, entry.status]


def beside_the_scenarios(caller):
    """Answers that rest on rules of which no scenario is about signing in or notifications."""
    token, hook = caller.facts["auth_url"] + "/oauth2/v2.0/token", caller.facts["webhooks"][0]
    message, twice = {"body": {"text": "x"}}, b"grant_type=refresh_token&grant_type=refresh_token"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    caller.http.post(token + "?client_id=x", data={"grant_type": "refresh_token"})
    caller.http.post(token, content=twice, headers=form)
    caller.http.post(token.replace("token", "authorize"), content=b"login_id=a&login_id=b", headers=form)
    caller.http.post(token.replace("token", "authorize"), data={"login_id": "a"})
    caller.http.post(hook + "?x=1", json=message)
    caller.http.post(hook, content=b'{"body": {"text": "x"}, "body": {"text": "y"}}', headers=JSON)
    caller.http.post(hook, content=b"{}", headers={"Content-Type": "text/plain"})
    caller.fake.settings.single_sign_on = True
    caller.exchange(caller.code(domain=caller.fake.settings.domain_name))
    caller.exchange("unknown", domain="another")


JSON = {"Content-Type": "application/json"}


def test_signing_in_updates_and_notifications_name_just_the_rules_that_their_answers_rest_on():
    used = {}
    for rule_id, alternative in (*RUNS, (None, None)):
        fake = make(assume={rule_id: alternative} if alternative else None)
        scenario = SCENARIOS.get(rule_id) or DOCUMENTED.get(rule_id, beside_the_scenarios)
        with calling(fake) as caller, suppress(AssertionError):
            scenario(caller)
        for entry in fake.journal:
            used.setdefault(entry.operation, set()).update(entry.rules)
    for item in make().openapi()["paths"].values():
        for operation in (part for name, part in item.items() if name != "servers"):
            name = operation["operationId"]
            if name == "users.update" or name.partition(".")[0] in ("auth", "notifications"):
                assert set(operation["x-provenance"]["rules"]) == used[name], name
