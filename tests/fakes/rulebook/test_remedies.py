"""A refused call names the alternatives that would have allowed it: all that it names do, where they are known."""

import json
import re
from functools import cache

import pytest

from fakes.rulebook.rule import RULEBOOK
from tests.fakes.caller import calling, make
from tests.fakes.scenarios import SCENARIOS

CHOICE = re.compile(r"assume=(\{[^}]*\})")
CASES = [(rule.id, each) for rule in RULEBOOK.values() for each in rule.alternatives]
LEFT_OPEN = {
    ("auth.screen-reuse", "one-attempt"): "it refuses failed screens, and the other alternative old ones",
    ("auth.screen-reuse", "10-minutes"): "it refuses old screens, and the other alternative failed ones",
    ("file.content-field", "described"): "with another part beside it, the alternative refuses the field too",
    ("file.revision-ids", "from-0"): "only one of the numbers differs",
    ("file.revision-ids", "from-1"): "only one of the numbers differs",
    ("token.inactive-user", "refused"): "an alternative refuses some of the same calls",
    ("token.last-instant", "excluded"): "of an upload URL, the alternative of file.upload-lifetime is named",
    ("text.normalization", "composed"): "whom the composed key belongs to is decided after it is composed",
    ("user.array-limit", "1000"): "there may be other problems",
    (
        "user.external-key-case",
        "distinct",
    ): "it refuses to find a user, and the alternative refuses a conflict",
    ("token.inactive-user", "not-renewed"): "it is asked at other calls too, and refuses these alone",
    ("token.wrong-secret", "burns-code"): "the code is burnt, whatever is chosen now",
    ("user.addressing", "id-only"): "the user may not be found by the alternatives either",
}
"""Alternatives that refuse calls of the scenarios, and whose others are not named, for a reason."""


def run(assume):
    """The journal of the scenario of the first of these rules."""
    return play(next(iter(assume)), *assume.items())


@cache
def play(rule_id, *choices):
    with calling(make(assume=dict(choices))) as me:
        SCENARIOS[rule_id](me)
        return list(me.fake.journal)


def list_choices(entry):
    """The alternatives that an entry names, each as a mapping."""
    return [json.loads(each) for each in CHOICE.findall(entry.remedy or "")]


@pytest.mark.parametrize(("rule_id", "alternative"), CASES)
def test_what_is_named_allows_the_call(rule_id, alternative):
    chosen = {rule_id: alternative}
    for index, entry in enumerate(run(chosen)):
        for choice in list_choices(entry):
            assert entry.reason
            again = run(chosen | choice)[index]
            assert (again.method, again.path.partition("?")[0]) == (
                entry.method,
                entry.path.partition("?")[0],
            )
            assert again.reason != entry.reason


@pytest.mark.parametrize(("rule_id", "alternative"), CASES)
def test_an_alternative_that_refuses_a_call_alone_is_named(rule_id, alternative):
    """Where the same call passes under another alternative of the scenario's rule, that is named."""
    entries = run({rule_id: alternative})
    allowed = set()
    for other in RULEBOOK[rule_id].alternatives:
        others = run({rule_id: other}) if other != alternative else []
        if [(e.method, e.operation) for e in others] == [(e.method, e.operation) for e in entries]:
            allowed |= {i for i, e in enumerate(others) if entries[i].reason and not e.reason}
    unnamed = [i for i in allowed if not any(rule_id in each for each in list_choices(entries[i]))]
    assert bool(unnamed) == ((rule_id, alternative) in LEFT_OPEN), [entries[i] for i in unnamed]


def test_the_header_and_the_journal_name_it_and_the_body_does_not(me):
    response = me.http.put(me.url(), content=b"hello", headers=me.bearer)
    assert response.status_code == 400
    assert response.headers["X-Fake-Reason"].endswith('; allowed with assume={"file.raw": "accepted"}')
    entry = me.fake.journal[-1]
    assert entry.remedy == 'assume={"file.raw": "accepted"}'
    assert entry.reason == response.json()["description"]
    assert entry.record()["remedy"] == entry.remedy
    assert me.patch().status_code == 200
    assert (me.fake.journal[-1].reason, me.fake.journal[-1].remedy) == (None, None)


@pytest.mark.parametrize("chosen", ["id-email-key", "id-only"])
def test_a_caller_who_is_called_me_is_told_what_would_allow_it(chosen):
    with calling(make(assume={"user.addressing": chosen})) as me:
        assert me.api("PATCH", "/users/me", json={}).status_code == 404
        assert me.fake.journal[-1].remedy == 'assume={"user.addressing": "me"}'
        assert me.api("PATCH", "/users/mina", json={}).status_code == 404
        assert me.fake.journal[-1].remedy is None


def test_a_long_reason_leaves_room_for_it():
    with calling(make(assume={"api.query": "refused"})) as me:
        response = me.api("PATCH", "/users/u-001?" + "x" * 5000, json={})
        reason = response.headers["X-Fake-Reason"]
        assert len(reason) == 1000
        assert reason.endswith('...; allowed with assume={"api.query": "ignored"}')


def test_a_refusal_by_the_description_names_none(me):
    me.patch(nickName="x" * 101)
    assert me.fake.journal[-1].reason
    assert me.fake.journal[-1].remedy is None


def test_of_two_errors_neither_alternative_is_named_alone(me):
    for fields in ({"telephone": "1x"}, {"timeZone": "Asia/Nowhere"}, {"domainId": 7}):
        me.patch(**fields)
        assert me.fake.journal[-1].remedy
    for fields in ({"telephone": "1x", "domainId": 7}, {"telephone": "1x", "nickName": 5}):
        me.patch(**fields)
        assert (me.fake.journal[-1].status, me.fake.journal[-1].remedy) == (400, None)
    me.patch(telephone="1x", timeZone="Asia/Nowhere")
    assert me.fake.journal[-1].remedy == 'assume={"user.telephone": "prefix", "user.time-zone": "form-only"}'


def test_of_two_assumptions_either_is_named(me):
    me.patch(email=me.fake.directory["u-002"]["email"].upper())
    assert me.fake.journal[-1].remedy == (
        'assume={"user.email-case": "distinct"} or assume={"user.conflict-condition": "never"}'
    )


def test_words_like_those_before_a_remedy_are_part_of_the_reason(me):
    me.patch(nickName=5, task="; allowed with assume", locale="; allowed with care")
    assert me.fake.journal[-1].remedy is None
    assert "; allowed with care" in me.fake.journal[-1].reason
