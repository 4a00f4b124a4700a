"""An HR sheet as an assistant in Japan would keep it: exported, saved again by Excel with three edits, and applied."""

import pytest
from typer.testing import CliRunner

import svckit
from fakes import FakeService
from svckit import frames
from svckit.cli import app

from ..edits.test_resaved_sheets import resave, resave_xlsx, write
from .serving import set_profile

NAMES = {"u-002": "みな", "u-005": "ハナ", "u-008": "Mori"}
PEOPLE = {
    "u-003": {"telephone": "0312345678", "employee_number": "00042", "birthday": "1990-02-03"},
    "u-004": {"nick_name": "José 한국", "task": "9:00\u301c", "location": "3-1"},
}


@pytest.fixture
def fake():
    fake = FakeService.sample(users=20, seed=3, now="2026-06-01T09:00:00+09:00")
    svc = svckit.connect(fake)
    for user_id, fields in PEOPLE.items():
        svc.users.update(user_id, **fields)
    return fake


def edit(fake, kind, *, with_bad_cell):
    """The sheet after Excel has saved it with three edits and, in the row of the last one, a hire date that is none."""
    people = frames.users(svckit.connect(fake), lists=True)
    people[["nick_name", "hired_date"]] = people[["nick_name", "hired_date"]].astype(object)
    for user_id, name in NAMES.items():
        people.loc[people["user_id"] == user_id, "nick_name"] = name
    if with_bad_cell:
        people.loc[people["user_id"] == "u-008", "hired_date"] = "R3.9.6"
    content = write(people, "xlsx" if kind == "xlsx" else "csv")
    return (
        resave_xlsx(content)
        if kind == "xlsx"
        else resave(content, "cp932" if kind == "cp932" else "utf-8-sig")
    )


def find_changes(before, fake):
    return {
        user_id: {name: value for name, value in record.items() if value != before[user_id].get(name)}
        for user_id, record in fake.directory.items()
        if record != before[user_id]
    }


@pytest.mark.parametrize("kind", ["csv", "cp932", "xlsx"])
@pytest.mark.parametrize("with_bad_cell", [False, True])
def test_three_edits_are_three_edits_of_the_command(fake, kind, with_bad_cell, tmp_path, monkeypatch):
    sheet = tmp_path / ("people.xlsx" if kind == "xlsx" else "people.csv")
    sheet.write_bytes(edit(fake, kind, with_bad_cell=with_bad_cell))
    options = ["--encoding", "cp932"] if kind == "cp932" else []
    before = dict(fake.directory)
    with fake.serve() as served:
        set_profile(served.facts, monkeypatch)
        result = CliRunner().invoke(app, ["users", "apply", str(sheet), "--skip-problems", *options])
    assert result.exit_code == with_bad_cell, result.output
    assert "3 of 3 done" in result.output
    assert (tmp_path / "people-problems.xlsx").exists() == with_bad_cell
    assert find_changes(before, fake) == {user_id: {"nickName": name} for user_id, name in NAMES.items()}
