"""What an operation would send, shown without sending it."""

import asyncio
import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import svckit
from fakes import FakeService
from svckit import places
from svckit.addresses import quote_segment
from svckit.display.masking import mask
from svckit.errors import ForeignOrigin, InvalidInput, ServiceError
from svckit.http.messages import Response
from svckit.operations import custom, files, notifications, users
from svckit.session.session import Session

from ..conftest import IN_PROCESS, Face, connect_over_tcp

FILE = places.drive("u-001").file("f-1")
OWN = "https://storage.fake.test/downloads/1"


@IN_PROCESS
def test_nothing_is_sent(on_fake: Face, fake: FakeService) -> None:
    before = len(fake.journal)
    shown = on_fake.session.explain(users.update("u-001", task=None))
    assert repr(shown).startswith("PATCH /users/u-001 HTTP/1.1\nHost: api.fake.test\n")
    assert len(fake.journal) == before


def test_a_place_without_a_profile_is_refused() -> None:
    with pytest.raises(TypeError, match="on must be a session or a profile; given 5"):
        svckit.explain(users.read("u-001"), on=5)


def test_what_is_shown_is_what_is_sent(svc: Session, fake: FakeService) -> None:
    for make in (
        lambda: users.update("u-001", nick_name="Mina"),
        lambda: users.set_status("u-001", "BUSY"),
        lambda: notifications.notify(fake.facts["webhooks"][0], "Hi"),
    ):
        with svc.trace() as trace:
            svc.run(make())
        (sent,) = trace
        (shown,) = svc.explain(make()).requests
        assert shown == sent.request


def test_answers_lead_further() -> None:
    shown = svckit.explain(files.download(FILE), Response(302, {"location": OWN}))
    assert [request.url for request in shown.requests] == [
        "{base_url}/users/u-001/drive/files/f-1/download",
        "https://storage.fake.test/***",
    ]
    assert shown.then.startswith("success is 200")
    whole = svckit.explain(
        users.update("u-001", task=None), {"domainId": 1, "email": "a@b.test", "userName": {}}
    )
    assert whole.then == "nothing follows"


@pytest.mark.parametrize(
    ("location", "error"),
    [("https://evil.test/1", ForeignOrigin), ("javascript:x", ForeignOrigin), ("", ServiceError)],
)
def test_a_response_that_leads_astray(location: str, error: type[Exception], on_fake: Face) -> None:
    headers = {"location": location} if location else {}
    with pytest.raises(error):
        on_fake.session.explain(files.download(FILE), Response(302, headers))


def test_input_that_breaks_a_limit_explains_nothing() -> None:
    with pytest.raises(InvalidInput, match="task"):
        svckit.explain(users.update("u-001", task="x" * 101))


def test_secrets_are_masked() -> None:
    shown = svckit.explain(notifications.notify("https://hooks.fake.test/message/CANARY", "<b>Hi</b>"))
    assert "POST /message/*** HTTP/1.1\nHost: hooks.fake.test" in repr(shown)
    assert "Authorization" not in repr(shown)
    assert "CANARY" not in repr(shown) + shown.curl + shown._repr_html_()
    assert "<b>" not in shown._repr_html_()


@pytest.mark.parametrize(
    "address", ["https://hooks.fake.test/other/CANARY", "https://hooks.fake.test/CANARY?x=CANARY"]
)
def test_a_secret_address_of_another_form_is_masked_whole(address: str) -> None:
    (request,) = svckit.explain(notifications.notify(address, "Hi")).requests
    assert request.url == "https://hooks.fake.test/***"


def test_an_operation_is_left_closed() -> None:
    operation: Any = users.read("u-001")
    svckit.explain(operation)
    assert operation.gi_frame is None


@given(st.text(min_size=1).filter(str.isprintable), st.text(max_size=50))
def test_curl_sends_what_the_operation_sends(user_id: str, task: str) -> None:
    """Whatever is in it: a shell that reads the line comes to the same address and the same body."""
    assume(user_id not in (".", "..") and mask(task) == task)
    (request,) = svckit.explain(
        custom.request("PATCH", f"/users/{quote_segment(user_id)}", json={"task": task})
    ).requests
    _, _, method, url, *words = shlex.split(request.curl.replace("\\\n", ""))
    assert (method, url) == ("PATCH", mask(f"$BASE_URL/users/{quote_segment(user_id)}"))
    assert json.loads(words[-1]) == {"task": task}


@pytest.mark.skipif(not all(map(shutil.which, ("sh", "curl"))), reason="runs curl in a shell")
@pytest.mark.parametrize("name", ["r.txt", 'it\'s "a;b\\",c.txt', "-x"])
def test_curl_sends_the_ranges_that_the_operation_sends(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"012345678")
    drive = places.drive("u-001")
    fake = FakeService.sample(users=1)
    with connect_over_tcp(fake) as svc:
        announced = svc.request("POST", "/users/u-001/drive/files", json={"fileName": name, "fileSize": 9})
        ticket = announced.json()
        operation = files.upload(b"012345678", to=drive, name=name, resumable=4)
        shown = svc.explain(operation, ticket, {"offset": 4}, {"offset": 8})
        for request in shown.requests[1:]:
            done = subprocess.run(
                ["/bin/sh", "-c", request.curl],
                cwd=tmp_path,
                env={
                    "PATH": os.environ["PATH"],
                    "ACCESS_TOKEN": fake.access_token(),
                    "UPLOAD_URL": ticket["uploadUrl"],
                },
                capture_output=True, check=True, timeout=60,
            )  # fmt: skip
        stored = json.loads(done.stdout)
        assert stored["fileName"] == name
        assert svc.files.download(drive.file(stored["fileId"])) == b"012345678"


def test_curl_sends_one_range_that_is_all_from_the_file_itself() -> None:
    operation = files.upload(b"hello", to=places.drive("u-001"), name="a.txt", resumable=True)
    shown = svckit.explain(operation, {"uploadUrl": "https://storage.example/1"})
    assert shown.requests[1].curl.startswith("curl ")
    assert "'Filedata=@a.txt;type=text/plain'" in shown.requests[1].curl


def test_what_a_session_returns_is_no_operation(on_fake: Face) -> None:
    with pytest.raises(
        InvalidInput, match="not the result of a session's method, which sends the request; given a User"
    ):
        svckit.explain(on_fake(lambda svc: svc.users.read("u-001")))

    async def main(fake: FakeService) -> None:
        async with svckit.connect_async(fake) as svc:
            svckit.explain(svc.users.read("u-001"))

    fake = FakeService.sample(users=1)
    with pytest.raises(InvalidInput, match="given a coroutine"):
        asyncio.run(main(fake))
    assert "users.update" not in [entry.operation for entry in fake.journal]


def test_the_operations_are_there_without_an_import_of_their_own() -> None:
    assert repr(svckit.explain(svckit.operations.users.read("u-001"))).startswith("PATCH /users/u-001 ")
    with pytest.raises(InvalidInput, match=r"such as svckit\.operations\.users\.update"):
        svckit.explain(svckit.operations.users.update)  # type: ignore[arg-type]
