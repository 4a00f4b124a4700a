"""Files on this machine: safe names for them, and writing them whole or not at all."""

import os
import re
import secrets
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["LONGEST_NAME", "clean_file_name", "write_atomically"]

LONGEST_NAME = 255
"""Bytes of a name in UTF-8; what most file systems take."""

LONGEST_EXTENSION = 40
"""Bytes; what is longer behind the last dot is no extension and is cut with the rest."""

_UNSAFE = re.compile(r'[<>:"/\\|?*]+')
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # controls, direction marks, halves of characters, line ends
_EDGES = re.compile(r"\A[\s.]+|[\s.]+\Z")
_DEVICES = re.compile(r"(?i:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|\Z)")  # on Windows


def clean_file_name(name: str, otherwise: str = "file") -> str:
    """A name for a file that lies directly in its folder, can be seen there, and can be written on every system.

    What cannot stand in a name, and what changes how a name reads (controls, marks of direction), becomes ``_``.
    Dots and blanks at both ends go, so it is neither hidden nor a folder's ``..``; a device's name on Windows gets a
    ``_``; and a long one is cut before its extension.

    Args:
        name: any text.
        otherwise: the name if nothing is left.

    Returns:
        The name: 1 to 255 bytes in UTF-8.

    Examples:
        >>> [clean_file_name(name) for name in ("report.pdf", "../../a.txt", "..", ".bashrc")]
        ['report.pdf', '_.._a.txt', 'file', 'bashrc']
        >>> clean_file_name("nul.txt"), len(clean_file_name("x" * 300 + ".txt"))
        ('_nul.txt', 254)
    """
    visible = "".join("_" if unicodedata.category(each) in _INVISIBLE else each for each in name)
    safe = _EDGES.sub("", _UNSAFE.sub("_", visible)) or otherwise
    stem, extension = os.path.splitext(safe)
    if len(extension.encode()) > LONGEST_EXTENSION:
        stem, extension = safe, ""
    room = LONGEST_NAME - len("_") - len(extension.encode())
    cut = _EDGES.sub("", stem.encode()[:room].decode(errors="ignore") + extension)
    return f"_{cut}" if _DEVICES.match(cut) else cut


@contextmanager
def write_atomically(to: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
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
        ...         with write_atomically(path) as file:
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
