"""The fake beside other mocks: ours first, then theirs, then refused; the network only where one says so."""

import asyncio
import urllib.request

import httpx
import pytest
import requests
import responses
import urllib3
from responses._recorder import Recorder

from ..caller import make

respx = pytest.importorskip("respx")
vcr = pytest.importorskip("vcr")
pytest.importorskip("pytest_httpx")

BODY = {"body": {"text": "hello"}}
RATES = "https://rates.example.com/today"
ELSEWHERE = "https://elsewhere.example.com/"


def post(fake, library=httpx):
    return library.post(fake.facts["webhooks"][0], json=BODY).status_code


async def call_async(fake):
    async with httpx.AsyncClient() as http:
        posted = await http.post(fake.facts["webhooks"][0], json=BODY)
        return posted.status_code, (await http.get(RATES)).json()


@pytest.mark.parametrize("pass_through", [False, True])
def test_mocks_of_pytest_httpx_stay_around_the_fake(fake, httpx_mock, pass_through):
    httpx_mock.add_response(url=RATES, json={"eur": 1.1}, is_reusable=True)
    with fake.httpx(pass_through=pass_through):
        assert post(fake) == 200
        assert httpx.get(RATES).json() == {"eur": 1.1}
        assert asyncio.run(call_async(fake)) == (200, {"eur": 1.1})
    assert httpx.get(RATES).json() == {"eur": 1.1}
    assert len(fake.journal) == 2


@pytest.mark.httpx_mock(assert_all_requests_were_expected=False)
def test_pytest_httpx_refuses_what_neither_has(fake, served, httpx_mock):
    with (
        fake.httpx(pass_through=True),
        pytest.raises(httpx.TimeoutException, match="No response can be found"),
    ):
        post(served)
    assert len(served.fake.journal) == 0


@pytest.mark.httpx_mock(should_mock=lambda request: request.url.host != "127.0.0.1")
def test_pytest_httpx_decides_what_reaches_the_network(fake, served, httpx_mock):
    httpx_mock.add_response(url=RATES, json={})
    with fake.httpx():
        assert post(served) == post(fake) == 200
        assert httpx.get(RATES).json() == {}


def test_a_mounted_fake_is_not_seen_by_pytest_httpx(fake, httpx_mock):
    httpx_mock.add_response(url=RATES, json={"eur": 1.1})
    with httpx.Client(mounts={"all://*.fake.test": fake.transport()}) as http:
        assert (post(fake, http), http.get(RATES).json()) == (200, {"eur": 1.1})


@pytest.mark.parametrize("pass_through", [False, True])
def test_mocks_of_respx_stay_around_the_fake(fake, pass_through):
    with respx.mock as mock, fake.httpx(pass_through=pass_through):
        route = mock.get(RATES).respond(json={"eur": 1.1})
        assert post(fake) == 200
        assert httpx.get(RATES).json() == {"eur": 1.1}
        assert asyncio.run(call_async(fake)) == (200, {"eur": 1.1})
    assert (route.call_count, len(fake.journal)) == (2, 2)


def test_mocks_of_respx_inside_the_fake_respond_too(fake):
    with fake.httpx(), respx.mock as mock:
        mock.get(RATES).respond(json={"eur": 1.1})
        assert (post(fake), httpx.get(RATES).json()) == (200, {"eur": 1.1})


def test_respx_refuses_what_neither_has(fake, served):
    with respx.mock, fake.httpx(pass_through=True), pytest.raises(respx.models.AllMockedAssertionError):
        post(served)
    assert len(served.fake.journal) == 0


def test_respx_decides_what_reaches_the_network(fake, served):
    with respx.mock as mock, fake.httpx():
        mock.route(host="127.0.0.1").pass_through()
        assert post(served) == post(fake) == 200


def test_a_mounted_fake_is_not_seen_by_respx(fake):
    with respx.mock as mock, httpx.Client(mounts={"all://*.fake.test": fake.transport()}) as http:
        mock.get(RATES).respond(json={"eur": 1.1})
        assert (post(fake, http), http.get(RATES).json()) == (200, {"eur": 1.1})


@pytest.mark.parametrize("library", [httpx, requests])
def test_a_cassette_records_what_is_passed_through_and_replays_it(fake, served, library, tmp_path):
    path = str(tmp_path / "cassette.yaml")
    for _ in range(2):
        door = fake.httpx if library is httpx else fake.responses
        with vcr.use_cassette(path) as cassette, door(pass_through=["127.0.0.1"]):
            assert post(served, library) == post(fake, library) == 200
    assert [request.host for request in cassette.requests] == ["127.0.0.1"]
    assert cassette.play_count == 1
    assert (len(served.fake.journal), len(fake.journal)) == (1, 2)


@pytest.mark.parametrize("library", [httpx, requests])
def test_a_cassette_records_nothing_that_is_not_passed_through(fake, served, library, tmp_path):
    door = fake.httpx() if library is httpx else fake.responses()
    error = httpx.ConnectError if library is httpx else requests.ConnectionError
    with vcr.use_cassette(str(tmp_path / "cassette.yaml")) as cassette, door:
        assert post(fake, library) == 200
        with pytest.raises(error, match="pass_through="):
            post(served, library)
    assert len(cassette) == len(served.fake.journal) == 0


def test_a_cassette_of_a_served_fake_is_replayed_without_it(served, tmp_path):
    path = str(tmp_path / "cassette.yaml")
    for _ in range(2):
        with vcr.use_cassette(path):
            assert post(served) == 200
    assert len(served.fake.journal) == 1


@responses.activate
@pytest.mark.parametrize("pass_through", [False, True])
def test_mocks_of_responses_stay_around_the_fake(fake, pass_through):
    rate = responses.get(RATES, json={"eur": 1.1})
    with fake.responses(pass_through=pass_through) as own:
        own.get(ELSEWHERE, body="mine")
        assert post(fake, requests) == 200
        assert requests.get(RATES).json() == {"eur": 1.1}
        assert requests.get(ELSEWHERE).text == "mine"
        with pytest.raises(requests.ConnectionError, match="Connection refused by Responses"):
            requests.get("https://example.org/")
    assert requests.get(RATES).json() == {"eur": 1.1}
    assert (rate.call_count, len(fake.journal)) == (2, 1)


def test_responses_refuses_what_neither_has(fake, served):
    with (
        responses.RequestsMock(),
        fake.responses(pass_through=True),
        pytest.raises(requests.ConnectionError, match="Connection refused by Responses"),
    ):
        post(served, requests)
    assert len(served.fake.journal) == 0


def test_responses_decides_what_reaches_the_network(fake, served):
    with responses.RequestsMock() as mock, fake.responses():
        mock.add_passthru("http://127.0.0.1")
        assert post(served, requests) == post(fake, requests) == 200


@pytest.mark.parametrize("way", ["add_passthru", "passthrough"])
def test_the_mocks_of_a_door_may_let_hosts_through(fake, served, way):
    with fake.responses() as mock:
        if way == "add_passthru":
            mock.add_passthru("http://127.0.0.1")
        else:
            mock.add(responses.PassthroughResponse("POST", served.facts["webhooks"][0]))
        assert post(served, requests) == post(fake, requests) == 200
        mock.reset()
        with pytest.raises(requests.ConnectionError, match="not served by this fake"):
            post(served, requests)
    assert len(served.fake.journal) == 1


def test_fakes_in_one_another_pass_requests_on(fake, served):
    other = make(addresses={"webhook_url": "https://hooks.example.com"})
    with fake.responses(), other.responses(pass_through=["127.0.0.1"]):
        assert post(fake, requests) == post(other, requests) == post(served, requests) == 200
    assert (len(fake.journal), len(other.journal)) == (1, 1)


def test_a_recorder_of_responses_records_what_is_passed_through(fake, served):
    with Recorder() as recorder, fake.responses(pass_through=["127.0.0.1"]):
        assert post(served, requests) == post(fake, requests) == 200
        assert [each.url for each in recorder.registered()] == [served.facts["webhooks"][0]]
    assert (len(served.fake.journal), len(fake.journal)) == (1, 1)


def test_recorder_records_only_what_passes_through(fake, served):
    with Recorder() as recorder, fake.responses():
        with pytest.raises(requests.ConnectionError, match="pass_through="):
            post(served, requests)
        assert recorder.registered() == []
    assert len(served.fake.journal) == 0


def test_both_libraries_share_a_fake(fake):
    with fake.httpx(), fake.responses():
        assert post(fake, requests) == post(fake) == 200
    assert len(fake.journal) == 2


@pytest.mark.parametrize("library", ["urllib", "urllib3"])
def test_libraries_without_a_door_reach_a_served_fake(served, library):
    url, body = served.facts["webhooks"][0], b'{"body": {"text": "hello"}}'
    headers = {"Content-Type": "application/json"}
    with served.fake.httpx(), served.fake.responses():
        if library == "urllib":
            request = urllib.request.Request(url, data=body, headers=headers)
            with urllib.request.urlopen(request) as response:
                assert response.status == 200
        else:
            assert urllib3.request("POST", url, body=body, headers=headers).status == 200
    assert len(served.fake.journal) == 1
