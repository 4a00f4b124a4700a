"""Capitals in e-mail addresses: ignored or not, everywhere alike, and an assumption only where they matter."""

import pytest

from ..caller import calling, make

DISTINCT = {"user.email-case": "distinct"}


def rests_on_case(answer):
    return "user.email-case" in answer.headers.get("X-Fake-Assumed", "").split(", ")


@pytest.fixture(params=["ignored", "distinct"])
def ignored(request):
    return request.param == "ignored"


@pytest.fixture
def me(ignored):
    with calling(make(assume={"user.email-case": "ignored" if ignored else "distinct"})) as caller:
        yield caller


def test_a_user_is_found_by_an_address_in_capitals(me, ignored):
    email = me.fake.directory["u-002"]["email"]
    answer = me.patch(email.upper())
    assert (answer.status_code, rests_on_case(answer)) == (200 if ignored else 404, True)
    assert not rests_on_case(me.patch(email))
    assert not rests_on_case(me.patch("nobody@example.com"))


def test_a_forbidden_word_in_capitals(me, ignored):
    me.fake.settings.forbidden_email_words = ["Casino"]
    old = me.fake.state.users.link_id("u-002")
    answer = me.patch("u-002", email="casino@example.com")
    assert rests_on_case(answer)
    assert (me.fake.state.users.link_id("u-002") == old) == ignored
    assert not rests_on_case(me.patch("u-003", email="the.Casino@example.com"))


def test_only_other_capitals_are_no_other_address(me, ignored):
    me.fake.settings.forbidden_email_words = ["casino"]
    me.patch("u-002", email="casino@example.com")
    before = len(me.patch("u-002").json()["aliasEmails"])
    answer = me.patch("u-002", email="casino@EXAMPLE.com")
    assert rests_on_case(answer)
    assert len(answer.json()["aliasEmails"]) == before + (0 if ignored else 1)
    assert not rests_on_case(me.patch("u-003", email=me.fake.directory["u-003"]["email"].upper()))


def test_a_link_id_in_other_capitals_is_among_the_sub_addresses(me, ignored):
    me.fake.settings.forbidden_email_words = ["casino"]
    me.fake.settings.advanced_plan = True
    old = me.fake.state.users.link_id("u-002")
    me.patch("u-002", email="casino@example.com")
    answer = me.patch("u-002", aliasEmails=[old.upper()])
    assert (answer.status_code, rests_on_case(answer)) == (200 if ignored else 400, True)
    assert not rests_on_case(me.patch("u-002", aliasEmails=[old]))


@pytest.mark.parametrize("chosen", ["kept", "refused"])
def test_sub_addresses_that_differ_in_capitals(ignored, chosen):
    case = "ignored" if ignored else "distinct"
    with calling(make(assume={"user.email-case": case, "user.alias-duplicate": chosen})) as me:
        answer = me.patch(aliasEmails=["mina@example.com", "Mina@example.com"])
        assert answer.status_code == (400 if ignored and chosen == "refused" else 200)
        assert rests_on_case(answer) == (ignored and chosen == "refused")
        twice = me.patch(aliasEmails=["mina@example.com", "mina@example.com"])
        assert twice.status_code == (400 if chosen == "refused" else 200)
        assert not rests_on_case(twice)


@pytest.mark.parametrize("name", ["email", "aliasEmails"])
def test_a_sub_address_of_another_in_capitals(ignored, name):
    case = "ignored" if ignored else "distinct"
    with calling(make(assume={"user.email-case": case, "user.alias-conflict": "409"})) as me:
        me.patch("u-002", aliasEmails=["shared@example.com"])
        asked = "SHARED@example.com"
        answer = me.patch("u-003", **{name: asked if name == "email" else [asked]})
        assert (answer.status_code, rests_on_case(answer)) == (409 if ignored else 200, True)
    with calling(make(assume={"user.email-case": case})) as me:
        me.patch("u-002", aliasEmails=["shared@example.com"])
        assert not rests_on_case(me.patch("u-003", email="SHARED@example.com"))


@pytest.mark.parametrize("copied", [False, True])
def test_two_users_with_addresses_that_differ_in_capitals_are_both_found(copied):
    fake = make(assume=DISTINCT)
    theirs = fake.directory["u-004"]["email"]
    with calling(fake) as me:
        me.patch("u-002", email="mina@example.com")
        me.patch("u-003", email="Mina@example.com")
        me.patch("u-005", email=theirs.upper())
    if copied:
        fake = fake.fork()
    with calling(fake) as me:

        def found(email):
            return me.patch(email).json().get("userId")

        assert [found(each) for each in ("mina@example.com", "Mina@example.com")] == ["u-002", "u-003"]
        assert [found(each) for each in (theirs, theirs.upper())] == ["u-004", "u-005"]
        assert me.patch("u-006", email="Mina@example.com").status_code == 409
        assert me.patch("u-002", email="Mina@example.com").status_code == 409
        assert me.patch("u-003", email="other@example.com").status_code == 200
        assert [found(each) for each in ("mina@example.com", "Mina@example.com")] == ["u-002", None]
        assert me.patch("u-006", email="Mina@example.com").status_code == 200
        assert me.log_in("mina@example.com", fake.auth.password("u-002")).status_code == 302
        assert me.log_in("Mina@example.com", fake.auth.password("u-006")).status_code == 302


def test_ones_own_address_in_capitals_is_no_conflict(me):
    email = me.fake.directory["u-002"]["email"]
    answer = me.patch("u-002", email=email.upper())
    assert (answer.status_code, rests_on_case(answer)) == (200, False)
