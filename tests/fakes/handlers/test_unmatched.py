"""A request that is not an operation, where it is assumed that another method is told by 405."""

import pytest

from ..caller import calling, make


@pytest.fixture
def me():
    with calling(make(assume={"api.unmatched": "405"})) as caller:
        yield caller


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/users/u-001", "PATCH"),
        ("PUT", "/boards/b-1/posts/p-1/attachments", "POST"),
        ("POST", "/users/u-001/photo/", None),
        ("GET", "/users", None),
    ],
)
def test_405_names_the_methods_there_are(me, method, path, allow):
    response = me.api(method, path)
    assert response.status_code == (404 if allow is None else 405)
    assert response.headers.get("Allow") == allow
    assert response.json()["code"] == ("NOT_FOUND" if allow is None else "METHOD_NOT_ALLOWED")


def test_the_authorization_server_shows_a_screen_of_405(me):
    screens = {"Accept": "text/html,application/xhtml+xml;q=0.9"}
    response = me.http.put(me.facts["auth_url"] + "/oauth2/v2.0/authorize", headers=screens)
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, POST")
    assert response.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("accept", ["application/json", "*/*", ""])
def test_authorization_server_answers_json_clients_in_json(me, accept):
    token_url = me.facts["auth_url"] + "/oauth2/v2.0/token"
    response = me.http.get(token_url, headers={"Accept": accept})
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")
    assert response.json()["error"] == "invalid_request"
    assert "the method is POST, not GET" in response.json()["error_description"]
    assert me.http.get(token_url + "s", headers={"Accept": accept}).status_code == 404


def test_a_refused_authorization_request_is_a_screen_for_every_client(me):
    response = me.http.get(
        me.facts["auth_url"] + "/oauth2/v2.0/authorize", headers={"Accept": "application/json"}
    )
    assert response.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("area", ["base_url", "upload_url"])
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer made-up"}])
def test_a_bad_token_is_told_first_as_for_a_described_call(me, area, headers):
    response = me.http.get(me.facts[area] + "/groups", headers=headers)
    assert response.status_code == 401
    assert response.headers["X-Fake-Assumed"].startswith("api.unmatched-bearer, ")
    assert "; besides, GET /groups is not described" in response.headers["X-Fake-Reason"]
    me.fake.rules.choose({"api.unmatched-bearer": "not-checked"})
    assert me.http.get(me.facts[area] + "/groups", headers=headers).status_code == 404


def test_the_file_storage_answers_405_too(me):
    assert me.http.delete(me.url(), headers=me.bearer).headers["Allow"] == "POST, PUT"


def test_no_method_is_named_by_default():
    with calling(make()) as me:
        assert "Allow" not in me.api("GET", "/users/u-001").headers
