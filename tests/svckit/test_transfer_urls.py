"""URLs of uploads and downloads as real services write them: nothing shows or stores more than their origin."""

import json
import logging
import re
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

import svckit
from fakes import FakeService
from svckit import places
from svckit.display.masking import mask_path, mask_transfer_urls
from svckit.http.messages import Response
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.session import Session

from .canaries import faces

FORMS = (
    "https://storage.fake.test/k/emsg/r/{secret}",
    "https://storage.fake.test/get/{secret}/report.txt",
    "https://storage.fake.test/bucket/report.txt?X-Amz-Signature={secret}&expires=1",
    "https://storage.fake.test/{secret}/",
)
SECRET = "Zk3vQx7Lm2Rt9Wb4Yc6"
DRIVE = places.drive("u-001")


class Service(httpx.BaseTransport):
    """A fake whose upload and download URLs have another form, which each response echoes."""

    def __init__(self, fake: FakeService, form: str, *, escaped: bool, failing: bool) -> None:
        self.inner = fake.transport()
        self.url = form.format(secret=SECRET)
        self.escaped = escaped
        self.failing = failing
        self.own = ""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        if str(request.url) == self.url:
            if self.failing:
                return httpx.Response(404, json={"code": "NOT_FOUND", "description": f"no {self.url}"})
            request = httpx.Request(
                request.method, self.own, headers=request.headers, content=request.content
            )
        response = self.inner.handle_request(request)
        content = response.read()
        if "location" in response.headers and request.url.host == "api.fake.test":
            self.own = response.headers["location"]
            return httpx.Response(response.status_code, headers={"Location": self.url})
        if b"uploadUrl" in content:
            self.own = json.loads(content)["uploadUrl"]
            written = self.url.replace("/", "\\/") if self.escaped else self.url
            content = b'{"uploadUrl" : "%s"}' % written.encode()
        headers = [pair for pair in response.headers.multi_items() if pair[0] != "content-length"]
        return httpx.Response(response.status_code, headers=headers, content=content)


def transfer(svc: Any) -> list[object]:
    """Upload and download a file, with the session's methods and by hand; return what came of it."""
    seen: list[object] = []
    with svc.trace() as trace:
        try:
            stored = svc.files.upload(b"hello", to=DRIVE, name="report.txt")
            svc.files.download(DRIVE.file(stored.file_id))
        except svckit.ServiceError as error:
            seen += [error, *getattr(error, "__notes__", [])]
        asked = svc.http.post("/users/u-001/drive/files", json={"fileName": "b.txt", "fileSize": 5})
        svc.http.post(asked.json()["uploadUrl"], files={"Filedata": ("b.txt", b"hello")})
        svc.http.get("/users/u-001/drive/files/file-1/download", follow_redirects=True)
    har = json.dumps(trace.to_har())
    tables = [trace.frame().to_csv(), svckit.frames.journal(trace).to_csv(), repr(trace.records())]
    texts = [*(entry.text for entry in trace), *(entry.python for entry in trace)]
    return [*seen, trace, *trace, har, trace.curl(), trace.diagram(), *tables, *texts]


@pytest.mark.parametrize("failing", [False, True], ids=["works", "fails"])
@pytest.mark.parametrize("escaped", [False, True], ids=["plain", "escaped"])
@pytest.mark.parametrize("form", FORMS)
def test_no_url_of_a_transfer_is_shown(
    form: str, escaped: bool, failing: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    fake = FakeService.sample(users=3, now="2026-06-01T09:00:00+09:00")
    service = Service(fake, form, escaped=escaped, failing=failing)
    profile, credentials = Profile.from_facts(fake.facts), Credentials.from_facts(fake.facts)
    with Session(profile, credentials, transport=service) as svc:
        shown = [face for thing in transfer(svc) for face in faces(thing)] + [caplog.text]
    assert any("https://storage.fake.test/***" in text for text in shown)
    assert [text for text in shown if SECRET in text] == []
    assert urlsplit(service.url).path not in "".join(shown)


def test_a_redirect_to_a_page_keeps_its_path() -> None:
    with svckit.connect(users=3) as svc, svc.trace() as trace:
        svc.sign_in()
    assert re.search(r"location: http://127\.0\.0\.1:\d+/callback\?", trace[1].text)


def test_what_a_fake_issues_looks_as_before() -> None:
    with svckit.connect(users=3) as svc, svc.trace() as trace:
        svc.files.upload(b"hello", to=DRIVE, name="a.txt")
    assert trace[0].response is not None
    assert trace[0].response.body == '{"uploadUrl":"https://storage.fake.test/uploads/***"}'
    assert trace[1].request.url == "https://storage.fake.test/uploads/***"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://u@files.example/a/b", "https://u@files.example/***"),
        ("//files.example/a", "//files.example/***"),
        ("/a/b?c", "/***?***"),
        ("https://files.example", "https://files.example"),
        ("https://files.example/", "https://files.example/"),
        ("https://files.example/a?state=***", "https://files.example/***?***"),
    ],
)
def test_only_the_origin_is_shown(url: str, shown: str) -> None:
    assert mask_path(url) == shown
    assert mask_path(shown) == shown


def test_a_cut_body_shows_no_url() -> None:
    from svckit.http.redaction import LONGEST_BODY, RedactedResponse

    body = (
        b'{"x":"'
        + b"x" * (LONGEST_BODY * 8 - 60)
        + b'","uploadUrl":"https://files.example/'
        + SECRET.encode() * 9
    )
    assert SECRET not in RedactedResponse.of(Response(200, {"content-type": "application/json"}, body)).body


@pytest.mark.parametrize("location", ["Home office", "3F/East", "東京 4F", "Lobby: desk", "http server room"])
def test_the_location_of_a_user_is_shown(location: str) -> None:
    text = json.dumps({"location": location, "task": None}, ensure_ascii=False)
    assert mask_transfer_urls(text) == text
