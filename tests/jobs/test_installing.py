"""The environment of the jobs is the wheel's."""

import pytest


@pytest.mark.long
def test_the_wheel_is_what_is_installed(installed, tmp_path):
    where = installed.run("-c", "import fakes, svckit; print(svckit.__file__)", cwd=tmp_path)
    assert "site-packages" in where
    assert installed.run("svckit", "--version", cwd=tmp_path).startswith("svckit ")
