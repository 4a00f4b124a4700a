"""The clients are strangers: nothing of this project is in them."""

import ast
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "clients"
CLIENTS = sorted(FOLDER.glob("*.py"))
LIBRARIES = {"httpx", "jwt", "requests"}


@pytest.mark.parametrize("path", CLIENTS, ids=lambda path: path.stem)
def test_client_has_no_import_of_ours(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a client imports nothing from beside it"
            imported.add(node.module.partition(".")[0])
    assert imported - sys.stdlib_module_names <= LIBRARIES


@pytest.mark.parametrize("path", sorted(filter(Path.is_file, FOLDER.iterdir())), ids=lambda path: path.name)
def test_client_does_not_know_us(path):
    assert not [word for word in ("fake", "svckit") if word in path.read_text(encoding="utf-8").lower()]
