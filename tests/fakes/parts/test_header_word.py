"""The product word in the names of an event's headers: one setting, which every door, document and receiver follows."""

import json

import pytest

from fakes import FakeService
from svckit import events
from svckit.profiles.profiles import Profile

from ..admin import Admin
from ..caller import calling, make, restored


@pytest.fixture
def fake():
    return make(header_word="ACME")


def send(fake):
    """Send an event to the bot; return its headers and its body."""
    with calling(fake) as me:
        return me.say()[1][0]


def test_events_are_sent_with_the_word(fake):
    headers, _ = send(fake)
    assert list(headers) == ["Content-Type", "X-ACME-Signature", "X-ACME-BotId"]


def test_the_word_is_that_of_the_description_unless_another_is_set():
    fake = make()
    assert fake.facts["header_word"] == fake.settings.header_word == "SERVICE"
    assert "X-SERVICE-Signature" in send(fake)[0]


def test_a_receiver_takes_the_word_from_the_facts(fake):
    headers, body = send(fake)
    profile = Profile.from_facts(json.loads(json.dumps(fake.facts.to_wire())))
    assert profile.header_word == "ACME"
    assert events.parse(headers, body, secret=fake.facts["bot_secret"], on=profile).content.text == "hello"
    with pytest.raises(events.BadSignature, match="header_word='ACME'"):
        events.parse(headers, body, secret=fake.facts["bot_secret"])


def test_facts_of_an_earlier_fake_have_the_word_of_the_description(fake):
    facts = {name: value for name, value in fake.facts.items() if name != "header_word"}
    assert Profile.from_facts(facts).header_word == "SERVICE"


def test_the_word_can_be_changed_while_the_fake_runs(fake):
    assert Admin(fake)("PATCH", "/domain", {"headerWord": "OTHER"}).status_code == 200
    assert "X-OTHER-Signature" in send(fake)[0]
    assert fake.facts["header_word"] == "OTHER"


def test_the_word_survives_snapshots_forks_and_resets(fake):
    assert restored(fake).facts["header_word"] == fake.fork().facts["header_word"] == "ACME"
    fake.settings.header_word = "OTHER"
    fake.reset()
    assert fake.facts["header_word"] == "ACME"


def test_the_documents_name_the_headers_with_the_word(fake):
    parameters = fake.openapi()["webhooks"]["message"]["post"]["parameters"]
    assert [each["name"] for each in parameters] == ["X-ACME-Signature", "X-ACME-BotId"]


@pytest.mark.parametrize("word", ["", "MY ACME", "ACMÉ", "a:b"])
def test_a_word_that_no_header_can_hold_is_refused(fake, word):
    told = r"header_word is the product word in header names, such as SERVICE in X-SERVICE-Signature; given "
    with pytest.raises(ValueError, match=f"^{told}"):
        FakeService.sample(header_word=word)
    with pytest.raises(ValueError, match=told):
        fake.settings.header_word = word
    assert fake.settings.header_word == "ACME"


def test_a_word_has_up_to_100_characters():
    assert "X-" + "W" * 100 + "-Signature" in send(make(header_word="W" * 100))[0]
    with pytest.raises(ValueError, match=r"; given 101 characters, of 100 at most$"):
        FakeService.sample(header_word="W" * 101)


def test_word_must_be_text():
    with pytest.raises(TypeError, match="header_word must be text, such as ACME; given 7"):
        FakeService.sample(header_word=7)
