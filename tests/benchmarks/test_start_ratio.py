"""A start executes no more than its bounds, compared with libraries that do as much."""

import shutil

import pytest

from . import start_ratio


@pytest.mark.long
@pytest.mark.parametrize("name", start_ratio.CASES)
def test_start_is_within_its_limit(name):
    """Up to a twentieth beyond the bounds, as other versions of Python and of libraries execute other instructions."""
    if shutil.which("valgrind") is None:
        pytest.skip("needs valgrind")
    assert start_ratio.compare(name) <= start_ratio.LIMITS[name] + 0.05
