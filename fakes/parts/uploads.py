"""Upload addresses: issued for one file, used once, whole or in consecutive ranges."""

import re
import sys
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Annotated, Self

from fakes import rulebook
from fakes.clock import Clock
from fakes.http.content import StoredContent
from fakes.http.errors import Refusal
from fakes.http.unpicklable import Unpicklable
from fakes.parts.changes import ChangeLog, Stored
from fakes.parts.ids import Ids
from fakes.parts.lifetimes import has_expired
from fakes.persistence import (
    Instant,
    Saved,
    SavedContent,
    SavedWire,
    key_by,
)
from fakes.rulebook.rules import Rules
from svckit.models.files import UploadRequest

__all__ = ["LIFETIME", "ContentRange", "PendingUpload", "Place", "UploadURLs", "UploadsData", "check_size"]

LIFETIME = timedelta(hours=24)
"""How long upload URLs are valid, and download URLs if that is assumed."""
LARGEST = 10 * 1024 * 1024
ENDED = "this upload address was valid for 24 hours; request a new one"
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
            raise Refusal(
                "wrong_range",
                f"Content-Range is <start>-<end>/<total>, such as 0-1023/4096; it was {header!r}",
            )
        start, end, total = map(int, found.groups()[1:])
        return cls(start, end, total, unit=found[1] is not None)


@dataclass(frozen=True, slots=True)
class PendingUpload(Unpicklable):
    """What one upload address stands for, and what has come for it so far; never changed, only replaced."""

    address: str = field(repr=False)
    place: Place
    target_id: str | None
    request: SavedWire[UploadRequest]
    user_id: str
    issued_at: Instant
    received: SavedContent = field(default_factory=StoredContent, repr=False)
    used: bool = False

    def completes(self, part: StoredContent, sent: ContentRange) -> bool:
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
            covered = sent.end - sent.start + 1  # of what is longer, not all may have been read
            wrong = (
                f"it covers {covered} bytes, and {'more' if len(part) > covered else len(part)} bytes came"
            )
        if wrong is not None:
            raise Refusal("wrong_range", f"the Content-Range does not fit: {wrong}")
        return sent.end + 1 == announced

    def extend(self, part: StoredContent) -> "PendingUpload":
        """Return the upload with the next range of its content."""
        received = self.received.copy()
        for chunk in part.chunks():
            received.write(chunk)
        return replace(self, received=received)

    def finish(self) -> "PendingUpload":
        """Return the upload as used, without its content, which is a file's now."""
        return replace(self, used=True, received=StoredContent())


def check_size(size: int, rules: Rules) -> None:
    """Hold content to the size a file may have, in bytes.

    Raises:
        Refused: it is larger, and it is assumed that this matters.
    """
    if size > LARGEST and rules.choice(rulebook.files.SIZE_LIMIT) != "unlimited":
        raise Refusal(
            "too_large",
            f"a file may have up to {LARGEST} bytes, and this one has {size}; the service's description shows no "
            "such limit: it comes from the alternative chosen for file.size-limit",
        )


class UploadsData(Saved):
    """Uploads as a snapshot has them."""

    uploads: Annotated[dict[str, PendingUpload], key_by("address")]


class UploadURLs:
    """Issues upload addresses and finds them again."""

    def __init__(self, *, clock: Clock, ids: Ids, rules: Rules, changes: ChangeLog) -> None:
        self._clock = clock
        self._ids = ids
        self._rules = rules
        self._by_address: Stored[str, PendingUpload] = Stored(changes, "files.uploads.uploads")

    def issue(
        self, place: Place, target_id: str | None, request: UploadRequest, user_id: str
    ) -> PendingUpload:
        """Issue an upload address for one file.

        Args:
            place: where the file will be.
            target_id: the folder to put it in, or the stored file to make a new revision of.
            request: the name, size and options announced.
            user_id: who asks.

        Raises:
            Refused: it is larger than a file may be.
        """
        check_size(request.file_size, self._rules)
        self._forget_expired()
        upload = PendingUpload(self._ids.secret("up"), place, target_id, request, user_id, self._clock.now())
        self._by_address[upload.address] = upload
        return upload

    def most(self, address: str) -> int | None:
        """Return how many bytes of content an upload URL can take; None where it was not issued."""
        upload, chosen = self._by_address.get(address), self._rules.look_up
        if upload is None:
            return None
        if chosen(rulebook.files.SIZE) == "checked":
            return upload.request.file_size
        return sys.maxsize if chosen(rulebook.files.SIZE_LIMIT) == "unlimited" else LARGEST

    def find(self, address: str, user_id: str) -> PendingUpload:
        """The upload as a user may continue it now.

        Raises:
            Refused: its address is unknown, used, older than 24 hours, or another user's.
        """
        upload, rules = self._by_address.get(address), self._rules
        if upload is None:
            forgotten = self._ids.counts["up"] > len(self._by_address) and self._ids.has_issued("up", address)
            if forgotten and rules.choice(rulebook.files.UPLOAD_LIFETIME) == "24h":
                raise Refusal("no_file", ENDED)
            raise Refusal(
                "not_found", "this upload address was not issued here; request one at the place of the file"
            )
        if upload.used and rules.choice(rulebook.files.UPLOAD_REUSE) == "single-use":
            raise Refusal("no_file", "this upload address has been used; request a new one")
        age, limited = (
            self._clock.now() - upload.issued_at,
            rules.look_up(rulebook.files.UPLOAD_LIFETIME) == "24h",
        )
        ended = has_expired(age, LIFETIME, rules.choice) if limited else age > LIFETIME
        if ended and rules.choice(rulebook.files.UPLOAD_LIFETIME) == "24h":
            raise Refusal("no_file", ENDED)
        if user_id != upload.user_id and rules.choice(rulebook.files.UPLOAD_USER) == "bound":
            raise Refusal(
                "not_found", "this upload address was issued to another user; request one of your own"
            )
        return upload

    def keep(self, upload: PendingUpload) -> None:
        """Store what has become of an upload."""
        self._by_address[upload.address] = upload

    def dump(self) -> UploadsData:
        """The uploads as a snapshot has them, shared."""
        return UploadsData.model_construct(uploads=self._by_address)

    def load(self, data: UploadsData) -> None:
        """Replace the uploads by saved ones."""
        self._by_address.replace(data.uploads)

    def _forget_expired(self) -> None:
        """Drop addresses that ended more than a lifetime ago, if they end; dicts keep the order of issue."""
        if self._rules[rulebook.files.UPLOAD_LIFETIME.id].chosen == "unlimited":
            return
        horizon = self._clock.now() - 2 * LIFETIME
        self._by_address.drop_oldest(lambda upload: upload.issued_at < horizon)
