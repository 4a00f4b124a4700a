"""Whole users who are put and removed, in any state, in Python and by admin calls."""

import threading

import pytest

import svckit
from fakes.parts.own_data import OwnData

from ..admin import Admin
from ..caller import calling, make, restored

MINA = {"email": "mina@company.example", "userName": {"lastName": "Sato"}}
STATES = {
    "pending": {"isPending": True},
    "awaiting": {"isAwaiting": True},
    "suspended": {"isSuspended": True, "suspendedReason": "LOGIN_FAIL"},
    "deleted": {"isDeleted": True},
    "on leave": {"leaveOfAbsence": {"startTime": "2026-05-01T00:00:00+09:00", "isLeaveOfAbsence": True}},
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("user_id", ["mina", "u-002", "u-777"])
def test_a_user_in_any_state(admin, state, user_id):
    put = admin("PUT", f"/users/{user_id}", MINA | STATES[state])
    assert put.status_code == (200 if user_id == "u-002" else 201)
    assert put.json() == admin.fake.directory[user_id]
    assert len([*admin.fake.records("users")]) == (20 if user_id == "u-002" else 21)
    again = admin("PUT", f"/users/{user_id}", MINA)
    assert again.status_code == 200
    with calling(admin.fake, user_id) as me:
        assert me.patch(user_id, nickName="Mi").json()["nickName"] == "Mi"
        assert me.log_in("mina@company.example", admin.fake.auth.password(user_id)).status_code == 302


def test_who_was_active_no_longer_is():
    fake = make(assume={"token.inactive-user": "refused"})
    with calling(fake, "u-002") as me:
        assert me.patch("u-002").status_code == 200
        fake.directory.put(fake.directory["u-002"] | {"isSuspended": True})
        assert me.patch("u-002").status_code == 401
        fake.directory.put(fake.directory["u-002"] | {"isSuspended": False})
        assert me.patch("u-002").status_code == 200


def test_the_old_values_find_nobody(admin):
    directory, users = admin.fake.directory, admin.fake.state.users
    old = directory["u-002"]
    directory.put(
        old | {"email": "new@company.example", "userExternalKey": None, "aliasEmails": ["a@b.example"]}
    )
    assert users.by_email(old["email"]) is None
    assert users.by_external_key(old["userExternalKey"]) is None
    assert {*users.by_alias("A@b.example")} == {"u-002"}
    directory.put({"userId": "u-003", **MINA, "email": old["email"]})
    assert users.by_email(old["email"]) == "u-003"


def test_all_problems_are_reported_together(admin):
    said = admin.refused("PUT", "/users/mina", {"email": 7, "isPending": "yes", "nickname": "Mi"})
    assert said == (
        "nickname is not a field of a user; did you mean nickName? email must be a string; given 7; "
        'userName is required; isPending must be true or false; given "yes"'
    )
    assert "userId must be 'mina', as in the path" in admin.refused(
        "PUT", "/users/mina", MINA | {"userId": "m"}
    )
    assert "must be a JSON object" in admin.refused("PUT", "/users/mina", [])
    assert "must be a JSON object" in admin.refused("POST", "/clock", ["advance"])
    taken = MINA | {"email": admin.fake.facts["login_id"].upper(), "userExternalKey": "emp-00003"}
    said = admin.refused("PUT", "/users/mina", taken, status=409)
    assert "already belongs to u-001; userExternalKey 'emp-00003' already belongs to u-003" in said


def test_custom_properties_follow_their_definitions_if_there_are_any(admin):
    given = MINA | {"customProperties": {"rank": -1}}
    assert admin("PUT", "/users/mina", given).status_code == 201
    admin.fake.settings.custom_properties = [
        {"name": "rank", "propertyType": "INTEGER", "multiValued": False}
    ]
    assert "customProperties.rank must be at least 0" in admin.refused("PUT", "/users/mina", given)


def test_an_id_is_issued():
    directory = make().directory
    assert directory.put(MINA)["userId"] == "user-001"
    directory.put(MINA | {"userId": "user-003", "email": "c@company.example"})
    assert directory.put(MINA | {"email": "b@company.example"})["userId"] == "user-004"


@pytest.mark.parametrize("user_id", ["u-002", "mina"])
def test_a_removed_user_is_unknown(admin, user_id):
    fake = admin.fake
    fake.directory.put(MINA | {"userId": "mina"})
    record = fake.directory[user_id]
    fake.callbacks.client_versions[user_id] = "2.2"
    with calling(fake, user_id) as other, calling(fake) as me:
        code = other.log_in(record["email"], fake.auth.password(user_id))
        other.set_status(user_id)
        me.patch(user_id, email="other@company.example")
        stored = fake.files.put(f"/users/{user_id}/drive/files", "a.txt", "hello")
        assert admin("DELETE", f"/users/{user_id}").status_code == 204
        assert (user_id in fake.directory, len(fake.directory)) == (False, 20)
        assert user_id not in fake.facts["users"]
        assert user_id not in [each["userId"] for each in fake.records("users")]
        assert fake.state.users.by_email(record["email"]) is None
        assert fake.state.users.by_external_key(record["userExternalKey"] or "none") is None
        assert me.patch(user_id).status_code == 404
        assert other.patch("u-003").status_code == 401
        assert me.exchange(code.headers["Location"].split("code=")[1].split("&")[0]).status_code == 400
        said = me.patch("u-02").json()["description"]
        assert ("u-001 to u-020 except 1 removed user, and 1 with" in said) == (user_id == "u-002")
        with pytest.raises(KeyError):
            fake.directory[user_id]
        assert [*fake.statuses.records(), *fake.callbacks.client_versions] == []
        assert "there is no user" in admin.refused("DELETE", f"/users/{user_id}", status=404)
        for each in (restored(fake), fake.fork()):
            assert each.snapshot() == fake.snapshot()
            assert user_id not in each.directory
        fake.directory.put(record)
        assert fake.state.users.by_email(record["email"]) == user_id
        assert fake.files.find(("drive", user_id), stored.file_id).content.read() == b"hello"


def test_the_last_user_stays():
    fake = make(data=[MINA])
    said = Admin(fake).refused("DELETE", "/users/user-001", status=409)
    assert "is the only user" in said


def test_the_first_and_the_administrator_follow():
    fake = make(users=3)
    directory, users = fake.directory, fake.state.users
    directory.remove("u-001")
    assert (fake.facts["user_id"], users.administrator) == ("u-002", "u-002")
    assert svckit.connect(fake).users.read("u-003").user_id == "u-003"
    directory.put(directory["u-003"] | {"isAdministrator": True})
    assert (users.administrator, users.administers("u-002")) == ("u-003", False)
    directory.put(directory["u-002"] | {"isDeleted": True})
    assert fake.facts["user_id"] == "u-003"
    fake.reset()
    assert (fake.facts["user_id"], users.administrator) == ("u-001", "u-001")


def test_a_bot(admin):
    made = admin("POST", "/bots", {"callbackUrl": "https://bot.example.com/callback"})
    assert made.status_code == 201
    bot = admin.fake.callbacks.bot("bot-2")
    assert made.json() == {"botId": "bot-2", "botSecret": bot.secret}
    assert repr(bot.receiver) == "<HttpReceiver: https://bot.example.com/callback>"
    assert admin("POST", "/bots", {"botId": "greeter"}).json()["botId"] == "greeter"
    assert "already exists" in admin.refused("POST", "/bots", {"botId": "greeter"}, status=409)
    admin.refused("POST", "/bots", {"callbackUrl": "nowhere"})


def test_a_file(admin):
    place = f"/users/{admin.fake.facts['login_id']}/drive/files"
    made = admin("POST", "/files", {"place": place, "name": "a.bin", "content": "aGVsbG8="})
    assert (made.status_code, made.json()) == (201, {"fileId": "file-1"})
    with calling(admin.fake) as me:
        sent = me.api("GET", "/users/u-001/drive/files/file-1/download", follow_redirects=False)
        content = me.http.get(sent.headers["Location"], headers=me.bearer)
    assert (content.content, content.headers["Content-Type"]) == (b"hello", "application/octet-stream")
    assert "needs either text, or content" in admin.refused("POST", "/files", {"place": place, "name": "a"})
    assert "no place" in admin.refused("POST", "/files", {"place": "/photo", "name": "a", "text": ""})


def test_files_and_rooms_of_data():
    fake = make(
        data={
            "users": [MINA | {"userId": "mina"}],
            "files": [
                {
                    "place": "/users/mina@company.example/photo",
                    "name": "a",
                    "content": "AA==",
                    "type": "image/png",
                },
                {"place": "/users/mina/drive/files", "name": "a", "text": "1", "fileId": "file-1"},
                {"place": "/forms/f%2F1/responses/r/attachments", "name": "b", "text": "2"},
            ],
            "rooms": [
                {"channelId": "team", "webhooks": ["CI", "Alerts"]},
                {"channelId": "empty", "bot": False},
            ],
        }
    )
    assert [(each.place, each.file_id) for each in fake.files.list_files()] == [
        (("drive", "mina"), "file-1"),
        (("photo", "mina"), "file-2"),
        (("form_response", "f/1", "r"), "file-3"),
    ]
    assert fake.webhooks.rooms() == ["team", "empty"]
    assert "empty" not in fake.state.webhooks.invited
    assert (fake.facts["channel_id"], len(fake.facts["webhooks"])) == ("team", 2)
    with svckit.connect(fake) as svc:
        stored = svc.files.upload(b"3", to=svckit.places.drive("mina"), name="c")
    assert stored.file_id == "file-4"


def test_custom_properties_of_data():
    rank = {"name": "rank", "propertyType": "INTEGER", "multiValued": False}
    floor = {"name": "floor", "propertyType": "STRING", "multiValued": False, "options": ["1", "2"]}
    given = {
        "customProperties": [rank, floor],
        "users": [MINA | {"userId": "mina", "customProperties": {"rank": 1}}],
    }
    fake = make(data=given)
    with calling(fake, "mina") as me:
        assert me.patch("mina", customProperties={"floor": "2"}).status_code == 200
        assert "must be one of '1', '2'" in me.patch("mina", customProperties={"floor": "3"}).text
    fake.settings.custom_properties[0].name = "changed"
    fake.settings.custom_properties = []
    fake.reset()
    assert [each.to_wire() for each in fake.settings.custom_properties] == [rank, floor]
    assert [each.name for each in fake.fork().settings.custom_properties] == ["rank", "floor"]
    assert OwnData.load(fake.own_data.dump()) == fake.own_data
    assert len(make(data={"customProperties": [rank]}).directory) == 20  # beside the sample's users


@pytest.mark.parametrize("change", [lambda users: users.put(MINA), lambda users: users.remove("u-002")])
def test_users_come_and_go_between_calls_not_during_one(fake, change):
    """A call holds the lock from finding a user to storing the change, and the user must be there all the time."""
    changing = threading.Thread(target=change, args=(fake.directory,))
    with fake.lock:
        changing.start()
        changing.join(0.05)
        assert [*fake.directory] == [f"u-{number:03d}" for number in range(1, 21)]
    changing.join()
    assert len(fake.directory) in (19, 21)


def test_users_who_are_removed_while_all_are_read_are_left_out(fake):
    reading = fake.records("users")
    assert next(reading)["userId"] == "u-001"
    fake.directory.remove("u-002")
    assert next(reading)["userId"] == "u-003"
