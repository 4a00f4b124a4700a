"""The path parameter ``me``: the user of the access token, if that is assumed."""

import pytest

from ..caller import calling, make, named

RULE = "user.addressing"
ME = {"assume": {RULE: "me"}}


@pytest.mark.parametrize("user", ["u-001", "u-003"])
def test_me_is_the_user_of_the_access_token(user):
    with calling(make(**ME), user) as me:
        updated = me.patch("me", nickName="Mina")
        assert (updated.status_code, updated.json()["userId"], RULE in named(updated)) == (200, user, True)
        assert me.fake.directory[user]["nickName"] == "Mina"
        assert me.set_status("me").status_code == 200
        assert me.fake.statuses.of(user)[0]["profileStatusId"] == "BUSY"
        stored = me.upload("/users/me/drive/files")["fileId"]
        assert me.download(stored, f"/users/{user}/drive/files").content == b"hello"


@pytest.mark.parametrize(("user", "name", "status"), [("u-001", "u-001", 409), ("u-002", "me", 200)])
def test_updates_of_the_same_user_collide_however_it_is_named(user, name, status):
    fake = make(**ME)
    with calling(fake) as me, calling(fake, user) as other, other.begin_update(name):
        assert me.patch("me").status_code == status
