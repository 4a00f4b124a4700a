"""The users that a session has seen are found by every name that they have now."""

import svckit
from svckit.models.user import User
from svckit.session.seen_records import SeenRecords


def make_user(number: int, **fields: object) -> User:
    user = svckit.connect(now="2026-06-01T09:00:00+09:00").users.read(f"u-00{number}")
    return user.model_copy(
        update={"email": f"{number}@example.com", "user_external_key": f"k-{number}"} | fields
    )


def find(seen: SeenRecords, *names: str) -> list[str | None]:
    return [user and user.user_id for user in map(seen.user, names)]


def test_a_user_is_found_by_id_email_and_external_key() -> None:
    seen = SeenRecords()
    seen.remember(make_user(1), "/users/u-001")
    assert find(seen, "u-001", "1@example.com", "externalKey:k-1") == ["u-001"] * 3
    assert find(seen, "u-002", "k-1", "externalKey:1@example.com", "externalKey:None", "") == [None] * 5


def test_a_name_that_a_user_gave_up_finds_nobody_or_who_has_it_now() -> None:
    seen = SeenRecords()
    seen.remember(make_user(1), "/users/u-001")
    seen.remember(make_user(1, email="new@example.com", user_external_key=None), "/users/u-001")
    assert find(seen, "1@example.com", "externalKey:k-1", "externalKey:None") == [None] * 3
    assert find(seen, "new@example.com") == ["u-001"]
    seen.remember(make_user(2, email="1@example.com"), "/users/u-002")
    assert find(seen, "1@example.com", "externalKey:k-2") == ["u-002"] * 2


def test_a_user_without_an_id_is_found_by_email() -> None:
    seen = SeenRecords()
    seen.remember(make_user(1, user_id=None), "/users/1@example.com")
    assert seen.user("1@example.com") is seen.user("externalKey:k-1") is not None
