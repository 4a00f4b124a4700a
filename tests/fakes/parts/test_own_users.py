"""Users with ids of their own, beside those of the sample: found, listed, changed and saved like any other."""

import pytest

from fakes.http.errors import Refusal

from ..caller import make, restored

ALICE = {
    "userId": "alice",
    "email": "Alice@company.example",
    "userExternalKey": "key-of-alice",
    "aliasEmails": ["al@company.example"],
}


def with_alice(fake):
    """The fake, with a user who is not of the sample."""
    snapshot = fake.snapshot()
    record = fake.directory["u-002"] | ALICE
    snapshot["directory"]["users"]["changed"]["alice"] = record
    fake.restore(snapshot)
    return fake


@pytest.fixture
def fake():
    return with_alice(make(users=3))


def test_she_is_found_by_all_she_is_known_by(fake):
    directory, users = fake.directory, fake.state.users
    for key in ("alice", "alice@company.example", "externalKey:key-of-alice"):
        assert users.resolve(key) == "alice"
    assert {*users.by_alias("AL@company.example")} == {"alice"}
    assert "alice" in directory
    assert directory["alice"]["email"] == "Alice@company.example"


def test_she_is_listed_after_the_sample(fake):
    assert len(fake.directory) == 4
    assert fake.facts["users"] == ["u-001", "u-002", "u-003", "alice"]
    assert [user["userId"] for user in fake.records("users")] == fake.facts["users"]
    assert repr(fake).startswith("<FakeService: 4 users")


def test_she_is_changed_like_any_other(fake, me):
    assert me.patch("alice", email="a@company.example").json()["email"] == "a@company.example"
    assert me.patch("a@company.example", nickName="Al").json()["nickName"] == "Al"
    assert me.set_status("alice").status_code == 200
    assert me.patch("u-002", email="A@company.example").status_code == 409
    missing = me.patch("alicia")
    assert missing.status_code == 404
    assert "u-001 to u-003, and 1 with their own IDs" in missing.json()["description"]
    with pytest.raises(Refusal):
        fake.state.users.resolve("alice@company.example")


def test_she_is_in_snapshots_and_forks(fake):
    for copy in (restored(fake), fake.fork()):
        assert copy.snapshot() == fake.snapshot()
        assert copy.state.users.resolve("alice@company.example") == "alice"
    fake.reset()
    assert "alice" not in fake.directory


@pytest.mark.parametrize("user_id", ["u-004", ""])
def test_an_id_that_looks_like_a_lost_user_of_the_sample_is_refused(fake, user_id):
    snapshot = fake.snapshot()
    changed = snapshot["directory"]["users"]["changed"]
    changed[user_id] = changed["alice"] | {"userId": user_id}
    with pytest.raises(ValueError, match=f"there is no user {user_id} among 3"):
        fake.restore(snapshot)


def test_what_is_saved_of_users_must_be_of_one_there_is(fake):
    snapshot = fake.snapshot()
    snapshot["directory"]["link_ids"]["bob"] = "bob@company.example"
    with pytest.raises(ValueError, match="there is no user bob among 3"):
        fake.restore(snapshot)
