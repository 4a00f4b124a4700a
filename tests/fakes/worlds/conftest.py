"""A folder of worlds that several processes share."""

import pytest

from fakes import Worlds

from ..caller import NOW


@pytest.fixture
def opened(tmp_path):
    """Open the folder, as another process would; all are closed at the end."""
    everyone = []

    def open_folder(**options):
        everyone.append(Worlds(users=3, now=NOW, state=tmp_path, **options))
        return everyone[-1]

    yield open_folder
    for each in everyone:
        each.close()
