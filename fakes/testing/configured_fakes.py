"""Configured fakes: create a test's fake from its markers and the pytest settings.

    @pytest.mark.fake(users=3, assume={"api.unauthorized": "403"})
    def test_my_client(fake_service): ...

The marker takes any argument of `FakeService.sample`. Markers of the function, its class and its module are merged,
including their ``assume``; the nearest wins. Other arguments come from the setting ``svckit_fake``, one line of TOML
each:

    [pytest]
    svckit_fake =
        users = 3
        now = "2026-12-01T09:00:00+09:00"
        assume.api.unauthorized = "403"
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter, ValidationError

from fakes.service import FakeService
from svckit.display.suggestions import nearest

__all__ = ["NOW", "blame", "check_setting", "collect_arguments", "is_configured", "make_configured"]

NOW = "2026-06-01T09:00:00+09:00"
MARKER = "fake"
SETTING = "svckit_fake"


def check_setting(config: pytest.Config) -> None:
    """Check the setting ``svckit_fake``.

    Raises:
        pytest.UsageError: it is not TOML, or not valid arguments of a fake.
    """
    try:
        arguments = _from_setting(config)
        check_types(arguments)
        FakeService.sample(**arguments)
    except (OSError, ValueError) as error:
        raise pytest.UsageError(f"{SETTING}, in {config.inipath or 'the options'}: {error}") from None


def is_configured(test: pytest.Item) -> bool:
    """Return whether a test has the marker ``fake``."""
    return test.get_closest_marker(MARKER) is not None


def make_configured(config: pytest.Config, test: pytest.Item | None = None) -> FakeService:
    """Create the fake that the settings and the markers of a test configure.

    Its clock stands at 2026-06-01T09:00:00+09:00 by default. Invalid arguments fail the test.
    """
    arguments = collect_arguments(config, test)
    with blame(test):
        return FakeService.sample(**arguments)


def collect_arguments(config: pytest.Config, test: pytest.Item | None = None) -> dict[str, Any]:
    """Return the arguments of `FakeService.sample` of the settings and the markers of a test.

    The clock stands by default. Invalid types fail the test.
    """
    arguments = _from_setting(config)
    with blame(test):
        for marker in reversed([] if test is None else list(test.iter_markers(MARKER))):
            if marker.args:
                raise ValueError(
                    f"it takes keyword arguments, such as fake(users=3); given {marker.args[0]!r}"
                )
            arguments = _merge(arguments, marker.kwargs)
        check_types(arguments)
    return {"now": NOW, **arguments}


@contextmanager
def blame(test: pytest.Item | None = None) -> Iterator[None]:
    """Fail a test whose marker, or the setting, is wrong."""
    try:
        yield
    except (OSError, ValueError) as error:
        place = SETTING if test is None else f"{test.nodeid}, marker {MARKER}"
        raise pytest.fail.Exception(f"{place}: {error}", pytrace=False) from None


def check_types(arguments: Mapping[str, Any]) -> None:
    """Check the names and types of arguments of `FakeService.sample`.

    Raises:
        ValueError: one is wrong.
    """
    types = get_type_hints(FakeService.__init__)
    del types["return"]
    for name, value in arguments.items():
        if name not in types:
            raise ValueError(f"{name!r} is not an argument of FakeService.sample; {nearest(name, types)}")
        try:
            TypeAdapter(types[name], config={"arbitrary_types_allowed": True}).validate_python(
                value, strict=True
            )
        except ValidationError as error:
            expected = " or ".join(dict.fromkeys(_expectations(error)))
            at = [name, *error.errors()[0]["loc"][:1]] if isinstance(value, Mapping) else [name]
            given = error.errors()[0]["input"]
            raise ValueError(f"{'.'.join(map(str, at))} should be {expected}; given {given!r}") from None


def _expectations(error: ValidationError) -> Iterator[str]:
    for problem in error.errors():
        yield problem["msg"].removeprefix("Input should be ")


def _from_setting(config: pytest.Config) -> dict[str, Any]:
    """Read the setting and the option; nested tables become dotted names, like rule IDs.

    A relative path of measured assumptions starts at the folder of the setting's file, or of the run for the option.
    """
    lines = config.getini(SETTING)
    try:
        read = tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(
            f'it is not TOML: {error}; write one argument per line, with text in quotes: users = 3, now = "{NOW}"'
        ) from None
    arguments = {
        name: dict(_flatten(value)) if isinstance(value, dict) else value for name, value in read.items()
    }
    if isinstance(path := arguments.get("assume_from"), str):
        arguments["assume_from"] = str(config.rootpath / path)
    if given := config.getoption("svckit_assume_from"):
        arguments["assume_from"] = str(config.invocation_params.dir / given)
    return arguments


def _flatten(table: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", value


def _merge(outer: Mapping[str, Any], inner: Mapping[str, Any]) -> dict[str, Any]:
    """Merge arguments; inner ones win, and mappings are merged entry by entry."""
    both = {
        name: {**outer[name], **value}
        for name, value in inner.items()
        if isinstance(value, Mapping) and isinstance(outer.get(name), Mapping)
    }
    return {**outer, **inner, **both}
