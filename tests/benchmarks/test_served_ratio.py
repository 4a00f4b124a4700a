"""The benchmark of the served fake compares like with like. How fast, it is not for a test to say."""

import asyncio
import json
import sys

import httpx
import pytest

from fakes import FakeService

from . import served_ratio
from .serving import bearer_of, process


@pytest.fixture(scope="module")
def fake():
    fake = FakeService.sample(now=served_ratio.NOW)
    with fake.serve() as served:
        yield served


def test_every_call_is_made_and_timed(fake):
    url, bearer = f"{fake.facts['base_url']}/users/u-001", bearer_of(fake.facts)
    request = served_ratio.Side("the fake", None, url, bearer).request
    rate, times = asyncio.run(served_ratio.load(url, request, 50))
    assert rate > 0
    assert len(times) == 50
    assert [entry.operation for entry in fake.fake.journal][-50:] == ["users.update"] * 50
    assert fake.fake.directory["u-001"]["nickName"] == "Mina"


def test_failed_call_ends_measuring(fake):
    side = served_ratio.Side("the fake", None, f"{fake.facts['base_url']}/users/u-001", "Bearer none")
    with pytest.raises(RuntimeError, match="401"):
        asyncio.run(served_ratio.load(side.url, side.request, 5))


def test_the_bare_app_answers_as_much(fake):
    headers = {"Authorization": bearer_of(fake.facts)}
    url = f"{fake.facts['base_url']}/users/u-001"
    response = httpx.patch(
        url,
        content=served_ratio.BODY,
        headers=headers | {"Content-Type": "application/json"},
        trust_env=False,
    )
    with process("-m", "tests.benchmarks.served_ratio", "bare", str(len(response.content))) as (_, bare_url):
        bare = httpx.patch(bare_url, content=served_ratio.BODY, trust_env=False)
    assert (bare.status_code, len(bare.content)) == (200, len(response.content))
    assert bare.headers["Content-Type"] == response.headers["Content-Type"]


def test_figures_are_medians(monkeypatch, capsys):
    rates = iter([1, 1, *[100.0, 50.0] * served_ratio.ROUNDS])

    def ask(side):
        rate = next(rates)
        return rate, rate, 1 / rate, 1 / rate

    monkeypatch.setattr(served_ratio, "ask", ask)
    served_ratio.compare(*(served_ratio.Side(name, None, "", "") for name in ("ours", "theirs")))
    printed = capsys.readouterr().out
    assert "ours, compared with theirs:\n  CPU time: 2.00 (2.00 to 2.00)" in printed
    assert "median latency: 0.50" in printed
    assert json.dumps(served_ratio.percentile([3, 1, 2], 0.5)) == "2"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the clocks of other processes")
def test_cpu_time_is_that_of_the_server():
    with process("-c", "import time; print(1); [None for _ in iter(time.process_time, None)]") as (
        running,
        _,
    ):
        side = served_ratio.Side("busy", running, "", "")
        first = side.cpu()
        while side.cpu() == first:
            pass
    assert first > 0
