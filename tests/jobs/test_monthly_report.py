"""The reports of two pages, run by papermill without a terminal, that on people as against a real service."""

import nbformat
import pytest

from fakes import FakeService

from .conftest import ROOT, describe


@pytest.fixture
def papermill(installed):
    """The environment, with papermill in it."""
    installed.install("papermill")
    return installed


@pytest.mark.long
def test_papermill_runs_the_report_on_messages(papermill, tmp_path):
    cells = nbformat.read(ROOT / "notebooks" / "how-to" / "make-a-monthly-report.ipynb", as_version=4).cells
    made = [cell.source for cell in cells if cell.id in {"collect", "write"}]
    copied = "import shutil; shutil.copytree(folder.name, 'report')"
    papermill.run("-c", "\n".join([*made, copied]), cwd=tmp_path)
    tables = {}
    for month in ("2026-06", "2026-07"):
        command = ["papermill", "report.ipynb", f"{month}.ipynb", "-p", "month", month]
        papermill.run("-m", *command, cwd=tmp_path / "report")
        report = nbformat.read(tmp_path / "report" / f"{month}.ipynb", as_version=4)
        (table,) = [cell.outputs[0].data["text/plain"] for cell in report.cells if "crosstab" in cell.source]
        tables[month] = table
    assert "u-004" in tables["2026-06"]
    assert "Empty" in tables["2026-07"]


@pytest.mark.long
def test_papermill_runs_the_report_on_people(papermill, tmp_path):
    fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
    record = dict(fake.directory["u-004"])
    leave = {"startTime": "2026-06-08T09:00:00+09:00", "endTime": "2026-06-09T18:00:00+09:00"}
    fake.directory.put(record | {"leaveOfAbsence": {"isLeaveOfAbsence": False, **leave}})
    with fake.serve() as served:
        refresh_token = fake.tokens().refresh_token.reveal()
        settings = describe(served.facts, scopes="user", refresh_token=refresh_token)
        page = ROOT / "notebooks" / "how-to" / "report-on-people.ipynb"
        report = ["report.ipynb", "-p", "profile", "work", "-p", "week", "2026-06-08"]
        papermill.run("-m", "papermill", page, *report, cwd=tmp_path, **settings)
        converting = ["nbconvert", "--to", "svckit-html", "report.ipynb"]
        papermill.run("-m", "jupyter", *converting, cwd=tmp_path, **settings)
        operations = [entry.operation for entry in fake.journal]
    report = nbformat.read(tmp_path / "report.ipynb", as_version=4)
    on_leave = next(cell for cell in report.cells if cell.source.startswith("start =")).outputs[0]
    assert "Kato Ren" in on_leave["data"]["text/plain"]
    assert "Lopez" not in on_leave["data"]["text/plain"]
    assert "<table" in (tmp_path / "report.html").read_text("utf-8")
    assert operations.count("auth.token") == 1
    assert operations.count("users.update") == 5
    assert refresh_token not in nbformat.writes(report)
