"""Measure a service by its traffic with the installed command, as the how-to page says."""

import json
import tomllib

import pytest

from ..fakes.observing.traffic import draw, list_revealed, record

pytestmark = pytest.mark.long


@pytest.mark.parametrize("seed", [1, 2])
def test_finds_all_alternatives_that_show_and_no_others(installed, tmp_path, seed):
    assume = draw(seed)
    (tmp_path / "traffic.har").write_text(json.dumps(record(assume)))
    installed.run("svckit", "observe", "traffic.har", cwd=tmp_path)
    written = tomllib.loads((tmp_path / "assumptions.toml").read_text())
    others = {
        name: each["value"] for name, each in written["rules"].items() if each["result"] == "alternative"
    }
    assert others == list_revealed(assume)
    assert "deviations" not in written
