"""Content codings: decoded in small pieces, whole or not at all."""

import gzip
import json
import random
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svckit.http.decoding import PIECE, Decoding, Undecodable, decode_held


def raw_deflate(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "GZip ": gzip.compress,
    "deflate": zlib.compress,
    "identity, deflate": raw_deflate,
    "": bytes,
    "utf-8": bytes,
}


def cut(content: bytes, sizes: list[int]) -> Iterator[bytes]:
    for size in sizes:
        yield content[:size]
        content = content[size:]
    yield content


def decoded(header: str, chunks: Iterator[bytes] | list[bytes]) -> bytes:
    body = Decoding(header)
    found = b"".join(piece for chunk in chunks for piece in body.decode(chunk))
    body.finish()
    return found


@given(
    content=st.binary(max_size=300), sizes=st.lists(st.integers(0, 40)), header=st.sampled_from([*ENCODERS])
)
def test_a_body_is_decoded_however_it_is_cut(content: bytes, sizes: list[int], header: str) -> None:
    assert decoded(header, cut(ENCODERS[header](content), sizes)) == content


@given(content=st.binary(max_size=300), header=st.sampled_from(["gzip", "deflate"]), data=st.data())
def test_a_body_that_was_cut_short_is_an_error(content: bytes, header: str, data: st.DataObject) -> None:
    whole = ENCODERS[header](content)
    length = data.draw(st.integers(1, len(whole) - 1))
    with pytest.raises(Undecodable, match=f"broke off after {length} byte"):
        decoded(header, [whole[:length]])


def test_every_member_of_a_gzip_file_is_decoded() -> None:
    whole = gzip.compress(b"one ") + gzip.compress(b"two ") + gzip.compress(b"three") + b"\0" * 100
    assert decoded("gzip", [whole]) == decoded("gzip", cut(whole, [1] * len(whole))) == b"one two three"
    with pytest.raises(Undecodable, match="broke off"):
        decoded("gzip", [whole[:30]])


def test_what_is_labelled_gzip_and_is_not_is_left_as_it_is() -> None:
    assert decoded("gzip", [b'{"code"', b": 200}"]) == b'{"code": 200}'
    assert decoded("gzip", []) == b""


PLAIN = [b"", b"1", b"{}", b'{"code":200,"description":"success"}', b"[]", b"<html>", b"\x1f", b"hello"]


@given(
    content=st.sampled_from(PLAIN)
    | st.recursive(st.text() | st.integers() | st.none(), st.lists).map(
        lambda value: json.dumps([value]).encode()
    )
)
def test_uncompressed_deflate_is_read_as_it_is(content: bytes) -> None:
    assert decode_held(content, "deflate", PIECE) == (content, None)


@given(content=st.binary(max_size=300), header=st.sampled_from([*ENCODERS]))
def test_a_body_that_is_held_is_decoded(content: bytes, header: str) -> None:
    assert decode_held(ENCODERS[header](content), header, PIECE) == (content, None)


def test_damage_and_a_held_body_cut_short_are_errors() -> None:
    content = bytes(range(256)) * 4096
    for header, length in (("gzip", 1), ("deflate", 1), ("identity, deflate", 0)):
        whole = ENCODERS[header](content if length else random.Random(1).randbytes(200_000))
        found, wrong = decode_held(whole[:-20], header, len(content))
        assert "broke off" in str(wrong)
        assert len(found) > PIECE


def test_a_held_body_is_decoded_to_its_most_bytes() -> None:
    found, wrong = decode_held(gzip.compress(bytes(100 * PIECE)), "gzip", 2 * PIECE)
    assert (len(found), wrong) == (3 * PIECE, None)


@pytest.mark.parametrize("header", ["br", "zstd", "gzip, gzip", "deflate, GZIP", "compress"])
def test_codings_that_were_not_asked_for_are_an_error(header: str) -> None:
    with pytest.raises(Undecodable, match=r"not with one of gzip, deflate"):
        Decoding(header)


def test_a_bomb_comes_in_small_pieces() -> None:
    """Each chunk of httpx's own decoder would be held whole."""
    bomb = gzip.compress(bytes(100 * PIECE))
    assert len(bomb) < 2 * PIECE
    sizes = [len(piece) for piece in Decoding("gzip").decode(bomb)]
    assert max(sizes) <= PIECE
    assert sum(sizes) == 100 * PIECE
