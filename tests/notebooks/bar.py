"""What a stored notebook has to be, because nbval does not look at it.

nbval passes a cell that never ran, one that is marked to be ignored, and compares neither pictures nor widgets.
"""

import json
import re
from collections.abc import Iterator, Mapping

from nbformat import NotebookNode

from svckit.models.secret import mask

from .store import METADATA, NOTEBOOKS, WIDGET_VIEW

LARGEST_OUTPUT = 64 * 1024  # characters
LARGEST_NOTEBOOK = 512 * 1024

# Cells that nbval may skip or that may raise, as (notebook, cell id): the reason.
ALLOWED_MARKS: Mapping[tuple[str, str], str] = {}

MARKS = re.compile(r"nbval|pytest_validate|raises-exception", re.IGNORECASE)
SECRET = re.compile(r"\bBearer\s+(?!\*\*\*|<|\{)\S{6,}|\b[a-z]+_[0-9a-f]{40}\b")
TIED_TO_A_RUN = {
    "a memory address": re.compile(r"\b0x[0-9a-fA-F]{4,}"),
    "a path of this machine": re.compile(
        rf"(?<![\w.])/(?:home|root|tmp|Users|usr|var|opt|private|mnt)/|\b[A-Z]:\\\w|site-packages|{re.escape(str(NOTEBOOKS.parent))}/"
    ),
    "a loopback address": re.compile(r"\b127\.0\.0\.1\b|\blocalhost\b|\[::1\]"),
}


def problems(name: str, notebook: NotebookNode) -> list[str]:
    """Say everything that is wrong with a notebook as it is stored; nothing is, for a good one."""
    return list(_problems(name, notebook))


def _problems(name: str, notebook: NotebookNode) -> Iterator[str]:
    if notebook.metadata != METADATA:
        yield f"metadata is {json.dumps(notebook.metadata)}, not {json.dumps(METADATA)}"
    if len(json.dumps(notebook)) > LARGEST_NOTEBOOK:
        yield f"it is larger than {LARGEST_NOTEBOOK} characters"
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    if counts != list(range(1, len(counts) + 1)):
        yield f"cells did not run once each from first to last: {counts}"
    for cell in notebook.cells:
        where = f"cell {cell.get('id')}"
        if SECRET.search(cell.source):
            yield f"{where}: a secret in the source"
        if cell.cell_type == "code":
            if _is_marked(cell) and (name, cell.get("id")) not in ALLOWED_MARKS:
                yield f"{where}: marked to be ignored or to fail"
            if "execution" in cell.metadata:
                yield f"{where}: timings"
            for output in cell.outputs:
                yield from (f"{where}: {problem}" for problem in _problems_of_output(output))


def _is_marked(cell: NotebookNode) -> bool:
    return any(MARKS.search(text) for text in [cell.source, *cell.metadata.get("tags", [])])


def _problems_of_output(output: NotebookNode) -> Iterator[str]:
    if output.output_type == "error":
        yield "an error"
    if output.get("name") == "stderr":
        yield "an output on stderr"
    if len(json.dumps(output)) > LARGEST_OUTPUT:
        yield f"an output larger than {LARGEST_OUTPUT} characters"
    for kind, content in output.get("data", {"text": output.get("text", "")}).items():
        if kind == WIDGET_VIEW:
            yield "a widget's view, which means nothing without its state"
        if kind.startswith("image/") and kind != "image/svg+xml":
            yield f"{kind}, which nbval does not compare: draw SVG"
        text = content if isinstance(content, str) else json.dumps(content)
        if SECRET.search(text) or mask(text) != text:
            yield f"a secret in {kind}"
        yield from (f"{what} in {kind}" for what, pattern in TIED_TO_A_RUN.items() if pattern.search(text))
