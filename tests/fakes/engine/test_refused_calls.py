"""A call that is refused half-way leaves everything as it was, in the order in which it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.rulebook.rules import AssumptionRefused

from ..actions import ACTIONS, SEQUENCES, run
from ..caller import Caller, calling, make
from ..refusing import found, refusing

ASSUME = {"user.conflict-condition": "never", "file.overwrite": "replace", "api.rate-limit": "per-minute"}


@settings(max_examples=80, deadline=None, derandomize=True)
@given(before=SEQUENCES, action=st.sampled_from(ACTIONS), allowed=st.integers(0, 12))
def test_nothing_is_left_of_it(before, action, allowed):
    fake = make(assume=ASSUME)
    run(fake, before)
    me = Caller(fake)
    with refusing(fake, me.http, allowed):
        action(me)


@pytest.mark.parametrize("allowed", range(6))
def test_oldest_tokens_that_were_dropped_are_the_oldest_again(fake, me, allowed):
    code = me.code()
    fake.access_token()
    fake.clock.advance(days=1.5)
    fake.access_token("u-002")
    fake.clock.advance(days=0.9)
    code = me.code()
    with refusing(fake, me.http, allowed):
        me.exchange(code)


@pytest.mark.parametrize("allowed", range(12))
def test_a_new_revision_under_another_name_is_undone(allowed):
    fake = make(assume={"file.overwrite": "replace"})
    with calling(fake) as me:
        stored = [me.upload(content=b"first", name=name) for name in ("a.txt", "b.txt", "a.txt")]
        url = me.url(f"/users/u-001/drive/files/{stored[0]['fileId']}", name="b.txt")
        with refusing(fake, me.http, allowed):
            me.send(url, name="b.txt")


def test_what_is_allowed_stays():
    fake = make(assumptions="refuse")
    with calling(fake) as me:
        assert me.patch(nickName="Mina").json()["nickName"] == "Mina"
        with pytest.raises(AssumptionRefused):
            me.patch(nickName="Hana", shoeSize=38)
        assert me.patch().json()["nickName"] == "Mina"


def test_a_user_is_found_again_by_what_was_to_change(fake):
    users, changes = fake.state.users, fake.state.changes
    users.keep("u-002", users.record("u-002"))
    before = found(fake)
    changes.begin()
    names = {"email": "new@example.com", "userExternalKey": "new", "aliasEmails": ["alias@example.com"]}
    users.keep("u-002", users.draft("u-002") | names)
    assert {*users.by_alias("alias@example.com")} == {"u-002"}
    changes.undo()
    assert found(fake) == before
    assert users.draft("u-002") == users.record("u-002")
