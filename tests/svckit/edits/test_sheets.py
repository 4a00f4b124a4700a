"""Sheets that people keep by hand: what they say, what is wrong with them and where, and what is sent all the same."""

import threading
from io import BytesIO, StringIO

import openpyxl
import pandas as pd
import pytest

import svckit
from fakes import FakeService
from svckit import frames
from svckit.edits.report import write_report

NOW = "2026-06-01T09:00:00+09:00"
NAMES = {"社員番号": "user_external_key", "内線": "telephone", "係": "task"}


@pytest.fixture
def svc():
    return svckit.connect(FakeService.sample(users=10, now=NOW))


def read(text, **options):
    return frames.read_users(StringIO(text), columns=NAMES, key="user_external_key", header=2, **options)


SHEET = """\
人事
社員番号,内線,係,備考
emp-00001,1001,受付,a
,,,
emp-00002,,営業,b
emp-00003,なし,総務,c
emp-00009,1009,,d
"""


def test_headings_are_mapped_and_others_left_out(svc):
    people = read(SHEET)
    assert people.columns.tolist() == ["user_id", "telephone", "task"]
    changes = svc.users.diff(people)
    assert {edit.user_id: edit.body for edit in changes} == {
        "u-001": {"telephone": "1001", "task": "受付"},
        "u-002": {"task": "営業"},
        "u-009": {"telephone": "1009"},
    }


def test_a_blank_cell_clears_if_that_is_said(svc):
    bodies = {edit.user_id: edit.body for edit in svc.users.diff(read(SHEET, blank="clear"))}
    assert bodies["u-002"] == {"telephone": None, "task": "営業"}
    assert bodies["u-009"]["task"] is None


def test_a_blank_cell_of_our_own_file_clears(svc, tmp_path):
    people = frames.users(svc)[["user_id", "task"]]
    people.loc[1, "task"] = None
    frames.write_users(people, tmp_path / "people.csv")
    (edit,) = svc.users.diff(frames.read_users(tmp_path / "people.csv"))
    assert edit.body == {"task": None}


def test_problems_say_where_in_the_sheet_they_are(svc):
    problems = svc.users.diff(read(SHEET)).problems_frame()
    assert problems[["row", "user_id", "column", "value"]].values.tolist() == [[6, "u-003", "内線", '"なし"']]
    assert "digit" in problems.loc[0, "problem"]


def test_users_with_problems_are_left_out_and_the_others_changed(svc):
    changes = svc.users.diff(read(SHEET))
    with pytest.raises(svckit.InvalidInput, match="telephone"):
        svc.users.apply(changes)
    done = svc.users.apply(changes, skip_problems=True)
    assert [each.label for each in done.ok] == ["u-001", "u-002", "u-009"]
    assert repr(done) == "users.apply (1 problem skipped): 3 of 3 done"
    assert svc.fake.directory.record("u-003")["task"] != "総務"


def test_duplicates_are_found_before_anything_is_sent(svc):
    twice = "x\n社員番号,内線,係\nemp-00001,1,a\nemp-00001,2,b\n"
    problems = svc.users.diff(read(twice)).problems_frame()
    assert problems["row"].tolist() == [3, 4]
    people = pd.DataFrame({"user_id": ["u-002", "u-003"], "email": ["Same@example.com", "same@example.com"]})
    shared = svc.users.diff(people)
    assert [problem.path for problem in shared.problems] == ["u-002.email", "u-003.email"]
    assert len(shared.sendable) == 0


def test_a_row_without_a_user_is_named_by_its_number(svc):
    problems = svc.users.diff(read("x\n社員番号,内線,係\nemp-00001,1,a\n,2,b\n")).problems_frame()
    assert problems["row"].tolist() == [4]


def test_another_encoding_and_a_wrong_one(tmp_path):
    (tmp_path / "people.csv").write_bytes(SHEET.encode("cp932"))
    options = {"columns": NAMES, "key": "user_external_key", "header": 2}
    people = frames.read_users(tmp_path / "people.csv", encoding="cp932", **options)
    assert people["task"].tolist()[0] == "受付"
    with pytest.raises(ValueError, match="pass its encoding, such as cp932"):
        frames.read_users(tmp_path / "people.csv", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": {"社員": "user_id"}}, "no heading '社員'; did you mean 社員番号"),
        ({"columns": {"内線": "telefon"}}, "is not a column of a frame of users; did you mean telephone"),
        ({"columns": NAMES}, "no column user_id to identify"),
        ({"columns": NAMES, "key": "nick_name"}, "key is one of user_id, email, user_external_key"),
        ({"header": 0}, "a whole number from 1; given 0"),
        ({"blank": "empty"}, "blank is 'keep' or 'clear'"),
    ],
)
def test_what_is_wrong_with_the_options_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        frames.read_users(StringIO(SHEET), **({"header": 2} | options))


def make_workbook():
    book = openpyxl.Workbook()
    book.active.append(["user_id", "task", "telephone"])
    book.active.append(["u-001", "=CONCAT(A1,B1)", "1"])
    book.active.append(["u-002", "Sales", None])
    file = BytesIO()
    book.save(file)
    return BytesIO(file.getvalue())


def test_a_formula_without_its_value_is_a_problem_and_never_a_blank(svc):
    changes = svc.users.diff(frames.read_users(make_workbook()))
    (problem,) = changes.problems
    assert problem.path == "u-001.task"
    assert "a formula without its value" in problem.message
    assert [edit.user_id for edit in changes.sendable] == ["u-002"]


def test_the_report_marks_the_cells_and_runs_nothing(svc, tmp_path):
    people = read("x\n社員番号,内線,係\nemp-00001,=なし,a\n")
    write_report(svc.users.diff(people), tmp_path / "problems.xlsx")
    headings, line = openpyxl.load_workbook(tmp_path / "problems.xlsx").active.iter_rows()
    value = line[[cell.value for cell in headings].index("value")]
    assert (line[0].value, value.value, value.fill.fgColor.rgb) == (3, '\'"=なし"', "FFFFC7CE")
    assert "telephone" in value.comment.text


def test_another_process_resumes_from_the_journal(svc, tmp_path):
    journal, stop = tmp_path / "people.journal", threading.Event()
    svc.fake.faults.status("/users/u-002", 500)
    changes = svc.users.diff(read(SHEET.replace("なし", "3")))
    first = svc.users.apply(changes, journal=journal, workers=1)
    assert [each.label for each in first.failed] == ["u-002"]
    assert "受付" not in journal.read_text("utf-8")
    svc.fake.faults.clear()
    svc.fake.journal.clear()
    again = svckit.connect(svc.fake)
    svc.fake.journal.clear()
    done = again.users.apply(changes, journal=journal, cancel=stop)
    assert [entry.path for entry in svc.fake.journal] == ["/users/u-002"]
    assert len(done.ok) == 4
    assert not journal.exists()


def test_a_journal_of_other_changes_is_refused(svc, tmp_path):
    journal = tmp_path / "people.journal"
    svc.fake.faults.status("/users/u-002", 500)
    svc.users.apply(svc.users.diff(read(SHEET.replace("なし", "3"))), journal=journal, workers=1)
    other = svc.users.diff({"user_id": "u-004", "task": "Other"})
    with pytest.raises(svckit.InvalidInput, match="is the journal of other changes"):
        svc.users.apply(other, journal=journal)
    with pytest.raises(svckit.InvalidInput, match="takes no journal"):
        svc.users.apply(other, dry_run=True, journal=journal)
