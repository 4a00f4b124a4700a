"""A file that appears whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["whole_file"]


@contextmanager
def whole_file(to: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write; it takes its place, and that of one that is there, when the block has ended well.

    It is written beside its place, under a name that begins with a dot. What is no regular file, such as a pipe,
    is written to itself.

    Args:
        to: its path.

    Raises:
        OSError: it cannot be written there.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "rows.csv"
        ...     try:
        ...         with whole_file(path) as file:
        ...             file.write(b"id") and 1 / 0
        ...     except ZeroDivisionError:
        ...         print(os.listdir(folder))
        []
    """
    target = Path(os.path.realpath(to))  # a link stays one
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            yield file
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
