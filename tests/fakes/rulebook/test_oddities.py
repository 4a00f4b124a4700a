"""What a client or a receiver should not do, and what becomes of it: a response, never a crash."""

from asyncio import CancelledError

import pytest

from fakes.http.errors import Refusal

from ..admin import Admin
from ..bots import TEXT
from ..caller import BOUNDARY, make, raw_form

HUGE = "9" * 5000


@pytest.mark.parametrize(
    "disposition",
    [
        'form-data; name=Filedata; filename*0="a"; filename*="utf-8\'\'b"',
        "form-data; name=Filedata; filename*=undefined''x",
        "form-data; name=Filedata; filename*=idna''%FF",
        "form-data; name=Filedata; filename*=u%00tf''x",
    ],
)
def test_an_odd_file_name_parameter_is_refused(me, disposition):
    body = raw_form((f"Content-Disposition: {disposition}".encode(), b"a"))
    form = me.bearer | {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    assert me.http.post(me.url(size=1), content=body, headers=form).status_code == 400


def test_a_huge_number_in_a_user_id_is_nobody(me):
    assert me.patch(f"u-{HUGE}").status_code == 404


def test_a_huge_number_in_a_range_is_refused(me):
    assert me.send(me.url(size=1), b"a", **{"Content-Range": f"bytes 0-0/{HUGE}"}).status_code == 400


TOO_LARGE = ("1e309", "-1e999", "9" * 309 + ".0", "9" * 250 + "e99")


@pytest.mark.parametrize("number", ["NaN", "Infinity", *TOO_LARGE])
def test_admin_refuses_non_numbers_too(fake, number):
    assert "must be JSON" in Admin(fake).refused("POST", "/clock", content=f'{{"advance": {number}}}')


@pytest.mark.parametrize("number", ["1e308", "-1e-999", "9" * 300, "1e0099"])
def test_large_and_small_numbers_are_numbers(me, number):
    sent = {"Content-Type": "application/json"}
    response = me.api("PATCH", "/users/u-001", content=f'{{"foo": {number}}}', headers=sent)
    assert response.status_code == 200


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_message_with_a_non_number_cannot_be_sent(number):
    fake = make(assume={"callback.other-content": "sent"})
    with pytest.raises(Refusal, match=r"content\.at\[0\] is infinite or not a number"):
        fake.callbacks.send("bot-1", "u-001", {"type": "poll", "at": [number]})
    assert len(fake.callbacks.deliveries) == 0


class Unspeakable(Exception):
    def __str__(self):
        raise CancelledError


class Receives:
    """A receiver that raises, or responds with what is not a status."""

    def __init__(self, answer):
        self.answer = answer

    def receive(self, headers, body, seconds):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Unspeakable(), "Unspeakable"),
        (ValueError("half \ud800"), r"ValueError: half \ud800"),
        (SystemExit(3), "SystemExit: 3"),
        (CancelledError("gone"), "CancelledError: gone"),
        (TimeoutError("of its own"), "TimeoutError: of its own"),
        ("200", "TypeError: a receiver must return an HTTP status; given a str"),
        (True, "TypeError: a receiver must return an HTTP status; given True"),
    ],
)
def test_a_receiver_that_misbehaves_is_a_failed_delivery(fake, answer, told):
    fake.callbacks.connect("bot-1", Receives(answer))
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    assert (delivery.outcome, list(fake.callbacks.deliveries)) == ("failed", [delivery])
    assert delivery.error == f"the receiver failed: {told}"
    fake.restore(fake.snapshot())


@pytest.mark.parametrize(
    "raised", [KeyboardInterrupt(), pytest.fail.Exception("wrong"), pytest.skip.Exception("no")]
)
def test_receiver_error_reaches_the_test(fake, raised):
    fake.callbacks.connect("bot-1", Receives(raised))
    with pytest.raises(type(raised)) as caught:
        fake.callbacks.send("bot-1", "u-001", TEXT)
    assert caught.value is raised
    (delivery,) = fake.callbacks.deliveries
    assert delivery.outcome == "failed"


def test_a_long_response_is_cut_in_the_journal_and_its_size_kept(me):
    unit = {"orgUnitId": "ou-sales", "primary": False}
    organizations = [{"domainId": 10000001, "primary": True, "orgUnits": [unit] * 30}] * 20
    answer = me.patch("u-002", organizations=organizations)
    assert answer.status_code == 200
    entry = me.fake.journal[-1]
    assert entry.record()["responseBytes"] == len(answer.content) > 64 * 1024
    assert len(entry.response_body) <= 64 * 1024
