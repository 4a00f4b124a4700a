"""Measure a service by its traffic with the installed command, as the how-to page says."""

import json
import tomllib

import pytest

from ..fakes.observing.traffic import draw_service

pytestmark = pytest.mark.long


@pytest.mark.parametrize("seed", [1, 2])
def test_finds_all_that_shows_and_nothing_else(installed, tmp_path, seed):
    service = draw_service(seed, alternatives=10, deviations=3, others=4)
    (tmp_path / "traffic.har").write_text(json.dumps(service.record()))
    installed.run("svckit", "observe", "traffic.har", cwd=tmp_path)
    written = tomllib.loads((tmp_path / "assumptions.toml").read_text())
    others = {
        name: each["value"] for name, each in written["rules"].items() if each["result"] == "alternative"
    }
    deviations = {name: each["value"] for name, each in written.get("deviations", {}).items()}
    assert (others, deviations) == service.list_revealed()
