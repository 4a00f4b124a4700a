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
    response = me.http.put(me.facts["auth_url"] + "/oauth2/v2.0/authorize")
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, POST")
    assert response.headers["Content-Type"].startswith("text/html")


def test_the_file_storage_answers_405_too(me):
    assert me.http.delete(me.url(), headers=me.bearer).headers["Allow"] == "POST, PUT"


def test_no_method_is_named_by_default():
    with calling(make()) as me:
        assert "Allow" not in me.api("GET", "/users/u-001").headers
