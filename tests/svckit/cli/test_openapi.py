"""`svckit openapi`, and what all subcommands have in common."""

import json
from pathlib import Path

import pytest

from fakes import FakeService

from ..command import run_command as run


@pytest.mark.parametrize(
    ("option", "made"),
    [([], FakeService.openapi), (["--admin"], FakeService.admin_openapi)],
)
def test_the_document_is_printed(option: list[str], made) -> None:
    result = run("openapi", *option)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == made(FakeService.sample())


def test_the_document_is_written_into_a_file(tmp_path: Path) -> None:
    assert run("openapi", "--out", tmp_path / "api.json").stdout == ""
    assert json.loads((tmp_path / "api.json").read_text(encoding="utf-8"))["openapi"] == "3.1.0"


@pytest.mark.parametrize("option", [[], ["--admin"]])
def test_the_urls_are_those_of_a_ready_line(tmp_path: Path, option: list[str]) -> None:
    with FakeService.sample().serve() as served:
        facts = served.facts.to_wire()
    (tmp_path / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
    document = json.loads(run("openapi", *option, "--facts", tmp_path / "facts.json").stdout)
    assert document["servers"][0]["url"] == facts["admin_url" if option else "base_url"]
    if not option:
        assert document["paths"]["/message/{webhookId}"]["servers"][0]["url"] == facts["webhook_url"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"base_url": "https://api.fake.test"}', "7"])
def test_a_file_without_a_ready_line_ends_with_2(tmp_path: Path, text: str) -> None:
    (tmp_path / "facts.json").write_text(text, encoding="utf-8")
    result = run("openapi", "--facts", tmp_path / "facts.json")
    assert result.exit_code == 2
    assert "svckit serve" in result.stderr


def test_a_file_that_cannot_be_written_is_named_once_and_ends_with_2(tmp_path: Path) -> None:
    result = run("openapi", "--out", tmp_path / "no" / "api.json")
    assert result.exit_code == 2
    assert "--out" in result.stderr
    assert result.stderr.count("api.json") == 1


def test_the_shell_can_complete() -> None:
    assert "--install-completion" in run("--help").stdout
