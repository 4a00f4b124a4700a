"""`svckit users apply` against the in-process fake."""

import sys
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path

import openpyxl
import pytest

from fakes import FakeService
from svckit.cli import main

from ..command import run_command
from ..work_profile import choose_fake


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("SVCKIT_PROFILE", "fake")
    (tmp_path / "people.csv").write_text(
        "user_id,task,telephone\nu-001,Reception,1\nu-002,Sales,none\n", "utf-8"
    )
    return partial(run_command, "users", "apply", tmp_path / "people.csv")


def test_problems_are_reported_and_nothing_is_sent(run, tmp_path):
    result = run()
    assert result.exit_code == 1
    assert "users.apply" not in result.output
    assert (tmp_path / "people-problems.xlsx").exists()


def test_problems_can_be_skipped(run, tmp_path):
    result = run("--skip-problems")
    assert result.exit_code == 1
    assert "1 problem to fix or skip before anything is applied; skipping leaves 2 users" in result.output
    assert "\nusers.apply (1 problem skipped): 2 of 2 done\n" in result.output
    (tmp_path / "people.csv").write_text("user_id,task\nu-001,Reception\n", "utf-8")
    assert run().exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_dry_run_shows_what_would_be_sent_beside_problems(run, tmp_path):
    would = "dry run of users.apply (1 problem skipped): 2 of 2 would be sent\n"
    result = run("--dry-run")
    assert result.exit_code == 1
    assert f"\nWithout --skip-problems nothing would be sent; with it: {would}" in result.output
    assert '{"telephone":"1","task":"Reception"}' in result.output.replace(" ", "")
    assert f"\n{would}" in run("--dry-run", "--skip-problems").output
    (tmp_path / "people.csv").write_text("user_id,task\nu-001,Reception\n", "utf-8")
    assert "\ndry run of users.apply: 1 of 1 would be sent\n" in run("--dry-run").output


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        ("a,b\n1,2\n3,4\n", ["--header", "9"], "there are no headings: the file ends before row 9"),
        ("", [], "there are no headings: the file ends before row 1"),
        (
            "People\nuser_id,task\nu-001,x\n",
            [],
            "headings are in another row, give its number as the option header",
        ),
        ("People,\nuser_id,task\nu-001,x\n", [], "row 2 has it: give 2 as the option header"),
        (
            "user_id,nick\nu-001,x\n",
            ["--columns", "nick=nosuch"],
            "is not a column of a frame of users; see svckit.frames.columns('users') or the reference page “Frames”",
        ),
        (
            "id,task\nu-001,x\n",
            [],
            "or choose among user_id, email, user_external_key with the option key",
        ),
    ],
)
def test_what_is_wrong_with_a_sheet_is_told_in_the_words_of_the_options(run, tmp_path, text, options, told):
    (tmp_path / "people.csv").write_text(text, "utf-8")
    result = run(*options)
    assert result.exit_code == 1
    assert result.output.strip().endswith(told)


def test_a_file_that_is_no_workbook_is_told_without_a_traceback(run, tmp_path):
    (tmp_path / "people.xlsx").write_bytes((tmp_path / "people.csv").read_bytes())
    result = run_command("users", "apply", tmp_path / "people.xlsx", "--dry-run")
    assert (result.exit_code, "the file cannot be read as .xlsx" in result.output) == (1, True)


def test_the_fake_has_to_be_chosen(run, monkeypatch):
    monkeypatch.delenv("SVCKIT_PROFILE")
    result = run()
    assert result.exit_code == 2
    assert "no profile was chosen: set SVCKIT_PROFILE" in result.output


def test_what_the_service_refuses_is_reported_too(run, tmp_path, monkeypatch):
    with FakeService.sample(users=3).serve() as served:
        choose_fake(monkeypatch, served.facts)
        served.fake.faults.status("/users/u-001", 500, skip=1)  # after it was read
        result = run("--skip-problems")
    assert result.exit_code == 1
    assert "1 of 2 done, 1 failed" in result.output
    sheet = openpyxl.load_workbook(tmp_path / "people-problems.xlsx").active
    assert [row[:3] for row in sheet.iter_rows(min_row=2, values_only=True)] == [
        (3, "u-002", "telephone"),
        (2, "u-001", None),
    ]


def test_a_sheet_with_its_own_headings_and_encoding(run, tmp_path):
    text = "人事\n社員番号,内線,備考\nemp-00002,1002,x\n"
    (tmp_path / "people.csv").write_bytes(text.encode("cp932"))
    names = ("--columns", "社員番号=user_external_key", "--columns", "内線=telephone")
    result = run("--encoding", "cp932", "--key", "user_external_key", "--header", "2", *names, "--dry-run")
    assert (result.exit_code, '{"telephone":"1002"}' in result.output.replace(" ", "")) == (0, True)


def test_a_report_that_excel_has_open_is_explained(run, tmp_path, monkeypatch):
    def refuse(path, **options):
        raise PermissionError(13, "Access is denied", str(path))

    (tmp_path / "people.csv").write_text("user_id,task\nu-001,Reception\n", "utf-8")
    monkeypatch.setattr(Path, "unlink", refuse)
    result = run()
    assert result.exit_code == 1
    assert "1 of 1 done" in result.output
    assert "people-problems.xlsx: Access is denied; if it is open in Excel, close it" in result.output


def test_a_column_without_a_heading_is_refused(run):
    result = run("--columns", "telephone")
    assert result.exit_code == 2
    assert "write HEADING=COLUMN; given 'telephone'" in result.output


def test_a_code_page_without_some_characters_stops_nothing(run, tmp_path, monkeypatch):
    (tmp_path / "people.csv").write_text("user_id,task\nu-001,👍 한 é 営業\n", "utf-8")
    printed = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(printed, "cp932", write_through=True))
    monkeypatch.setattr(sys, "argv", ["svckit", "users", "apply", str(tmp_path / "people.csv")])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 0
    assert "\\U0001f44d \\ud55c \\xe9 営業" in printed.getvalue().decode("cp932")
    assert "1 of 1 done" in printed.getvalue().decode("cp932")
