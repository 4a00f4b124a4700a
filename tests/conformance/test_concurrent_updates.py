"""Updates of one user at the same time: one is on its way while another is sent."""

import pytest

from .cases import RESOURCE_ERRORS, assumed, case, documented, every_door
from .target import bearer


def url(target, user="u-002"):
    return target.api(f"/users/{user}")


def update(target, headers, task, user="u-002"):
    """A request that gives a user a task."""
    return {
        "method": "PATCH",
        "url": url(target, user),
        "headers": headers | {"Content-Type": "application/json"},
        "content": f'{{"task": "{task}"}}'.encode(),
    }


def overlapping(target, first, second):
    """Two updates, the second sent while the body of the first is on its way: statuses."""
    return [response.status_code for response in target.http.request_during(first, second)]


def read(target, me):
    return target.http.patch(url(target), json={}, headers=me).json()


@documented("user.partial")
def test_sequential_updates_of_the_same_user_are_fine(target, me):
    for number in range(10):
        response = target.http.patch(url(target), json={"task": str(number)}, headers=me)
        assert response.json()["task"] == str(number)


@every_door
@documented("user.not-concurrent")
@assumed("user.concurrent")
def test_updates_of_the_same_user_must_not_be_concurrent(target, me):
    assert overlapping(target, update(target, me, "first"), update(target, me, "second")) == [200, 409]
    assert read(target, me)["task"] == "first"


@assumed("user.concurrent", "user.addressing")
def test_the_same_user_is_the_same_however_addressed(target, me):
    by_email = update(target, me, "second", read(target, me)["email"])
    assert overlapping(target, update(target, me, "first"), by_email) == [200, 409]


@every_door
@assumed("user.concurrent")
def test_updates_of_different_users_may_be_concurrent(target, me):
    other = update(target, me, "second", "u-003")
    assert overlapping(target, update(target, me, "first"), other) == [200, 200]


NOT_VALID = [
    case({}, id="no token"),
    case(bearer("made-up"), id="unknown token"),
    case({"Authorization": "Basic dTpw"}, id="no bearer"),
]


@assumed("user.concurrent", *RESOURCE_ERRORS)
@pytest.mark.parametrize("headers", NOT_VALID)
def test_an_update_without_a_valid_token_is_in_nobodys_way(target, me, headers):
    outer = update(target, headers, "stranger's")
    assert overlapping(target, outer, update(target, me, "mine")) == [401, 200]
    assert read(target, me)["task"] == "mine"


@assumed("user.concurrent", *RESOURCE_ERRORS)
def test_update_with_an_expired_token_blocks_nobody(target, me):
    target.advance(24 * 3600)
    anew = target.signed_in()
    assert overlapping(target, update(target, me, "old"), update(target, anew, "new")) == [401, 200]


@assumed("user.concurrent", *RESOURCE_ERRORS)
@pytest.mark.parametrize("headers", NOT_VALID)
def test_who_has_no_valid_token_is_not_told_of_an_update_under_way(target, me, headers):
    inner = update(target, headers, "stranger's")
    assert overlapping(target, update(target, me, "mine"), inner) == [200, 401]
    assert read(target, me)["task"] == "mine"


@every_door
@assumed("user.concurrent")
def test_an_update_that_was_broken_off_is_under_way_no_more(target, me):
    def broken_off():
        yield b'{"task": '
        raise LookupError("gone")  # of an OSError, requests makes one of its own

    before = target.digest()
    headers = me | {"Content-Type": "application/json"}
    with pytest.raises(LookupError):
        target.http.patch(url(target), chunks=broken_off(), headers=headers)
    assert target.digest() == before
    assert target.http.patch(url(target), json={"task": "after"}, headers=me).json()["task"] == "after"
