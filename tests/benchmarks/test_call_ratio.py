"""The benchmark compares like with like: both sides respond the same; what that costs is counted in instructions."""

import shutil

import httpx
import pytest

from . import call_ratio


@pytest.fixture
def sides():
    """The options of a client of the fake, and of one of the straight-line code."""
    return call_ratio.sides(*call_ratio.fake())


@pytest.mark.parametrize("number", range(3))
def test_both_sides_respond_alike(sides, number):
    responses = []
    for options in sides:
        with httpx.Client(**options) as client:
            responses.append(client.patch(call_ratio.url(number), json=call_ratio.CHANGE))
    assert responses[0].status_code == responses[1].status_code == 200
    assert responses[0].content == responses[1].content
    assert responses[0].headers["Content-Type"] == responses[1].headers["Content-Type"]


def test_both_sides_hold_to_the_bearer(sides):
    for options in sides:
        with httpx.Client(transport=options["transport"]) as client:
            assert client.patch(call_ratio.url(1), json=call_ratio.CHANGE).status_code == 401


@pytest.mark.parametrize("kind", ["sync-fake", "sync-straight", "async-fake", "async-straight", "touched"])
def test_calls_of_each_kind_succeed(kind):
    call_ratio.make_calls(kind, 2)


def test_untouched_users_differ():
    urls = {call_ratio.url(number, call_ratio.MILLION, 7919) for number in range(600)}
    assert len(urls) == 600


@pytest.mark.long
def test_call_is_within_its_limit():
    """Up to a hundredth beyond the bounds, as libraries of other machines execute other instructions."""
    if shutil.which("valgrind") is None:
        pytest.skip("needs valgrind")
    for client in ("sync", "async"):
        ours, theirs = (call_ratio.instructions(f"{client}-{side}") for side in ("fake", "straight"))
        assert ours <= (call_ratio.LIMITS[client] + 0.01) * theirs
