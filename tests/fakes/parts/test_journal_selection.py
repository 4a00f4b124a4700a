"""Entries selected from the journal: after a mark, by operation and by status."""

import pytest

from fakes import FakeService
from fakes.parts.journal import Journal

from ..admin import Admin
from ..caller import calling, make


def numbers(entries):
    return [entry.number for entry in entries]


def test_since_a_mark_are_the_later_requests(fake, me):
    start = fake.journal.mark()
    me.notify()
    mark = fake.journal.mark()
    assert numbers(fake.journal.since(mark)) == []
    me.notify()
    later = fake.journal.since(mark)
    me.notify()
    assert numbers(later) == [2], "a selection does not grow"
    assert numbers(fake.journal.since(start)) == [1, 2, 3]
    assert numbers(fake.journal.since(mark)) == [2, 3]
    assert repr(mark) == "<Mark after request 1>"


def test_selections_can_be_narrowed_in_any_order(fake, me):
    me.patch(nickName="Mina")
    mark = fake.journal.mark()
    me.patch(nickName="x" * 500)
    me.patch(nickName="Mina")
    me.notify()
    me.exchange()
    assert numbers(fake.journal.where(operation="users.update")) == [1, 2, 3]
    assert numbers(fake.journal.where(status=400)) == [2]
    assert numbers(fake.journal.since(mark).where(operation="users.update", status=200)) == [3]
    assert numbers(fake.journal.where(operation="users.update").where(status=200).since(mark)) == [3]
    assert [e.operation for e in fake.journal.where(operation="auth.*")] == [
        "auth.authorize",
        "auth.login",
        "auth.token",
    ]


def test_selection_is_shown_as_the_journal_is(fake, me):
    me.patch(nickName="Mina")
    me.notify()
    everything = fake.journal.where()
    assert (repr(everything), everything._repr_html_()) == (repr(fake.journal), fake.journal._repr_html_())
    updates = fake.journal.where(operation="users.update")
    assert repr(updates).startswith("<Journal: 1 request>\n    1  200  PATCH")
    assert (len(updates), updates[-1].number, numbers(updates[:5]), numbers(updates.latest())) == (
        1,
        1,
        [1],
        [1],
    )
    with pytest.raises(IndexError, match=r"^there is only 1 request$"):
        updates[1]


def test_names_that_match_no_operation_are_refused():
    """Otherwise a misspelled name would find nothing, and a test of that would pass."""
    journal = make().journal
    with pytest.raises(
        ValueError, match=r"^no operation matches 'users.updte'; did you mean users.update\?$"
    ):
        journal.where(operation="users.updte")
    with pytest.raises(ValueError, match=r"that call uses notifications.post"):
        journal.where().where(operation="notify")
    assert len(journal.where(operation="unmatched")) == 0


def test_mark_is_refused_when_requests_after_it_were_dropped(fake):
    fake.state.journal = Journal(capacity=3)
    with calling(fake) as me:
        early = fake.journal.mark()
        me.notify()
        mark = fake.journal.mark()
        for _ in range(3):
            me.notify()
        assert numbers(fake.journal.since(mark)) == [2, 3, 4]
        all_three = fake.journal.where(status=200)
        me.notify()
    for each, count in ((early, "2 requests"), (mark, "1 request")):
        with pytest.raises(LookupError, match=rf"^{count} after <Mark .* made room for others"):
            fake.journal.since(each)
    assert numbers(all_three.since(mark)) == [2, 3, 4], "what was selected before is complete"


def test_clearing_keeps_marks_and_drops_entries(fake, me):
    mark = fake.journal.mark()
    me.notify()
    fake.journal.clear()
    assert numbers(fake.journal.since(mark)) == []
    me.notify()
    assert numbers(fake.journal.since(mark)) == [2]


def test_marks_of_another_journal_are_refused():
    fake = FakeService.sample()
    mark = fake.journal.mark()
    with pytest.raises(ValueError, match="another journal"):
        FakeService.sample().journal.since(mark)
    fake.reset()
    with pytest.raises(ValueError, match=r"call journal.mark\(\) again"):
        fake.journal.since(mark)
    with pytest.raises(TypeError, match=r"takes a mark, as journal.mark\(\) returns it; given 3"):
        fake.journal.since(3)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [1, 2, 3, 4]),
        ("?since=0&bodies=false", [1, 2, 3, 4]),
        ("?since=2", [3, 4]),
        ("?operation=users.*", [1, 2, 4]),
        ("?operation=users.update&status=200&since=1", [4]),
        ("?status=404", []),
        ("?latest=2", [3, 4]),
        ("?latest=0", []),
        ("?latest=9&since=3", [4]),
        ("?operation=users.*&latest=1&bodies=true", [4]),
    ],
)
def test_admin_call_selects_too(fake, me, query, expected):
    me.patch(nickName="Mina")
    me.patch(nickName="x" * 500)
    me.notify()
    me.patch(nickName="Mina")
    read = Admin(fake)("GET", f"/journal{query}").json()
    assert [entry["number"] for entry in read["exchanges"]] == expected
    assert (read["count"], read["number"], read["dropped"]) == (4, 4, 0)
