"""Files on this machine: safe names, and atomic writes."""

import os
import re
import secrets
import time
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["LONGEST_NAME", "clean_file_name", "find_name_problems", "put_in_place", "write_atomically"]

LONGEST_NAME = 255
"""The longest file name, in bytes of UTF-8, that most file systems accept."""

PATIENCE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Seconds between attempts to replace a file, on Windows."""

LONGEST_QUOTED = 60
"""The most characters of a name that an error shows."""

LONGEST_EXTENSION = 40
"""The longest extension, in bytes; a longer ending is not an extension and is truncated with the rest."""

_UNSAFE = re.compile(r'[<>:"/\\|?*]+')
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # controls, direction marks, halves of characters, line ends
_EDGES = re.compile(r"\A[\s.]+|[\s.]+\Z")
_DEVICES = re.compile(r"(?i:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|\Z)")  # on Windows


def clean_file_name(name: str, otherwise: str = "file") -> str:
    """Turn any text into a file name that is safe on every system, visible, and directly in its folder.

    Invalid characters, and those that change how a name reads (controls, direction marks), become ``_``. Dots and
    blanks at both ends are removed, so the file is neither hidden nor ``..``; the name of a Windows device gets a
    leading ``_``; and a long name is truncated before its extension.

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
    visible = "".join(
        "_" if unicodedata.category(character) in _INVISIBLE else character for character in name
    )
    safe = _EDGES.sub("", _UNSAFE.sub("_", visible)) or otherwise
    stem, extension = os.path.splitext(safe)
    if len(extension.encode()) > LONGEST_EXTENSION:
        stem, extension = safe, ""
    room = LONGEST_NAME - len("_") - len(extension.encode())
    cut = _EDGES.sub("", stem.encode()[:room].decode(errors="ignore") + extension)
    return f"_{cut}" if _DEVICES.match(cut) else cut


def find_name_problems(names: Iterable[object]) -> list[str]:
    """Describe the names that cannot all be files in one folder, on every system.

    A name may start with a dot; otherwise it must be one that `clean_file_name` leaves as it is. Names that differ only
    in case, or in how accents are encoded, are one file on some systems.

    Examples:
        >>> find_name_problems(["a.txt", "A.txt", "C:x", None])
        ["'A.txt' is the same file as 'a.txt' on some systems", "'C:x' (such as 'C_x')", 'None']
    """
    problems = []
    seen: dict[str, str] = {}
    for name in names:
        if not isinstance(name, str):
            problems.append(_quote(name))
            continue
        visible = name.removeprefix(".")
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
        if clean_file_name(visible) != visible:
            problems.append(f"{_quote(name)} (such as {_quote(clean_file_name(name))})")
        elif folded not in seen:
            seen[folded] = name
        elif seen[folded] == name:
            problems.append(f"{_quote(name)} is the name of more than one file")
        else:
            problems.append(f"{_quote(name)} is the same file as {_quote(seen[folded])} on some systems")
    return problems


def _quote(name: object) -> str:
    """Return a name as Python writes it, shortened."""
    quoted = repr(name)
    return quoted if len(quoted) <= LONGEST_QUOTED else f"{quoted[:LONGEST_QUOTED]}…"


@contextmanager
def write_atomically(to: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for writing that replaces the target only if the block succeeds.

    It is written in the same folder, under a name that starts with a dot. A target that is not a regular file, such as
    a pipe, is written directly.

    Args:
        to: its path.

    Raises:
        OSError: the file cannot be written there.

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
        put_in_place(part, target)
    finally:
        part.unlink(missing_ok=True)


def put_in_place(part: Path, target: Path) -> Path:
    """Give a complete file its name, in place of the file that has it; return its path.

    Windows replaces no file that somebody reads, and programs that look for viruses read each new one. So it is tried
    for about a second there.

    Args:
        part: the file, in the folder of the target.
        target: its path from now on.

    Raises:
        OSError: it cannot be moved there.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     part, target = Path(folder, ".part"), Path(folder, "rows.csv")
        ...     part.touch()
        ...     put_in_place(part, target) == target, os.listdir(folder)
        (True, ['rows.csv'])
    """
    for seconds in PATIENCE if os.name == "nt" else ():
        try:
            return part.replace(target)
        except PermissionError:
            time.sleep(seconds)
    return part.replace(target)
