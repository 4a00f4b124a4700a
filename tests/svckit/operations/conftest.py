"""A file that is uploaded in ranges, and the journal of its upload."""

from pathlib import Path

import pytest

from .ranges import CONTENT


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "x.bin"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "x.upload"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Four files, each of a content of its own."""
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.bin").write_bytes(CONTENT + bytes([number]))
    return sorted(folder.iterdir())
