"""No file and no folder grows out of hand, and each is named for what it is."""

from collections import Counter
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("svckit", "fakes")
MEANINGLESS_NAMES = {"util", "utils", "helper", "helpers", "misc", "manager", "common"}
LONGEST_FILE = 400  # lines
CODE = {".css", ".html", ".js", ".py"}
MOST_FILES = 40  # in a folder
MOST_AT_ROOT = 9
MODULES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


@pytest.mark.parametrize("package", PACKAGES)
def test_root_of_a_package_is_small(package: str) -> None:
    assert len([*(ROOT / package).glob("[!_]*.py")]) <= MOST_AT_ROOT


def test_folders_are_small() -> None:
    counts = Counter(path.parent for path in MODULES)
    assert {str(path): count for path, count in counts.items() if count > MOST_FILES} == {}


def test_no_module_hides_a_public_name() -> None:
    for path in MODULES:
        if path.name == "__init__.py":
            package = import_module(".".join(path.relative_to(ROOT).parts[:-1]))
            inside = {each.stem for each in path.parent.iterdir()}
            taken = inside.intersection(getattr(package, "__all__", ()))
            assert [name for name in taken if not isinstance(getattr(package, name), ModuleType)] == [], path


def test_files_are_short_and_named_well() -> None:
    files = [
        path for root in (*PACKAGES, "tests") for path in (ROOT / root).rglob("*") if path.suffix in CODE
    ]
    lines = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in files
    }
    assert {name: count for name, count in lines.items() if count > LONGEST_FILE} == {}
    for path in MODULES:
        assert not MEANINGLESS_NAMES.intersection(path.relative_to(ROOT).with_suffix("").parts), path


@pytest.mark.parametrize("package", PACKAGES)
def test_types_are_shipped(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
