"""Content codings: the body of a response, decoded piece by piece as it comes.

HTTP libraries decode each chunk whole, however much that makes: a few kilobytes of gzip can be gigabytes. They also
take a stream that was cut short for a whole one, and leave out what follows the first member of a gzip file.
"""

import zlib
from collections.abc import Generator, Iterator
from typing import Final

from svckit.models.phrases import count_bytes

__all__ = ["ACCEPTED", "Decoding", "LenientDecoding", "Undecodable"]

ACCEPTED: Final = "gzip, deflate"
"""What requests accept: the codings that are read here."""

PIECE = 64 * 1024
_GZIP = frozenset({"gzip", "x-gzip"})
_UNREADABLE = frozenset(
    {"aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd"}
)
"""The other codings of IANA's registry; a name that is in none of these sets does not change the body."""
_MAGIC = b"\x1f\x8b"
_GZIP_BITS, _ZLIB_BITS, _RAW_BITS = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS


class Undecodable(ValueError):
    """A body is not what its Content-Encoding says, or not all of it came."""


class Decoding:
    """Decodes a body as it comes. What is labelled gzip and does not begin as gzip does is left as it is.

    Args:
        header: the response's Content-Encoding, empty where there is none.

    Attributes:
        came: how many bytes have come, as they were sent.
        is_plain: whether they are the body itself.

    Raises:
        Undecodable: the body is encoded twice, or with a coding that is not read here.

    Examples:
        >>> import gzip
        >>> body = Decoding("gzip")
        >>> b"".join(body.decode(gzip.compress(b"hello")))
        b'hello'
        >>> body.finish()
        b''
    """

    def __init__(self, header: str) -> None:
        names = [name.strip().lower() for name in header.split(",")]
        codings = [name for name in names if name in _GZIP | _UNREADABLE | {"deflate"}]
        if len(codings) > 1 or _UNREADABLE.intersection(codings):
            raise Undecodable(
                f"its body is encoded with {', '.join(codings[:3])}, not with one of {ACCEPTED}"
            )
        self.came = 0
        self.is_plain = not codings
        self._is_gzip = bool(_GZIP.intersection(codings))
        self._inflating: zlib._Decompress | None = None
        self._is_raw = False
        self._members = 0  # of a gzip file that have ended
        self._held = b""
        self._is_over = False

    def decode(self, chunk: bytes) -> Iterator[bytes]:
        """Decode what has come next, in pieces of 64 KiB at most.

        Raises:
            Undecodable: it cannot be decoded.
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

    def finish(self) -> bytes:
        """Check that all has come, and return what was held back until then.

        Raises:
            Undecodable: it has not.
        """
        if self._inflating is not None or (self._held and not self._members):
            raise Undecodable(f"its encoded body broke off after {count_bytes(self.came)}")
        return b""

    def _begin(self, first: bytes) -> None:
        """Judge by the first bytes of a body, or of what follows a member, what it is."""
        if self._members and not (self._is_gzip and first == _MAGIC):
            self._is_over = True  # what follows is padding
        elif self._is_gzip and first != _MAGIC:
            self.is_plain = True
        else:
            is_zlib = first[0] & 0x0F == zlib.DEFLATED and int.from_bytes(first, "big") % 31 == 0
            bits = _GZIP_BITS if self._is_gzip else _ZLIB_BITS if is_zlib else _RAW_BITS
            self._inflating, self._is_raw = zlib.decompressobj(bits), bits == _RAW_BITS

    def _inflate(self, inflating: "zlib._Decompress", data: bytes) -> Generator[bytes, None, bytes]:
        """Decode to the end of the data or of the stream; returns what follows that."""
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


class LenientDecoding(Decoding):
    """Decodes a body that is held in memory. What is labelled deflate and cannot be inflated is left as it is.

    Deflate without zlib's header has no first bytes to know it by, so its first 64 KiB are held back and tried.
    """

    def __init__(self, header: str) -> None:
        super().__init__(header)
        self._doubted = None if self.is_plain else b""  # what came, as long as it may be the body itself
        self._guess = b""  # what it makes, inflated

    def decode(self, chunk: bytes) -> Iterator[bytes]:
        """Decode what has come next; see `Decoding.decode`."""
        decoded = super().decode(chunk)
        if self._doubted is not None:
            self._doubted += chunk
            try:
                for piece in decoded:
                    self._guess += piece
                    if not self._is_raw or len(self._guess) > PIECE:
                        break
            except Undecodable:
                if not self._is_raw:
                    raise
                yield self._fall_back()
                return
            if len(self._guess) > PIECE or len(self._doubted) > PIECE or (self._guess and not self._is_raw):
                yield self._guess
                self._doubted, self._guess = None, b""
        if self._doubted is None:
            yield from decoded

    def finish(self) -> bytes:
        """Check that all has come; see `Decoding.finish`."""
        is_one = self._inflating is None and not self._is_over and not self._held
        if self._doubted and not is_one and (self._is_raw or len(self._doubted) < len(_MAGIC)):
            return self._fall_back()
        super().finish()
        return self._guess

    def _fall_back(self) -> bytes:
        body, self._doubted, self._guess = self._doubted or b"", None, b""
        self.is_plain, self._inflating, self._held = True, None, b""
        return body
