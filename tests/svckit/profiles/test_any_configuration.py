"""Any value of a file and any environment is read, or refused by name."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svckit.errors import UnusableProfile
from svckit.profiles.environment import Environment
from svckit.profiles.keys import KEYS, Value, from_file
from svckit.profiles.resolution import Configuration

from .settings import VARIABLES, WORK, load, write

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(KEYS)), VALUES)
def test_any_value_of_a_file_is_read_or_told(key: str, value: object) -> None:
    read: Value | None = None
    with suppress(ValueError):
        read = from_file(key, value)
    kinds = {"text": str, "list": tuple, "numbers": tuple, "flag": bool}
    assert read is None or isinstance(read, kinds[KEYS[key].kind])


@given(st.dictionaries(st.sampled_from([f"SVCKIT_{key.upper()}" for key in KEYS]), st.text(max_size=20)))
def test_any_environment_is_a_profile_or_told(variables: dict[str, str]) -> None:
    configuration = Configuration([], Environment({**VARIABLES, **variables, "SVCKIT_PROFILE": "ci"}))
    with suppress(UnusableProfile):
        assert configuration.profile("ci").name == "ci"


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("SVCKIT_WORK_BASE_URI", "no such key; did you mean SVCKIT_WORK_BASE_URL?"),
        ("SVCKIT_WORK_CLIENT_SECRETS", "no such key; did you mean SVCKIT_WORK_CLIENT_SECRET?"),
        ("SVCKIT_WORK_XYZ", "no such key"),
        ("SVCKIT_WORK_WEBHOOK_ALERT", "no such key; did you mean SVCKIT_WORK_WEBHOOK_ALERTS?"),
        ("SVCKIT_WORK_ALERTS", "no such key; did you mean SVCKIT_WORK_WEBHOOK_ALERTS?"),
        ("SVCKIT_WORK_WEBHOOK_X", "no such key; did you mean SVCKIT_WORK_WEBHOOKS?"),
    ],
)
def test_a_misspelt_variable_is_told_with_the_nearest(variable: str, said: str) -> None:
    write(WORK)
    assert load(**{variable: "canary"}).problems("work") == [f"environment variable {variable}: {said}"]


@pytest.mark.parametrize(
    "variable",
    [
        *("SVCKIT_ADMIN_KEY", "SVCKIT_PROFILE", "SVCKIT_WORK_WEBHOOK_ALERTS", "SVCKIT_WORK_CLIENT_SECRET"),
        *("SVCKIT_WEBHOOK_ALERTS", "SVCKIT_WORK_2_BASE_URI", "SVCKIT_WORK_LOGIN_ID", "SVCKIT_HOME"),
    ],
)
def test_unrelated_variables_are_not_misspellings(variable: str) -> None:
    write(WORK + WORK.replace("[work]", "[work-2]"))
    assert load(**{variable: "work"}).problems("work") == []
