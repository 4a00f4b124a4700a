"""Failed assertions on a fake's facts: what pytest prints of them shows no secret."""

import copy
import json
import pickle

import pytest

from fakes import FakeService

pytest_plugins = ["pytester"]

ASSERTIONS = """
    import pytest

    SECRET = ("admin_key", "client_secret", "password", "bot_secret")

    @pytest.mark.parametrize("name", SECRET)
    def test_equal(fake_service, name):
        assert fake_service.facts[name] == "wrong"

    @pytest.mark.parametrize("name", SECRET)
    def test_in(fake_service, name):
        assert fake_service.facts[name] in ["wrong"]

    @pytest.mark.parametrize("name", SECRET)
    def test_text_in(fake_service, name):
        assert "_" not in fake_service.facts[name]

    @pytest.mark.parametrize("name", SECRET)
    def test_method(fake_service, name):
        given = fake_service.facts[name]
        assert given.startswith("wrong")

    @pytest.mark.parametrize("name", SECRET)
    def test_nothing(fake_service, name):
        assert not fake_service.facts[name]

    def test_all(fake_service):
        assert dict(fake_service.facts) == {"admin_key": "wrong"}

    def test_facts(fake_service):
        assert fake_service.facts == {"admin_key": "wrong"}

    def test_webhooks(fake_service):
        assert fake_service.facts["webhooks"] == ["wrong"]

    def test_webhook(fake_service):
        assert fake_service.facts["webhooks"][0] == "wrong"

    def test_raise(fake_service):
        url, key = fake_service.facts["webhooks"][0], fake_service.facts["admin_key"]
        raise ValueError
    """


def test_a_failed_assertion_shows_no_secret(run):
    result = run(ASSERTIONS, "-vv", "--showlocals")
    printed = result.stdout.str() + result.stderr.str()
    result.assert_outcomes(failed=25)
    facts = FakeService.sample(now="2026-06-01T09:00:00+09:00").facts
    secrets = [facts[name] for name in ("admin_key", "client_secret", "password", "bot_secret")]
    secrets += [url.rpartition("/")[2] for url in facts["webhooks"]]
    assert [secret for secret in secrets if secret in printed] == []
    assert "'***' == 'wrong'" in printed


@pytest.mark.parametrize("name", ["admin_key", "client_secret", "password", "bot_secret"])
def test_a_secret_is_text_like_any_other(name):
    text = FakeService.sample().facts[name]
    plain = str.__str__(text)
    assert (text == plain, hash(text) == hash(plain), f"{text}" == plain) == (True, True, True)
    assert json.loads(json.dumps({"value": text})) == {"value": plain}
    assert "***" in repr(text)
    assert "***" in repr({"value": [text]})


def test_a_secret_is_copied_and_not_pickled():
    facts = FakeService.sample().facts
    assert copy.deepcopy(dict(facts)) == dict(facts)
    with pytest.raises(TypeError, match="holds secrets in the clear"):
        pickle.dumps(facts["admin_key"])


def test_the_facts_of_the_wire_are_plain():
    wire = FakeService.sample().facts.to_wire()
    assert {type(value) for value in (*wire.values(), *wire["webhooks"])} == {str, int, list, dict}
