"""Traffic as HAR 1.2: what the format requires is there, of a trace and of a journal, and no secrets are."""

import json
from typing import Any

import pytest

import svckit
from svckit import places
from svckit.errors import NotFound, Unreachable
from svckit.session.session import Session

REQUEST = {"method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"}
RESPONSE = {
    "status",
    "statusText",
    "httpVersion",
    "cookies",
    "headers",
    "content",
    "redirectURL",
    "headersSize",
    "bodySize",
}


@pytest.fixture
def recorded() -> tuple[Session, dict[str, dict[str, Any]]]:
    """A session, and the archives of its trace and of its fake's journal."""
    svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
    svc.retries = 0
    svc.fake.journal.clear()
    svc.fake.faults.reset("notifications.post")
    with svc.trace() as trace:
        svc.users.update("u-001", nick_name="Mina")
        stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
        svc.files.download(places.drive("u-001").file(stored.file_id))
        with pytest.raises(NotFound):
            svc.users.read("u-999")
        with pytest.raises(Unreachable):
            svc.notify("lost")
    return svc, {"trace": trace.to_har(), "journal": svc.fake.journal.to_har()}


@pytest.mark.parametrize("kind", ["trace", "journal"])
def test_it_has_what_the_format_requires(recorded: Any, kind: str) -> None:
    log = json.loads(json.dumps(recorded[1][kind]))["log"]
    assert (log["version"], log["creator"]["name"]) == ("1.2", "svckit")
    for entry in log["entries"]:
        assert entry["startedDateTime"] == "2026-06-01T09:00:00.000+09:00"
        assert entry["time"] == sum(entry["timings"].values())
        assert set(entry["timings"]) == {"send", "wait", "receive"}
        assert entry["request"].keys() >= REQUEST
        assert entry["response"].keys() >= RESPONSE
        assert {"size", "mimeType"} <= entry["response"]["content"].keys()
        assert "cache" in entry
    found = [(each["request"]["method"], each["response"]["status"]) for each in log["entries"]]
    assert found == [
        ("PATCH", 200),
        ("POST", 200),
        ("POST", 201),
        ("GET", 302),
        ("GET", 200),
        ("PATCH", 404),
        ("POST", 0),
    ]
    assert log["entries"][0]["request"]["postData"]["text"] == '{"nickName":"Mina"}'
    assert "nickName" in log["entries"][0]["response"]["content"]["text"]
    assert log["entries"][3]["response"]["redirectURL"].startswith("https://storage.fake.test/")


@pytest.mark.parametrize("kind", ["trace", "journal"])
def test_the_content_of_a_file_is_described_and_is_not_the_body(recorded: Any, kind: str) -> None:
    download = recorded[1][kind]["log"]["entries"][4]["response"]["content"]
    assert "text" not in download
    assert download["comment"] == ("«5 bytes of text/plain»" if kind == "trace" else "«streamed»")


def test_a_query_is_taken_apart(svc: Session) -> None:
    with svc.trace() as trace, pytest.raises(NotFound):
        svc.request("GET", "/nothing", params={"a": "1 & 2", "b": ""})
    (entry,) = trace.to_har()["log"]["entries"]
    assert entry["request"]["queryString"] == [{"name": "a", "value": "1 & 2"}, {"name": "b", "value": ""}]


def test_it_has_the_time_that_passed_on_the_session_s_clock(svc: Session) -> None:
    svc.fake.faults.delay("users.update", 1.5)
    with svc.trace() as trace:
        svc.users.read("u-001")
    assert [each["time"] for each in trace.to_har()["log"]["entries"]] == [1500]
