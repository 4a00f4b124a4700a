"""Users are found by what several of them share, whoever comes and goes, at a cost that does not grow with them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.parts.changes import ChangeLog
from fakes.parts.user_index import Index

from ...work import count_steps
from ..caller import Caller, make

TEAM = "team@example.com"
MOVES = st.lists(st.tuples(st.booleans(), st.integers(1, 30).map("u-{}".format)), max_size=40)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(batches=st.lists(st.tuples(MOVES, st.booleans()), max_size=5))
def test_an_index_knows_who_shares_a_value_and_who_is_first(batches):
    changes = ChangeLog()
    index, plain = Index(changes), set()
    for moves, undone in batches:
        before = plain.copy()
        changes.begin()
        for comes, user_id in moves:
            (index.add if comes else index.remove)("a", user_id)
            (plain.add if comes else plain.discard)(user_id)
            assert index.first("a") == min(plain, key=lambda each: (len(each), each), default=None)
        if undone:
            changes.undo()
            plain = before
        else:
            changes.keep()
        assert set(index.of("a")) == plain
        assert index.first("a") == min(plain, key=lambda each: (len(each), each), default=None)


def sharing(sharers, **options):
    """What it costs to put an alias in that so many users have, and to take it out."""
    fake = make(users=sharers + 1, **options)
    for user_id in [*fake.directory][1:]:
        fake.state.users.keep(user_id, fake.directory[user_id] | {"aliasEmails": [TEAM]})

    def call():
        for aliases in ([TEAM], []) * 5:
            assert me.patch(aliasEmails=aliases).status_code in (200, 409)

    me = Caller(fake)
    return call


@pytest.mark.parametrize(
    "assume",
    [{}, {"user.email-case": "distinct"}, {"user.alias-conflict": "409"}],
    ids=["accepted", "distinct", "409"],
)
def test_an_alias_that_many_share_costs_what_one_costs_that_few_share(assume):
    many, few = sharing(5000, assume=assume), sharing(10, assume=assume)
    many(), few()  # what is loaded or kept at the first call
    assert count_steps(many) <= 1.1 * count_steps(few)
