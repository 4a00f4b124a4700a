"""The report of the page `report-on-people`, run by papermill without a terminal, as against a real service."""

import nbformat
import pytest

import svckit
from fakes import FakeService

from .conftest import ROOT, check

URLS = ("base_url", "auth_url", "upload_url", "webhook_url")


@pytest.mark.long
def test_papermill_runs_the_report(installed, tmp_path):
    check([installed.uv, "pip", "install", "-q", "--python", installed.scripts / "python", "papermill"])
    fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
    record = dict(fake.directory["u-004"])
    leave = {"startTime": "2026-06-08T09:00:00+09:00", "endTime": "2026-06-09T18:00:00+09:00"}
    fake.directory.put(record | {"leaveOfAbsence": {"isLeaveOfAbsence": False, **leave}})
    with fake.serve() as served:
        refresh_token = svckit.connect(fake)._driver.tokens.current.refresh.reveal()
        fake.journal.clear()
        values = {name: served.facts[name] for name in (*URLS, "client_id", "client_secret", "redirect_uri")}
        values |= {"scopes": "user", "refresh_token": refresh_token}
        settings = {f"SVCKIT_WORK_{name.upper()}": value for name, value in values.items()}
        page = ROOT / "notebooks" / "how-to" / "report-on-people.ipynb"
        report = ["report.ipynb", "-p", "profile", "work", "-p", "week", "2026-06-08"]
        installed.run("-m", "papermill", page, *report, cwd=tmp_path, **settings)
        converting = ["nbconvert", "--to", "svckit-html", "report.ipynb"]
        installed.run("-m", "jupyter", *converting, cwd=tmp_path, **settings)
        operations = [entry.operation for entry in fake.journal]
    report = nbformat.read(tmp_path / "report.ipynb", as_version=4)
    on_leave = next(cell for cell in report.cells if cell.source.startswith("start =")).outputs[0]
    assert "Kato Ren" in on_leave["data"]["text/plain"]
    assert "Lopez" not in on_leave["data"]["text/plain"]
    assert "<table" in (tmp_path / "report.html").read_text("utf-8")
    assert operations.count("auth.token") == 1
    assert operations.count("users.update") == 5
    assert refresh_token not in nbformat.writes(report)
