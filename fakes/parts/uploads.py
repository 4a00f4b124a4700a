"""Upload addresses: issued for one file, used once, whole or in consecutive ranges."""

import re
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Self

from fakes import rulebook
from fakes.clock import Clock
from fakes.content import Content
from fakes.ids import Ids
from fakes.refusals import Refused
from fakes.rules import Rules
from fakes.saved import Instant, Saved, SavedContent, SavedWire
from fakes.unpicklable import Unpicklable
from svckit.models.files import UploadRequest

__all__ = ["ContentRange", "Place", "Upload", "Uploads", "UploadsData", "hold_to_size"]

LIFETIME = timedelta(hours=24)
LARGEST = 10 * 1024 * 1024
CONTENT_RANGE = re.compile(r"(bytes +)?(\d{1,18})-(\d{1,18})/(\d{1,18})", re.ASCII)

Place = tuple[str, ...]
"""Where a file is: the key of the store and the ids of its containers, such as ``("drive", "u-001")``."""


@dataclass(frozen=True, slots=True)
class ContentRange:
    """Which bytes of how many one request of a resumable upload carries; ``end`` is the last of them.

    ``unit`` tells whether the header began with ``bytes``.
    """

    start: int
    end: int
    total: int
    unit: bool = False

    @classmethod
    def parse(cls, header: str) -> Self:
        """Read ``<start>-<end>/<total>``, with or without the unit ``bytes``.

        Examples:
            >>> ContentRange.parse("bytes 0-4/10")
            ContentRange(start=0, end=4, total=10, unit=True)

        Raises:
            Refused: it is written otherwise.
        """
        found = CONTENT_RANGE.fullmatch(header.strip())
        if found is None:
            raise Refused(
                "invalid", f"Content-Range is <start>-<end>/<total>, such as 0-1023/4096; it was {header!r}"
            )
        start, end, total = map(int, found.groups()[1:])
        return cls(start, end, total, unit=found[1] is not None)


@dataclass(slots=True)
class Upload(Unpicklable):
    """What one upload address stands for, and what has come for it so far."""

    address: str = field(repr=False)
    place: Place
    target_id: str | None
    request: SavedWire[UploadRequest]
    user_id: str
    issued_at: Instant
    received: SavedContent = field(default_factory=Content, repr=False)
    used: bool = False

    def completes(self, part: Content, sent: ContentRange) -> bool:
        """Whether a range, which must be the next, is the last; nothing is taken yet.

        Raises:
            Refused: the range is not the next, not of the announced size, or not as long as what came.
        """
        announced, expected = self.request.file_size, len(self.received)
        wrong = None
        if sent.total != announced:
            wrong = f"its total is {sent.total}, and fileSize was announced as {announced}"
        elif sent.start != expected:
            wrong = (
                f"it starts at {sent.start}, and {expected} bytes have come, so the next starts at {expected}"
            )
        elif not sent.start <= sent.end < sent.total:
            wrong = f"it ends at {sent.end}, which is not between its start {sent.start} and {sent.total - 1}"
        elif len(part) != sent.end - sent.start + 1:
            wrong = f"it covers {sent.end - sent.start + 1} bytes, and {len(part)} bytes came"
        if wrong is not None:
            raise Refused("wrong_range", f"the Content-Range does not fit: {wrong}")
        return sent.end + 1 == announced

    def append(self, part: Content) -> None:
        """Take the next range."""
        for chunk in part.chunks():
            self.received.write(chunk)

    def copy(self) -> "Upload":
        """The upload by itself: what has come for it may grow in either without the other."""
        return replace(self, received=self.received.copy())


def hold_to_size(size: int, rules: Rules) -> None:
    """Hold content to the size a file may have, in bytes.

    Raises:
        Refused: it is larger, and it is assumed that this matters.
    """
    if size > LARGEST and rules.choice(rulebook.files.SIZE_LIMIT) != "unlimited":
        raise Refused(
            "too_large",
            f"a file may have up to {LARGEST} bytes, and this one has {size}; the service's description shows no "
            "such limit: it comes from the alternative chosen for file.size-limit",
        )


class UploadsData(Saved):
    """Uploads as a snapshot has them."""

    uploads: list[Upload]


class Uploads:
    """Issues upload addresses and finds them again."""

    def __init__(self, *, clock: Clock, ids: Ids, rules: Rules) -> None:
        self._clock = clock
        self._ids = ids
        self._rules = rules
        self._by_address: dict[str, Upload] = {}

    def issue(self, place: Place, target_id: str | None, request: UploadRequest, user_id: str) -> Upload:
        """Issue an upload address for one file.

        Args:
            place: where the file will be.
            target_id: the folder to put it in, or the stored file to make a new revision of.
            request: the name, size and options announced.
            user_id: who asks.

        Raises:
            Refused: it is larger than a file may be.
        """
        hold_to_size(request.file_size, self._rules)
        self._forget_ended()
        upload = Upload(self._ids.secret("up"), place, target_id, request, user_id, self._clock.now())
        self._by_address[upload.address] = upload
        return upload

    def find(self, address: str, user_id: str) -> Upload:
        """The upload as a user may continue it now.

        Raises:
            Refused: its address is unknown, used, older than 24 hours, or another user's.
        """
        upload, rules = self._by_address.get(address), self._rules
        if upload is None:
            raise Refused(
                "not_found", "this upload address was not issued here; request one at the place of the file"
            )
        if upload.used and rules.choice(rulebook.files.UPLOAD_REUSE) == "single-use":
            raise Refused("no_file", "this upload address has been used; request a new one")
        ended = self._clock.now() - upload.issued_at > LIFETIME
        if ended and rules.choice(rulebook.files.UPLOAD_LIFETIME) == "24h":
            raise Refused("no_file", "this upload address was valid for 24 hours; request a new one")
        if user_id != upload.user_id and rules.choice(rulebook.files.UPLOAD_USER) == "bound":
            raise Refused(
                "not_found", "this upload address was issued to another user; request one of your own"
            )
        return upload

    def dump(self) -> UploadsData:
        """The uploads as a snapshot has them."""
        return UploadsData(uploads=[upload.copy() for upload in self._by_address.values()])

    def load(self, data: UploadsData) -> None:
        """Replace the uploads by saved ones."""
        self._by_address = {upload.address: upload for upload in data.uploads}

    def _forget_ended(self) -> None:
        """Drop addresses that ended more than a lifetime ago, if they end; dicts keep the order of issue."""
        if self._rules[rulebook.files.UPLOAD_LIFETIME.id].chosen == "unlimited":
            return
        horizon = self._clock.now() - 2 * LIFETIME
        while self._by_address:
            oldest = next(iter(self._by_address))
            if self._by_address[oldest].issued_at >= horizon:
                return
            del self._by_address[oldest]
