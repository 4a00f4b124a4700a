"""What was sent of an upload, so that one that is resumed goes on with the same content."""

from hashlib import blake2b

from svckit.errors import InvalidInput

__all__ = ["Sent"]


class Sent:
    """Follows content as it is sent, from its beginning; remembers how much there was and a hash of it.

    Args:
        size: how many bytes were sent by an earlier attempt; 0 for none.
        digest: the hash of those, in hexadecimal digits.

    Attributes:
        size: how many bytes have been sent, all from the beginning.

    Examples:
        >>> sent = Sent()
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
        """How many bytes are compared with those of an earlier attempt."""
        return self._earlier[0]

    @property
    def digest(self) -> str:
        """The hash of what was sent, in hexadecimal digits."""
        return self._hash.hexdigest()

    def restart(self) -> "Sent":
        """Begin another attempt, whose content is compared with this one's."""
        return Sent(*self._earlier) if self.size < self.earlier else Sent(self.size, self.digest)

    def begin_part(self, at: int) -> None:
        """Take in that the next part begins here; sent once more, it is compared with what was sent before."""
        if at == self.size:
            self._part = at, self._hash.copy()

    def record(self, at: int, chunk: bytes) -> None:
        """Take in what is sent next, or what is sent once more, from the beginning of the part on.

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
                    "Upload the source as it is now with svc.files.upload. A source that is read only once, such as a "
                    "generator or a pipe, must be given afresh: it starts where the last attempt left it"
                )
        self._hash.update(new)
        self.size += len(new)
