"""A budget of calls ends loops that would go on forever, whatever they catch."""

import asyncio
from contextlib import suppress
from threading import Thread

import httpx
import pytest
import requests

import svckit
from fakes import BudgetSpent, FakeService

from ...loopback import PATIENCE
from ..caller import calling, make


def loop_forever(call):
    """A client that retries too much."""
    while True:
        with suppress(Exception):
            call()


def test_loop_ends_though_it_catches_exceptions(fake):
    with calling(fake) as me, pytest.raises(BudgetSpent) as spent, fake.budget(calls=30) as budget:
        loop_forever(me.notify)
    assert str(spent.value).startswith(
        "the budget of 30 calls was spent before POST https://hooks.fake.test/message/***;"
    )
    assert me.facts["webhooks"][0].rpartition("/")[2] not in str(spent.value)
    assert (budget.used, budget.left, repr(budget)) == (31, 0, "<CallBudget: 31 of 30 calls used>")
    assert len(fake.journal) == 30, "a call that is one too many is not made"


def test_loop_of_an_async_client_ends(fake):

    async def loop():
        async with httpx.AsyncClient(transport=fake.transport()) as http:
            while True:
                with suppress(Exception):
                    await http.post(fake.facts["webhooks"][0], json={})

    with pytest.raises(BudgetSpent), fake.budget(calls=30):
        asyncio.run(loop())
    assert len(fake.journal) == 30


def test_loop_with_requests_ends(fake):
    with pytest.raises(BudgetSpent), fake.responses(), fake.budget(calls=5):
        loop_forever(lambda: requests.post(fake.facts["webhooks"][0], json={}, timeout=1))
    assert len(fake.journal) == 5


def test_loop_of_a_session_ends():
    svc = svckit.connect(make())
    with pytest.raises(BudgetSpent), svc.fake.budget(calls=10):
        loop_forever(lambda: svc.users.read("nobody"))
    assert len(svc.fake.journal.where(operation="users.update")) == 10


def test_served_call_beyond_the_budget_gets_503(fake):
    with fake.serve() as served:
        url, key = served.facts["webhooks"][0], {"Authorization": f"Bearer {served.facts['admin_key']}"}
        block = fake.budget(calls=1)
        block.__enter__()
        first, second = (httpx.post(url, json={"body": {"text": "hi"}}, timeout=PATIENCE) for _ in range(2))
        admin = httpx.get(served.facts["admin_url"] + "/clock", headers=key, timeout=PATIENCE)
        with pytest.raises(BudgetSpent, match="budget of 1 call was spent"):
            block.__exit__(None, None, None)
    assert (first.status_code, second.status_code, admin.status_code) == (200, 503, 200)
    assert second.json()["code"] == "BUDGET_SPENT"
    assert second.json()["description"].startswith("the budget of 1 call was spent before POST")


def test_calls_within_the_budget_are_as_before(fake, me):
    with fake.budget(calls=3) as budget:
        assert [me.notify().status_code for _ in range(3)] == [200] * 3
    assert budget.left == 0
    assert me.notify().status_code == 200, "the budget has ended"


def swallow(call, error=None):
    """Make a call in a thread, where its error is lost; then raise another error, if one is given."""

    def run():
        with suppress(BudgetSpent):
            call()

    thread = Thread(target=run)
    thread.start()
    thread.join()
    if error:
        raise error


@pytest.mark.parametrize(("error", "raised"), [(None, BudgetSpent), (ZeroDivisionError, ZeroDivisionError)])
def test_block_in_which_the_error_was_lost_raises_at_its_end(fake, error, raised):
    with calling(fake) as me, pytest.raises(raised), fake.budget(calls=0):
        swallow(me.notify, error)


def test_nested_budgets_both_count(fake):
    with calling(fake) as me, fake.budget(calls=5) as outer:
        with pytest.raises(BudgetSpent, match="of 2 calls"), fake.budget(calls=2):
            loop_forever(me.notify)
        assert (outer.used, outer.left) == (3, 2)
        assert me.notify().status_code == 200
        with pytest.raises(BudgetSpent, match="of 5 calls"):
            loop_forever(me.notify)
        outer.used = 5  # so that the block may end


def test_refused_call_leaves_no_update_in_progress(fake, me):
    """Otherwise the next update of that user would collide with it."""
    with pytest.raises(BudgetSpent), fake.budget(calls=0):
        me.patch(nickName="Mina")
    assert me.patch(nickName="Mina").status_code == 200
    assert fake.in_progress == {}


@pytest.mark.parametrize("calls", [-1, 1.5, True, "10", None])
def test_budget_is_a_number_of_calls(calls):
    with (
        pytest.raises(ValueError, match=f"^calls must be a whole number from 0; given {calls!r}$"),
        FakeService().budget(calls),
    ):
        pass
