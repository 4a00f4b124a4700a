"""Routes are found by raw path: nothing is decoded before its segment is known."""

import pytest

from fakes.handlers.routes import ROUTER, ROUTES
from fakes.handlers.routing import Router
from fakes.http.addresses import BaseURLs, UnknownURL


@pytest.mark.parametrize("route", ROUTER.routes, ids=lambda route: f"{route.method} {route.template}")
def test_every_route_is_found_by_its_own_path(route):
    path = route.template.replace("{", "a%2Fb-").replace("}", "")
    match = ROUTER.match(route.area, route.method, path)
    assert match.route is route
    assert all(value.startswith("a/b-") for value in match.params.values())


@pytest.mark.parametrize(
    ("segment", "user_id"),
    [
        ("a%2Fb", "a/b"),
        ("a%252Fb", "a%2Fb"),
        ("%E4%BD%90", "佐"),
        ("a+b", "a+b"),
        ("%20", " "),
        ("x%", "x%"),
        ("..", ".."),
    ],
)
def test_segments_are_decoded_once(segment, user_id):
    assert ROUTER.match("api", "PATCH", f"/users/{segment}").params == {"userId": user_id}


def test_what_is_fixed_comes_before_what_is_open():
    shared = ROUTER.match("api", "POST", "/users/u/drive/sharedfolders/s/files")
    assert shared.route.operation.endswith("shared_folder")


def test_two_routes_for_one_path_are_refused():
    with pytest.raises(ValueError, match="two routes"):
        Router([*ROUTES, ROUTES[0]])


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://api.fake.test/a%2Fb?x=%2F#top", ("api", "/a%2Fb", "x=%2F")),
        ("https://auth.fake.test", ("auth", "/", "")),
        ("https://hooks.fake.test/?", ("hooks", "/", "")),
    ],
)
def test_urls_are_taken_apart_raw(url, found):
    assert BaseURLs().locate(url) == found


@pytest.mark.parametrize(
    "url",
    [
        "https://api.fake.test.evil.test/users",
        "http://api.fake.test/",
        "https://api.fake.test:8443/",
        "https://x.test",
    ],
)
def test_look_alike_addresses_are_refused(url):
    with pytest.raises(UnknownURL, match="not served by this fake"):
        BaseURLs().locate(url)
