"""The benchmark compares like with like, at any size; at full size, its bounds are those of the state file."""

import json

import httpx
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


def test_finished_calls_are_on_disk(folder):
    with in_process(folder / "3.db", refuse=False) as side:
        written = side.commit.__self__._database._file
        before = written.total_changes
        side.call(4)
        assert written.total_changes > before
    fake, file = touched_ratio.opened(folder / "3.db")
    assert "mina-4" in {user["nickName"] for user in fake.records("users")}
    file.close()


def test_every_user_was_touched(folder):
    fake, file = touched_ratio.opened(folder / f"{SMALL}.db")
    assert len(fake.snapshot()["directory"]["users"]["changed"]) == SMALL
    assert fake.snapshot() == json.loads((folder / f"{SMALL}.json").read_text())
    file.close()


def test_figures_are_ratios(folder):
    assert all(ratio > 0 for ratio in touched_ratio.passes(folder, SMALL, 1).values())
    assert isinstance(touched_ratio.memory(folder, SMALL, "restore"), float)


def test_failed_call_ends_measuring(folder):
    with in_process(folder / "3.db", refuse=False) as side:
        side.http.headers["Authorization"] = "Bearer none"
        with pytest.raises(AssertionError, match="UNAUTHORIZED"):
            side.call(1)
        assert isinstance(side.http, httpx.Client)


@pytest.mark.long
def test_touched_users_are_within_limits(capsys):
    code = touched_ratio.main()
    assert code == 0, capsys.readouterr().out
