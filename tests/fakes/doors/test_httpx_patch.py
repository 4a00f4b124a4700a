"""The door for every client of httpx: each reaches the fake, whoever made it, and other hosts only if one says so."""

import asyncio
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import trio

import svckit
from fakes import FakeService
from fakes.doors.pass_through import PassThrough
from fakes.rulebook.rules import AssumptionRefused

from ..caller import make

BODY = {"body": {"text": "hello"}}
METHODS = ((httpx.HTTPTransport, "handle_request"), (httpx.AsyncHTTPTransport, "handle_async_request"))


def current():
    """The methods of httpx's own transports as they are now."""
    return [vars(owner)[name] for owner, name in METHODS]


@pytest.fixture(autouse=True)
def restored():
    """Nothing stays replaced after a test."""
    before = current()
    yield
    assert current() == before


def post(fake, http=httpx):
    return http.post(fake.facts["webhooks"][0], json=BODY).status_code


async def post_async(fake, **options):
    async with httpx.AsyncClient(**options) as http:
        return (await http.post(fake.facts["webhooks"][0], json=BODY)).status_code


def test_functions_and_clients_made_before_or_inside_reach_the_fake(fake):
    with httpx.Client() as before, fake.httpx(), httpx.Client(verify=False) as inside:
        assert [post(fake), post(fake, before), post(fake, inside)] == [200] * 3
    assert len(fake.journal) == 3


def test_clients_of_the_fork_reach_the_fake(fake):
    httpx2 = pytest.importorskip("httpx2")
    before = vars(httpx2.HTTPTransport)["handle_request"]

    async def post_both():
        async with httpx2.AsyncClient() as http:
            return (await http.post(fake.facts["webhooks"][0], json=BODY)).status_code, await post_async(fake)

    with httpx2.Client() as earlier, fake.httpx():
        assert [post(fake, httpx2), post(fake, earlier), post(fake)] == [200] * 3
        assert asyncio.run(post_both()) == (200, 200)
        with pytest.raises(httpx2.ConnectError, match=r"https://example\.com is not served by this fake"):
            httpx2.get("https://example.com")
    assert vars(httpx2.HTTPTransport)["handle_request"] is before
    assert len(fake.journal) == 5


def test_the_fork_may_be_absent(fake, monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with fake.httpx():
        assert post(fake) == 200


@pytest.mark.parametrize("run", [asyncio.run, lambda call: trio.run(lambda: call)])
def test_async_clients_reach_the_fake(fake, run):
    with fake.httpx():
        assert run(post_async(fake)) == 200
    assert len(fake.journal) == 1


def test_clients_with_a_proxy_reach_the_fake(fake, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    with fake.httpx():
        assert post(fake) == 200
        assert asyncio.run(post_async(fake, proxy="http://127.0.0.1:9")) == 200


@pytest.mark.parametrize("url", ["https://example.com/users", "http://api.fake.test/"])
def test_other_hosts_cannot_be_reached(fake, url):
    with fake.httpx():
        with pytest.raises(
            httpx.ConnectError, match=r"not served by this fake.*https://api\.fake\.test.*pass_through=\['"
        ) as failed:
            httpx.get(url)
        assert failed.value.request.url == url
        with pytest.raises(httpx.ConnectError, match="not served by this fake"):
            asyncio.run(post_async(FakeService.sample(addresses={"webhook_url": "https://example.com"})))
    assert len(fake.journal) == 0


@pytest.mark.parametrize("pass_through", [True, ["example.com", "127.0.0.1"], {"127.0.0.1"}])
def test_hosts_that_are_named_are_really_called(fake, served, pass_through):
    with fake.httpx(pass_through=pass_through):
        assert post(served) == post(fake) == asyncio.run(post_async(served)) == 200
    assert (len(fake.journal), len(served.fake.journal)) == (1, 2)


def test_hosts_that_are_not_named_are_not_called(fake, served):
    with fake.httpx(pass_through=["example.com"]), pytest.raises(httpx.ConnectError, match="127"):
        post(served)
    assert len(served.fake.journal) == 0


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            "example.com",
            r"must be True, False, or a list of host names, such as \[\"example.com\"\]; given 'ex",
        ),
        (None, "must be True, False, or a list of host names"),
        (["https://example.com", "example.com:443", 7], "takes names of hosts without a scheme, .* 7$"),
    ],
)
def test_what_names_no_hosts_is_refused(fake, wrong, told):
    with pytest.raises(ValueError, match=told):
        fake.httpx(pass_through=wrong)


@pytest.mark.parametrize(
    "url", ["http://[::1]:8000/x", "https://user@EXAMPLE.com:8443/?q", "http://127.0.0.1"]
)
def test_a_host_is_named_without_its_port_in_any_case(url):
    assert PassThrough(["::1", "Example.com", "127.0.0.1"]).names(url)
    assert not PassThrough(["example.co", "::2"]).names(url)


def test_explicit_transports_of_others_are_left_alone(fake):
    mock = httpx.MockTransport(lambda request: httpx.Response(418))
    with fake.httpx(), httpx.Client(transport=mock) as http:
        assert post(fake, http) == 418
    assert len(fake.journal) == 0


def test_the_transport_of_another_fake_passes_on_to_this_one(fake):
    other = make(addresses={"webhook_url": "https://hooks.example.com"})
    with fake.httpx(), httpx.Client(transport=other.transport(httpx.HTTPTransport())) as http:
        assert post(other, http) == post(fake, http) == 200
    assert (len(other.journal), len(fake.journal)) == (1, 1)


def test_nested_opening_of_one_door(fake):
    before, door = current(), fake.httpx()
    with door:
        with door:
            assert post(fake) == 200
        assert post(fake) == 200
    assert current() == before
    with door:
        assert post(fake) == 200
    assert len(fake.journal) == 3


def test_the_innermost_fake_that_has_the_url_responds(fake):
    same = make()
    other = make(addresses={"webhook_url": "https://hooks.example.com"})
    with fake.httpx(), same.httpx(), other.httpx():
        assert post(fake) == post(other) == 200
        with pytest.raises(httpx.ConnectError, match="not served by this fake"):
            httpx.get("https://example.org")
    assert [len(each.journal) for each in (fake, same, other)] == [0, 1, 1]


def test_a_host_is_called_if_one_of_nested_doors_names_it(fake, served):
    with fake.httpx(pass_through=["127.0.0.1"]), make().httpx():
        assert post(served) == 200
    with fake.httpx(), make().httpx(pass_through=["127.0.0.1"]):
        assert post(served) == 200
    with pytest.raises(httpx.ConnectError), fake.httpx():
        post(served)


def test_doors_may_be_closed_in_any_order(fake):
    other = make(addresses={"webhook_url": "https://hooks.example.com"})
    before, first, second = current(), fake.httpx(), other.httpx()
    first.__enter__()
    second.__enter__()
    first.__exit__()
    assert post(other) == 200
    with pytest.raises(httpx.ConnectError, match="not served by this fake"):
        post(fake)
    second.__exit__()
    assert current() == before


def test_a_door_below_another_replacement_steps_aside(fake, monkeypatch):
    before = current()
    with fake.httpx():
        inner = httpx.HTTPTransport.handle_request

        def record(transport, request):
            seen.append(request.url.host)
            return inner(transport, request)

        seen = []
        monkeypatch.setattr(httpx.HTTPTransport, "handle_request", record)
        assert post(fake) == 200
    with make().serve() as served:
        assert post(served) == 200
    assert seen == ["hooks.fake.test", "127.0.0.1"]
    monkeypatch.undo()
    with fake.httpx():
        assert post(fake) == 200
    assert current() == before


def test_an_object_in_the_place_of_a_method_is_called_as_python_would(fake, monkeypatch):
    class Mock:
        def __call__(self, request):
            return httpx.Response(418)

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", Mock())
    with fake.httpx():
        assert httpx.get("https://example.com").status_code == 418
        assert post(fake) == 200


def test_many_threads_use_one_door_and_open_their_own(fake):
    started = threading.Barrier(8)

    def work(_):
        started.wait()
        with fake.httpx():
            return post(fake)

    with fake.httpx(), ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [200] * 8
    assert len(fake.journal) == 8


def test_events_reach_the_url_of_a_bot(fake):
    with svckit.events.receive(fake.facts["bot_secret"]) as receiver, fake.httpx():
        fake.callbacks.connect("bot-1", receiver.url)
        fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})
        assert fake.callbacks.deliveries[-1].delivered


def test_same_errors_as_the_transport(fake):
    fake.faults.reset("notifications.post")
    with fake.httpx(), pytest.raises(httpx.ReadError):
        post(fake)
    strict = FakeService.sample(assumptions="refuse")
    with strict.httpx(), pytest.raises(AssumptionRefused):
        httpx.patch(f"{strict.facts['base_url']}/users/u-001", json={})


def test_an_error_in_the_block_closes_the_door(fake):
    with pytest.raises(KeyError), fake.httpx():
        raise KeyError


def test_the_door_says_what_it_opens(fake):
    assert repr(fake.httpx()).startswith("<FakeHttpx for <FakeService")
