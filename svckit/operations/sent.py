"""Verify that a resumed upload continues with the same content."""

from hashlib import blake2b

from svckit.errors import InvalidInput

__all__ = ["SentContent"]


class SentContent:
    """The size and hash of the content sent so far, from its beginning.

    Args:
        size: the number of bytes sent by an earlier attempt; 0 for none.
        digest: their hash, in hexadecimal digits.

    Attributes:
        size: the number of bytes sent, all from the beginning.

    Examples:
        >>> sent = SentContent()
        >>> sent.record(0, b"hello")
        >>> sent.restart().record(0, b"help!")
        Traceback (most recent call last):
        ...
        svckit.errors.InvalidInput: the source has changed: its first 5 bytes are not those that were sent before, ...
    """

    def __init__(self, size: int = 0, digest: str = "") -> None:
        self.size = 0
        self._hash = blake2b()
        self._earlier = size, digest
        self._part = 0, self._hash.copy()  # where the last part begins, and the hash up to there

    @property
    def earlier(self) -> int:
        """The number of bytes to compare with those of an earlier attempt."""
        return self._earlier[0]

    @property
    def digest(self) -> str:
        """The hash of the bytes sent, in hexadecimal digits."""
        return self._hash.hexdigest()

    def restart(self) -> "SentContent":
        """Start another attempt, whose content is compared with this one's."""
        return (
            SentContent(*self._earlier) if self.size < self.earlier else SentContent(self.size, self.digest)
        )

    def begin_part(self, at: int) -> None:
        """Start the next part here; if it is sent again, it is compared with the first time."""
        if at == self.size:
            self._part = at, self._hash.copy()

    def record(self, at: int, chunk: bytes) -> None:
        """Record the bytes that are sent next, or sent again from the start of the part.

        Raises:
            InvalidInput: this is not the content of the earlier attempt.
        """
        if at == self._part[0] < self.size:
            self._earlier = self.restart()._earlier
            self.size, self._hash = at, self._part[1].copy()
        if not at <= self.size < at + len(chunk):
            return
        new = memoryview(chunk)[self.size - at :]
        if self.size < self.earlier:
            known = self._hash.copy()
            known.update(new[: self.earlier - self.size])
            if self.earlier - self.size <= len(new) and known.hexdigest() != self._earlier[1]:
                raise InvalidInput(
                    f"the source has changed: its first {self.earlier} bytes are not those that were sent before, so "
                    "the upload was stopped. If all bytes had been sent before, the file may be stored: look for it. "
                    "Upload the source as it is now with svc.files.upload. A source that can be read only once, such "
                    "as a generator or a pipe, must be created again: it continues where the last attempt left it"
                )
        self._hash.update(new)
        self.size += len(new)
