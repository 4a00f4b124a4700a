"""Profiles with short names, whose variables look like misspelled ones of all profiles."""

import pytest

from svckit.profiles.environment import Environment


@pytest.mark.parametrize("name", ["dev", "hr", "fk"])
def test_variables_of_other_profiles_are_not_misspelled(name: str) -> None:
    environment = Environment({f"SVCKIT_{name.upper()}_CLIENT_SECRET": "x"})
    assert environment.find_unknown("work", ["work", name]) == []
    assert environment.find_unknown("work", ["work"]) != [] or name != "dev"
