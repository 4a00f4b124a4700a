"""The script of the page `apply-an-hr-sheet`: 500 rows kept by hand, 13 of them bad, from the wheel."""

import openpyxl
import pytest

import svckit
from fakes import FakeService

from .conftest import describe
from .pages import copy_program

BAD = {  # by number: a telephone or a task that no limit allows
    7: ("なし", "営業"),
    **dict.fromkeys((50, 51, 52), ("1" * 101, "経理")),
    **{number: (f"{number}", "長" * 101) for number in (100, 101, 102, 103)},
    **dict.fromkeys((200, 201, 202), ("内線", "受付")),
}
TWICE, UNKNOWN = 300, 9999


def make_sheet():
    lines = ["2026年6月,,,", "社員番号,内線,担当,備考"]
    for number in range(1, 500):
        telephone, task = BAD.get(number, (f"{1000 + number}" if number % 3 else "", f"第{number}係"))
        lines += [f"emp-{number:05},{telephone},{task},"]
        lines += [",,,"] if number % 100 == 0 else []
    lines += [f"emp-{TWICE:05},1,重複,", f"emp-{UNKNOWN:05},1,不明,"]
    return "\r\n".join(lines) + "\r\n"


@pytest.mark.long
def test_right_rows_are_sent(installed, tmp_path):
    (tmp_path / "hr_sync.py").write_text(copy_program("apply-an-hr-sheet", "hr_sync.py"), "utf-8")
    (tmp_path / "人事.csv").write_text(make_sheet(), "cp932")
    fake = FakeService.sample(users=500)
    refresh_token = svckit.connect(fake)._driver.tokens.current.refresh.reveal()
    fake.journal.clear()
    fake.settings.api_calls_per_minute = 100_000
    with fake.serve() as served:
        settings = describe(served.facts, scopes="user", refresh_token=refresh_token)
        script = installed.start("hr_sync.py", "人事.csv", cwd=tmp_path, SVCKIT_PROFILE="work", **settings)
        printed, said = script.communicate()
    assert (script.returncode, said) == (1, "")
    bad = len(BAD) + 2
    right = 499 - 1  # of a bad row, the other field is sent
    assert printed == f"users.apply ({bad} problems skipped): {right} of {right} done\n"
    tasks = {user["userId"]: user["task"] for user in fake.records("users")}
    for number in range(1, 500):
        _, task = BAD.get(number, ("", f"第{number}係"))
        is_sent = len(task) <= 100 and number != TWICE
        assert (tasks[f"u-{number:03}"] == task) == is_sent
    report = openpyxl.load_workbook(tmp_path / "problems.xlsx").active
    rows = [line[0] for line in report.iter_rows(min_row=2, values_only=True)]
    assert len(rows) == bad + 1  # the user who is there twice has two
    assert not (tmp_path / "hr.journal").exists()
