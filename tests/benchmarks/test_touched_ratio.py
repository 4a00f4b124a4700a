"""The benchmark compares like with like, at any size; at full size, its bounds are those of the state file."""

import json

import pytest

from . import touched_ratio
from .touched_ratio import in_process, served

SMALL = 30


@pytest.fixture
def folder(tmp_path):
    """State files and snapshots of a few touched users."""
    for users in (3, SMALL):
        snapshot = touched_ratio.touched(users)
        (tmp_path / f"{users}.json").write_text(json.dumps(snapshot))
        touched_ratio.save(snapshot, tmp_path / f"{users}.db")
    return tmp_path


@pytest.mark.parametrize(("kind", "refuse"), [(in_process, False), (in_process, True), (served, True)])
def test_sides_differ_in_users_only(folder, kind, refuse):
    with kind(folder / "3.db", refuse) as few, kind(folder / f"{SMALL}.db", refuse) as many:
        assert (few.users, many.users) == (3, SMALL)
        assert touched_ratio.ratios([few, many], rounds=2, calls=4)[0] == 1.0
        extra = {"nickName": "Mina", "shoeSize": 38}  # ignoring it is an assumption
        for side in (few, many):
            if not refuse:
                assert side.http.patch(f"{side.url}/users/u-001", json=extra).status_code == 200
            elif kind is served:
                assert side.http.patch(f"{side.url}/users/u-001", json=extra).status_code == 500


@pytest.mark.long
def test_touched_users_are_within_limits(capsys):
    code = touched_ratio.main()
    assert code == 0, capsys.readouterr().out
