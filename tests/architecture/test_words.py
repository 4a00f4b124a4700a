"""The words of the field: labels and phrases that were retired stay away."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("svckit", "fakes", "tests", "binder")
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
NOTEBOOK_SUFFIXES = {".ipynb", ".md", ".toml"}
SUFFIXES = {".py", ".js", ".mjs", ".ts", ".html", ".j2", ".rst"}
RETIRED = re.compile(
    r"""
    \b(?:anew|whereof|thereof|therein|whence|shall)\b
    | (?<!there\ )\b(?:is|are|was|were)\ none\b
    | (?<!there\ )\b(?:is|are)\ no\ (?:such\ )?
        (?:frame|fake|place|user|secret|text|rule|JSON|number|session|fault|address|URL)\b
    | \bis\ answered\b | \bended\ tokens?\b | \btokens?\ (?:that\ )?(?:has|have)\ ended\b
    | \bgoes\ on\ from\b | \bwhich\ there\ is\ not\b | \bnor\ has\ it\b | \bunasked\b
    | \b[Nn]otification\ URL | \b(?:feature|operation)s?\ (?:that\ )?(?:has|have|had)\ ended\b
    | \bLate\ answer\b | \bAnswer\ cut\ short\b | \bHow\ often\b | \bTo\ an\ instant\b
    | \bdata\ of\ one's\ own\b | \bCommit\ for\ a\ response\b | \bStop\ finding\b | \bStep\ \d:\ add\b | \bUndo\ step\b
    | \bonce\ or\ twice\b | \bnot\ begun\ if\b | \bshown\ by\ themselves\b | ^Choose:
    | (?<=\ that\ )responses(?=\ (?:what|when|after|so|one|everything|ranges)\b)
    """,
    re.VERBOSE,
)
RETIRED_NAMES = re.compile(r"\b(?:_as_left|_collide|_learn_made_up|FITTING|hand_over|misreports|untold)\b")
OPENERS = {"What", "Whether", "Where", "Who", "Whose", "How", "When", "Which", "Why"}


def texts(path: Path) -> Iterator[str]:
    """Yield what people read of a file: of Python the strings and the names of functions, and all of any other."""
    source = path.read_text("utf-8")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name.replace("_", " ")
    elif path.suffix == ".ipynb":
        yield from ("".join(cell["source"]) for cell in json.loads(source)["cells"])
    else:
        yield source


def files(part: str) -> list[Path]:
    """Return the files of a folder, or the one page; without this one, which has the retired words."""
    suffixes = NOTEBOOK_SUFFIXES if part == "notebooks" else SUFFIXES
    found = [path for path in (ROOT / part).rglob("*") if path.suffix in suffixes] or [ROOT / part]
    return sorted(set(found) - {Path(__file__)})


@pytest.mark.parametrize("part", [*FOLDERS, "notebooks", *PAGES])
def test_retired_phrases_stay_away(part: str) -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), phrase)
        for path in files(part)
        for text in texts(path)
        for phrase in RETIRED.findall(text)
    }
    assert found == set()


@pytest.mark.parametrize("part", FOLDERS)
def test_retired_names_stay_away(part: str) -> None:
    paths = [path for path in files(part) if path.suffix == ".py"]
    assert [path for path in paths if RETIRED_NAMES.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("package", ["svckit", "fakes", "binder"])
def test_docstrings_say_what_is_done(package: str) -> None:
    """Its first word is not one that asks."""
    wrong = []
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
                first, _, _ = (ast.get_docstring(node) or "").partition(" ")
                if first.strip("`:,.") in OPENERS:
                    wrong.append(f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}")
    assert wrong == []
