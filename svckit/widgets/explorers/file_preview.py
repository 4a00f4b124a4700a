"""Previews of files: text and pictures, recognized by their content, not their names."""

import codecs

from svckit.widgets.explorers.chosen_file import format_size

__all__ = ["PREVIEWED", "make_preview"]

PREVIEWED = 2_000_000
"""The largest size of a file with a preview, in bytes."""

PICTURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
TEXT_SHOWN = 20_000  # characters
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, because it starts with the same mark
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order marks and their encodings. Other encodings, such as Shift_JIS, cannot be recognized for certain."""


def make_preview(content: bytes) -> dict[str, str]:
    """Return the media type of a picture, or the text, with a description; SVG counts as text.

    Examples:
        >>> make_preview("grün".encode())
        {'kind': '', 'text': 'grün', 'words': '5 bytes of text'}
        >>> make_preview(b"GIF89a")["kind"], make_preview(bytes([255, 0]))["words"]
        ('image/gif', '2 bytes, no preview: neither text nor a PNG, JPEG or GIF picture')
        >>> make_preview("日本".encode("utf-16"))["text"], make_preview(b"BM\\0\\0")["text"]
        ('日本', '')
    """
    size = format_size(len(content))
    kind = next((kind for mark, kind in PICTURES.items() if content.startswith(mark)), "")
    if kind:
        return {"kind": kind, "text": "", "words": f"{size}, a picture"}
    text = _decode(content)
    if text is None:
        words = f"{size}, no preview: neither text nor a PNG, JPEG or GIF picture"
        return {"kind": "", "text": "", "words": words}
    cut = "" if len(text) <= TEXT_SHOWN else f", first {TEXT_SHOWN:,} characters shown"
    return {"kind": "", "text": text[:TEXT_SHOWN], "words": f"{size} of text{cut}"}


def _decode(content: bytes) -> str | None:
    """Decode the content, or return None if it is not text; text never contains a NUL."""
    encoding = next((encoding for mark, encoding in MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
