"""Callback requests: the signature first, then the event."""

import base64
import hmac
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import svckit
from fakes import FakeService
from svckit import events
from svckit.errors import InvalidInput
from svckit.events import BadSignature
from svckit.models import TextContent
from svckit.models.secret import Secret
from svckit.models.signature import ALGORITHMS, Algorithm, Verifier
from svckit.session.session import Session

SECRET = "canary-bot-secret"


def body(**content: Any) -> bytes:
    event = {
        "type": "message",
        "source": {"userId": "u-001", "domainId": 1},
        "issuedTime": "2026-06-01T00:00:00.000Z",
        "content": content,
    }
    return json.dumps(event, ensure_ascii=False).encode()


TEXT = body(type="text", text="héllo")


def signed(given: bytes, name: str = "X-SERVICE-Signature") -> dict[str, str]:
    return {name: events.signature(given, SECRET)}


@pytest.mark.parametrize("name", ["X-SERVICE-Signature", "x-service-signature", "X-Service-SIGNATURE"])
@pytest.mark.parametrize("secret", [SECRET, Secret(SECRET)])
def test_a_signed_event_is_read(name: str, secret: str | Secret) -> None:
    event = events.parse(signed(TEXT, name), TEXT, secret=secret)
    assert event.content == TextContent(type="text", text="héllo")


def test_the_header_word_is_the_services() -> None:
    assert events.parse(signed(TEXT, "X-ACME-Signature"), TEXT, secret=SECRET, header_word="ACME")
    with pytest.raises(BadSignature, match="X-SERVICE-Signature"):
        events.parse(signed(TEXT, "X-ACME-Signature"), TEXT, secret=SECRET)


def test_the_header_word_is_that_of_a_profile_or_a_session() -> None:
    with svckit.connect() as svc:
        acme = replace(svc.profile, header_word="ACME")
        headers = signed(TEXT, "X-ACME-Signature") | {"X-ACME-BotId": "bot-1"}
        assert events.parse(headers, TEXT, secret=SECRET, on=acme)
        for receiver in (events.Receiver(SECRET, on=acme), events.receive(SECRET, on=acme)):
            assert receiver.receive(headers, TEXT) == 200
            assert [received.bot_id for received in receiver] == ["bot-1"]
        assert events.parse(signed(TEXT), TEXT, secret=SECRET, on=svc)


@pytest.mark.parametrize("word", ["", "MY SERVICE", "É", "A:"])
def test_a_header_word_that_no_header_can_hold_is_refused(word: str) -> None:
    with pytest.raises(InvalidInput, match="header_word is the product word in header names"):
        events.Receiver(SECRET, header_word=word)
    with (
        svckit.connect() as svc,
        pytest.raises(ValueError, match="header_word of profile 'fake' is the product"),
    ):
        replace(svc.profile, header_word=word)


@given(st.binary(max_size=200), st.text(max_size=60))
def test_no_other_signature_fits(given_body: bytes, signature: str) -> None:
    with pytest.raises(BadSignature) as caught:
        events.parse({"X-SERVICE-Signature": signature}, given_body, secret=SECRET)
    assert SECRET not in str(caught.value)


def test_a_changed_body_does_not_fit() -> None:
    with pytest.raises(BadSignature, match="the received bytes"):
        events.parse(signed(TEXT), TEXT + b" ", secret=SECRET)


@pytest.mark.parametrize("secret", ["", Secret(""), None, b"canary-bot-secret"])
def test_without_a_secret_nothing_is_checked_and_nothing_read(secret: Any) -> None:
    with pytest.raises(InvalidInput, match="secret is the bot's secret") as caught:
        events.parse(signed(TEXT), TEXT, secret=secret)
    assert "canary" not in str(caught.value)
    with pytest.raises(InvalidInput, match="secret is the bot's secret"):
        events.Receiver(secret)


def test_a_body_that_was_decoded_is_told() -> None:
    with pytest.raises(
        InvalidInput, match="the received bytes, because they are what is signed; given a str"
    ):
        events.parse(signed(TEXT), TEXT.decode(), secret=SECRET)  # type: ignore[arg-type] # what a novice passes


def test_signed_nonsense_is_told() -> None:
    with pytest.raises(InvalidInput, match=r"source is required") as caught:
        events.parse(signed(b'{"type": "message"}'), b'{"type": "message"}', secret=SECRET)
    assert {problem.path for problem in caught.value.problems} == {"source", "issuedTime", "content"}


@pytest.mark.parametrize(
    "changes",
    [
        {"source": {"userId": "u-001", "channelId": None, "domainId": 1}},
        {"content": {"type": "text", "text": "héllo", "postback": None}},
        {"issuedTime": "2026-06-01T09:00:00.000+0900"},
        {"issuedTime": "2026-06-01T09:00:00.000+09:00"},
        {"source": {"userId": "u-001", "domainId": 1.0}},
        {"source": {"userId": "u-001", "domainId": 1, "roomId": None}, "version": 2},
    ],
)
def test_an_event_in_a_plausible_form_is_read_as_the_one_described(changes: dict[str, Any]) -> None:
    came = json.dumps(json.loads(TEXT) | changes).encode()
    assert events.parse(signed(came), came, secret=SECRET) == events.parse(signed(TEXT), TEXT, secret=SECRET)


@pytest.mark.parametrize(
    "unusable",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b"{}",
        b'{"type": null}',
        body(),
        body(type=None),
        body(type=[7]),
        body(type="text"),
        body(type="location", address="x", latitude="35", longitude=1),
    ],
)
def test_what_cannot_be_used_is_still_told(unusable: bytes) -> None:
    with pytest.raises(InvalidInput, match="this is not a message event: "):
        events.parse(signed(unusable), unusable, secret=SECRET)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_events_are_verified_by_the_algorithm_that_is_given(algorithm: Algorithm) -> None:
    headers = {"X-SERVICE-Signature": events.signature(TEXT, SECRET, algorithm)}
    digest = hmac.new(SECRET.encode(), TEXT, algorithm.removeprefix("hmac-")).digest()
    assert base64.b64decode(headers["X-SERVICE-Signature"]) == digest
    assert events.parse(headers, TEXT, secret=SECRET, signature=algorithm)
    other = next(each for each in ALGORITHMS if each != algorithm)
    with pytest.raises(BadSignature) as caught:
        events.parse(headers, TEXT, secret=SECRET, signature=other)
    assert f"does not match the body with {other}, but it does with {algorithm}" in str(caught.value)
    assert f"signature={algorithm!r}" in str(caught.value)


def test_bad_signature_lists_what_was_tried() -> None:
    with pytest.raises(BadSignature) as caught:
        events.parse({"X-SERVICE-Signature": "AAAA"}, TEXT, secret=SECRET)
    for told in ("hmac-sha256", "hmac-sha1", "description", "Events › Headers sent", "signature="):
        assert told in str(caught.value)
    assert events.signature(TEXT, SECRET) not in str(caught.value)


def hex_of_sha512(given_body: bytes, secret: Secret, given: str) -> str:
    return hmac.new(secret.reveal().encode(), given_body, "sha512").hexdigest()


def by_verdict(given_body: bytes, secret: Secret, given: str) -> bool:
    return given == hex_of_sha512(given_body, secret, given)


def by_raising(given_body: bytes, secret: Secret, given: str) -> bool:
    if not by_verdict(given_body, secret, given):
        raise LookupError(secret.reveal())
    return True


VERIFIERS: Any = pytest.mark.parametrize("verify", [hex_of_sha512, by_verdict, by_raising])


@VERIFIERS
def test_events_are_verified_by_a_function(verify: Verifier) -> None:
    headers = {"X-SERVICE-Signature": hex_of_sha512(TEXT, Secret(SECRET), "")}
    assert events.parse(headers, TEXT, secret=SECRET, signature=verify)
    for wrong in ({"X-SERVICE-Signature": "AAAA"}, signed(TEXT), {"X-SERVICE-Signature": ""}):
        with pytest.raises(
            BadSignature, match=r"does not match the body.* function given as signature"
        ) as caught:
            events.parse(wrong, TEXT, secret=SECRET, signature=verify)
        assert SECRET not in str(caught.value)


@pytest.mark.parametrize("found", ["", False])
@pytest.mark.parametrize("given", ["", "AAAA"])
def test_a_function_that_expects_nothing_accepts_nothing(found: Any, given: str) -> None:
    headers = {"X-SERVICE-Signature": given}
    with pytest.raises(BadSignature):
        events.parse(headers, TEXT, secret=SECRET, signature=lambda body, secret, came: found)


@pytest.mark.parametrize("found", [None, 1, b"AAAA", ("AAAA",)])
def test_a_function_that_returns_no_verdict_verifies_nothing(found: Any) -> None:
    with pytest.raises(InvalidInput, match="it returned "):
        events.parse(signed(TEXT), TEXT, secret=SECRET, signature=lambda body, secret, given: found)
    app = events.Receiver(SECRET, signature=lambda body, secret, given: found)
    assert (app.receive(signed(TEXT), TEXT), len(app)) == (400, 0)


@pytest.mark.parametrize("wrong", ["sha256", "HMAC-SHA256", "", 1, True, lambda body, secret: "", [SECRET]])
def test_another_way_to_sign_is_refused(wrong: Any) -> None:
    words = (
        "must be hmac-sha256, hmac-sha1 or a function of the body, the bot's secret and the received signature; "
        "given"
    )
    for use in (
        lambda: events.parse(signed(TEXT), TEXT, secret=SECRET, signature=wrong),
        lambda: events.Receiver(SECRET, signature=wrong),
        lambda: events.receive(SECRET, signature=wrong),
    ):
        with pytest.raises(InvalidInput, match=f"signature {words}"):
            use()
    with svckit.connect() as svc, pytest.raises(ValueError, match=f"signature of profile 'fake' {words}"):
        replace(svc.profile, signature=wrong)


def test_the_signature_is_that_of_a_profile_or_a_session() -> None:
    headers = {"X-SERVICE-Signature": events.signature(TEXT, SECRET, "hmac-sha1")}
    with svckit.connect(assume={"callback.signature": "hmac-sha1"}) as svc:
        assert svc.profile.signature == "hmac-sha1"
        for on in (svc, svc.profile):
            assert events.parse(headers, TEXT, secret=SECRET, on=on)
            for receiver in (events.Receiver(SECRET, on=on), events.receive(SECRET, on=on)):
                assert receiver.receive(headers, TEXT) == 200
        sha256 = events.Receiver(SECRET, on=svc, signature="hmac-sha256")
        assert sha256.receive(headers, TEXT) == 401
        assert sha256.receive(signed(TEXT), TEXT) == 200


def test_a_session_keeps_the_signature_of_the_fake_it_connected_to(svc: Session) -> None:
    svc.fake.rules.choose({"callback.signature": "hmac-sha1"})
    assert svc.profile.signature == "hmac-sha256"
    with svckit.connect(svc.fake) as later:
        assert later.profile.signature == svckit.Profile.from_facts(svc.fake.facts).signature == "hmac-sha1"


def test_facts_without_a_signature_mean_the_default(fake: FakeService) -> None:
    earlier = {key: value for key, value in fake.facts.items() if key != "signature"}
    assert svckit.Profile.from_facts(earlier).signature == "hmac-sha256"


@pytest.mark.parametrize("name", ["X-ACME-Signature", "x-acme-signature"])
def test_a_missing_signature_header_names_the_one_that_came(name: str) -> None:
    with pytest.raises(
        BadSignature, match=r"no header X-SERVICE-Signature; .* give header_word='(ACME|acme)'"
    ):
        events.parse(signed(TEXT, name), TEXT, secret=SECRET)
