"""The rulebook is whole: what is documented is followed, and everything left open is decided by a rule."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from fakes import AssumptionRefused
from fakes.http.content import StoredContent
from fakes.rulebook.rule import RULEBOOK
from fakes.rulebook.rules import Rules

from ...loopback import PATIENCE
from ..caller import calling, make
from ..documented import DOCUMENTED

ASSUMED = [rule.id for rule in RULEBOOK.values() if rule.provenance == "assumed"]


def test_rules_are_well_formed():
    rules = RULEBOOK.values()
    assert [rule.id for rule in rules if not rule.text.endswith((".", ".'"))] == []
    assert [rule.id for rule in rules if bool(rule.alternatives) != (rule.provenance == "assumed")] == []


def test_documented_rules_have_a_call_each():
    assert set(DOCUMENTED) == set(RULEBOOK) - set(ASSUMED)


@pytest.mark.parametrize("rule_id", DOCUMENTED)
def test_documented_rule_is_followed(fake, rule_id):
    with calling(fake) as caller:
        DOCUMENTED[rule_id](caller)
    assert fake.rules[rule_id].used > 0


DOCUMENTED_ALONE = {
    "login screen": lambda me: me.authorize().status_code == 200,
    "read": lambda me: me.patch().status_code == 200,
    "sign in": lambda me: me.exchange().status_code == 200,
    "refresh": lambda me: me.refresh(me.exchange().json()["refresh_token"]).status_code == 200,
    "update": lambda me: me.patch(nickName="Mina", aliasEmails=[], telephone="+81").status_code == 200,
    "notify": lambda me: me.notify("hello", title="CI").status_code == 200,
    "too many": lambda me: [me.notify().status_code for _ in range(121)][119:] == [200, 429],
    "missing": lambda me: {missing(me), missing(me)} == {"missing parameter"},
    "invalid": lambda me: {me.notify(text).json()["description"] for text in (5, 6)} == {"invalid parameter"},
    "no webhook": lambda me: no_webhook(me) == "invalid webhook URL",
}


def missing(me):
    return me.http.post(me.facts["webhooks"][0], json={}).json()["description"]


def no_webhook(me):
    return me.http.post(me.facts["webhook_url"] + "/message/none", json={}).json()["description"]


@pytest.mark.parametrize("call", DOCUMENTED_ALONE.values(), ids=DOCUMENTED_ALONE)
def test_what_is_documented_works_where_assumptions_are_refused(call):
    with calling(make(assumptions="refuse")) as caller:
        assert call(caller)


def test_a_refusal_names_rule_and_section():
    refusal = r"file\.upload-status .* section Endpoints › File transfer"
    with calling(make(assumptions="refuse")) as caller, pytest.raises(AssumptionRefused, match=refusal):
        caller.ask()


# Options


@pytest.mark.parametrize(
    ("assume", "complaint"),
    [
        ({"token.error-boby": "oauth2"}, "is not a rule of this fake; did you mean token.error-body"),
        ({"user.partial": "whole"}, "is documented, so it has no alternatives"),
        ({"token.error-body": "xml"}, "choose from: oauth2, code-description"),
    ],
)
def test_invalid_options(assume, complaint):
    with pytest.raises(ValueError, match=complaint):
        Rules(assume)


def test_unknown_policy():
    with pytest.raises(ValueError, match="\"refuse-unobserved\"; given 'warn'"):
        make(assumptions="warn")


def test_a_rule_says_all_about_itself():
    rule = make(assume={"api.unauthorized": "403"}).rules["api.unauthorized"]
    assert (rule.id, rule.provenance, rule.chosen, rule.used) == ("api.unauthorized", "assumed", "403", 0)
    assert rule.text == RULEBOOK["api.unauthorized"].text
    assert rule.alternatives == ("401", "403")


@pytest.mark.parametrize(
    ("look", "told"),
    [
        (
            lambda fake: fake.rules["api.unauthorised"],
            "no rule 'api.unauthorised'; did you mean api.unauthorized",
        ),
        (lambda fake: fake.facts["basse_url"], "no fact 'basse_url'; did you mean base_url"),
        (lambda fake: fake.facts["zzz"], "no fact 'zzz'; there are "),
        (lambda fake: fake.rules[5], "there is no rule 5; there are "),
    ],
)
def test_unknown_name_suggests_the_nearest(look, told):
    with pytest.raises(KeyError) as caught:
        look(make())
    assert told in str(caught.value)


def test_what_another_thread_looks_at_is_no_part_of_a_response():
    """The response in the making is a log that is written while the main thread looks at a status."""
    fake, written, looked = make(), Event(), Event()

    def write():
        written.set()
        assert looked.wait(PATIENCE)
        return StoredContent(b"log")

    fake.files.offer(("audit_logs",), "text/plain", write)
    with calling(fake) as me, ThreadPoolExecutor(1) as pool:
        me.set_status(startTime="2026-06-01T10:00:00+09:00", endTime="2026-06-01T11:00:00+09:00")
        fake.clock.advance(minutes=90)
        url = me.api("GET", "/audits/logs/download").headers["Location"]
        response = pool.submit(me.fetch, url)
        assert written.wait(PATIENCE)
        before = fake.rules["status.transition"].used
        assert [status["scheduleType"] for status in fake.statuses.of("u-001")] == ["PRESENT"]
        looked.set()
        assert "status.transition" not in response.result().headers.get("X-Fake-Assumed", "")
    assert fake.rules["status.transition"].used == before + 1


def test_rules_show_themselves():
    rules = make().rules
    documented = len(RULEBOOK) - len(ASSUMED)
    assert repr(rules) == f"<Rules: {documented} documented, {len(ASSUMED)} assumed, assumptions allow>"
    assert [record["id"] for record in rules.records()] == list(RULEBOOK)
    areas = {rule_id.partition(".")[0] for rule_id in RULEBOOK}
    assert rules._repr_html_().count("<details>") == len(areas)
    assert rules._repr_html_().count("<tr>") == len(RULEBOOK) + len(areas)


@pytest.mark.parametrize("wrong", ["nope", "", "file.partname"])
def test_unknown_rule_suggests_a_few(fake, wrong):
    with pytest.raises(KeyError) as told:
        fake.rules[wrong]
    assert len(str(told.value)) < 200
    with pytest.raises(ValueError, match="no operation matches") as told:
        fake.faults.status(wrong or "nope")
    assert len(str(told.value)) < 250
