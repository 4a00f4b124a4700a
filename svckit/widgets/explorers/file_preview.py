"""What can be shown of a file: text, and pictures, told by their content and not by their names."""

import codecs

__all__ = ["PREVIEWED", "preview_of"]

PREVIEWED = 2_000_000
"""Bytes of a file that is previewed."""

PICTURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
TEXT_SHOWN = 20_000  # characters
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""What text may begin with that tells its encoding. Other encodings, such as Shift_JIS, cannot be told for certain."""


def preview_of(content: bytes) -> dict[str, str]:
    """The media type of a picture, or the text, and words for it; a drawing in SVG is text here.

    Examples:
        >>> preview_of("grün".encode())
        {'kind': '', 'text': 'grün', 'words': '5 bytes of text'}
        >>> preview_of(b"GIF89a")["kind"], preview_of(bytes([255, 0]))["words"]
        ('image/gif', '2 bytes, neither text nor a picture that is shown here')
        >>> preview_of("日本".encode("utf-16"))["text"], preview_of(b"BM\\0\\0")["text"]
        ('日本', '')
    """
    size = f"{len(content):,} byte{'' if len(content) == 1 else 's'}"
    kind = next((kind for mark, kind in PICTURES.items() if content.startswith(mark)), "")
    if kind:
        return {"kind": kind, "text": "", "words": f"{size}, a picture"}
    text = _text_of(content)
    if text is None:
        return {"kind": "", "text": "", "words": f"{size}, neither text nor a picture that is shown here"}
    cut = "" if len(text) <= TEXT_SHOWN else f", of which the first {TEXT_SHOWN:,} characters are shown"
    return {"kind": "", "text": text[:TEXT_SHOWN], "words": f"{size} of text{cut}"}


def _text_of(content: bytes) -> str | None:
    """The text, if it is some for certain; no text has a NUL."""
    encoding = next((encoding for mark, encoding in MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
