"""Content codings: decode the body of a response piece by piece as it arrives.

HTTP libraries decode each chunk at once, however large the result: a few kilobytes of gzip can become gigabytes. They
also accept a truncated stream as complete, and drop everything after the first member of a gzip file.
"""

import zlib
from collections.abc import Generator, Iterator
from typing import Final

from svckit.models.phrases import count_bytes

__all__ = ["ACCEPTED", "Decoding", "Undecodable", "decode_held"]

ACCEPTED: Final = "gzip, deflate"
"""The value of Accept-Encoding in requests: the supported codings."""

PIECE = 64 * 1024
_GZIP = frozenset({"gzip", "x-gzip"})
_UNREADABLE = frozenset(
    {"aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd"}
)
"""The other codings of IANA's registry. Names outside these sets do not change the body."""
_MAGIC = b"\x1f\x8b"
_GZIP_BITS, _ZLIB_BITS, _RAW_BITS = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS


class Undecodable(ValueError):
    """A body that does not match its Content-Encoding, or is incomplete."""


class Decoding:
    """A streaming decoder for a body. A body labelled gzip that does not start like gzip is passed through.

    Args:
        header: the response's Content-Encoding; empty if it has none.

    Attributes:
        came: the number of bytes received, before decoding.
        is_plain: whether these bytes are the body itself.

    Raises:
        Undecodable: the body is encoded twice, or with an unsupported coding.

    Examples:
        >>> import gzip
        >>> body = Decoding("gzip")
        >>> b"".join(body.decode(gzip.compress(b"hello")))
        b'hello'
        >>> body.finish()
    """

    def __init__(self, header: str) -> None:
        names = [name.strip().lower() for name in header.split(",")]
        codings = [name for name in names if name in _GZIP | _UNREADABLE | {"deflate"}]
        if len(codings) > 1 or _UNREADABLE.intersection(codings):
            raise Undecodable(
                f"its body is encoded with {', '.join(codings[:3])}, not with one of {ACCEPTED}"
            )
        self.came: int = 0
        self.is_plain: bool = not codings
        self._is_gzip = bool(_GZIP.intersection(codings))
        # None before and after a stream, such as between the members of a gzip file.
        self._inflating: zlib._Decompress | None = None
        self._is_raw = False  # whether it is deflate without a header of zlib, which many servers send
        self._members = 0  # of a gzip file that have ended
        self._held = b""  # a first byte, until the second tells the format
        self._is_over = False  # whether all that follows is padding

    def decode(self, chunk: bytes) -> Iterator[bytes]:
        """Decode the next chunk, in pieces of at most 64 KiB.

        Raises:
            Undecodable: the chunk cannot be decoded.
        """
        self.came += len(chunk)
        data, self._held = self._held + chunk, b""
        while data and not self._is_over:
            if self.is_plain:
                yield data
                return
            if self._inflating is not None:
                data = yield from self._inflate(self._inflating, data)
            elif len(data) < len(_MAGIC):
                self._held, data = data, b""
            else:
                self._begin(data[: len(_MAGIC)])

    def finish(self) -> None:
        """Check that the body is complete.

        Raises:
            Undecodable: the body is incomplete.
        """
        if self._inflating is not None or (self._held and not self._members):
            raise Undecodable(f"its encoded body broke off after {count_bytes(self.came)}")

    @property
    def is_doubtful(self) -> bool:
        """True if the bytes may be the body itself: not one whole stream, of a format that has no header."""
        is_whole = self._inflating is None and not self._is_over and not self._held
        return not is_whole and (self._is_raw or self.came < len(_MAGIC))

    def _begin(self, first: bytes) -> None:
        """Detect the format from the first bytes of a body or of what follows a member."""
        if self._members and not (self._is_gzip and first == _MAGIC):
            self._is_over = True  # what follows is padding
        elif self._is_gzip and first != _MAGIC:
            self.is_plain = True
        else:
            is_zlib = first[0] & 0x0F == zlib.DEFLATED and int.from_bytes(first, "big") % 31 == 0
            bits = _GZIP_BITS if self._is_gzip else _ZLIB_BITS if is_zlib else _RAW_BITS
            self._inflating, self._is_raw = zlib.decompressobj(bits), bits == _RAW_BITS

    def _inflate(self, inflating: "zlib._Decompress", data: bytes) -> Generator[bytes, None, bytes]:
        """Decode to the end of the data or the stream, and return the rest."""
        while True:
            try:
                piece = inflating.decompress(data, PIECE)
            except zlib.error as error:
                raise Undecodable(f"its body cannot be decoded: {error}") from None
            if piece:
                yield piece
            if inflating.eof:
                self._inflating, self._members = None, self._members + 1
                return inflating.unused_data
            data = inflating.unconsumed_tail
            if not data and len(piece) < PIECE:
                return b""


def decode_held(body: bytes, header: str, most: int) -> tuple[bytes, Undecodable | None]:
    """Decode a body that is held in memory, and return it with what is wrong with it.

    A short body that is labelled deflate and is not one whole stream of it is returned as it is: raw deflate has no
    header to recognize it by. So is a body whose coding is not supported: reading it shows whether the label is right.

    Args:
        body: the body as it came.
        header: the response's Content-Encoding.
        most: the number of decoded bytes after which it stops, within 64 KiB.

    Examples:
        >>> decode_held(b'{"code":200}', "deflate", 1000)
        (b'{"code":200}', None)
    """
    content, wrong = bytearray(), None
    try:
        decoding = Decoding(header)
    except Undecodable:
        return body, None
    try:
        for piece in decoding.decode(body):
            content += piece
            if len(content) > most:
                break
        else:
            decoding.finish()
    except Undecodable as error:
        wrong = error
    if decoding.is_doubtful and max(len(body), len(content)) <= PIECE:
        return body, None
    return bytes(content), wrong
