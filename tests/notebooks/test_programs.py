"""The programs in other languages that a page shows print what it says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from ..loopback import PATIENCE
from .store import NOTEBOOKS

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read_blocks(page: str) -> list[tuple[str, str]]:
    """Return the fenced blocks in the text of a page, each with its language."""
    cells = nbformat.read(NOTEBOOKS / page, as_version=4).cells
    return [block for cell in cells if cell.cell_type == "markdown" for block in BLOCK.findall(cell.source)]


@pytest.mark.skipif(
    not all(map(shutil.which, ("sh", "curl", "node"))), reason="runs curl and Node in a shell"
)
def test_curl_and_node_print_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = read_blocks("how-to/use-from-curl-and-node.ipynb")
    [client] = [text for language, text in blocks if language == "js"]
    (tmp_path / "client.mjs").write_text(client, "utf-8")
    lines = ["set -e", "trap 'kill $!' EXIT", *(text for language, text in blocks if language == "sh")]
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    run = subprocess.run(
        ["sh", "-c", "\n".join([*lines, "node client.mjs"])],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout == "".join(text for language, text in blocks if language == "text")
