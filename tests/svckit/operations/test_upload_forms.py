"""The two forms in which the description shows content being sent: Filedata, or resourceName and FileData."""

import shlex
from typing import Any

import httpx
import pytest

import svckit
from fakes import FakeService
from svckit import operations, places
from svckit.errors import InvalidInput, ServiceError

from ..conftest import UPLOAD_URL, Face, Scripted
from .ranges import DRIVE, SEND, stored

CONTENT = b"hello there"
RESULT = {"fileId": "f-1", "fileName": "名.txt", "fileSize": len(CONTENT)}


def parts(request: httpx.Request) -> list[tuple[str, bytes]]:
    """The parts of a multipart body: what their headers say, and what they hold."""
    boundary = request.headers["content-type"].partition("boundary=")[2].encode()
    found = request.content.split(b"--" + boundary)[1:-1]
    heads = (part.strip(b"\r\n").partition(b"\r\n\r\n") for part in found)
    return [(head.decode(), content) for head, _, content in heads]


@pytest.fixture
def storing(scripted: Scripted) -> Scripted:
    def response(request: httpx.Request) -> httpx.Response:
        span = request.headers.get("content-range", "0-10/11")
        return httpx.Response(201 if span.endswith("-10/11") else 200, json=RESULT)

    scripted.on_upload(response)
    return scripted


@pytest.mark.parametrize(("resumable", "sent"), [(False, [CONTENT]), (6, [CONTENT[:6], CONTENT[6:]])])
@pytest.mark.parametrize("form", [None, "Filedata", "resourceName"])
def test_form_decides_the_fields_of_content(
    form: Any, resumable: Any, sent: list[bytes], on_script: Face, storing: Scripted
) -> None:
    options = {"to": DRIVE, "name": "名.txt", "resumable": resumable} | ({"form": form} if form else {})
    on_script(lambda svc: svc.files.upload(CONTENT, **options))
    found = [parts(request) for request in storing.asked[1:]]
    contents = [sent_parts.pop() for sent_parts in found]
    assert [content for _, content in contents] == sent
    part, named = "Filedata", []
    if form == "resourceName":
        part, named = "FileData", [('Content-Disposition: form-data; name="resourceName"', "名.txt".encode())]
    assert all(f'name="{part}"; filename="' in head for head, _ in contents)
    assert found == [named] * len(sent)


@pytest.mark.parametrize(("options", "fields"), [({}, 1), ({"form": "resourceName"}, 2)])
def test_many_files_go_in_the_form(
    options: dict[str, Any], fields: int, on_script: Face, storing: Scripted
) -> None:
    files = {"a.txt": CONTENT, "b.txt": CONTENT}
    result = on_script(lambda svc: svc.files.upload_many(files, to=DRIVE, **options))
    assert [each.state for each in result] == ["ok", "ok"]
    sent = [request for request in storing.asked if str(request.url) == UPLOAD_URL]
    assert [len(parts(request)) for request in sent] == [fields] * 2
    assert [request.headers.get("content-range") for request in sent] == [None] * 2


def test_a_resumed_upload_keeps_its_form(fake: FakeService) -> None:
    fake.rules.choose({"file.name": "sent"})
    with svckit.connect(fake) as svc, svc.trace() as trace:
        svc.retries = 0
        fake.faults.status(SEND, 503)
        with pytest.raises(ServiceError) as broken:
            svc.files.upload(CONTENT, to=DRIVE, name="a.txt", resumable=4, form="resourceName")
        svc.files.resume(broken.value.upload, CONTENT)
    sent = [exchange.request for exchange in trace if exchange.request.area == "storage"]
    assert [request.fields for request in sent] == [("resourceName=a.txt",)] * 4
    assert stored(fake) == [CONTENT]


@pytest.mark.parametrize("form", ["FileData", "filedata", "", None, 1])
def test_another_form_is_refused_before_anything_is_sent(form: Any, on_fake: Face, fake: FakeService) -> None:
    sent = len(fake.journal)
    with pytest.raises(InvalidInput, match="form must be 'Filedata' or 'resourceName'; given"):
        on_fake(lambda svc: svc.files.upload(CONTENT, to=DRIVE, name="a.txt", form=form))
    assert len(fake.journal) == sent


def test_explain_shows_the_form() -> None:
    name = "@it's.txt"
    upload = operations.files.upload(b"hello", to=places.drive("u-001"), name=name, form="resourceName")
    shown = svckit.explain(upload, {"uploadUrl": "https://storage.example/1"})
    assert shown.requests[1].body == f"resourceName={name}\n«FileData: {name}, text/plain»"
    words = shlex.split(shown.requests[1].curl.replace("\\\n", ""))
    assert words[words.index("--form-string") + 1] == f"resourceName={name}"
    assert words[words.index("-F") + 1].startswith("FileData=@")
