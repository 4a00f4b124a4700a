"""What traffic does not show, as it was masked, truncated or never recorded, refutes nothing."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import svckit
from fakes import observe
from svckit import places

from ..caller import NOW
from .traffic import Recorder

DRIVE = places.drive("u-001")


def upload(svc, **options):
    return DRIVE.file(svc.files.upload(b"PERSONAL", DRIVE, name="a.txt", **options).file_id)


def read_users(svc):
    svc.users.read("u-001")
    svc.users.update("u-003", nick_name="Mina")
    with suppress(svckit.NotFound):
        svc.users.read("u-999")


def renew(svc):
    svc.users.read("u-002")
    svc.fake.clock.advance(hours=25)
    svc.users.read("u-002")


def notify(svc, **options):
    with suppress(svckit.RateLimited):  # the minute may be used up
        svc.notify("hello", **options)


def use_up_minute(svc):
    other = svc.fake.webhooks.add("other", svc.fake.facts["channel_id"])
    url = f"{svc.fake.facts['webhook_url']}/message/{other.webhook_id}"
    for number in range(130):
        notify(svc, **({"webhook": url} if number % 2 else {}))


CALLS = {
    "upload": upload,
    "two fields": lambda svc: upload(svc, form="resourceName"),
    "in ranges": lambda svc: svc.files.download(upload(svc, resumable=3)),
    "overwrite": lambda svc: (upload(svc), upload(svc, overwrite=True)),
    "download": lambda svc: svc.files.download(upload(svc)),
    "copy": lambda svc: svc.files.copy(upload(svc), places.drive("u-002")),
    "users": read_users,
    "long record": lambda svc: svc.users.update("u-004", task="x" * 100, nick_name="y" * 100),
    "status": lambda svc: svc.users.set_status("u-001", "BUSY", message="hello"),
    "notification": lambda svc: notify(svc, title="Build"),
    "minute": use_up_minute,
    "renewal": renew,
}


@given(st.lists(st.sampled_from(sorted(CALLS)), min_size=1, max_size=5))
@settings(max_examples=10)
def test_masked_traffic_of_a_service_as_described_refutes_nothing(names):
    with svckit.connect(now=NOW, seed=7) as svc:
        upload(svc)  # before the trace
        with svc.trace() as trace:
            for name in names:
                CALLS[name](svc)
        for traffic in (trace, svc.fake.journal):
            observation = observe(traffic)
            assert not {each.result for each in observation} & {"refuted", "alternative", "deviation"}, repr(
                observation
            )
            assert observation.unexplained == 0


def test_files_that_were_not_recorded_are_as_large_as_was_said():
    recorder = Recorder()
    me = recorder.caller()
    me.patch(), me.upload()
    for entry in recorder.entries:
        if "/uploads/" in entry["request"]["url"]:
            del entry["request"]["postData"]
    observation = observe(recorder.har)
    assert observation.unexplained == 0
    assert observation.left_out == {}
    assert observation["file.stored"].result == "confirmed"


def test_requests_for_what_is_older_than_the_traffic_are_left_out():
    with svckit.connect(now=NOW, seed=7) as svc:
        file = upload(svc)
        with svc.trace() as trace:
            svc.users.read("u-001")
            svc.files.download(file)
    observation = observe(trace)
    (number,) = observation.left_out.values()
    assert (observation.source, number, observation.unexplained) == ("trace, 1 request", 2, 0)
    assert "left out: 2 requests masked or truncated, or about what the recording does not show" in repr(
        observation
    )


@pytest.mark.parametrize(("rule_id", "other"), [("user.not-found", "400"), ("file.upload-status", "201")])
def test_masked_traffic_still_tells_alternatives(rule_id, other):
    with svckit.connect(now=NOW, seed=7, assume={rule_id: other}) as svc, svc.trace() as trace:
        upload(svc)
        with suppress(svckit.Refused, svckit.NotFound):
            read_users(svc)
    assert observe(trace)[rule_id].value == other
