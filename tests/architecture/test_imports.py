"""The reader of imports finds what it has to find, or the architecture is not held by anything."""

from pathlib import Path

import pytest

from .imports import cycles, imports, modules


@pytest.fixture
def found(tmp_path: Path) -> list[str]:
    (tmp_path / "svckit" / "models").mkdir(parents=True)
    (tmp_path / "svckit" / "__init__.py").write_text("")
    (tmp_path / "svckit" / "models" / "__init__.py").write_text(
        "from . import user\nfrom .user import User\n"
    )
    (tmp_path / "svckit" / "models" / "user.py").write_text("import json\nfrom ..errors import Refused\n")
    (tmp_path / "svckit" / "errors.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n"
        "    from svckit.models import user, User\n"
        "class Refused:\n"
        "    async def explain(self):\n"
        "        def inner():\n"
        "            import fakes.service\n"
    )
    return [str(each) for each in imports(modules(tmp_path))]


def test_every_way_of_importing_is_seen(found: list[str]) -> None:
    assert found == [
        "svckit.errors:3 imports svckit.models.user",
        "svckit.errors:3 imports svckit.models",
        "svckit.errors:7 in explain() imports fakes.service",
        "svckit.models:1 imports svckit.models.user",
        "svckit.models:2 imports svckit.models.user",
        "svckit.models.user:2 imports svckit.errors",
    ]


@pytest.mark.parametrize(
    ("edges", "circles"),
    [
        ([("a", "b"), ("b", "c"), ("a", "c")], []),
        ([("a", "a")], [["a"]]),
        ([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")], [["a", "b", "c"]]),
        ([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("b", "c")], [["a", "b"], ["c", "d"]]),
    ],
)
def test_circles_are_found(edges: list[tuple[str, str]], circles: list[list[str]]) -> None:
    assert cycles(edges) == circles
