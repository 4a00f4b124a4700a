"""What of a file is text, by its content alone."""

import codecs

import pytest

from svckit.widgets.explorers.chosen_file import make_preview

BITMAP = b"BM" + (70).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")


@pytest.mark.parametrize(
    "content",
    [
        "grün 日本".encode(),
        codecs.BOM_UTF8 + "grün 日本".encode(),
        "grün 日本".encode("utf-16"),
        codecs.BOM_UTF16_BE + "grün 日本".encode("utf-16-be"),
        "grün 日本".encode("utf-32"),
    ],
)
def test_text_is_read_by_the_mark_it_begins_with_else_as_utf_8(content: bytes) -> None:
    found = make_preview(content)
    assert found["text"] == "grün 日本"
    assert found["words"] == f"{len(content)} bytes of text"


@pytest.mark.parametrize(
    "content",
    [
        BITMAP,
        b"a\0b",
        bytes(10),
        codecs.BOM_UTF16_LE + b"\0\xd8",
        codecs.BOM_UTF16_LE + "a\0".encode("utf-16-le"),
        "日本".encode("shift_jis"),
    ],
)
def test_doubtful_text_is_not_shown(content: bytes) -> None:
    found = make_preview(content)
    assert found["text"] == ""
    assert "neither text nor a PNG" in found["words"]
