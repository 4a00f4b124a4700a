"""A log names the assumptions under which one of its rows would be another, and no others."""

from contextlib import suppress

import pytest

from fakes.http.errors import Refusal
from fakes.rulebook.rule import RULEBOOK

from .caller import calling, make
from .scenarios import SCENARIOS

AUDIT, MESSAGES = "/audits/logs/download", "/monitoring/message-contents/download"
SOMETIMES = {"token.content-type"}
"""Rules whose scenario changes no status, though other calls would."""
UNNAMED = {"auth.redirect-status"}
"""Rules that no response names."""
IN_THE_LOG_ITSELF = {"file.logs"}


def write_log(me, path):
    """The rows of a log, and the assumptions that it names."""
    response = me.fetch(me.api("GET", path).headers["Location"])
    assert response.status_code == 200
    named = response.headers.get("X-Fake-Assumed")
    return response.text.splitlines()[1:], set(named.split(", ") if named else ())


def play(rule_id, alternative, path):
    """What a scenario leaves in the log under an alternative: rows without their targets, and assumptions."""
    fake = make(assume={rule_id: alternative})
    with calling(fake) as me, suppress(Exception):
        SCENARIOS[rule_id](me)
    if path == AUDIT:
        return [(entry.operation, entry.status) for entry in fake.journal], fake
    return [
        fake.state.webhooks.records(),
        [delivery.event for delivery in fake.callbacks.deliveries],
    ], fake


@pytest.mark.parametrize(
    "rule_id", [each for each in SCENARIOS if RULEBOOK[each].alternatives and each not in SOMETIMES | UNNAMED]
)
def test_the_audit_log_names_what_changes_a_status_and_nothing_else(rule_id):
    first, *others = RULEBOOK[rule_id].alternatives
    rows, fake = play(rule_id, first, AUDIT)
    differs = any(play(rule_id, each, AUDIT)[0][: len(rows)] != rows for each in others)
    fake.faults.clear()
    fake.settings.api_calls_per_minute = 10_000
    with calling(fake) as me:
        named = write_log(me, AUDIT)[1]
    assert (rule_id in named) == (differs or rule_id in IN_THE_LOG_ITSELF)


MESSAGES_SENT = {
    "callback.file-id": ({"type": "image", "fileId": "unknown"}, True),
    "callback.other-content": ({"type": "text", "text": "x", "mood": "good"}, True),
    "callback.issued-time": ({"type": "text", "text": "x"}, True),
    "callback.other-events": ({"type": "text", "text": "x", "postback": "start"}, True),
    "callback.signature": ({"type": "text", "text": "x"}, False),
    "callback.bot-id-header": ({"type": "text", "text": "x"}, False),
    "callback.body": ({"type": "text", "text": "é"}, False),
}


@pytest.mark.parametrize(("rule_id", "content", "shown"), [(k, *v) for k, v in MESSAGES_SENT.items()])
def test_the_message_log_names_what_decided_which_messages_there_are(rule_id, content, shown):
    logs = []
    for alternative in RULEBOOK[rule_id].alternatives:
        fake = make(assume={rule_id: alternative})
        with calling(fake) as me:
            with suppress(Refusal):
                fake.callbacks.send("bot-1", "u-001", content)
            logs.append(write_log(me, MESSAGES))
    rows, named = zip(*logs, strict=True)
    assert (rows[0] != rows[1]) == shown
    assert [rule_id in each for each in named] == [shown, shown]


def test_a_message_that_is_refused_anyway_leaves_no_assumption(me):
    with pytest.raises(Refusal):
        me.fake.callbacks.send("bot-1", "u-001", {"type": "text", "mood": "good"})
    assert "callback.other-content" not in write_log(me, MESSAGES)[1]


@pytest.mark.parametrize("alternative", ["not-counted", "counted"])
@pytest.mark.parametrize("calls", [10, 120])
def test_log_names_the_rule_about_refused_calls(alternative, calls):
    with calling(make(assume={"notification.refused-calls": alternative})) as me:
        assert me.notify(5).status_code == 400
        statuses = [me.notify(f"{number}").status_code for number in range(calls)]
        assert statuses[-1] == (429 if alternative == "counted" and calls == 120 else 200)
        for path in (MESSAGES, AUDIT):
            assert ("notification.refused-calls" in write_log(me, path)[1]) == (calls == 120)


@pytest.mark.parametrize(
    ("more", "rule_id"),
    [({"text": ""}, "notification.empty-text"), ({"colour": "red"}, "notification.other-fields")],
)
def test_the_message_log_names_what_decided_about_a_notification(me, more, rule_id):
    me.notify(**more)
    assert rule_id in write_log(me, MESSAGES)[1]


def test_a_log_without_decisions_names_none(me):
    me.patch(nickName="x")
    me.notify()
    for path in (AUDIT, MESSAGES):
        assert not write_log(me, path)[1] - {"file.logs"}


@pytest.mark.parametrize("path", [AUDIT, MESSAGES])
def test_log_from_anothers_url_rests_on_permission(path):
    with calling(make(), "u-002") as plain, calling(plain.fake) as me:
        url = plain.api("GET", path).headers["Location"]
        assert "api.permission" in me.fetch(url).headers["X-Fake-Assumed"]
        if path == MESSAGES:
            me.api("GET", path)
            assert "api.permission" not in me.fetch(url).headers.get("X-Fake-Assumed", "")
