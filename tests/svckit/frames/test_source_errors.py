"""The error for a source that a frame cannot be made of."""

import pytest

from svckit import frames


@pytest.mark.parametrize("kind", ["users", "journal"])
def test_a_frame_says_what_it_needs(kind: str) -> None:
    words = f"^the {kind} frame needs a session, a FakeService or an iterable of records; given 5$"
    with pytest.raises(TypeError, match=words):
        getattr(frames, kind)(5)
