"""The views' scripts in Node: their types are checked, and what needs no browser is tested."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

from svckit.widgets.base.assets import WIDGETS
from svckit.widgets.explorers.time_spans import format_span

from ..generated_clients.environment import Environment

HERE = Path(__file__).parent
MODULE = re.compile(r"^(import|export (?!default))", re.MULTILINE)
SECONDS = (0, 0.5, 59, 60, 3_599, 3_600, 86_400, 2 * 86_400 - 1, 2 * 86_400, 90 * 86_400 + 7_200)


@pytest.fixture(scope="module")
def environment(request: pytest.FixtureRequest) -> Environment:
    """TypeScript and Node; they stay in pytest's cache."""
    return Environment(request.config.cache.mkdir("javascript"), HERE)


def test_types_are_right(environment: Environment, tmp_path: Path) -> None:
    modules = [str(file) for file in sorted(WIDGETS.rglob("*.js")) if MODULE.search(file.read_text("utf-8"))]
    assert str(WIDGETS / "base" / "live.js") in modules
    config = {"extends": str(HERE / "tsconfig.json"), "files": [*modules, str(HERE / "checked.js")]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config), "utf-8")
    environment.node("node_modules/typescript/bin/tsc", "--project", tmp_path / "tsconfig.json")


def test_what_needs_no_browser(environment: Environment) -> None:
    spans = {seconds: format_span(timedelta(seconds=seconds)) for seconds in SECONDS}
    environment.node("--test", *sorted(HERE.glob("*.test.js")), SPANS=json.dumps(spans))
