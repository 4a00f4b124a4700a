"""What becomes of stubs in snapshots, forks, resets and files."""

import json

import pytest

from fakes import FakeService
from fakes.stubs.registry import CannotBeStubbed

from ..caller import calling, make


def test_snapshots_have_the_stubs_without_functions(me):
    me.fake.stub("GET", "/jobs/1", json=None).then(json={"state": "done"})
    me.fake.stub("GET", "/groups", json=lambda call: [])
    me.api("GET", "/jobs/1")
    saved = json.loads(json.dumps(me.fake.snapshot()))
    with calling(make()) as other:
        other.fake.restore(saved)
        assert other.api("GET", "/jobs/1").json() == {"state": "done"}
        assert other.api("GET", "/groups").status_code == 404


def test_restoring_keeps_stubs_with_functions(me):
    me.fake.stub("GET", "/groups/{groupId}", json="first")
    me.fake.stub("GET", "/{kind}/group-1", json=lambda call: "second")
    me.fake.stub("GET", "/{kind}/group-2", json="last")
    assert me.api("GET", "/groups/group-1").json() == "first"
    names = [stub.name for stub in me.fake.stubs]
    me.fake.restore(me.fake.snapshot())
    assert me.api("GET", "/groups/group-1").json() == "first"
    assert [stub.name for stub in me.fake.stubs] == names


def test_a_damaged_stub_in_a_snapshot_is_refused(me):
    saved = me.fake.snapshot()
    saved["stubs"]["stubs"] = [{"method": "GET", "path": "groups"}]
    with pytest.raises(ValueError, match=r"this snapshot is damaged: stubs\.stubs\.0\.path"):
        me.fake.restore(saved)


def test_functions_stay_when_a_snapshot_is_restored(me):
    saved = me.fake.snapshot()
    me.fake.stub("GET", "/groups", json=lambda call: [])
    me.fake.stub("GET", "/boards", json=[])
    me.fake.restore(saved)
    assert [me.api("GET", path).status_code for path in ("/groups", "/boards")] == [200, 404]


def test_a_fork_has_the_stubs_without_functions(me):
    me.fake.stub("GET", "/groups", json=lambda call: [])
    me.fake.stub("GET", "/boards", json=[])
    with calling(me.fake.fork()) as fork:
        assert [fork.api("GET", path).status_code for path in ("/groups", "/boards")] == [404, 200]


def test_a_reset_restores_the_stubs_of_the_beginning(tmp_path):
    file = tmp_path / "stubs.json"
    file.write_text('[{"method": "GET", "path": "/boards", "json": []}]')
    fake = make(stubs=str(file))
    file.unlink()
    fake.stub("GET", "/groups", json=lambda call: [])
    fake.stub("GET", "/users", json=[])
    fake.stubs.remove(next(iter(fake.stubs)))
    fake.reset()
    assert [stub.name for stub in fake.stubs] == ["GET /boards"]


def test_all_problems_of_a_file_are_told_with_their_index(tmp_path):
    file = tmp_path / "stubs.json"
    file.write_text(
        json.dumps(
            [
                {"method": "GET", "path": "/groups"},
                {"method": "GET"},
                {"method": "GET", "path": "/a", "sttus": 3},
                7,
                {"method": "GET", "path": "/b", "then": [{"status": 1}]},
            ]
        )
    )
    fake = make()
    with pytest.raises(ValueError, match=r"stubs\[1\]\.path is required") as caught:
        fake.stubs.add_file(file)
    told = str(caught.value)
    assert "stubs[2].sttus is not a known field" in told
    assert "stubs[3] must be an object; given 7" in told
    assert "stubs[4].then[0].status must be at least 200; given 1" in told
    assert len(fake.stubs) == 0


def test_described_operations_in_a_file_are_told_with_their_index():
    records = [{"method": "GET", "path": "/x"}, *({"method": "PATCH", "path": f"/users/{n}"} for n in "12")]
    with pytest.raises(
        CannotBeStubbed, match=r"stubs\[1\]: PATCH /users/1 cannot .*stubs\[2\]: PATCH /users/2"
    ):
        FakeService.sample(stubs=records)


def test_described_operations_are_told_with_the_other_problems():
    records = [{"method": "PATCH", "path": "/users/1"}, {"method": "GET"}]
    with pytest.raises(ValueError, match=r"stubs\[1\]\.path is required; stubs\[0\]: PATCH /users/1 cannot"):
        FakeService.sample(stubs=records)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", "must contain a JSON list"),
        ("[", "is not JSON"),
        (
            '[{"method": "GET", "path": "/a", "json": {"b": 1, "b": 2}}]',
            "has the key 'b' twice in one JSON object",
        ),
    ],
)
def test_other_files_are_refused(tmp_path, text, reason):
    file = tmp_path / "stubs.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=reason):
        make(stubs=file)


def test_a_missing_file_is_told_with_the_ready_ones(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no file .*nothing\.json; .* or a ready one: common"):
        make(stubs=tmp_path / "nothing.json")
    with pytest.raises(TypeError, match="stubs must be a file"):
        make(stubs=7)


def test_a_standing_fake_without_stubs_looks_at_none():
    assert not make().stubs
