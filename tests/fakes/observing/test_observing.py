"""Traffic alone shows how a service differs from the default fake, and nothing else of the traffic comes out."""

import json
import sys
import tomllib
from base64 import b64decode, b64encode
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import observe
from fakes.observing.findings import CONTENTS, RESPONSE_STATUS
from fakes.rulebook.rule import RULEBOOK

from ..caller import Caller
from .traffic import Recorder, record

ACCEPTED = {
    f"{area}.{each}"
    for area, names in {
        "api": "bearer",
        "auth": "domain-under-sso parameters",
        "callback": "client-version content event fields headers not-resent one-to-one",
        "code": "lifetime single-use",
        "file": "bearer multipart request resumable",
        "lifecycle": "retired",
        "notification": "no-token setup title-default webhooks",
        "status": "limits one-each reserved",
        "token": "access-lifetime parameters refresh-lifetime",
        "user": "advanced-alias limits link-id not-concurrent restrictions",
    }.items()
    for each in names.split()
}
"""The documented rules that say what is accepted or sent, and nothing of what a response to it contains."""


def find_others(observation):
    """Return the alternatives that differ from the defaults."""
    return {each.id: each.value for each in observation if each.result == "alternative"}


def test_default_service_is_confirmed():
    observation = observe(record({}))
    assert find_others(observation) == {}
    assert observation["token.error-body"].result == "confirmed"
    assert observation["user.katakana"].result == "not seen"
    assert observation.unexplained == 0


@pytest.mark.parametrize("missing", ["", "jwt", "cryptography"])
def test_deviation_is_found_whatever_of_the_others_is_not_installed(missing, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    recorder = Recorder(deviations={"token.expires-in": "number"})
    me = recorder.caller()
    me.exchange()
    assert observe(recorder.har).deviations == {"token.expires-in": "number"}


def test_alternative_and_deviation_of_one_response_are_found():
    recorder = Recorder(assume={"drive.location": "0"}, deviations={"file.stored": "200"})
    me = recorder.caller()
    me.exchange(), me.upload()
    observation = observe(recorder.har)
    assert find_others(observation) == {"drive.location": "0"}
    assert observation.deviations == {"file.stored": "200"}


@pytest.mark.parametrize(
    "now", ["2026-06-01T09:00:00+09:00", "2026-06-01T00:00:00Z", "2026-05-31T19:00:00-05:00"]
)
@pytest.mark.parametrize("in_utc", [True, False])
def test_recording_may_have_times_of_another_offset(now, in_utc):
    recorder = Recorder(now=now, in_utc=in_utc)
    me = recorder.caller()
    me.exchange(), me.upload()
    observation = observe(recorder.har)
    assert {each.result for each in observation} == {"confirmed", "not seen"}
    assert observation["file.stored"].result == "confirmed"
    assert observation["drive.times"].result == ("not seen" if now.endswith("Z") else "confirmed")


@pytest.mark.parametrize(
    ("now", "in_utc"), [("2026-07-31T00:30:00+09:00", False), ("2026-07-31T00:30:00Z", True)]
)
def test_day_is_that_of_the_recordings_offset(now, in_utc):
    recorder = Recorder(now=now, in_utc=in_utc)
    recorder.caller().patch(messenger={"protocol": "MSGR_C_OLD", "messengerId": "mina"})
    observation = observe(recorder.har)
    assert (observation["user.messenger"].result, observation.unexplained) == ("confirmed", 0)
    assert find_others(observation) == {}  # the day of the switch needs no explanation


def test_other_status_than_that_of_the_rate_limit_refutes_it():
    recorder = Recorder()
    me = recorder.caller()
    for _ in range(121):
        me.notify()
    recorder.entries[-1]["response"]["status"] = 503
    observation = observe(recorder.har)
    assert (observation["notification.rate"].result, observation.unexplained) == ("refuted", 1)
    assert observation["notification.rate"].statuses == (503,)
    recorder.entries[-1]["response"]["status"] = 429
    recorder.entries[0]["response"]["status"] = 503
    observation = observe(recorder.har)
    assert (observation["notification.rate"].result, observation.unexplained) == ("confirmed", 1)


@pytest.mark.parametrize(
    ("status", "refuted"),
    [(201, ["notification.success"]), (503, ["notification.rate", "notification.success"])],
)
def test_which_failures_refute_the_rate_limit(status, refuted):
    recorder = Recorder()
    recorder.caller().notify(title="x")
    recorder.entries[-1]["response"]["status"] = status
    found = {finding.id for finding in observe(recorder.har) if finding.result == "refuted"}
    assert found & {"notification.rate", "notification.success"} == set(refuted)


def test_every_documented_rule_is_classified():
    documented = {rule.id for rule in RULEBOOK.values() if not rule.alternatives}
    assert documented == CONTENTS | ACCEPTED
    assert not CONTENTS & ACCEPTED
    assert RESPONSE_STATUS.keys() <= CONTENTS


def test_part_that_nothing_explains_refutes_only_its_own_rule():
    recorder = Recorder()
    me = recorder.caller()
    me.exchange(), me.upload()
    content = recorder.entries[-1]["response"]["content"]
    stored = json.loads(b64decode(content["text"]))
    content["text"] = b64encode(json.dumps(stored | {"resourceLocation": 7}).encode()).decode()
    observation = observe(recorder.har)
    assert [each.id for each in observation if each.result == "refuted"] == ["drive.location"]
    assert (observation["file.stored"].result, observation.unexplained) == ("confirmed", 1)


def test_users_are_recognized_by_each_of_their_names():
    for chosen in RULEBOOK["user.addressing"].alternatives:
        recorder = Recorder(assume={"user.addressing": chosen})
        me = recorder.caller()
        user = me.patch("u-002").json()
        names = (quote(user["email"]), quote(f"externalKey:{user['userExternalKey']}"), "me")
        for name in names:
            me.patch(name)
        observation = observe(recorder.har)
        assert observation["user.addressing"].value == chosen
        assert (observation.requests, observation.unexplained, observation.left_out) == (4, 0, {})


def test_token_from_before_the_recording_is_as_old_as_its_use_shows():
    recorder = Recorder()
    recorder.caller().patch()
    recorder.fake.clock.advance(hours=30)
    me = recorder.caller()  # with a new token, which no recorded response contains
    me.patch()
    recorder.fake.clock.advance(hours=30)
    me.patch()  # is refused
    observation = observe(recorder.har)
    assert {each.result for each in observation} == {"confirmed", "not seen"}
    assert observation.unexplained == 0


def test_logs_of_another_service_have_any_length():
    recorder = Recorder()
    me = recorder.caller()
    for number in range(9):
        Caller(recorder.fake).patch(f"u-00{number + 1}")  # somebody else, who is in the log
    me.fetch(me.api("GET", "/audits/logs/download").headers["Location"])
    observation = observe(recorder.har)
    assert (observation["file.logs"].value, observation.unexplained) == ("utf-8", 0)


def test_refuted_rule_has_its_section():
    recorder = Recorder()
    recorder.caller().exchange()
    tokens = recorder.entries[-1]["response"]
    tokens["status"] = 207
    observation = observe(recorder.har)
    assert observation["token.issued"].result == "refuted"
    assert observation["token.issued"].section == RULEBOOK["token.issued"].section
    assert observation.unexplained == 1


@given(st.from_regex(r'Zq7(?:[A-Za-z0-9._~-]{3,30}|[山本 "\\]{3,9})x', fullmatch=True))
@settings(max_examples=5)
def test_file_can_be_read_and_holds_nothing_of_the_traffic(secret):
    recorder = Recorder(assume={"user.not-found": "400"})
    me = recorder.caller()
    me.patch(nickName=secret)
    me.patch(quote(secret))
    me.notify(secret, title=secret)
    me.exchange(secret, redirect_uri=secret)
    me.upload(name=secret)
    me.bearer = {"Authorization": f"Bearer {quote(secret)}"}
    me.patch()
    for entry in recorder.entries:  # the service's own values, wherever it may put one
        entry["response"]["headers"].append({"name": "X-Own", "value": quote(secret)})
    observation = observe(recorder.har)
    written = observation.to_toml()
    assert tomllib.loads(written)["date"] == "2026-06-01"
    for text in (written, repr(observation), observation._repr_html_()):
        assert "Zq7" not in text
        assert "fake.test" not in text
