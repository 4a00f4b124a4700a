"""Markdown that reads well on its own, in JupyterLab and on the site."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

GLOSSARY = Path(__file__).resolve().parents[2] / "notebooks" / "glossary.md"
COMMAND = "python3 binder/run.py python -m binder.reference"
SPECIAL = re.compile(r"([\\<>*\[\]])")
NOT_WORDS = re.compile(r"(`+.+?`+|\[[^]]+\]\([^)]+\))", re.DOTALL)
"""Code and links, in which no term is linked."""


def page(title: str, introduction: str, *blocks: str) -> str:
    """Return a page, which says that it is generated, and links the terms in its introduction to the glossary."""
    note = f"<!-- Written by `{COMMAND}` from the product. Do not edit it. -->"
    return (
        "\n\n".join(
            [
                f"# {title}",
                note,
                link_terms(introduction.strip()),
                *filter(None, (block.strip() for block in blocks)),
            ]
        )
        + "\n"
    )


def link_terms(text: str) -> str:
    """Return a text with a link to the glossary where it first uses each of its terms."""
    terms = re.findall("^## (.+)$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    for term in sorted(terms, key=len, reverse=True):
        words = re.compile(rf"(?<![\w.-]){term.replace(' ', chr(92) + 's+')}s?(?![\w-])", re.IGNORECASE)
        parts = NOT_WORDS.split(text)
        for number in range(0, len(parts), 2):
            parts[number], found = words.subn(
                rf"[\g<0>](../glossary.md#{slug(term)})", parts[number], count=1
            )
            if found:
                break
        text = "".join(parts)
    return text


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells in Markdown; no table without rows."""
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') or ' ' for cell in row)} |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines])


def code(text: object) -> str:
    """Return code within a line; nothing for an empty text."""
    if not str(text):
        return ""
    fence = "``" if "`" in str(text) else "`"
    return f"{fence}{text}{fence}"


def codes(texts: Iterable[object]) -> str:
    """Return codes separated by commas."""
    return ", ".join(map(code, texts))


def fence(text: str, language: str = "text") -> str:
    """Return a block of code."""
    return f"```{language}\n{text.strip(chr(10))}\n```"


def prose(text: str) -> str:
    """Return a text or the docstring of an object as Markdown: its code stays code, nothing else is markup."""
    text = re.sub(r"``(.+?)``", r"`\1`", " ".join(text.split()))
    parts = text.split("`")
    return "`".join(part if number % 2 else SPECIAL.sub(r"\\\1", part) for number, part in enumerate(parts))


def paragraphs(docstring: str | None) -> list[str]:
    """Return the paragraphs of a docstring before its sections."""
    head = re.split(r"\n\s*(?:Args|Attributes|Raises|Examples|Columns):\n", docstring or "")[0]
    return [prose(each) for each in re.split(r"\n\s*\n", head) if each.strip()]


def attributes(docstring: str | None, section: str = "Attributes") -> list[tuple[str, str]]:
    """Return the attributes that a docstring describes, or its arguments (Args), each with its text."""
    found = re.search(rf"\n( *){section}:\n(.*?)(?:\n\1\S|\Z)", docstring or "", re.DOTALL)
    if not found:
        return []
    entries = re.split(rf"\n{found[1]}    (?=\w)", "\n" + found[2])[1:]
    return [(name, prose(text)) for name, _, text in (entry.partition(": ") for entry in entries)]


def slug(heading: str) -> str:
    """Return the anchor that readers of Markdown give to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def rule_link(rule_id: str) -> str:
    """Return a link to a rule."""
    return f"[{code(rule_id)}](rules.md#{slug(rule_id)})"
