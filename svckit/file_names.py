"""Names for files on this machine, made of names that others gave."""

import os
import re
import unicodedata

__all__ = ["LONGEST_NAME", "file_name"]

LONGEST_NAME = 255
"""Bytes of a name in UTF-8; what most file systems take."""

LONGEST_EXTENSION = 40
"""Bytes; what is longer behind the last dot is no extension and is cut with the rest."""

_UNSAFE = re.compile(r'[<>:"/\\|?*]+')
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # controls, direction marks, halves of characters, line ends
_EDGES = re.compile(r"\A[\s.]+|[\s.]+\Z")
_DEVICES = re.compile(r"(?i:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|\Z)")  # on Windows


def file_name(name: str, otherwise: str = "file") -> str:
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
        >>> file_name("report.pdf"), file_name("../../a.txt"), file_name(".."), file_name(".bashrc")
        ('report.pdf', '_.._a.txt', 'file', 'bashrc')
        >>> file_name("nul.txt"), len(file_name("x" * 300 + ".txt"))
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
