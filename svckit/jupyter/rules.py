"""The rules for a stored notebook that can be checked without running it.

`svckit.jupyter.rerun` runs it, but accepts cells that never ran, and compares neither pictures nor widgets. Those are
checked here, with everything that no stored notebook should contain.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from svckit.display.masking import MASK, mask
from svckit.jupyter.finding import Finding
from svckit.jupyter.links import RELATIVE, find_missing_alternatives
from svckit.jupyter.secret_scanning import cover, cover_forms

__all__ = ["LARGEST_NOTEBOOK", "LARGEST_OUTPUT", "WIDGET_VIEW", "find_problems", "is_compared"]

LARGEST_OUTPUT = 64 * 1024  # characters
LARGEST_NOTEBOOK = 512 * 1024
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

Node = Any
"""A notebook or a part of one, as nbformat reads it."""

MARKS = re.compile(r"nbval|pytest_validate|raises-exception", re.IGNORECASE)
SECRET = re.compile(r"(\bBearer\s+)(?!\*\*\*|<|&lt;|\{|\$)\S{6,}|\b[a-z]+_[0-9a-f]{40}\b")
COVERED = rf"\1{MASK}"
SHOWN_BEFORE = 40
"""How many characters before a secret are shown, so that its author finds it."""
CAPTURED = re.compile(r"(?:\s*%%.*\n)*\s*%%capture\b")
"""Matches a cell with this magic, perhaps after others."""
STORE = "svckit check --store NOTEBOOK runs it and stores it without"
TIMINGS = (
    "the metadata of its cells holds the times at which they ran, under execution; they differ in every run",
    STORE,
)
RUN_ALL = "restart the kernel, run all cells, and save, or use svckit check --store NOTEBOOK"
REMOVE_IT = "remove it, and have it revoked and replaced, because anybody with the file knows it"
PRIVATE_NETWORK = re.compile(
    r"(?<![\w.])(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})(?![\w.]*\d)"
)
NETWORK = "an address of a private network"
TIED_TO_A_RUN = {
    "a memory address": (
        re.compile(r"\b0x[0-9a-fA-F]{4,}"),
        "show something other than the default repr of the object",
    ),
    "a path of this machine": (
        re.compile(
            r"(?<![\w.])/(?:home|root|tmp|Users|Volumes|usr|var|opt|private|mnt)/|\b[A-Z]:[\\/]+\w|site-packages"
            r"|(?:^|(?<=[\s'\"(]))\\\\[\w.-]+\\(?=\w+\\)"
        ),
        RELATIVE,
    ),
    "a loopback address": (
        re.compile(r"\b127\.0\.0\.1\b|\blocalhost\b|\[::1\]"),
        "do not show an address that only this machine has",
    ),
    NETWORK: (PRIVATE_NETWORK, "use one that others can reach, or ask for it"),
}
"""What no output may have, as another run or machine has another: the pattern, and what to do instead."""
PERSONAL_PATH = re.compile(
    r"(?:(?<![\w.}>/-])|(?<=file://))/(?:home/\w|Users/\w|root/)|\b[A-Za-z]:[\\/]+Users\b"
)
"""A path in code that exists for one person only."""


def find_problems(notebook: Node, folder: Path | None = None) -> list[Finding]:
    """Return all findings on a stored notebook; none for a good one.

    Args:
        notebook: the notebook, from ``nbformat.read(path, as_version=4)``.
        folder: its folder; outputs that name this folder are tied to this machine.

    Examples:
        >>> from nbformat import v4
        >>> cell = v4.new_code_cell("object()", id="c", execution_count=2)
        >>> cell.outputs = [v4.new_output("stream", name="stdout", text="<object at 0x7f3a10>")]
        >>> for problem in find_problems(v4.new_notebook(cells=[cell])):
        ...     print(problem)
        cells did not run once each from first to last, but as [2]; restart the kernel, run all cells, and save, or ...
        cell 1 (c): a memory address in text; show something other than the default repr of the object
    """
    findings = [Finding(message, "stored", remedy=remedy) for message, remedy in _check_whole(notebook)]
    for number, cell in enumerate(notebook.cells, 1):
        for message, remedy in _check_cell(cell, folder):
            findings.append(Finding(message, "stored", number, cell.get("id"), remedy))
    return findings


def _check_whole(notebook: Node) -> Iterator[tuple[str, str]]:
    if "widgets" in notebook.metadata:
        yield (
            "the state of widgets is stored, which may contain what was typed into them",
            f"{STORE}; JupyterLab, with Save Widget State Automatically off in the Settings menu, does not save it",
        )
    if any("execution" in cell.metadata for cell in notebook.cells):
        yield TIMINGS
    metadata = {name: value for name, value in notebook.metadata.items() if name != "widgets"}
    if where := _find_secret(json.dumps(metadata)):
        yield f"a secret in the notebook's metadata{where}", REMOVE_IT
    if len(json.dumps(notebook)) > LARGEST_NOTEBOOK:
        yield f"it is larger than {LARGEST_NOTEBOOK} characters", "show less, or split it"
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    counts = [cell.execution_count for cell in code]
    if counts != list(range(1, len(counts) + 1)):
        given = ", ".join("not run" if count is None else str(count) for count in counts)
        yield f"cells did not run once each from first to last, but as [{given}]", RUN_ALL


def _check_cell(cell: Node, folder: Path | None) -> Iterator[tuple[str, str]]:
    if where := _find_secret(cell.source, covered=cover(SECRET.sub(COVERED, cell.source))):
        yield f"a secret in the source{where}", REMOVE_IT
    if where := _find_secret(json.dumps(cell.metadata)):
        yield f"a secret in the metadata{where}", REMOVE_IT
    if len(json.dumps(cell.get("attachments", {}))) > LARGEST_OUTPUT:
        yield f"attachments larger than {LARGEST_OUTPUT} characters", "keep them in files beside the notebook"
    yield from find_missing_alternatives(cell)
    if cell.cell_type != "code":
        return
    if PERSONAL_PATH.search(cell.source):
        yield "a path of this machine in the source", RELATIVE
    if PRIVATE_NETWORK.search(cell.source):
        yield f"{NETWORK} in the source", TIED_TO_A_RUN[NETWORK][1]
    if any(MARKS.search(text) for text in (cell.source, *cell.metadata.get("tags", []))):
        yield "marked to be ignored or to fail", "remove the mark, so that its output is checked"
    if CAPTURED.match(cell.source):
        yield "output hidden by %%capture", "remove the magic"
    for output in cell.outputs:
        yield from _check_output(output, folder)


def is_compared(kind: str) -> bool:
    """Return whether a replay compares outputs of this MIME type."""
    return kind != WIDGET_VIEW and (not kind.startswith("image/") or kind == "image/svg+xml")


def _find_secret(text: str, covered: str | None = None) -> str:
    """Return the line of the first secret in a text and the words before it; empty without a secret.

    Args:
        text: the text.
        covered: the text with its secrets masked; if omitted, as `mask` and `cover_forms` mask them.
    """
    covered = cover_forms(SECRET.sub(COVERED, mask(text))) if covered is None else covered
    if covered == text:
        return ""
    pairs = zip(text, covered, strict=False)
    place = next((place for place, (one, other) in enumerate(pairs) if one != other), len(covered))
    start = covered.rfind("\n", 0, place) + 1
    cut = max(start, place - SHOWN_BEFORE)
    words = covered[cut:place].rstrip("*")
    return f", line {covered.count(chr(10), 0, place) + 1}: {'…' if cut > start else ''}{words}{MASK}"


def _check_output(output: Node, folder: Path | None) -> Iterator[tuple[str, str]]:
    if output.output_type == "error":
        yield "an error", "fix what fails, or show the message: with svckit.expect(svckit.NotFound): …"
    if output.get("name") == "stderr":
        yield "an output on stderr", "fix the cause of the warning, or print it"
    if len(json.dumps(output)) > LARGEST_OUTPUT:
        yield f"an output larger than {LARGEST_OUTPUT} characters", "show less, such as the first rows"
    for kind, content in output.get("data", {"text": output.get("text", "")}).items():
        if kind == WIDGET_VIEW:
            yield (
                "a widget's view, which shows nothing without its state",
                f"also show its content without a widget; {STORE}, if there is such a rendering",
            )
        elif not is_compared(kind):
            yield f"{kind}, which a replay does not compare", "draw SVG"
        text = content if isinstance(content, str) else json.dumps(content)
        if where := _find_secret(text):
            yield f"a secret in {kind}{where}", REMOVE_IT
        reasons = [what for what, (pattern, _) in TIED_TO_A_RUN.items() if pattern.search(text)]
        if folder is not None and f"{folder}/" in text and "a path of this machine" not in reasons:
            reasons.append("a path of this machine")
        yield from ((f"{what} in {kind}", TIED_TO_A_RUN[what][1]) for what in reasons)
