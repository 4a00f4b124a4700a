"""What can be shown of a file: text, and pictures, told by their content and not by their names."""

__all__ = ["PREVIEWED", "preview_of"]

PREVIEWED = 2_000_000
"""Bytes of a file that is previewed."""

PICTURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
TEXT_SHOWN = 20_000  # characters


def preview_of(content: bytes) -> dict[str, str]:
    """The media type of a picture, or the text, and words for it; a drawing in SVG is text here.

    Examples:
        >>> preview_of("grün".encode())
        {'kind': '', 'text': 'grün', 'words': '5 bytes of text'}
        >>> preview_of(b"GIF89a")["kind"], preview_of(bytes([255, 0]))["words"]
        ('image/gif', '2 bytes, neither text nor a picture that is shown here')
    """
    size = f"{len(content):,} byte{'' if len(content) == 1 else 's'}"
    kind = next((kind for mark, kind in PICTURES.items() if content.startswith(mark)), "")
    if kind:
        return {"kind": kind, "text": "", "words": f"{size}, a picture"}
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return {"kind": "", "text": "", "words": f"{size}, neither text nor a picture that is shown here"}
    cut = "" if len(text) <= TEXT_SHOWN else f", of which the first {TEXT_SHOWN:,} characters are shown"
    return {"kind": "", "text": text[:TEXT_SHOWN], "words": f"{size} of text{cut}"}
