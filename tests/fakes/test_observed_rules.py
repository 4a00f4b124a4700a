"""Rules that were measured of a real service are observed, not assumed, until something else is chosen for them."""

import json

import pytest

import svckit
from fakes import AssumptionRefused, FakeService
from fakes.engine.alternatives import alternatives
from fakes.rulebook.assumptions_file import Measured
from fakes.serving import open_sample
from svckit.widgets.explorers.fake.rules_view import build_rule
from svckit.widgets.explorers.traffic.details import build_detail
from svckit.widgets.explorers.traffic.messages import TraceSource
from tests.fakes.admin import Admin
from tests.fakes.caller import NOW, Caller, make, restored

MEASURED = """\
version = 1
source = "HAR, 214 requests"
date = "2026-06-01"
[rules."api.unauthorized"]
result = "alternative"
value = "403"
seen = 3
statuses = [403]
[rules."api.error-body"]
result = "confirmed"
value = "code-description"
seen = 3
[rules."api.not-found"]
result = "refuted"
seen = 1
[deviations."file.stored"]
value = "200"
seen = 1
"""
OBSERVED = {"api.unauthorized", "api.error-body"}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "assumptions.toml"
    path.write_text(MEASURED, encoding="utf-8")
    return path


def refuse_token(fake):
    """Make a call without a valid token, and return the response."""
    return Caller(fake).api("PATCH", "/users/u-001", json={}, headers={"Authorization": "Bearer wrong"})


def confirm_all():
    """Return the data of a file that confirms every assumption."""
    chosen = {rule.id: rule.chosen for rule in make().rules if rule.chosen is not None}
    rules = {name: {"result": "confirmed", "value": value, "seen": 1} for name, value in chosen.items()}
    return {"version": 1, "rules": rules}


def list_observed(fake):
    return {rule.id for rule in fake.rules if rule.provenance == "observed"}


def test_measured_rules_are_observed(path):
    fake = make(assume_from=path)
    assert list_observed(fake) == OBSERVED
    assert fake.rules["api.unauthorized"].chosen == "403"
    assert fake.rules["api.unauthorized"].observed == {
        "result": "alternative",
        "value": "403",
        "seen": 3,
        "statuses": [403],
        "source": "HAR, 214 requests",
        "date": "2026-06-01",
    }
    assert fake.rules.deviations.chosen == {"file.stored": "200"}
    assert "2 observed" in repr(fake.rules)


def test_refuted_rule_stays_assumed_and_says_so(path):
    rule = make(assume_from=path).rules["api.not-found"]
    assert (rule.provenance, rule.chosen, rule.observed["result"]) == ("assumed", "404", "refuted")


def test_response_and_journal_name_them(path):
    fake = make(assume_from=path)
    response = refuse_token(fake)
    assert response.status_code == 403
    assert set(response.headers["X-Fake-Observed"].split(", ")) == OBSERVED
    assert not OBSERVED & set(response.headers.get("X-Fake-Assumed", "").split(", "))
    entry = fake.journal[-1]
    assert set(entry.observed) == set(entry.record()["observed"]) == OBSERVED
    assert not OBSERVED & set(entry.assumed)
    assert set(entry.rules) > OBSERVED
    assert "observed: api.unauthorized" in repr(entry)


def test_explicit_choice_is_assumed_again(path):
    fake = make(assume_from=path, assume={"api.error-body": "code-description"})
    assert list_observed(fake) == {"api.unauthorized"}
    fake.rules.choose({"api.unauthorized": "401"})
    assert list_observed(fake) == set()
    assert refuse_token(fake).status_code == 401
    fake.reset()
    assert list_observed(fake) == {"api.unauthorized"}


def test_deviation_that_is_turned_off_stays_off(path):
    fake = make(assume_from=path)
    fake.rules.choose({}, deviations={"file.stored": None})
    fake.rules.choose({"api.query": "refused"})
    assert fake.rules.deviations.chosen == {}


def test_policy_lets_observed_rules_pass(path):
    fake = make(assume_from=path, assumptions="refuse-unobserved")
    assert refuse_token(fake).status_code == 403
    fake.rules.choose({"api.unauthorized": "401"})
    with pytest.raises(AssumptionRefused, match=r"rest on the assumption api\.unauthorized"):
        refuse_token(fake)
    fake = make(assume_from=confirm_all(), assumptions="refuse")
    with pytest.raises(AssumptionRefused):
        refuse_token(fake)


def test_refusing_all_contradicts_measured_deviations(path):
    with pytest.raises(ValueError, match='assumptions="refuse" keeps to'):
        make(assume_from=path, assumptions="refuse")
    with pytest.raises(ValueError, match='assumptions="refuse-unobserved" keeps to'):
        make(assumptions="refuse-unobserved", deviations={"file.stored": "200"})


@pytest.mark.parametrize("copy", [FakeService.fork, restored])
def test_copies_keep_it(copy, path):
    fake = make(assume_from=path)
    fake.rules.choose({"api.error-body": "oauth2"})
    copied = copy(fake)
    assert list_observed(copied) == {"api.unauthorized"}
    assert copied.rules["api.unauthorized"].observed == fake.rules["api.unauthorized"].observed
    assert copied.rules["api.error-body"].chosen == "oauth2"
    assert copied.rules.deviations.chosen == {"file.stored": "200"}


def test_state_file_keeps_it(path, tmp_path):
    state = tmp_path / "fake.state"
    with open_sample("key", assume={"api.unauthorized": "401"}, state=state) as fake:
        assert list_observed(fake) == set()
    with open_sample("key", assume_from=path, state=state) as fake:
        assert list_observed(fake) == OBSERVED
    path.unlink()
    with open_sample("key", state=state) as fake:
        assert list_observed(fake) == OBSERVED
        fake.reset()
        assert list_observed(fake) == OBSERVED


def test_admin_call_lists_and_chooses_them(path):
    fake = make(assume_from=path)
    admin = Admin(fake)
    rules = {rule["id"]: rule for rule in admin("GET", "/rules").json()["rules"]}
    assert rules["api.unauthorized"]["provenance"] == "observed"
    assert rules["api.unauthorized"]["observed"]["date"] == "2026-06-01"
    assert rules["api.query"]["observed"] is None
    assert admin("PATCH", "/rules", {"assumptions": "refuse-unobserved"}).status_code == 200
    assert fake.rules.policy == "refuse-unobserved"


def test_document_marks_them(path):
    document = make(assume_from=path).openapi()
    response = document["paths"]["/users/{userId}"]["patch"]["responses"]["403"]
    assert {"X-Fake-Assumed", "X-Fake-Observed"} < response["headers"].keys()
    assert document["x-rules"]["api.unauthorized"]["observed"]["seen"] == 3
    document = make(assume_from=confirm_all()).openapi()
    response = document["paths"]["/users/{userId}"]["patch"]["responses"]["401"]
    assert response["x-provenance"]["provenance"] == "observed"
    assert "X-Fake-Assumed" not in response["headers"]
    assert "X-Fake-Observed" not in json.dumps(make().openapi()["paths"])


def test_views_of_a_session_name_them(path):
    with svckit.connect(now=NOW, assume_from=path) as svc:
        source = TraceSource(svc)
        with svckit.expect(svckit.ServiceError):
            svc.request("PATCH", "/users/u-001", json={"nickName": 7})
        trace = source.trace
        assert trace.records()[0]["observed"] == ["api.error-body"]
        assert "api.error-body" not in trace.records()[0]["assumed"]
        assert svckit.frames.journal(svc.fake)["observed"].iloc[-1] == "api.error-body"
        (message,) = source.read_messages()
        kinds = {rule["id"]: rule["kind"] for rule in build_detail(message, svc.fake, "Rules")["rules"]}
        assert kinds["api.error-body"] == "observed: code-description"
        about = build_rule(svc.fake, "api.error-body", deviation=False)["about"]
        assert about.startswith("observed (confirmed on 2026-06-01 by HAR, 214 requests)")


def test_sweep_leaves_them_as_they_are(path):
    fake = make(assume_from=path)
    refuse_token(fake)
    assert not OBSERVED & {rule_id for rule_id, _ in alternatives([fake])}
    assert alternatives([fake], "api.unauthorized") == [("api.unauthorized", "401")]


def test_nothing_measured_changes_nothing():
    fake = make(assume_from=Measured().model_dump())
    assert list_observed(fake) == set()
    assert "X-Fake-Observed" not in refuse_token(fake).headers
