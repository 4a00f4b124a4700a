"""The door for requests: all of the fake, streaming both ways, reaching nothing else, and failing as requests does."""

import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest
import requests
import responses
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from fakes import FakeService
from fakes.rulebook.rules import AssumptionRefused

from ..caller import make

API = "https://api.fake.test"
DRIVE = f"{API}/users/u-001/drive/files"


@pytest.fixture
def session(fake):
    """A session of requests, signed in, while the door is open."""
    with fake.responses(), requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {fake.access_token()}"
        yield session


def upload_url(session, size):
    return session.post(DRIVE, json={"fileName": "a.bin", "fileSize": size}).json()["uploadUrl"]


def post(fake, **options):
    return requests.post(fake.facts["webhooks"][0], json={"body": {"text": "hello"}}, **options)


@pytest.mark.parametrize(
    ("area", "path", "status"),
    [
        ("base_url", "/users", 404),
        ("auth_url", "/oauth2/v2.0/authorize", 400),
        ("upload_url", "/downloads/none", 404),
        ("webhook_url", "/message/none", 400),
        ("admin_url", "/clock", 401),
    ],
)
def test_all_areas_are_reached(session, fake, area, path, status):
    assert session.get(fake.facts[area] + path).status_code == status


def form(content):
    yield b'--b\r\nContent-Disposition: form-data; name="Filedata"; filename="a.bin"\r\n\r\n'
    yield from content
    yield b"\r\n--b--\r\n"


def test_content_from_a_generator_is_taken_as_it_comes(session, fake):
    journal = []

    def content():
        for _ in range(3):
            journal.append(len(fake.journal))
            yield b"x" * 1000

    url = upload_url(session, 3000)
    response = session.post(
        url, data=form(content()), headers={"Content-Type": "multipart/form-data; boundary=b"}
    )
    assert response.json()["fileSize"] == 3000
    assert journal == [1, 1, 1]
    assert dict(response.request.headers)["Transfer-Encoding"] == "chunked"


def test_an_open_file_goes_up_in_pieces(session, tmp_path):
    path = tmp_path / "body"
    path.write_bytes(b"".join(form([os.urandom(300_000)])))
    with path.open("rb") as body:
        headers = {"Content-Type": "multipart/form-data; boundary=b"}
        assert session.post(upload_url(session, 300_000), data=body, headers=headers).status_code == 201


def test_downloads_come_in_pieces_of_the_size_asked_for(session):
    content = os.urandom(200_000)
    file_id = session.post(upload_url(session, len(content)), files={"Filedata": content}).json()["fileId"]
    location = session.get(f"{DRIVE}/{file_id}/download", allow_redirects=False).headers["Location"]
    with session.get(location, stream=True) as response:
        pieces = list(response.iter_content(64 * 1024))
    assert [len(piece) for piece in pieces] == [65536, 65536, 65536, 3392]
    assert b"".join(pieces) == content
    assert response.headers["Content-Length"] == "200000"


def test_requests_times_the_call(session):
    assert session.get(API + "/users").elapsed.total_seconds() > 0


@pytest.mark.parametrize("url", ["https://example.com/users", "http://api.fake.test/", "https://fake.test"])
def test_other_hosts_cannot_be_reached(session, fake, url):
    with pytest.raises(requests.ConnectionError, match=r"not served by this fake.*api\.fake\.test") as failed:
        session.get(url)
    assert failed.value.request.url.startswith(url)
    assert len(fake.journal) == 0


def test_other_hosts_are_called_where_that_is_asked_for(fake):
    other = make()
    with other.serve() as served, fake.responses(pass_through=True) as mock:
        for _ in range(2):
            assert post(served).status_code == 200
            assert post(fake).status_code == 200
            mock.reset()
    assert len(other.journal) == len(fake.journal) == 2


@pytest.mark.parametrize("url", [f"{API}:443/users", "HTTPS://API.Fake.Test/users?a=b"])
def test_the_same_origin_may_be_written_in_other_ways(session, fake, url):
    assert session.get(url).status_code == 404
    assert len(fake.journal) == 1


def test_nested_opening_of_one_door(fake):
    before, door = HTTPAdapter.send, fake.responses()
    with door as mock:
        mock.get("https://example.com/", body="from elsewhere")
        with door:
            assert post(fake).status_code == 200
        assert post(fake).status_code == 200
        assert requests.get("https://example.com/").text == "from elsewhere"
    assert HTTPAdapter.send is before
    with door:
        assert door.registered() == []
    door.stop()
    assert HTTPAdapter.send is before


@pytest.mark.parametrize("url", [f"{API}/users/u-001", re.compile(r"https://api\.fake\.test/users/.*")])
def test_what_is_registered_at_an_address_of_the_fake_wins_over_it(fake, url):
    body = {"nickName": "Mina"}
    with fake.responses() as mock:
        mock.patch(url, json={"from": "me"}, match=[responses.matchers.json_params_matcher(body)])
        assert requests.patch(f"{API}/users/u-001", json=body).json() == {"from": "me"}
        assert len(fake.journal) == 0
        assert len(mock.calls) == 1
        assert requests.patch(f"{API}/users/u-001", json={}).status_code == 401
        assert post(fake).status_code == 200
    assert len(fake.journal) == 2


def test_an_upload_beside_what_is_registered_is_streamed(session, fake):
    with fake.responses() as mock:
        mock.get(f"{API}/users/u-001", json={})
        headers = {"Content-Type": "multipart/form-data; boundary=b"}
        response = session.post(upload_url(session, 5), data=form([b"hello"]), headers=headers)
    assert response.json()["fileSize"] == 5


def test_refused_call_names_addresses_and_mocks(fake):
    with fake.responses() as mock:
        mock.get("https://example.com/", body="from elsewhere")
        with pytest.raises(
            requests.ConnectionError,
            match=r"https://api\.fake\.test.*; mocked are GET https://example\.com/;",
        ):
            requests.get("https://example.org/")
        with pytest.raises(
            requests.ConnectionError, match=r"GET https://example\.com/ \(Method does not match\)"
        ):
            requests.post("https://example.com/")


def test_replaced_send_may_be_any_callable(fake, monkeypatch):
    expected = requests.Response()
    expected.status_code = 418
    monkeypatch.setattr(HTTPAdapter, "send", Mock(return_value=expected))
    with fake.responses():
        assert requests.get("https://example.com").status_code == 418
        assert post(fake).status_code == 200
    assert HTTPAdapter.send.call_args.args[0].url == "https://example.com/"


def test_the_innermost_of_two_doors_answers(fake):
    inner = make()
    with fake.responses():
        with inner.responses():
            post(inner)
        post(fake)
    assert (len(inner.journal), len(fake.journal)) == (1, 1)


@pytest.mark.parametrize(
    ("fault", "options", "error"),
    [
        ("connect_error", {}, requests.ConnectionError),
        ("read_timeout", {}, requests.ReadTimeout),
        ("reset", {}, requests.ConnectionError),
        ("reset", {"applied": True}, requests.ConnectionError),
        ("truncate", {"after": 5}, requests.exceptions.ChunkedEncodingError),
    ],
)
def test_faults_are_what_requests_raises(fake, fault, options, error):
    getattr(fake.faults, fault)("notifications.post", **options)
    with fake.responses():
        with pytest.raises(error) as failed:
            post(fake)
        assert type(failed.value) is error
        assert post(fake).status_code == 200
    assert fake.journal[0].injected


def test_a_delay_moves_a_standing_clock(fake):
    fake.faults.delay("notifications.post", seconds=30)
    with fake.responses():
        assert post(fake, timeout=1).status_code == 200
    assert fake.clock.now().second == 30


@pytest.mark.parametrize(("timeout", "slept"), [(None, [30]), (5, [5]), ((1, 40), [30])])
def test_a_delay_really_passes_by_a_running_clock(monkeypatch, timeout, slept):
    passed = []
    monkeypatch.setattr(time, "sleep", passed.append)
    fake = FakeService.sample()
    fake.faults.delay("notifications.post", seconds=30)
    with fake.responses():
        if timeout == 5:
            with pytest.raises(requests.ReadTimeout):
                post(fake, timeout=timeout)
        else:
            assert post(fake, timeout=timeout).status_code == 200
    assert passed == slept


def test_a_slow_body_is_waited_for_piece_by_piece(monkeypatch):
    passed = []
    monkeypatch.setattr(time, "sleep", passed.append)
    fake = FakeService.sample()
    fake.faults.slow("notifications.post", chunk=10, seconds=2, times=2)
    with fake.responses():
        assert post(fake).json() == {"code": 200, "description": "success"}
        assert passed == [2.0] * 4
        with pytest.raises(requests.ConnectionError, match="timed out"):
            post(fake, timeout=1)


def test_retries_are_those_of_the_adapter(fake):
    fake.faults.status("notifications.post", 503, times=2)
    fake.faults.connect_error("notifications.post")
    retry = Retry(3, status_forcelist=[503], allowed_methods=None)
    with fake.responses(), requests.Session() as session:
        session.mount("https://", HTTPAdapter(max_retries=retry))
        response = session.post(fake.facts["webhooks"][0], json={"body": {"text": "hello"}})
    assert response.status_code == 200
    assert [entry.status for entry in fake.journal] == [503, 503, None, 200]


def test_a_refused_assumption_is_raised_as_it_is():
    strict = FakeService.sample(assumptions="refuse")
    with strict.responses(), pytest.raises(AssumptionRefused):
        requests.patch(f"{API}/users/u-001", json={})


def test_many_threads_use_one_door(fake):
    with fake.responses(), ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: post(fake).status_code, range(100)))
    assert answers == [200] * 100


def test_calls_of_the_fake_are_not_kept_a_second_time(fake):
    with fake.responses() as mock:
        post(fake)
        assert isinstance(mock, responses.RequestsMock)
        assert len(mock.calls) == 0


def test_the_door_says_what_it_opens(fake):
    assert repr(fake.responses()).startswith("<FakeResponses for <FakeService")
