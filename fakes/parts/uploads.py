"""Upload URLs: issued for one file, and used once, with the whole content or consecutive ranges."""

import re
import sys
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Annotated, NamedTuple, Self

from fakes import rulebook
from fakes.http.content import StoredContent
from fakes.http.errors import Refusal
from fakes.http.unpicklable import Unpicklable
from fakes.parts.changes import Stored
from fakes.parts.part import Part, Shared
from fakes.parts.tokens import has_expired
from fakes.persistence import (
    Instant,
    Saved,
    SavedContent,
    SavedWire,
    key_by,
)
from fakes.rulebook import deviations
from fakes.rulebook.rules import Rules
from svckit.models.files import UploadRequest

__all__ = [
    "AS_DESCRIBED",
    "LIFETIME",
    "Asked",
    "ContentRange",
    "PendingUpload",
    "Place",
    "UploadURLs",
    "UploadsData",
    "check_size",
]

LIFETIME = timedelta(hours=24)
"""The lifetime of upload URLs, and of download URLs if that is assumed."""
FORGOTTEN = 2 * LIFETIME
"""How long an upload URL is known."""
LARGEST = 10 * 1024 * 1024
EXPIRED = "this upload URL expired after 24 hours; request a new one"
CONTENT_RANGE = re.compile(r"((?i:bytes) +)?(\d{1,18})-(\d{1,18})/(\d{1,18})", re.ASCII)

Place = tuple[str, ...]
"""The place of a file: the key of its store and the IDs of its containers, such as ``("drive", "u-001")``."""


class ContentRange(NamedTuple):
    """The byte range of one request of a resumable upload; ``end`` is its last byte.

    ``unit`` is true if the header began with ``bytes``.
    """

    start: int
    end: int
    total: int
    unit: bool = False

    @classmethod
    def parse(cls, header: str) -> Self:
        """Read ``<start>-<end>/<total>``, with or without the unit ``bytes`` in any case.

        Examples:
            >>> ContentRange.parse("bytes 0-4/10")
            ContentRange(start=0, end=4, total=10, unit=True)
            >>> ContentRange.parse("Bytes 0-4/10").unit, ContentRange.parse("0-4/10").unit
            (True, False)

        Raises:
            Refusal: it has another form.
        """
        match = CONTENT_RANGE.fullmatch(header.strip())
        if match is None:
            raise Refusal(
                "wrong_range",
                f"Content-Range must be <start>-<end>/<total>, such as 0-1023/4096; given {header!r}",
            )
        start, end, total = map(int, match.groups()[1:])
        return cls(start, end, total, unit=match[1] is not None)


class Asked(NamedTuple):
    """Wishes of the first step of an upload that the description does not have, under deviations that allow them.

    Attributes:
        is_unsized: whether no size was announced.
        resume: whether to continue an unfinished upload, and return its offset.
        file_id: whether to return the ID that the file will have.
    """

    is_unsized: bool = False
    resume: bool = False
    file_id: bool = False


AS_DESCRIBED = Asked()


@dataclass(frozen=True, slots=True)
class PendingUpload(Unpicklable):
    """The upload of one URL, and the content received so far; never changed, only replaced.

    Attributes:
        is_unsized: whether no size was announced; that of the request then means nothing.
        file_id: the ID that the first step promised for the file; None if it promised none.
        total: the total of the first range, if no size was announced; None before it.
        is_resumed: whether a deviation moved its content here from another URL, or from here to another.
    """

    address: str = field(repr=False)
    place: Place
    target_id: str | None
    request: SavedWire[UploadRequest]
    user_id: str
    issued_at: Instant
    received: SavedContent = field(default_factory=StoredContent, repr=False)
    used: bool = False
    is_unsized: bool = False
    file_id: str | None = None
    total: int | None = None
    is_resumed: bool = False

    def completes(self, part: StoredContent, sent: ContentRange) -> bool:
        """Return whether a range, which must be the next, is the last; nothing is stored yet.

        Raises:
            Refusal: the range is not the next, or does not match the announced size or the content received.
        """
        announced, source = self.request.file_size, "the announced fileSize"
        if self.is_unsized:
            announced, source = (self.total or sent.total), "that of the first range"
        expected = len(self.received)
        wrong = None
        if sent.total != announced:
            wrong = f"its total must be {source}, {announced}; given {sent.total}"
        elif sent.start != expected:
            wrong = f"it must start at {expected}, as {expected} bytes were received; given {sent.start}"
        elif not sent.start <= sent.end < sent.total:
            wrong = f"it must end between its start {sent.start} and {sent.total - 1}; given {sent.end}"
        elif len(part) != sent.end - sent.start + 1:
            covered = sent.end - sent.start + 1  # a longer body may not have been read to its end
            wrong = f"it covers {covered} bytes; given {'more' if len(part) > covered else len(part)} bytes"
        if wrong is not None:
            raise Refusal("wrong_range", f"the Content-Range does not fit: {wrong}")
        return sent.end + 1 == announced

    def extend(self, part: StoredContent, sent: ContentRange) -> "PendingUpload":
        """Return the upload with the next range of its content."""
        if self.received:
            received = self.received.copy()
            for chunk in part.chunks():
                received.write(chunk)
        else:
            received = part.copy()  # which shares the bytes
        return replace(self, received=received, total=sent.total if self.is_unsized else None)

    def finish(self) -> "PendingUpload":
        """Return the upload as used, without its content, which a file now has."""
        return replace(self, used=True, received=StoredContent() if self.received else self.received)


def check_size(size: int, rules: Rules) -> None:
    """Check that content is not larger than a file may be, in bytes.

    Raises:
        Refusal: it is larger, and a limit is assumed.
    """
    if size > LARGEST and rules.apply(rulebook.files.SIZE_LIMIT) != "unlimited":
        raise Refusal(
            "too_large",
            f"a file may have up to {LARGEST} bytes, and this one has {size}; the service's description shows no "
            "such limit: it comes from the alternative chosen for file.size-limit",
        )


class UploadsData(Saved):
    """The uploads in a snapshot."""

    uploads: Annotated[dict[str, PendingUpload], key_by("address")]


class UploadURLs(Part):
    """The issuer of upload URLs, which finds their uploads."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._by_address: Stored[str, PendingUpload] = Stored(shared.changes, "files.uploads.uploads")

    def issue(
        self,
        place: Place,
        target_id: str | None,
        request: UploadRequest,
        user_id: str,
        asked: Asked = AS_DESCRIBED,
        file_id: str | None = None,
    ) -> PendingUpload:
        """Issue an upload URL for one file.

        Args:
            place: the place of the file.
            target_id: the folder for the file, or the stored file that gets a new revision.
            request: the announced name, size and options.
            user_id: the user who requests the URL.
            asked: what else was asked for.
            file_id: the ID to promise for a new upload; None to promise none.

        Raises:
            Refusal: the file is larger than allowed.
        """
        check_size(request.file_size, self._rules)
        self._forget_expired()
        address, now = self._ids.secret("up"), self._clock.now()
        upload = PendingUpload(address, place, target_id, request, user_id=user_id, issued_at=now)
        if asked.is_unsized or file_id is not None:
            upload = replace(upload, is_unsized=asked.is_unsized, file_id=file_id)
        earlier = self._find_unfinished(upload) if asked.resume else None
        if earlier is not None:
            file_id = earlier.file_id or file_id
            received, total = earlier.received, earlier.total
            upload = replace(upload, received=received, file_id=file_id, total=total, is_resumed=True)
            self.keep(replace(earlier.finish(), is_resumed=True))
        self._by_address[upload.address] = upload
        return upload

    def _find_unfinished(self, new: PendingUpload) -> PendingUpload | None:
        """Return the latest upload that has received a part of what a new one announces."""

        def identify(upload: PendingUpload) -> object:
            request = upload.request
            return upload.place, upload.target_id, request.file_name, request.file_size, upload.user_id

        for upload in reversed(self._by_address.values()):
            is_current = not upload.used and new.issued_at - upload.issued_at <= LIFETIME
            if is_current and upload.received and identify(upload) == identify(new):
                return upload
        return None

    def has_promised(self, file_id: str) -> bool:
        """Return whether an upload that can still be sent was promised an ID for its file."""
        forever, now = self._rules.look_up(rulebook.files.UPLOAD_LIFETIME) == "unlimited", self._clock.now()
        return any(
            upload.file_id == file_id and not upload.used and (forever or now - upload.issued_at <= LIFETIME)
            for upload in self._by_address.values()
        )

    def get_user(self, address: str) -> str | None:
        """Return the user to whom an upload URL was issued; None if it was not issued."""
        upload = self._by_address.get(address)
        return None if upload is None else upload.user_id

    def get_max_size(self, address: str) -> int | None:
        """Return the most bytes of content an upload URL accepts; None if it was not issued."""
        upload, chosen = self._by_address.get(address), self._rules.look_up
        if upload is None:
            return None
        if chosen(rulebook.files.SIZE) == "checked" and not upload.is_unsized:
            return upload.request.file_size
        return sys.maxsize if chosen(rulebook.files.SIZE_LIMIT) == "unlimited" else LARGEST

    def find(self, address: str, user_id: str) -> PendingUpload:
        """Return an upload that a user may continue now.

        Raises:
            Refusal: its URL is unknown, used, older than 24 hours, or another user's.
        """
        upload, rules = self._by_address.get(address), self._rules
        if upload is None:
            # The count often tells that none was forgotten; otherwise, all that were issued are computed again.
            forgotten = self._ids.counts["up"] > len(self._by_address) and self._ids.has_issued("up", address)
            if forgotten and rules.apply(rulebook.files.UPLOAD_LIFETIME) == "24h":
                raise Refusal("no_file", EXPIRED)
            raise Refusal(
                "not_found",
                "this upload URL was not issued by this service; request one from the file's endpoint",
            )
        if upload.is_resumed:
            rules.deviate(deviations.STEP1_OFFSET)
        if upload.used and rules.apply(rulebook.files.UPLOAD_REUSE) == "single-use":
            raise Refusal("no_file", "this upload URL has been used; request a new one")
        age = self._clock.now() - upload.issued_at
        limited = rules.look_up(rulebook.files.UPLOAD_LIFETIME) == "24h"
        expired = has_expired(age, LIFETIME, rules.apply) if limited else age > LIFETIME
        if expired and rules.apply(rulebook.files.UPLOAD_LIFETIME) == "24h":
            raise Refusal("no_file", EXPIRED)
        if upload.is_unsized and not rules.deviate(deviations.REQUEST):
            raise Refusal(
                "invalid",
                "this upload URL was issued without a fileSize, which a deviation allowed that is off now; request a "
                "new one, with the fileSize",
                remedy=deviations.REQUEST.recommend(),
            )
        if user_id != upload.user_id and rules.apply(rulebook.files.UPLOAD_USER) == "bound":
            raise Refusal("not_found", "this upload URL was issued to another user; request your own")
        return upload

    def keep(self, upload: PendingUpload) -> None:
        """Store the new state of an upload."""
        self._by_address[upload.address] = upload

    def dump(self) -> UploadsData:
        """Return the uploads for a snapshot, shared."""
        return UploadsData.model_construct(uploads=self._by_address)

    def load(self, data: UploadsData) -> None:
        """Replace the uploads with saved ones."""
        self._by_address.replace(data.uploads)

    def _forget_expired(self) -> None:
        """Drop URLs that expired more than a lifetime ago, if they expire; dicts keep the order of issue."""
        if self._rules.look_up(rulebook.files.UPLOAD_LIFETIME) == "unlimited":
            return
        horizon = self._clock.now() - FORGOTTEN
        self._by_address.drop_oldest(lambda upload: upload.issued_at < horizon)
