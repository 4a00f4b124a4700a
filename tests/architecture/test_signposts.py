"""The pages for developers name only files and folders that exist."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATH = re.compile(r"`((?:svckit|fakes|tests|notebooks|binder|\.ci)/[\w./-]+)`")


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "README.md", "notebooks/explain/architecture.ipynb"])
def test_what_is_named_is_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    if page.endswith(".ipynb"):
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    assert [path for path in PATH.findall(text) if not (ROOT / path).exists()] == []
    modules = re.findall(r"`(tests\.[\w.]+)", text)
    assert [name for name in modules if not list(ROOT.glob(f"{name.replace('.', '/')}*"))] == []
