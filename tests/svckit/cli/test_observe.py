"""`svckit observe` writes only what it measured, and replaces only what it wrote."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import Result

import fakes
import svckit

from ..command import run_command

WRITTEN = "assumptions.toml"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(har: object) -> Result:
    Path("traffic.har").write_text(json.dumps(har), "utf-8")
    return run_command("observe", "traffic.har")


def record(assume: dict[str, str]) -> Any:
    with svckit.connect(now="2026-06-01T09:00:00+09:00", assume=assume) as svc, svc.trace() as trace:
        svc.users.read("u-001")
        with svckit.expect(svckit.ServiceError):
            svc.users.read("u-999")
    return trace.to_har()


def test_status_of_bad_tokens_suggests_renew_on() -> None:
    for status in ("401", "403"):
        with svckit.connect(now="2026-06-01T09:00:00+09:00", assume={"api.unauthorized": status}) as svc:
            svc.users.read("u-001")
            httpx.Client(transport=svc.fake.transport()).patch(f"{svc.profile.base_url}/users/u-001", json={})
            printed = run(svc.fake.journal.to_har()).stdout
        assert ("renew_on = [401, 403]" in printed) == (status == "403"), printed


def test_a_later_run_replaces_the_file(folder: Path) -> None:
    assert run(record({"user.not-found": "400"})).exit_code == 0
    assert "alternative" in (folder / WRITTEN).read_text("utf-8")
    assert run(record({})).exit_code == 0
    assert "alternative" not in (folder / WRITTEN).read_text("utf-8")


def test_a_file_with_more_rules_stays(folder: Path) -> None:
    measured = f'{fakes.observe(record({})).to_toml()}\n[rules."file.raw"]\nresult = "refuted"\nseen = 2\n'
    (folder / WRITTEN).write_text(measured, "utf-8")
    result = run(record({}))
    assert result.exit_code == 2
    said = "it has what this traffic says nothing about: file.raw; nothing was written. Move the file away"
    assert said in result.stderr
    assert (folder / WRITTEN).read_text("utf-8") == measured


def test_traffic_without_the_service_changes_nothing(folder: Path) -> None:
    run(record({}))
    before = (folder / WRITTEN).read_bytes()
    result = run({"log": {"entries": []}})
    assert result.exit_code == 1
    assert "traffic.har has no request that tells about the service; nothing was written" in result.stderr
    assert "hosts" not in result.stderr
    assert (folder / WRITTEN).read_bytes() == before


def test_traffic_of_others_is_said_to_be_of_their_hosts(folder: Path) -> None:
    har = record({})
    for entry, host in zip(
        har["log"]["entries"], ("shop.example.com", "me:secret@ads.example.com:8443"), strict=True
    ):
        entry["request"]["url"] = f"https://{host}/basket?key=secret"
    result = run(har)
    assert result.exit_code == 1
    assert "Its requests went to the hosts ads.example.com, shop.example.com." in result.stderr
    assert "secret" not in result.stderr


def test_a_file_of_somebody_else_is_not_replaced(folder: Path) -> None:
    (folder / WRITTEN).write_text("mine = true\n", "utf-8")
    result = run(record({}))
    assert result.exit_code == 2
    assert "svckit replaces only what it wrote itself" in result.stderr
    assert (folder / WRITTEN).read_text("utf-8") == "mine = true\n"


def test_a_damaged_file_is_one_error(folder: Path) -> None:
    for broken in ({"log": {"entries": [{"request": 5}]}}, "[" * 100_000):
        result = run(broken)
        assert (result.exit_code, isinstance(result.exception, SystemExit)) == (2, True)
        assert "not a HAR archive" in result.stderr
    assert not (folder / WRITTEN).exists()


def test_damaged_requests_are_left_out_with_a_notice() -> None:
    har = record({})
    har["log"]["entries"][1]["response"]["status"] = "none"
    result = run(har)
    assert result.exit_code == 0
    assert "left out: 1 request without a readable request, response or time" in result.stdout


def test_a_large_recording_shows_its_progress() -> None:
    har = record({})
    har["log"]["comment"] = "x" * 200_000
    result = run(har)
    assert result.exit_code == 0
    assert "observe 2 requests: alternatives: 100%" in result.stderr
    assert "100%" not in result.stdout
