"""The external chat-link ID of a user: the login e-mail, or a sub e-mail that stayed."""

import pytest

from ..caller import calling, make, named, stored

LINK = ("user.link-id-kept", "user.link-id-removed")


def forbidding(**assume):
    """A fake of three users, in whose domain a word is forbidden."""
    fake = make(users=3, assume={f"user.link-id-{name}": each for name, each in assume.items()})
    fake.settings.forbidden_email_words = ["casino"]
    return fake


@pytest.fixture
def fake():
    return forbidding()


@pytest.fixture
def patch(me):
    return lambda user_id, **change: me.patch(user_id, **change).status_code


def test_a_link_id_that_is_the_login_email_is_no_sub_email_to_keep(fake, patch):
    fake.settings.advanced_plan = True
    assert patch("u-002", email="one@example.com") == 200
    assert patch("u-002", email="two@example.com", aliasEmails=[]) == 200
    assert fake.state.users.link_id("u-002") == "two@example.com"


def test_link_id_stays_when_the_email_changes(fake, patch):
    old = fake.state.users.link_id("u-002")
    assert patch("u-002", email="casino@example.com") == 200
    assert patch("u-002", email="new@example.com") == 200
    assert fake.state.users.link_id("u-002") == old
    assert patch("u-002", email=old) == 200
    assert patch("u-002", email="newer@example.com") == 200
    assert fake.state.users.link_id("u-002") == "newer@example.com"


@pytest.mark.parametrize("name", ["email", "userExternalKey"])
def test_an_empty_value_is_a_value_that_one_user_can_have(patch, name):
    assert patch("u-002", **{name: ""}) == 200
    assert patch("u-003", **{name: ""}) == 409


def test_full_aliases_are_reported_with_other_problems(fake, patch):
    assert patch("u-002", aliasEmails=[f"{number}@example.com" for number in range(10)]) == 200
    before = stored(fake)
    assert patch("u-002", email="casino@example.com", domainId=7, nickName="x" * 101) == 400
    told = fake.journal[-1].response_body
    assert [path for path in ("email", "domainId", "nickName") if path not in told] == []
    assert stored(fake) == before


@pytest.mark.parametrize("others", [[], ["other@x.test"]])
def test_old_email_is_not_added_twice(fake, patch, others):
    old = fake.state.users.link_id("u-002")
    aliases = [*others, old]
    assert patch("u-002", aliasEmails=aliases) == 200
    assert patch("u-002", email="casino@x.test") == 200
    assert fake.directory["u-002"]["aliasEmails"] == aliases


@pytest.mark.parametrize(
    ("assume", "emails", "link_id"),
    [
        ({}, ["casino@x.test", "plain@x.test"], 0),
        ({}, ["casino@x.test", "plain@x.test", "casino.2@x.test"], 0),
        ({"kept": "follows"}, ["casino@x.test"], 0),
        ({"kept": "follows"}, ["casino@x.test", "plain@x.test"], 2),
        ({"kept": "follows"}, ["casino@x.test", "casino.2@x.test"], 1),
        ({"kept": "follows"}, ["casino@x.test", "plain@x.test", "casino.2@x.test"], 2),
    ],
)
def test_which_address_is_the_link_id_after_a_forbidden_word(assume, emails, link_id):
    with calling(forbidding(**assume)) as me:
        addresses = [me.fake.state.users.link_id("u-002"), *emails]
        responses = [me.patch("u-002", email=email) for email in emails]
        assert me.fake.state.users.link_id("u-002") == addresses[link_id]
    rested = [LINK[0] in named(response) for response in responses]
    assert rested[:2] in ([False], [False, True])


@pytest.mark.parametrize(
    ("advanced", "assume", "status"),
    [(False, {}, 200), (False, {"removed": "email"}, 200), (True, {"removed": "email"}, 400)],
)
def test_a_link_id_that_is_removed_from_the_sub_addresses(advanced, assume, status):
    fake = forbidding(**assume)
    fake.settings.advanced_plan = advanced
    first = fake.state.users.link_id("u-002")
    with calling(fake) as me:
        me.patch("u-002", email="casino@x.test")
        kept = me.patch("u-002", aliasEmails=[first, "more@x.test"])
        response = me.patch("u-002", aliasEmails=[])
    assert LINK[1] not in named(kept)
    assert (LINK[1] in named(response)) != advanced
    assert response.status_code == status
    removed = not advanced and bool(assume)
    assert fake.state.users.link_id("u-002") == ("casino@x.test" if removed else first)
