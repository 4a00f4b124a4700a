"""Where a test keeps its state file."""

import pytest


@pytest.fixture
def path(tmp_path):
    return tmp_path / "fake.db"
