"""A request that is right at another place is told which: another base URL, or without a prefix."""

import asyncio
from contextlib import ExitStack

import httpx
import pytest
import requests
import responses

from ...loopback import local_client
from ..caller import make

USER = "/users/u-001"
TOKEN = "/oauth2/v2.0/token"


MISPLACED = """
base_url PATCH /v1.0/users/u-001 -> PATCH /v1.0/users/u-001 is not described, but PATCH /users/u-001 is: leave /v1.0 out
base_url PATCH /v1.0/users/u-001 -> leave /v1.0 out, as base_url is https://api.fake.test, or create the fake with
base_url PATCH /v1.0/users/u-001 -> create the fake with addresses={"base_url": "https://api.fake.test/v1.0"}
base_url GET /r/v1/users/u-001 -> but PATCH /users/u-001 is: leave /r/v1 out
base_url GET /v1.0/users/u-001/photo -> but GET /users/u-001/photo is: leave /v1.0 out
base_url POST /oauth2/v2.0/token -> POST /oauth2/v2.0/token was sent to base_url, https://api.fake.test, but belongs to
base_url POST /oauth2/v2.0/token -> https://api.fake.test, but belongs to auth_url, https://auth.fake.test
base_url POST /auth/oauth2/v2.0/token -> belongs to auth_url, https://auth.fake.test as POST /oauth2/v2.0/token
auth_url PATCH /users/u-001 -> was sent to auth_url, https://auth.fake.test, but belongs to base_url, https://api
auth_url POST /v2/oauth2/v2.0/token -> leave /v2 out, as auth_url is https://auth.fake.test
upload_url POST /message/x -> belongs to webhook_url, https://hooks.fake.test
"""


@pytest.mark.parametrize("row", MISPLACED.strip().splitlines())
def test_the_right_place_is_named(me, row):
    call, said = row.split(" -> ")
    area, method, path = call.split()
    response = me.http.request(method, me.facts[area] + path, headers=me.bearer)
    assert said in response.headers["X-Fake-Reason"]
    assert said in me.fake.journal[-1].reason


@pytest.mark.parametrize(
    "path",
    ["/" * 5000, "/v1" * 5000 + USER, USER, "/users/users/u-001", "/a/b/c/users/u-001", "/v1.0/groups", "/"],
)
def test_other_requests_are_not_explained_so(me, path):
    reason = me.api("GET", path).headers["X-Fake-Reason"]
    assert "leave" not in reason
    assert "belongs to" not in reason


OUTSIDE = """
POST /oauth2/v2.0/token -> auth_url is URL/auth, and the request lost /auth; clients that join an absolute path to a
POST /oauth2/v2.0/token -> absolute path to a base URL drop
PATCH /users/u-001 -> base_url is URL/api, and the request lost /api; clients that join
PATCH /users/u-001 -> so let the client append it, or serve the fake with --origins
GET /health -> admin_url is URL/admin, and the request lost /admin; clients that join
PATCH /v1.0/users/u-001 -> base_url is URL/api, without /v1.0; change the client's base URL, or serve the
PATCH /v1.0/users/u-001 -> or serve the fake with --base-path /v1.0
POST /login/oauth2/v2.0/token -> auth_url is URL/auth, without /login; change the client's base URL
GET /nothing -> ; the base URLs of this fake are URL/api, URL/storage, URL/auth, URL/hooks
GET / -> ; the base URLs of this fake are
GET /v1.0/clock -> admin_url is URL/admin, without /v1.0; change the client's base URL
GET /v1.0/users -> ; the base URLs of this fake are
GET /v1.0/files -> ; the base URLs of this fake are
"""


@pytest.mark.parametrize("row", OUTSIDE.strip().splitlines())
def test_served_request_outside_all_areas_is_explained(fake, row):
    call, said = row.split(" -> ")
    method, path = call.split()
    with fake.serve() as served, local_client() as http:
        response = http.request(method, served.url + path + "?code=secret")
        said = said.replace("URL/", f"{served.url}/")
    assert response.status_code == 404
    assert said in response.json()["description"]
    (entry,) = fake.journal
    assert (entry.operation, entry.status, entry.method) == ("unmatched", 404, method)
    assert said in entry.reason
    assert "secret" not in entry.reason


SHARED = {"base_url": "https://h.example/v1.0", "auth_url": "https://h.example/auth"}
LOST = "base_url is https://h.example/v1.0, and the request lost /v1.0; clients that join an absolute path"


def call_through(door, fake, method, url):
    with ExitStack() as stack:
        if door == "transport":
            other = httpx.MockTransport(lambda request: httpx.Response(299))
            http = stack.enter_context(httpx.Client(transport=fake.transport(other)))
            return http.request(method, url)
        if door == "async":
            other = httpx.MockTransport(lambda request: httpx.Response(299))

            async def call():
                async with httpx.AsyncClient(transport=fake.transport(other)) as http:
                    return await http.request(method, url)

            return asyncio.run(call())
        stack.enter_context(getattr(fake, door)(pass_through=True))
        return (httpx if door == "httpx" else requests).request(method, url, timeout=9)


@pytest.mark.parametrize("door", ["transport", "async", "httpx", "responses"])
@pytest.mark.parametrize(
    ("method", "path", "said"),
    [
        ("PATCH", USER, LOST),
        ("PATCH", USER, 'append it, or create the fake with addresses={"base_url": "https://h.example"}'),
        ("POST", TOKEN, "auth_url is https://h.example/auth, and the request lost /auth"),
        (
            "PATCH",
            "/r/v1" + USER,
            "base_url is https://h.example/v1.0, without /r/v1; change the client's base URL",
        ),
        ("GET", "/nothing", "nothing is served at https://h.example/nothing; the base URLs of this fake are"),
        ("HEAD", "/nothing", "the base URLs of this fake are"),
    ],
)
def test_request_outside_all_areas_is_explained(door, method, path, said):
    fake = make(addresses=SHARED)
    response = call_through(door, fake, method, f"https://h.example{path}?code=secret")
    assert response.status_code == 404
    assert said in response.headers["X-Fake-Reason"]
    assert "--" not in response.headers["X-Fake-Reason"]
    assert response.content == b"" if method == "HEAD" else said in response.json()["description"]
    (entry,) = fake.journal
    assert (entry.operation, entry.status, entry.method) == ("unmatched", 404, method)
    assert said in entry.reason
    assert "secret" not in entry.reason


def test_hosts_that_are_not_the_fake_s_stay_out_of_reach():
    fake = make(addresses=SHARED)
    for url in ("https://other.example/users", "http://h.example/users", "https://h.example:8443/users"):
        with fake.httpx(), pytest.raises(httpx.ConnectError):
            httpx.get(url)
        with fake.responses(), pytest.raises(requests.ConnectionError):
            requests.get(url, timeout=9)
    assert not list(fake.journal)


def test_mocks_around_have_what_no_base_url_of_the_fake_has():
    fake = make(addresses=SHARED)
    other = make(addresses={"webhook_url": "https://h.example/hooks"})
    with other.httpx(), fake.httpx():
        assert httpx.post(other.facts["webhooks"][0], json={"body": {"text": "hello"}}).status_code == 200
    with responses.RequestsMock() as around, fake.responses():
        around.get("https://h.example/page", body="page")
        assert requests.get("https://h.example/page", timeout=9).text == "page"


def test_a_request_to_the_port_of_another_area_is_told_so(fake):
    with fake.serve(origins=True, base_path="/v1.0") as served, local_client() as http:
        headers = {"Authorization": f"Bearer {fake.access_token()}"}
        auth, api = served.facts["auth_url"], served.facts["base_url"]
        token = http.post(served.url + TOKEN, headers=headers).headers["X-Fake-Reason"]
        assert f"POST {TOKEN} belongs to auth_url, {auth}" in token
        lost = http.patch(served.url + USER, headers=headers, json={}).headers["X-Fake-Reason"]
        assert f"base_url is {api}, and the request lost /v1.0; clients that join" in lost
        assert "or serve the fake without --base-path" in lost
        twice = http.patch(api + "/v1.0" + USER, headers=headers, json={}).headers["X-Fake-Reason"]
        assert f"leave /v1.0 out, as base_url is {api}" in twice
        assert "--base-path" not in twice
        assert http.post(auth + TOKEN).status_code == 400
