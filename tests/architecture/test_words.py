"""The words of the field: labels and phrases that were retired stay away."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
RETIRED_NAMES = re.compile(r"\b(?:_as_left|_collide|_learn_made_up|misreports)\b")
OPENERS = {"What", "Whether", "Where", "Who", "Whose", "How", "When", "Which", "Why"}


def texts(path: Path) -> Iterator[str]:
    """Yield what people read of a file: the strings of Python, and all of any other."""
    source = path.read_text("utf-8")
    if path.suffix == ".py":
        yield from (
            node.value
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        )
    elif path.suffix == ".ipynb":
        yield from ("".join(cell["source"]) for cell in json.loads(source)["cells"])
    else:
        yield source


def files() -> list[Path]:
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    found += (path for path in (ROOT / "notebooks").rglob("*") if path.suffix in {".ipynb", ".md", ".toml"})
    for package in ("svckit", "fakes"):
        found += (
            path for path in (ROOT / package).rglob("*") if path.suffix in {".py", ".js", ".html", ".j2"}
        )
    return sorted(found)


@pytest.mark.parametrize("part", ["svckit", "fakes", "notebooks", "README.md", "CONTRIBUTING.md"])
def test_retired_phrases_stay_away(part: str) -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), phrase)
        for path in files()
        if path.relative_to(ROOT).parts[0] == part
        for text in texts(path)
        for phrase in RETIRED.findall(text)
    }
    assert found == set()


def test_retired_names_stay_away() -> None:
    paths = [path for path in files() if path.suffix == ".py"]
    assert [path for path in paths if RETIRED_NAMES.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("package", ["svckit", "fakes"])
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
