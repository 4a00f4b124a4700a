"""The benchmark compares like with like: both sides make the same frame."""

import pandas as pd
import pytest

from svckit import frames

from . import frame_ratio


def test_both_sides_make_the_same_frame():
    users = frame_ratio.records(50)
    pd.testing.assert_frame_equal(frames.users(users), frame_ratio.normalized(users))


@pytest.mark.long
def test_frame_is_twice_as_fast():
    assert frame_ratio.main() == 0
