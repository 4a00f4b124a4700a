"""`svckit users apply` against the in-process fake."""

import openpyxl
import pytest
from typer.testing import CliRunner

from fakes import FakeService
from svckit.cli import app


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("SVCKIT_PROFILE", "fake")
    (tmp_path / "people.csv").write_text(
        "user_id,task,telephone\nu-001,Reception,1\nu-002,Sales,none\n", "utf-8"
    )
    return lambda *options: CliRunner().invoke(
        app, ["users", "apply", str(tmp_path / "people.csv"), *options]
    )


def test_a_dry_run_prints_what_would_be_sent(run, tmp_path):
    (tmp_path / "people.csv").write_text("user_id,task\nu-001,Reception\n", "utf-8")
    result = run("--dry-run")
    assert result.exit_code == 0
    assert '{"task":"Reception"}' in result.output.replace(" ", "")


def test_problems_are_reported_and_nothing_is_sent(run, tmp_path):
    result = run()
    assert result.exit_code == 1
    assert "users.apply" not in result.output
    assert (tmp_path / "people-problems.xlsx").exists()


def test_problems_can_be_skipped(run, tmp_path):
    result = run("--skip-problems")
    assert result.exit_code == 1
    assert "1 of 1 done" in result.output
    (tmp_path / "people.csv").write_text("user_id,task\nu-001,Reception\n", "utf-8")
    assert run().exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_dry_run_shows_what_would_be_sent_beside_problems(run):
    result = run("--dry-run")
    assert result.exit_code == 1
    assert '{"telephone":"1","task":"Reception"}' in result.output.replace(" ", "")


def test_the_fake_has_to_be_chosen(run, monkeypatch):
    monkeypatch.delenv("SVCKIT_PROFILE")
    result = run()
    assert result.exit_code == 2
    assert "no profile was chosen: set SVCKIT_PROFILE" in " ".join(result.output.replace("│", "").split())


def test_what_the_service_refuses_is_reported_too(run, tmp_path, monkeypatch):
    with FakeService.sample(users=3).serve() as served:
        names = ("base_url", "auth_url", "upload_url", "webhook_url", "client_id", "client_secret")
        for name in (*names, "redirect_uri", "login_id", "password"):
            monkeypatch.setenv(f"SVCKIT_{name.upper()}", served.facts[name])
        for name, value in {"PROFILE": "class", "FAKE": "true", "SCOPES": "user"}.items():
            monkeypatch.setenv(f"SVCKIT_{name}", value)
        served.fake.faults.status("users.update", 500, skip=2)  # after both were read
        result = run("--skip-problems")
    assert result.exit_code == 1
    assert "0 of 1 done, 1 failed" in result.output
    sheet = openpyxl.load_workbook(tmp_path / "people-problems.xlsx").active
    assert [row[:3] for row in sheet.iter_rows(min_row=2, values_only=True)] == [
        (3, "u-002", "telephone"),
        (2, "u-001", None),
    ]
