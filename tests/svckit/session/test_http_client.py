"""Calls of one's own: svc.request, and svc.http, whose bearer never leaves the profile's addresses."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from fakes import FakeService
from svckit.errors import ForeignOrigin, InvalidInput, NotFound, Unauthorized
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.aio import AsyncSession
from svckit.session.http_client import find_area
from svckit.session.session import Session

from ..canaries import held
from ..conftest import START, USER, Face, Scripted
from ..work_profile import PROFILE
from .test_driver import API, TOKEN_URL, TRICKS, USER_URL

STORAGE = "https://storage.work.test/downloads/1"
OWN = [API, f"{USER_URL}?x=1", "https://API.work.test:443/v1/", "https://api.work.test/elsewhere", STORAGE]
FOREIGN = [
    *(trick for trick in TRICKS if trick.startswith("http") and trick != USER_URL),
    "https://auth.work.test/oauth2/v2.0/token",
    "https://hooks.work.test/message/1",
    "http://api.work.test/v1/users/u-001",
    "https://user:secret@api.work.test/v1/users/u-001",
    "https://xn--pi-7ia.work.test/",
    "https://api。work。test.evil.test/",
]


def leaks(scripted: Scripted) -> list[httpx.Request]:
    """What carried the bearer to anywhere but the API and the file storage."""
    own = {("https", "api.work.test", None), ("https", "storage.work.test", None)}
    return [
        request
        for request in scripted.asked
        if "canary" in request.headers.get("authorization", "")
        and (request.url.scheme, request.url.host, request.url.port) not in own
    ]


def authorizations(scripted: Scripted) -> list[str | None]:
    return [request.headers.get("authorization") for request in scripted.asked]


@pytest.mark.parametrize("url", OWN)
def test_the_bearer_goes_to_the_profiles_own_addresses(url: str, on_script: Face, scripted: Scripted) -> None:
    assert on_script(lambda svc: svc.http.get(url)).status_code == 200
    assert authorizations(scripted) == ["Bearer canary-token-0"]


@pytest.mark.parametrize("url", FOREIGN)
def test_the_bearer_goes_nowhere_else(url: str, on_script: Face, scripted: Scripted) -> None:
    try:
        on_script(lambda svc: svc.http.get(url))
    except (httpx.InvalidURL, httpx.UnsupportedProtocol):
        assert scripted.asked == []
    assert leaks(scripted) == []


@pytest.mark.parametrize("location", FOREIGN)
def test_the_bearer_follows_no_redirect(location: str, on_script: Face, scripted: Scripted) -> None:
    scripted.on("GET", USER_URL, httpx.Response(302, headers=[(b"Location", location.encode())]))
    try:
        on_script(lambda svc: svc.http.get(USER_URL, follow_redirects=True))
    except (httpx.RemoteProtocolError, httpx.InvalidURL, httpx.UnsupportedProtocol):
        assert len(scripted.asked) == 1
    assert authorizations(scripted)[0] == "Bearer canary-token-0"
    assert leaks(scripted) == []


def test_an_address_with_a_user_is_nobodys(on_script: Face, scripted: Scripted) -> None:
    on_script(lambda svc: svc.http.get("https://user:secret@api.work.test/v1/users/u-001"))
    assert authorizations(scripted) == [None]


def test_a_redirect_to_the_own_storage_gets_it(on_script: Face, scripted: Scripted) -> None:
    scripted.on("GET", USER_URL, httpx.Response(302, headers={"Location": STORAGE}))
    on_script(lambda svc: svc.http.get(USER_URL, follow_redirects=True))
    assert authorizations(scripted) == ["Bearer canary-token-0"] * 2


def test_a_chain_through_elsewhere_shows_it_only_at_home(on_script: Face, scripted: Scripted) -> None:
    scripted.on("GET", USER_URL, httpx.Response(302, headers={"Location": "https://evil.test/1"}))
    scripted.on("GET", "https://evil.test/1", httpx.Response(302, headers={"Location": STORAGE}))
    on_script(lambda svc: svc.http.get(USER_URL, follow_redirects=True))
    assert authorizations(scripted) == ["Bearer canary-token-0", None, "Bearer canary-token-0"]


def test_a_header_of_ones_own_is_left_alone(on_script: Face, scripted: Scripted) -> None:
    on_script(lambda svc: svc.http.get("https://other.test/", headers={"Authorization": "Basic mine"}))
    assert authorizations(scripted) == ["Basic mine"]


@pytest.mark.parametrize("hours", [25, 0])
def test_the_bearer_is_renewed(hours: int, on_script: Face, scripted: Scripted) -> None:
    scripted.clock.to(START + timedelta(hours=hours))
    scripted.valid = "another"
    assert on_script(lambda svc: svc.http.get(USER_URL)).status_code == 200
    assert scripted.renewals == 1
    assert scripted.lines[-2:] == [f"POST {TOKEN_URL}", f"GET {USER_URL}"]
    assert authorizations(scripted)[-1] == "Bearer canary-token-1"


def test_second_401_is_returned(on_script: Face, scripted: Scripted) -> None:
    scripted.on("GET", USER_URL, httpx.Response(401))
    assert on_script(lambda svc: svc.http.get(USER_URL)).status_code == 401
    assert scripted.renewals == 1


def test_nobody_is_signed_in(profile: Profile, credentials: Credentials, scripted: Scripted) -> None:
    with Session(profile, credentials, transport=httpx.MockTransport(scripted)) as svc:
        with pytest.raises(Unauthorized, match="the session is not signed in"):
            svc.http.get(USER_URL)
        assert svc.http.get("https://other.test/").status_code == 200
    assert svc.http.is_closed


def test_a_closed_session_opens_no_client(way: str, profile: Profile, credentials: Credentials) -> None:
    if way == "sync":
        closed: Any = Session(profile, credentials)
        closed.close()
    else:
        closed = AsyncSession(profile, credentials)
        asyncio.run(closed.close())
    with pytest.raises(RuntimeError, match="the session is closed"):
        closed.http  # noqa: B018 - reading it is what is refused


@pytest.mark.parametrize("location", ["", USER_URL, STORAGE])
def test_no_frame_of_what_raises_under_way_holds_the_bearer(
    location: str, on_script: Face, scripted: Scripted
) -> None:
    def raising(request: httpx.Request) -> httpx.Response:
        raise LookupError

    start = f"{API}/start"
    if location:
        scripted.on("POST", start, httpx.Response(307, headers={"Location": location}))
        scripted.on("POST", location, raising)
    else:
        scripted.on("POST", start, raising)
    with pytest.raises(LookupError) as caught:
        on_script(lambda svc: svc.http.post(start, json={}, follow_redirects=True))
    requests = held(caught.value, httpx.Request)
    assert requests
    assert [request.headers.get("authorization") for request in requests] == [None] * len(requests)


def test_a_request_is_sent_twice_with_a_header_of_ones_own(on_script: Face, scripted: Scripted) -> None:
    request = httpx.Request("GET", USER_URL)
    on_script(lambda svc: svc.http.send(request))
    request.headers["Authorization"] = "Basic mine"
    on_script(lambda svc: svc.http.send(request))
    assert authorizations(scripted) == ["Bearer canary-token-0", "Basic mine"]
    assert request.headers["Authorization"] == "Basic mine"


def test_what_it_sends_is_traced(on_script: Face, scripted: Scripted) -> None:
    scripted.on("GET", USER_URL, httpx.Response(302, headers={"Location": f"{STORAGE}?sign=CANARY"}))
    with on_script.session.trace() as trace:
        on_script(lambda svc: svc.http.get(USER_URL, follow_redirects=True))
        on_script(lambda svc: svc.http.post("https://evil.test/message/CANARY", json={"x": "CANARY"}))
    assert [exchange.outcome for exchange in trace] == ["302 Found", "200 OK", "200 OK"]
    assert "participant elsewhere as elsewhere" in repr(trace.diagram())
    assert "CANARY" not in str(trace) + trace.curl() + repr(trace)
    assert "canary" not in str(trace)
    assert "«14 bytes»" in str(trace)


def test_areas_under_one_address_are_told_apart(credentials: Credentials) -> None:
    with FakeService.sample(users=1).serve() as served:
        base = served.url
        with Session(Profile.from_facts(served.facts), credentials) as svc:
            found = [
                find_area(svc._driver, httpx.URL(f"{base}/{path}"))
                for path in ("api/users/u-001", "storage/1", "hooks/message/1", "auth/x", "apis", "")
            ]
    assert found[:4] == ["api", "storage", "hooks", "auth"]
    assert found[4:] == ["api", "api"]  # the own origin, if at none of its areas


def test_an_area_at_the_root_is_told_apart_from_one_below(credentials: Credentials) -> None:
    urls = {"upload_url": "https://svc.example/v1/files", "webhook_url": "https://hooks.example"}
    root = replace(PROFILE, base_url="https://svc.example/v1", auth_url="https://svc.example", **urls)
    with Session(root, credentials) as svc:
        found = [
            find_area(svc._driver, httpx.URL(f"https://svc.example/{path}"))
            for path in ("oauth2/v2.0/token", "v1/users/u-001", "v1/files/1")
        ]
    assert found == ["auth", "api", "storage"]


def test_a_call_of_ones_own(on_fake: Face, fake: FakeService) -> None:
    reply = on_fake(lambda svc: svc.request("patch", "/users/u-001", json={"nickName": "Mina"}))
    assert (reply.status, reply.json()["nickName"]) == (200, "Mina")
    with pytest.raises(NotFound) as caught:
        on_fake(lambda svc: svc.request("PATCH", "/users/u-999", json={}))
    assert (caught.value.operation, caught.value.code) == ("request", "NOT_FOUND")
    fake.faults.status(status=503)
    found = on_fake(
        lambda svc: svc.request("GET", "/forms/form-1/responses/response-1/attachments/attachment-1")
    )
    assert found.status == 302
    content = on_fake(lambda svc: svc.request("GET", found.headers["location"], area="storage"))
    assert content.content


def test_a_query_of_ones_own(on_script: Face, scripted: Scripted) -> None:
    on_script(lambda svc: svc.request("GET", "/users/u-001", params={"a b": "c&d"}))
    assert scripted.lines == [f"GET {USER_URL}?a%20b=c%26d"]
    assert on_script(lambda svc: svc.request("GET", "/users/u-001")).json() == USER


@pytest.mark.parametrize("base", ["", API])
def test_a_query_in_the_path_is_kept_beside_the_parameters(
    base: str, on_script: Face, scripted: Scripted
) -> None:
    with on_script.session.trace() as trace:
        on_script(lambda svc: svc.request("GET", f"{base}/users/u-001?a=1", params={"b": "2"}))
    assert scripted.lines == [f"GET {USER_URL}?a=1&b=2"]
    assert trace[0].request.url == f"{USER_URL}?{'' if base else 'a=1&'}b=2"


@pytest.mark.parametrize(
    ("area", "bearer"), [("api", True), ("storage", True), ("auth", False), ("hooks", False)]
)
def test_which_areas_get_the_bearer(area: Any, bearer: bool, on_script: Face, scripted: Scripted) -> None:
    on_script(lambda svc: svc.request("GET", "/x", area=area))
    assert authorizations(scripted) == ["Bearer canary-token-0" if bearer else None]


@pytest.mark.parametrize(
    "target", [trick for trick in TRICKS if "://" in trick and not trick.startswith(API)]
)
def test_a_call_of_ones_own_stays_at_home(target: str, on_script: Face, scripted: Scripted) -> None:
    with pytest.raises(ForeignOrigin):
        on_script(lambda svc: svc.request("GET", target))
    assert scripted.asked == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("GET", "users/u-001"), "must start with a slash"),
        (("GET", 5), "must start with a slash"),
        (("GET", "/x#y"), "quote its segments"),
        (("GET", "/x\r\nX-Evil: 1"), "quote its segments"),
        (("GET", "/x\ud800"), "quote its segments"),
        (("GET", "/x", {"params": {"limit": 10}}), "params must be a mapping of names to text"),
        (("GET", "/x", {"params": [("limit", "10")]}), "params must be a mapping of names to text"),
        (("GE T", "/x"), "method must be an HTTP method such as GET"),
        ((None, "/x"), "method must be an HTTP method such as GET"),
        (("GET", "/x", {"area": "admin"}), "area must be one of api, auth, storage, hooks; given 'admin'"),
        (("POST", "/x", {"json": object()}), "json is not a JSON value"),
    ],
)
def test_arguments_that_make_no_sense(arguments: Any, why: str, on_script: Face, scripted: Scripted) -> None:
    method, path, *more = arguments
    with pytest.raises(InvalidInput, match=why):
        on_script(lambda svc: svc.request(method, path, **dict(*more)))
    assert scripted.asked == []


@pytest.mark.parametrize("set_cookie", ["a=canary", "a=canary; Domain=work.test; Path=/", "a=canary; Port"])
def test_cookies_go_nowhere(set_cookie: str, on_script: Face, scripted: Scripted) -> None:
    scripted.on("PATCH", USER_URL, httpx.Response(200, json=USER, headers={"Set-Cookie": set_cookie}))
    on_script(lambda svc: svc.users.read("u-001"))
    on_script(lambda svc: svc.http.patch(USER_URL))
    for url in (USER_URL, "https://api.work.test:8443/", "https://storage.work.test/"):
        on_script(lambda svc, url=url: svc.http.get(url))
    on_script(lambda svc: svc.users.read("u-001"))
    assert [request.headers.get("cookie") for request in scripted.asked] == [None] * 6


def test_a_cookie_of_ones_own_is_sent(on_script: Face, scripted: Scripted) -> None:
    on_script.session.http.cookies.set("mine", "1")
    on_script(lambda svc: svc.http.get(USER_URL))
    assert scripted.asked[0].headers["cookie"] == "mine=1"
