"""The path parameter ``me``: the user of the access token, if that is assumed."""

import pytest

from fakes.http.messages import RequestHead

from ..caller import calling, make

RULE = "user.addressing"
ME = {"assume": {RULE: "me"}}


def assumed(response):
    return RULE in response.headers.get("X-Fake-Assumed", "").split(", ")


@pytest.mark.parametrize("user", ["u-001", "u-003"])
def test_me_is_the_user_of_the_access_token(user):
    with calling(make(**ME), user) as me:
        updated = me.patch("me", nickName="Mina")
        assert (updated.status_code, updated.json()["userId"], assumed(updated)) == (200, user, True)
        assert me.fake.directory[user]["nickName"] == "Mina"
        assert me.set_status("me").status_code == 200
        assert me.fake.statuses.of(user)[0]["profileStatusId"] == "BUSY"
        stored = me.upload("/users/me/drive/files")["fileId"]
        assert me.download(stored, f"/users/{user}/drive/files").content == b"hello"


@pytest.mark.parametrize("name", ["u-002", "externalKey:emp-00002", "petra.lopez.002@example.com"])
def test_others_are_addressed_as_before(name):
    with calling(make(**ME)) as me:
        assert me.patch(name).json()["userId"] == "u-002"


@pytest.mark.parametrize("alternative", ["id-email-key", "id-only"])
def test_otherwise_me_is_nobody(alternative):
    with calling(make(assume={RULE: alternative})) as me:
        refused = me.patch("me")
        assert (refused.status_code, assumed(refused)) == (404, True)


def test_another_word_is_nobody_in_any_case():
    with calling(make(**ME)) as me:
        assert [me.patch(name).status_code for name in ("Me", "myself")] == [404, 404]


def open_update(fake, user, name):
    """An update of a user that has begun, and goes on."""
    headers = {"Authorization": f"Bearer {fake.access_token(user)}", "Content-Type": "application/json"}
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    return fake.open(RequestHead("PATCH", f"{fake.facts['base_url']}/users/{name}", sent))


@pytest.mark.parametrize(("user", "name", "status"), [("u-001", "u-001", 409), ("u-002", "me", 200)])
def test_updates_of_the_same_user_collide_however_it_is_named(user, name, status):
    fake = make(**ME)
    with calling(fake) as me, open_update(fake, user, name):
        assert me.patch("me").status_code == status
