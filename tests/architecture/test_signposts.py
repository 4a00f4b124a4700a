"""The pages for developers name only files and folders that exist."""

import json
import re
import tomllib
from pathlib import Path

import pytest

import svckit

ROOT = Path(__file__).parents[2]
LONGEST_README = 8 * 1024
MOST_CHANGES = 40  # of a version
PATH = re.compile(r"`((?:svckit|fakes|tests|notebooks|binder|\.ci)/[\w./-]+)`")


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "README.md", "notebooks/explain/architecture.ipynb"])
def test_what_is_named_is_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    if page.endswith(".ipynb"):
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    assert [path for path in PATH.findall(text) if not (ROOT / path).exists()] == []
    modules = re.findall(r"`(tests\.[\w.]+)", text)
    assert [name for name in modules if not list(ROOT.glob(f"{name.replace('.', '/')}*"))] == []


def test_the_readme_is_a_front_page() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.encode()) <= LONGEST_README
    links = re.findall(r"\]\(([^)#]+)\)", readme)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_a_reader_can_take_in_what_a_version_brings() -> None:
    versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert versions[0].startswith("[Unreleased]\n")
    assert versions[1].startswith(f"[{svckit.__version__}]")
    assert all(version.count("\n- ") <= MOST_CHANGES for version in versions[1:])


def test_no_link_to_an_unnamed_repository() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert {"readme", "urls"} <= {*project["project"]["dynamic"]}  # which the build derives (tests/release)
    if not project["tool"]["svckit"]["repository"]:
        readme = (ROOT / "README.md").read_text("utf-8")
        assert re.findall(r"badge|mybinder|github\.com|gitlab\.com", readme) == []
