"""The external chat-link ID of a user: the login e-mail, or a sub e-mail that stayed."""

import httpx
import pytest

from fakes import FakeService

from ..caller import stored


@pytest.fixture
def fake():
    return FakeService.sample(users=3, now="2026-06-01T09:00:00+09:00")


@pytest.fixture
def patch(fake):
    bearer = {"Authorization": f"Bearer {fake.access_token()}"}
    with httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"], headers=bearer) as http:
        yield lambda user_id, **change: http.patch(f"/users/{user_id}", json=change).status_code


def test_a_link_id_that_is_the_login_email_is_no_sub_email_to_keep(fake, patch):
    fake.settings.advanced_plan = True
    assert patch("u-002", email="one@example.com") == 200
    assert patch("u-002", email="two@example.com", aliasEmails=[]) == 200
    assert fake.state.users.link_id("u-002") == "two@example.com"


def test_a_link_id_that_is_a_sub_email_stays_when_the_login_email_changes(fake, patch):
    fake.settings.forbidden_email_words = ["casino"]
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


def test_no_room_for_the_old_email_is_told_with_all_else_that_is_wrong(fake, patch):
    fake.settings.forbidden_email_words = ["casino"]
    assert patch("u-002", aliasEmails=[f"{number}@example.com" for number in range(10)]) == 200
    before = stored(fake)
    assert patch("u-002", email="casino@example.com", domainId=7, nickName="x" * 101) == 400
    told = fake.journal[-1].response_body
    assert [path for path in ("email", "domainId", "nickName") if path not in told] == []
    assert stored(fake) == before


@pytest.mark.parametrize("others", [[], ["other@x.test"]])
def test_an_old_email_that_is_a_sub_address_already_is_not_added_again(fake, patch, others):
    fake.settings.forbidden_email_words = ["casino"]
    old = fake.state.users.link_id("u-002")
    aliases = [*others, old]
    assert patch("u-002", aliasEmails=aliases) == 200
    assert patch("u-002", email="casino@x.test") == 200
    assert fake.directory["u-002"]["aliasEmails"] == aliases


LINK = ("user.link-id-kept", "user.link-id-removed")


@pytest.mark.parametrize(
    ("assume", "emails", "link_id"),
    [
        ({}, ["casino@x.test", "plain@x.test"], 0),
        ({}, ["casino@x.test", "plain@x.test", "casino.2@x.test"], 0),
        ({LINK[0]: "follows"}, ["casino@x.test"], 0),
        ({LINK[0]: "follows"}, ["casino@x.test", "plain@x.test"], 2),
        ({LINK[0]: "follows"}, ["casino@x.test", "casino.2@x.test"], 1),
        ({LINK[0]: "follows"}, ["casino@x.test", "plain@x.test", "casino.2@x.test"], 2),
    ],
)
def test_which_address_is_the_link_id_after_a_forbidden_word(assume, emails, link_id):
    fake = FakeService.sample(users=3, now="2026-06-01T09:00:00+09:00", assume=assume)
    fake.settings.forbidden_email_words = ["casino"]
    addresses = [fake.state.users.link_id("u-002"), *emails]
    bearer = {"Authorization": f"Bearer {fake.access_token()}"}
    with httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"], headers=bearer) as http:
        responses = [http.patch("/users/u-002", json={"email": email}) for email in emails]
    assert fake.state.users.link_id("u-002") == addresses[link_id]
    rested = [LINK[0] in response.headers.get("X-Fake-Assumed", "") for response in responses]
    assert rested[0] is False
    assert rested[1:2] in ([], [True])


@pytest.mark.parametrize(
    ("advanced", "assume", "status"),
    [(False, {}, 200), (False, {LINK[1]: "email"}, 200), (True, {LINK[1]: "email"}, 400)],
)
def test_a_link_id_that_is_removed_from_the_sub_addresses(advanced, assume, status):
    fake = FakeService.sample(users=3, now="2026-06-01T09:00:00+09:00", assume=assume)
    fake.settings.forbidden_email_words, fake.settings.advanced_plan = ["casino"], advanced
    first = fake.state.users.link_id("u-002")
    bearer = {"Authorization": f"Bearer {fake.access_token()}"}
    with httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"], headers=bearer) as http:
        http.patch("/users/u-002", json={"email": "casino@x.test"})
        kept = http.patch("/users/u-002", json={"aliasEmails": [first, "more@x.test"]})
        response = http.patch("/users/u-002", json={"aliasEmails": []})
    assert LINK[1] not in kept.headers.get("X-Fake-Assumed", "")
    assert (LINK[1] in response.headers.get("X-Fake-Assumed", "")) != advanced
    assert response.status_code == status
    removed = not advanced and bool(assume)
    assert fake.state.users.link_id("u-002") == ("casino@x.test" if removed else first)
