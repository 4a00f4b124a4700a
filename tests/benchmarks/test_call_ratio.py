"""The benchmark compares like with like: both sides respond the same; what that costs is counted in instructions."""

import shutil

import httpx
import pytest

from . import call_ratio


@pytest.fixture(params=["fake", "straight"])
def side(request):
    return call_ratio.ours(call_ratio.fake()) if request.param == "fake" else call_ratio.theirs()


def answers(side, *operations):
    """The last responses of operations of a client of a side."""
    with httpx.Client(**side.options) as http:
        return [call_ratio.send(http, call_ratio.OPERATIONS[name](side.facts, 0)) for name in operations]


def both(*operations):
    return zip(
        answers(call_ratio.ours(call_ratio.fake()), *operations),
        answers(call_ratio.theirs(), *operations),
        strict=True,
    )


@pytest.mark.parametrize(("operation", "header"), [("sync", "Content-Type"), ("notify", "RateLimit-Used")])
def test_both_sides_respond_alike(operation, header):
    for one, other in both(operation, operation):
        assert one.status_code == other.status_code == 200
        assert one.content == other.content
        assert one.headers[header] == other.headers[header]


@pytest.mark.parametrize(("operation", "status"), [("upload", 201), ("status", 200), ("token", 200)])
def test_both_sides_respond_with_the_same_fields(operation, status):
    for one, other in both(operation):
        assert one.status_code == other.status_code == status
        assert one.headers["Content-Type"] == other.headers["Content-Type"]
        assert other.json().keys() <= one.json().keys()


def test_both_sides_give_back_what_was_uploaded():
    for one, other in both("upload", "download"):
        if one.status_code == 200:
            assert one.content == other.content == call_ratio.CONTENT


def test_both_sides_hold_to_the_bearer(side):
    with httpx.Client(transport=side.options["transport"]) as http:
        for name in ("sync", "status", "upload"):
            method, url, options = next(call_ratio.OPERATIONS[name](side.facts, 0))
            assert http.request(method, url, **options).status_code == 401


@pytest.mark.long
@pytest.mark.parametrize("name", call_ratio.OPERATIONS)
def test_call_is_within_its_limit(name):
    """Up to a hundredth beyond the bounds, as libraries of other machines execute other instructions."""
    if shutil.which("valgrind") is None:
        pytest.skip("needs valgrind")
    ours, theirs = (call_ratio.instructions(f"{name}-{side}") for side in ("fake", "straight"))
    assert ours <= (call_ratio.LIMITS.get(name, call_ratio.LIMIT) + 0.01) * theirs
