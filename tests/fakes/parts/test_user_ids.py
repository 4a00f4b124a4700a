"""The user IDs of the facts: a sequence of all of them in process, and a list in JSON, cut where there are many."""

import copy
import json
import pickle

import pytest

from ..admin import Admin
from ..caller import make, restored

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


def test_once_removed_the_first_user_is_followed_by_the_next_active_one():
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
