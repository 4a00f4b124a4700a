"""The benchmark compares like with like: both sides change the same users in the same way."""

import pytest

from . import bulk_ratio


def test_both_sides_leave_the_same_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_ratio, "USERS", 5)
    svc, changes, _ = bulk_ratio.edited()
    assert bulk_ratio.applied(svc, changes, 2) > 0
    with bulk_ratio.bare() as http:
        assert bulk_ratio.patched(http, changes) > 0
        responses = [http.patch(f"/users/{edit.user_id}", json={}).json() for edit in changes]
    assert responses == list(svc.records("users"))
    assert {response["nickName"] for response in responses} == {
        f"Mina u-00{number}" for number in range(1, 6)
    }
