"""Sheets that people keep by hand: what they say, what is wrong with them and where, and what is sent all the same."""

import threading
from io import BytesIO, StringIO

import openpyxl
import pandas as pd
import pytest

import svckit
from svckit import frames
from svckit.edits.report import write_report

from ..conftest import connect_over_tcp

NAMES = {"社員番号": "user_external_key", "内線": "telephone", "係": "task"}


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
    assert {edit.user_id: edit.body for edit in changes.sendable} == {
        "u-001": {"telephone": "1001", "task": "受付"},
        "u-002": {"task": "営業"},
        "u-003": {"task": "総務"},
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


def test_skipping_problems_sends_the_other_cells(svc):
    changes = svc.users.diff(read(SHEET))
    assert "1 problem to fix or skip before anything is applied; skipping leaves 4 users to change" in repr(
        changes
    )
    with pytest.raises(svckit.InvalidInput, match="telephone"):
        svc.users.apply(changes)
    before = svc.fake.directory["u-003"]["telephone"]
    done = svc.users.apply(changes, skip_problems=True)
    assert [outcome.label for outcome in done.ok] == ["u-001", "u-002", "u-003", "u-009"]
    assert repr(done) == "users.apply (1 problem skipped): 4 of 4 done"
    assert svc.fake.directory["u-003"]["task"] == "総務"
    assert svc.fake.directory["u-003"]["telephone"] == before


def test_duplicates_are_found_before_anything_is_sent(svc):
    twice = "x\n社員番号,内線,係\nemp-00001,1,a\nemp-00001,2,b\n"
    problems = svc.users.diff(read(twice)).problems_frame()
    assert problems["row"].tolist() == [3, 4]
    people = pd.DataFrame({"user_id": ["u-002", "u-003"], "email": ["Same@example.com", "same@example.com"]})
    shared = svc.users.diff(people)
    assert [problem.path for problem in shared.problems] == ["u-002.email", "u-003.email"]
    assert len(shared.sendable) == 0


@pytest.mark.parametrize(
    ("column", "wire"), [("email", "email"), ("user_external_key", "userExternalKey")], ids=str
)
@pytest.mark.parametrize("is_listed", [True, False])
def test_value_of_another_user_is_a_problem(svc, column, wire, is_listed):
    kept = svc.fake.directory["u-003"][wire]
    users = ["u-002", "u-003"] if is_listed else ["u-002"]
    rows = [f"{user},{kept}" for user in users]
    changes = svc.users.diff(frames.read_users(StringIO("\n".join([f"user_id,{column}", *rows]))))
    assert changes.problems_frame()[["row", "user_id", "column"]].values.tolist() == [[2, "u-002", column]]
    assert f"{column} is that of u-003, or would be; each user" in changes.problems[0].message


def test_the_case_of_letters_tells_external_keys_apart_and_emails_not(svc):
    frame, kept = frames.users(svc), svc.fake.directory["u-003"]
    frame.loc[1, "email"] = kept["email"].upper()
    assert [problem.path for problem in svc.users.diff(frame).problems] == ["u-002.email"]
    frame = frames.users(svc)
    frame.loc[1, "user_external_key"] = kept["userExternalKey"].upper()
    changes = svc.users.diff(frame)
    assert changes.problems == ()
    assert len(svc.users.apply(changes).ok) == 1


def test_chain_of_values_is_applied_from_its_end(svc):
    second, third = (svc.fake.directory[user_id]["email"] for user_id in ("u-002", "u-003"))
    people = pd.DataFrame(
        {"user_id": ["u-001", "u-002", "u-003"], "email": [second, third, "new@example.com"]}
    )
    words = {each.path: each.message for each in svc.users.diff(people).problems}
    assert "is that of u-002, or would be" in words["u-001.email"]
    assert "is that of u-003, or would be" in words["u-002.email"]
    done = [svc.users.apply(svc.users.diff(people), skip_problems=True).ok for _ in people.index]
    assert [[each.label for each in ok] for ok in done] == [["u-003"], ["u-002"], ["u-001"]]


def test_value_can_move_to_another_user_in_two_steps(svc):
    given = svc.fake.directory["u-003"]["email"]
    people = pd.DataFrame({"user_id": ["u-002", "u-003"], "email": [given, "new@example.com"]})
    changes = svc.users.diff(people)
    (problem,) = changes.problems
    assert problem.path == "u-002.email"
    assert "If they give it up, apply their changes first, with skip_problems=True" in problem.message
    assert [outcome.label for outcome in svc.users.apply(changes, skip_problems=True).ok] == ["u-003"]
    assert [outcome.label for outcome in svc.users.apply(svc.users.diff(people)).ok] == ["u-002"]
    assert svc.fake.directory["u-002"]["email"] == given


def test_values_that_users_would_exchange_are_problems(svc):
    one, other = (svc.fake.directory[user]["email"] for user in ("u-002", "u-003"))
    changes = svc.users.diff(pd.DataFrame({"user_id": ["u-002", "u-003"], "email": [other, one]}))
    assert [problem.path for problem in changes.problems] == ["u-002.email", "u-003.email"]


def test_value_that_another_user_keeps_is_found_in_a_frame(svc):
    frame = frames.users(svc)
    frame.loc[1, "email"] = svc.fake.directory["u-003"]["email"]
    assert [problem.path for problem in frame.svc.changes().problems] == ["u-002.email"]


def test_user_who_is_not_of_the_sheet_is_known_once_read(fake):
    with connect_over_tcp(fake) as svc:
        kept = svc.users.read("u-003").email
        changes = svc.users.diff({"user_id": "u-002", "email": kept})
    assert [problem.path for problem in changes.problems] == ["u-002.email"]


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


def make_book(*rows, active=0):
    """An Excel file, whose second sheet is empty."""
    book, file = openpyxl.Workbook(), BytesIO()
    for row in rows:
        book.active.append(row)
    book.create_sheet("other")
    book.active = active
    book.save(file)
    file.seek(0)
    return file


def test_a_formula_without_its_value_is_a_problem_and_never_a_blank(svc):
    rows = ["u-001", "=CONCAT(A1,B1)", "1"], ["u-002", "Sales", None]
    changes = svc.users.diff(frames.read_users(make_book(["user_id", "task", "telephone"], *rows)))
    (problem,) = changes.problems
    assert problem.path == "u-001.task"
    assert "a formula without its value" in problem.message
    assert [(edit.user_id, *edit.body) for edit in changes.sendable] == [
        ("u-001", "telephone"),
        ("u-002", "telephone", "task"),
    ]


def test_the_report_marks_the_cells_and_runs_nothing(svc, tmp_path):
    people = read("x\n社員番号,内線,係\nemp-00001,=なし,a\nemp-00002,1,a\nemp-00002,2,b\n")
    write_report(svc.users.diff(people), tmp_path / "problems.xlsx")
    headings, *twice, line = openpyxl.load_workbook(tmp_path / "problems.xlsx").active.iter_rows()
    assert [(row[0].value, row[0].fill.fgColor.rgb) for row in twice] == [(4, "FFFFC7CE"), (5, "FFFFC7CE")]
    value = line[[cell.value for cell in headings].index("value")]
    assert (line[0].value, value.value, value.fill.fgColor.rgb) == (3, '\'"=なし"', "FFFFC7CE")
    assert "telephone" in value.comment.text


def test_another_process_resumes_from_the_journal(svc, tmp_path):
    journal, stop = tmp_path / "people.journal", threading.Event()
    svc.fake.faults.status("/users/u-002", 500)
    changes = svc.users.diff(read(SHEET.replace("なし", "3")))
    svc.users.apply(changes, journal=journal, workers=1, on_error="stop")
    assert "受付" not in journal.read_text("utf-8")
    svc.fake.faults.clear()
    again = svckit.connect(svc.fake)
    svc.fake.journal.clear()
    done = again.users.apply(changes, journal=journal, cancel=stop)
    assert "/users/u-001" not in {entry.path for entry in svc.fake.journal}
    assert len(done.ok) == 4
    assert not journal.exists()


def test_a_journal_serves_changes_that_were_compared_again(svc, tmp_path):
    journal = tmp_path / "people.journal"
    svc.fake.faults.status("/users/u-002", 500)
    people = read(SHEET.replace("なし", "3"))
    svc.users.apply(svc.users.diff(people), journal=journal, workers=1, on_error="stop")
    svc.fake.faults.clear()
    again = svckit.connect(svc.fake)
    again.users.update("u-001", task="Other")  # done before the crash, and changed since
    done = again.users.apply(again.users.diff(people), journal=journal)
    assert len(done.ok) == 4
    assert svc.fake.directory["u-001"]["task"] == "受付"
    assert not journal.exists()


def test_a_journal_is_deleted_once_all_were_tried(svc, tmp_path):
    journal = tmp_path / "people.journal"
    svc.fake.faults.status("/users/u-002", 500)
    changes = svc.users.diff(read(SHEET.replace("なし", "3")))
    assert [each.label for each in svc.users.apply(changes, journal=journal).failed] == ["u-002"]
    assert not journal.exists()
    with pytest.raises(svckit.InvalidInput, match="takes no journal"):
        svc.users.apply(changes, dry_run=True, journal=journal)


def test_rows_are_those_of_the_file_also_below_empty_lines(svc):
    people = frames.read_users(StringIO("user_id,task\n\nu-001,a\n\n,\nu-002,b\nu-002,c\n"))
    assert people.user_id.tolist() == ["u-001", "u-002", "u-002"]
    assert set(svc.users.diff(people).problems_frame().row) == {6, 7}


@pytest.mark.parametrize("cell", ["", " ", "\u3000", "\t"])
def test_a_cell_of_blanks_keeps_the_value(svc, cell):
    text = f"x\n社員番号,内線,係\nemp-00001,1,{cell}\n"
    assert [edit.body for edit in svc.users.diff(read(text))] == [{"telephone": "1"}]


def test_two_headings_are_not_one_column():
    with pytest.raises(ValueError, match="'A' and 'B' cannot both be nick_name: name one heading"):
        frames.read_users(StringIO("user_id,A,B\nu-001,a,b\n"), columns={"A": "nick_name", "B": "nick_name"})


@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("cell", ["=1+1", "#N/A", "#REF!"])
def test_cells_without_a_usable_value_are_problems(svc, cell, active):
    people = frames.read_users(make_book(["user_id", "nick_name"], ["u-001", cell], active=active))
    changes = svc.users.diff(people)
    assert not changes.sendable
    assert changes.problems_frame()[["row", "column"]].to_numpy().tolist() == [[2, "nick_name"]]


def test_blanks_around_a_key_do_not_count(svc):
    changes = svc.users.diff(read("x\n社員番号,内線,係\n emp-00001\u3000,1,a\n"))
    assert [edit.user_id for edit in changes] == ["u-001"]
    people = frames.read_users(StringIO("task,user_id\na, u-001 \n"))
    assert people.to_numpy().tolist() == [["a", "u-001"]]


@pytest.mark.parametrize(
    ("number", "form", "read"),
    [
        (42, "00000", "00042"),
        (42, "[$-411]00000_ ;-00000", "00042"),
        (42, "0", "42"),
        (42, "General", "42"),
        (-42, "00000", "-42"),
        (True, "00000", "True"),
    ],
)
def test_a_number_is_read_with_the_zeros_that_excel_shows(number, form, read):
    book, file = openpyxl.Workbook(), BytesIO()
    book.active.append(["People"])
    book.active.append(["No.", "内線", "Age"])
    book.active.append([number, 7, 42])
    for cell in book.active[3]:
        cell.number_format = form
    book.save(file)
    names = {"No.": "user_external_key", "内線": "telephone"}
    people = frames.read_users(file, format="xlsx", columns=names, key="user_external_key", header=2)
    assert people["user_id"].tolist() == [f"externalKey:{read}"]
    assert people["telephone"].tolist() == ["00007" if "000" in form else "7"]


def test_a_key_of_blanks_is_missing(svc):
    people = frames.read_users(
        StringIO("user_external_key,task\n  ,a\n"), key="user_external_key", blank="clear"
    )
    assert [problem.message for problem in svc.users.diff(people).problems] == [
        "number 0: user_id is missing"
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("人事,,\n社員番号,内線,係\n", "no heading '社員番号'; row 2 has it: give 2 as the option header"),
        ("人事\n社員番号,内線,係\n", "more cells than columns.*give its number as the option header"),
        (
            ",,\n社員番号,内線番号,係\n社員番号,内線,係\n",
            "'社員番号'; row 3 has it: give 3 as the option header",
        ),
        ("社員番号,内線番号,係\nemp-00002,内線,係\n", "no heading '内線'; did you mean 内線番号"),
    ],
)
def test_headings_in_another_row_are_found(rows, message):
    with pytest.raises(ValueError, match=message):
        frames.read_users(StringIO(rows + "emp-00001,1,a\n"), columns=NAMES, key="user_external_key")


@pytest.mark.parametrize("title", [["People"], [None, "People"], [None]])
def test_our_own_headings_in_another_row_are_found(title):
    book = make_book(title, ["No.", "user_id", "task"], ["1", "u-001", "a"])
    with pytest.raises(
        ValueError, match="no column user_id to identify the users; row 2 has it: give 2 as the option header"
    ):
        frames.read_users(book, format="xlsx")
    assert frames.read_users(book, format="xlsx", header=2)["user_id"].tolist() == ["u-001"]


def test_advice_about_headings_is_for_those_who_can_follow_it(tmp_path):
    (tmp_path / "a.csv").write_text("user_id\nu-001,a\nu-002,a,b\n")
    for read_file in (
        lambda: frames.read(tmp_path / "a.csv", "statuses"),
        lambda: frames.read_users(tmp_path / "a.csv", header=2),
    ):
        with pytest.raises(ValueError, match=r"in quotes$"):
            read_file()


def test_a_heading_needs_a_value():
    with pytest.raises(ValueError, match="the heading in B1 is a formula without its value"):
        frames.read_users(make_book(["user_id", '="nick_name"'], ["u-001", "x"]))


def test_a_missing_file_names_its_folder_and_the_nearest_file(tmp_path):
    (tmp_path / "people.csv").touch()
    with pytest.raises(FileNotFoundError, match=r"No such file in .*; did you mean people\.csv\?"):
        frames.read_users(tmp_path / "peple.csv")
