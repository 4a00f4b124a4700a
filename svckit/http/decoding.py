"""Content codings: decode the body of a response piece by piece as it arrives.

HTTP libraries decode each chunk at once, however large the result: a few kilobytes of gzip can become gigabytes. They
also accept a truncated stream as complete, and drop everything after the first member of a gzip file.
"""

import zlib
from collections.abc import Generator, Iterator
from typing import Final

from svckit.models.phrases import count_bytes

__all__ = ["ACCEPTED", "Decoding", "LenientDecoding", "Undecodable"]

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
        self._inflating: zlib._Decompress | None = (
            None  # None between the members of a gzip file, and at both ends
        )
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

    def finish(self) -> bytes:
        """Check that the body is complete, and return what was held back.

        Raises:
            Undecodable: the body is incomplete.
        """
        if self._inflating is not None or (self._held and not self._members):
            raise Undecodable(f"its encoded body broke off after {count_bytes(self.came)}")
        return b""

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


class LenientDecoding(Decoding):
    """A decoder for a body held in memory. A body labelled deflate that cannot be inflated is passed through.

    Raw deflate has no header to recognize it by, so the decoder holds back the first 64 KiB and tries to inflate them.
    """

    def __init__(self, header: str) -> None:
        super().__init__(header)
        self._doubted = None if self.is_plain else b""  # raw bytes, as long as they may be the body itself
        self._guess = b""  # the same bytes, inflated

    def decode(self, chunk: bytes) -> Iterator[bytes]:
        """Decode the next chunk; see `Decoding.decode`."""
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
        """Check that the body is complete; see `Decoding.finish`."""
        is_one = self._inflating is None and not self._is_over and not self._held
        if self._doubted and not is_one and (self._is_raw or len(self._doubted) < len(_MAGIC)):
            return self._fall_back()
        super().finish()
        return self._guess

    def _fall_back(self) -> bytes:
        body, self._doubted, self._guess = self._doubted or b"", None, b""
        self.is_plain, self._inflating, self._held = True, None, b""
        return body
