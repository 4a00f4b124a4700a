"""Users by their IDs: in the directory, in the facts, and as ``me``."""

import copy
import json
import pickle

import pytest

from ..admin import Admin
from ..caller import calling, make, named, restored

# The directory as a mapping of user IDs to copies of records, and the search for one by another value.


@pytest.fixture
def directory():
    return make().directory


def test_an_unknown_id_is_named_with_the_nearest(directory):
    with pytest.raises(KeyError, match=r"no user 'u-0011'; did you mean u-011.*has the users u-001 to u-020"):
        directory["u-0011"]
    for key in (3, None, ["u-001"]):
        with pytest.raises(KeyError, match="there is no user"):
            directory[key]
        assert key not in directory
    assert directory.get("nobody") is None


@pytest.mark.parametrize("changed", [False, True])
def test_what_is_returned_is_a_copy(directory, changed):
    if changed:
        directory.put(directory["u-002"] | {"nickName": "Mina"})
    before = directory["u-002"]
    for record in (directory["u-002"], directory.find(external_key="emp-00002"), dict(directory)["u-002"]):
        record["organizations"].clear()
        record["userName"]["lastName"] = "Kato"
    assert directory["u-002"] == before


def test_it_is_shown_without_its_users(directory):
    assert repr(directory) == "<Directory: 20 users>"
    directory.remove("u-003")
    assert repr(directory) == "<Directory: 19 users>"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"email": ""},
        {"email": None},
        {"email": 3},
        {"email": "a@example.com", "external_key": "emp-00001"},
    ],
)
def test_a_search_is_for_one_text(directory, given):
    with pytest.raises(TypeError, match="find takes either email= or external_key=, as text; given "):
        directory.find(**given)


# The user IDs of the facts: a sequence of all of them in process, and a list in JSON, cut where there are many.

MINA = {"userId": "mina", "email": "mina@example.com", "userName": {"lastName": "Sato"}}


class Counted(dict):
    """A dict that counts the steps of those who walk through its keys."""

    steps = 0

    def __iter__(self):
        return self.walk(super().__iter__())

    def __reversed__(self):
        return self.walk(super().__reversed__())

    def walk(self, keys):
        for key in keys:
            self.steps += 1
            yield key


def test_the_sequence_is_a_list_to_its_reader():
    ids = make(users=5).facts["users"]
    listed = ["u-001", "u-002", "u-003", "u-004", "u-005"]
    assert ids == listed == ids
    assert ids != listed[:4]
    assert ids != listed[::-1]
    assert (len(ids), [*ids], [*reversed(ids)], repr(ids)) == (5, listed, listed[::-1], repr(listed))
    assert ("u-005" in ids, "u-006" in ids, ids.index("u-003"), ids.count("u-003")) == (True, False, 2, 1)
    for index in (0, 4, -1, -5):
        assert ids[index] == listed[index]
    for part in (slice(1, 3), slice(-2, None), slice(None, None, 2), slice(None, None, -1), slice(9, 20)):
        assert ids[part] == listed[part]
    for beyond in (5, -6):
        with pytest.raises(IndexError):
            ids[beyond]


def test_a_copy_a_pickle_and_a_sum_are_lists():
    ids = make(users=2).facts["users"]
    for made in (copy.copy(ids), copy.deepcopy(ids), pickle.loads(pickle.dumps(ids))):
        assert type(made) is list
        assert made == ["u-001", "u-002"]
    mina = ["mina"]
    assert (ids + mina, mina + ids) == (["u-001", "u-002", "mina"], ["mina", "u-001", "u-002"])


def test_removed_and_added_users_are_at_their_places():
    fake = make(users=8)
    ids = fake.facts["users"]
    for number in (1, 2, 5, 8):
        fake.directory.remove(f"u-00{number}")
    fake.directory.put(MINA)
    listed = ["u-003", "u-004", "u-006", "u-007", "mina"]
    assert (ids, [ids[place] for place in range(-5, 5)]) == (listed, listed * 2)
    assert [ids[1:], ids[3:], ids[:2], ids[::-2], ids[5:]] == [
        listed[1:],
        listed[3:],
        listed[:2],
        listed[::-2],
        [],
    ]
    fake.directory.put(
        fake.directory["u-003"] | {"userId": "u-005", "email": "5@x.test", "userExternalKey": None}
    )
    assert [ids[place] for place in range(6)] == ["u-003", "u-004", "u-005", "u-006", "u-007", "mina"]
    copied = restored(fake).facts["users"]
    assert [copied[place] for place in range(6)] == [*ids]


def test_many_own_users_are_found_in_one_walk_from_the_nearer_end(monkeypatch):
    fake = make(users=1)
    for number in range(100):
        user = f"own-{number}"
        fake.directory.put({"userId": user, "email": f"{user}@x.test", "userName": {"lastName": "Sato"}})
    added = Counted(fake.state.users._added)
    monkeypatch.setattr(fake.state.users, "_added", added)
    ids = fake.facts["users"]
    assert [ids[place] for place in (-1, 100, 1, -100, 51)] == [
        "own-99",
        "own-99",
        "own-0",
        "own-0",
        "own-50",
    ]
    assert added.steps == 1 + 1 + 1 + 1 + 50
    added.steps = 0
    assert ids[30:33] == ["own-29", "own-30", "own-31"]
    assert ids[90:93] == ["own-89", "own-90", "own-91"]
    assert added.steps == 32 + 11


def test_next_active_user_follows_a_removed_one():
    fake = make(users=20)
    fake.directory.remove("u-001")
    assert fake.facts["user_id"] == "u-002"
    fake.directory.put(fake.directory["u-002"] | {"isSuspended": True, "suspendedReason": "MASTER"})
    assert fake.facts["user_id"] == "u-003"
    fake.directory.remove("u-003")
    assert fake.facts["user_id"] == "u-004"


@pytest.mark.parametrize(("users", "listed", "counted"), [(10_000, 10_000, None), (10_001, 100, 10_001)])
def test_json_lists_the_first_of_many(users, listed, counted):
    fake = make(users=users)
    assert len(fake.facts["users"]) == users
    for facts in (json.loads(json.dumps(fake.facts.to_wire())), Admin(fake)("GET", "/facts").json()):
        assert facts["users"] == fake.facts["users"][:listed]
        assert facts.get("user_count") == fake.facts.get("user_count") == counted
        assert facts.keys() == fake.facts.keys()


# The path parameter ``me``: the user of the access token, if that is assumed.

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
