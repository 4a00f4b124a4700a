"""The views' scripts in Node: their types are checked, and what needs no browser is tested."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from svckit.widgets.base.instants import format_span

from ..generated_clients.environment import Environment

HERE = Path(__file__).parent
SECONDS = (0, 0.5, 59, 60, 3_599, 3_600, 86_400, 2 * 86_400 - 1, 2 * 86_400, 90 * 86_400 + 7_200)


@pytest.fixture(scope="module")
def environment(request: pytest.FixtureRequest) -> Environment:
    """TypeScript and Node; they stay in pytest's cache."""
    return Environment(request.config.cache.mkdir("javascript"), HERE)


@pytest.mark.wide  # with the other checks of types
def test_types_are_right(environment: Environment) -> None:
    environment.node("node_modules/typescript/bin/tsc", "--project", HERE / "tsconfig.json")


def test_what_needs_no_browser(environment: Environment) -> None:
    spans = {seconds: format_span(timedelta(seconds=seconds)) for seconds in SECONDS}
    environment.node("--test", *sorted(HERE.glob("*.test.js")), SPANS=json.dumps(spans))
