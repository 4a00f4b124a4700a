"""A table of 100,000 users follows each press at once."""

import pytest

from . import table_ratio

MOST = {"page": 0.01, "sort": 0.01, "select": 0.01, "search": 0.06, "summaries": 0.02, "CSV": 0.6}


@pytest.mark.long
def test_each_step_is_fast():
    found = table_ratio.ratios()
    assert {name: ratio for name, ratio in found.items() if ratio > MOST[name]} == {}
