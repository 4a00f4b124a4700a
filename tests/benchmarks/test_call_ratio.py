"""The benchmark compares like with like: both sides answer the same. How fast, it is not for a test to say."""

import asyncio

import httpx
import pytest

from . import call_ratio


@pytest.fixture
def sides():
    """The options of a client of the fake, and of one of the straight-line code."""
    service, token = call_ratio.fake()
    ours = {"transport": service.transport(), "headers": {"Authorization": f"Bearer {token}"}}
    theirs = {"transport": call_ratio.straight(), "headers": {"Authorization": f"Bearer {call_ratio.TOKEN}"}}
    return ours, theirs


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


def test_as_many_times_as_calls(sides, monkeypatch):
    monkeypatch.setattr(call_ratio, "CALLS", 3)
    with httpx.Client(**sides[0]) as ours, httpx.Client(**sides[1]) as theirs:
        assert list(map(len, call_ratio.sync_times(ours, theirs))) == [3, 3]

    async def run():
        async with httpx.AsyncClient(**sides[0]) as ours, httpx.AsyncClient(**sides[1]) as theirs:
            return await call_ratio.async_times(ours, theirs)

    assert list(map(len, asyncio.run(run()))) == [3, 3]


def test_report_says_whether_the_bound_holds(monkeypatch, capsys):
    monkeypatch.setattr(call_ratio, "WARM_UP", 0)
    assert call_ratio.report("sync", 1.10, ([1.0], [1.0]))
    assert not call_ratio.report("sync", 1.10, ([1.2], [1.0]))
    assert "1.20 times MockTransport" in capsys.readouterr().out
