"""The pages for developers name only files and folders that exist."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST_README = 8 * 1024
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


def test_no_link_to_an_unnamed_repository() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert {"readme", "urls"} <= {*project["project"]["dynamic"]}  # which the build derives (tests/release)
    if not project["tool"]["svckit"]["repository"]:
        readme = (ROOT / "README.md").read_text("utf-8")
        assert re.findall(r"badge|mybinder|github\.com|gitlab\.com", readme) == []
