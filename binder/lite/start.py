"""Choose the pages that run in a browser, and write the page that lists them."""

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

__all__ = ["BOARD", "NEED_FRAMES", "NEED_MORE", "make_board", "unlink_missing", "write_start"]

NEED_FRAMES = (
    "00-start.ipynb",
    "12-tables-of-people.ipynb",
    "apply-an-hr-sheet.ipynb",
    "find-retired-features.ipynb",
    "inject-faults-and-retry.ipynb",
    "known-and-assumed.ipynb",
    "move-the-clock.ipynb",
    "performance.ipynb",
    "replace-custom-fields.ipynb",
    "report-on-people.ipynb",
    "stay-within-the-notification-limit.ipynb",
    "time.ipynb",
    "update-many-users.ipynb",
    "use-in-other-notebooks.ipynb",
)
"""The notebooks that need pandas."""
NEED_MORE = (
    *("TRAINER.md", "example", "project", "add-a-lesson.ipynb"),
    "find-the-setting.ipynb",  # it signs with cryptography
    *(
        "make-a-monthly-report.ipynb",
        "make-the-fake-look-like-your-service.ipynb",
        "notify-from-a-script.ipynb",
    ),
    *(
        "receive-events.ipynb",
        "run-a-program-unchanged.ipynb",
        "run-the-fake-in-ci.ipynb",
        "run-unattended.ipynb",
    ),
    *("share-one-server.ipynb", "sign-in-to-a-real-service.ipynb", "teach-on-jupyterhub.ipynb"),
    *("test-a-requests-client.ipynb", "test-a-service-account-and-a-bot.ipynb", "test-with-pytest.ipynb"),
    *(
        "use-beside-other-mocks.ipynb",
        "use-from-curl-and-node.ipynb",
        "write-a-notebook-that-is-a-test.ipynb",
    ),
)
"""The pages that need a server, another process or a package that no browser has, or are not for learners there."""
BOARD = "course/board.ipynb"
"""The notebook that shows the progress, which is kept beside the lessons."""
CELLS = (
    "# Your course\n\nRun the cell to see which lessons are solved here, and what comes next.",
    "from svckit import course\n\ncourse.board()",
)
GROUPS = (
    ("The course", "course/*.ipynb"),
    ("Look around", "*.ipynb"),
    ("Do something", "how-to/*.ipynb"),
    ("Understand it", "explain/*.ipynb"),
)
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!\w+:|#)([^)#]+)(#[^)]*)?\)")
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em}"
    "li small{opacity:.75}:root{color-scheme:light dark}"
)
# JupyterLab reads its settings from the page above it, too.
START = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>svckit in your browser</title><style>{style}</style>
<script id="jupyter-config-data" type="application/json" data-jupyter-lite-root=".">{{}}</script></head>
<body><main>
<h1>svckit in your browser</h1>
<p>Everything here runs in this browser: nothing is installed, and nothing that you do leaves your computer. A notebook
is ready after some seconds. Your notebooks and your progress are kept in this browser until you delete the data of this
site.</p>
{groups}
<p><a href="lab/index.html">JupyterLab, with all files</a></p>
</main></body>
</html>
"""


def unlink_missing(content: Path) -> None:
    """Take links to what is not there out of all pages of a folder; their words stay."""
    for file in content.rglob("*"):
        if file.suffix == ".md":
            file.write_text(_unlink(file.read_text("utf-8"), file), "utf-8")
        elif file.suffix == ".ipynb":
            notebook = json.loads(file.read_text("utf-8"))
            for cell in notebook["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = _unlink("".join(cell["source"]), file)
            file.write_text(json.dumps(notebook, ensure_ascii=False, indent=1), "utf-8")


def _unlink(text: str, file: Path) -> str:
    return LINK.sub(lambda found: found[0] if (file.parent / found[2]).exists() else found[1], text)


def write_start(content: Path, site: Path) -> None:
    """Write the start page of a site: the lessons, the board, and whatever else runs in it."""
    groups = (
        f"<h2>{name}</h2>\n<ul>\n{chr(10).join(_list_pages(content, pattern))}\n</ul>"
        for name, pattern in GROUPS
        if any(content.glob(pattern))
    )
    (site / "index.html").write_text(START.format(style=STYLE, groups="\n".join(groups)), "utf-8")


def _list_pages(content: Path, pattern: str) -> Iterator[str]:
    for file in sorted(content.glob(pattern), key=lambda file: file.name.replace(".ipynb", "")):
        cell = "".join(json.loads(file.read_text("utf-8"))["cells"][0]["source"])
        title = escape(cell.partition("\n")[0].removeprefix("# "))
        minutes = re.search(r"^\*([^·*]+)·", cell, re.MULTILINE)
        number = f"{file.name[:2]} " if file.name[:2].isdigit() else ""
        about = f" <small>{escape(minutes[1].strip())}</small>" if minutes else ""
        path = quote(file.relative_to(content).as_posix())
        yield f'<li><a href="lab/index.html?path={path}">{number}{title}</a>{about}</li>'


def make_board() -> dict[str, Any]:
    """Return the notebook that shows the learner's progress."""
    words, code = CELLS
    cells = [
        {"cell_type": "markdown", "id": "words", "metadata": {}, "source": words},
        {
            "cell_type": "code",
            "id": "board",
            "metadata": {},
            "source": code,
            "outputs": [],
            "execution_count": None,
        },
    ]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
