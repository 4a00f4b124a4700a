"""Uploads, in two steps (the service's description, section "File transfer"), whole or in ranges."""

import mimetypes
import re
from asyncio import CancelledError
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from svckit.display.progress import Advance, progress_bar
from svckit.errors import (
    Cancelled,
    InvalidInput,
    NotFound,
    RateLimited,
    Refused,
    Retired,
    ServiceError,
    Unauthorized,
    Unreachable,
)
from svckit.http.messages import (
    FilePart,
    Operation,
    Request,
    Response,
)
from svckit.models.files import RANGE_SIZE, UploadRequest, UploadResult, UploadTicket
from svckit.models.flags import check_flags
from svckit.models.phrases import count_bytes, describe_given
from svckit.models.secret import Secret
from svckit.operations.batch import Cancel, check_cancel
from svckit.operations.checks import check_absolute, read, validate
from svckit.operations.sent import SentContent
from svckit.operations.sources import (
    CHUNK,
    CountedPart,
    SizedContent,
    Source,
    format_modified,
    get_name,
    open_source,
)
from svckit.operations.stored import is_stored, next_offset, read_result
from svckit.places import Place, check_place

__all__ = ["Upload", "UploadForm", "parse_resumable", "resume", "upload"]

UploadForm = Literal["Filedata", "resourceName"]
"""The forms that the description shows: a part ``Filedata``, or the fields ``resourceName`` and ``FileData``."""

UNKNOWN_TYPE = "application/octet-stream"
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(;[\t\x20-\x7e]*)?", re.ASCII)
_PASSING = (Unreachable, Unauthorized, RateLimited)  # and 5xx: the upload itself was not refused
_GONE = (NotFound, Retired)


@dataclass(slots=True, repr=False)
class Upload:
    """An upload under way, such as one that broke; `resume` continues it.

    Attributes:
        to: the place it goes to.
        name: name of the file.
        content_type: its media type.
        size: its size in bytes.
        range_size: bytes of each range; ``None`` if it is sent whole.
        url: the upload URL; a secret.
        offset: the number of bytes that the service has confirmed.
        is_doubtful: whether it may have more, because the response to the last request was lost.
        is_done: whether it has all, so that there is nothing to resume.
        sent: the number of bytes sent, and their hash.
        form: the form that the content is sent in.
    """

    to: Place
    name: str
    content_type: str
    size: int
    range_size: int | None
    url: Secret
    offset: int = 0
    is_doubtful: bool = False
    is_done: bool = False
    sent: SentContent = field(default_factory=SentContent, compare=False)
    form: UploadForm = "Filedata"

    @property
    def next_end(self) -> int:
        """The offset of the end of the next request."""
        return self.size if self.range_size is None else min(self.offset + self.range_size, self.size)

    @property
    def is_all_at_once(self) -> bool:
        """True if the next request carries the whole content, so that a second one could store it twice."""
        return self.offset == 0 and self.next_end == self.size

    def __repr__(self) -> str:
        way = "whole" if self.range_size is None else f"in ranges of {count_bytes(self.range_size)}"
        return f"<Upload of {self.name!r}, {way}: {self.offset} of {count_bytes(self.size)}>"


def upload(
    source: Source,
    to: Place,
    *,
    name: str | None = None,
    content_type: str | None = None,
    size: int | None = None,
    overwrite: bool = False,
    modified: bool | str | datetime | None = None,
    resumable: bool | int = False,
    form: UploadForm = "Filedata",
    progress: bool | None = None,
    cancel: Cancel | None = None,
) -> Operation[UploadResult]:
    """Upload a file: ask for an upload URL, then send the content there, in pieces.

    The content is sent in one request, which is repeated only if no connection was made: the description does not
    say what a second one would do. With `resumable` it is sent in consecutive ranges, each with the header
    ``Content-Range: <start>-<end>/<total>``, and a range that broke is sent again, unless it is the whole content. The
    description does not show the responses to ranges. The toolkit assumes that the service responds with 200 (or 308)
    to a range that is not the last, perhaps with its next ``offset``; that it refuses a range that it has already; and
    that a refusal leaves the upload as it was.

    Args:
        source: a path, the content itself as bytes, an open binary file (one that can be rewound is sent whole,
            from its beginning; it stays open), or an iterable of bytes, such as a generator.
        to: the place, such as ``places.drive("u-001")``.
        name: name to store it under; by default that of the file; required if the content has no name.
        content_type: its media type; by default guessed from the name.
        size: its size in bytes; required for content that comes in pieces and cannot be rewound.
        overwrite: whether to replace a file of the same name in the same place.
        modified: when the file was last changed: an aware ``datetime``, text that is sent as it is, or ``True`` for
            the time from the file system. By default nothing is sent.
        resumable: ``True`` for ranges of 8 MiB, or the bytes of a range. Content that comes in pieces is held in
            memory a range at a time.
        form: the form that the content is sent in: ``"Filedata"`` for a part of that name, or ``"resourceName"`` for
            a field ``resourceName``, which holds the name, and a part ``FileData``. The description shows both.
        progress: ``True`` or ``False`` for a bar or none. By default one appears after a second, in a notebook or
            at a terminal, if tqdm is installed.
        cancel: a ``threading.Event`` or another object with ``is_set()``; when set, the upload stops.

    Returns:
        The response of the file storage: ``file_id``, ``file_name``, ``file_size`` and, for drives, more.

    Raises:
        InvalidInput: the place accepts no uploads, a name or size is missing, or the content has another size.
        OSError: the file cannot be read.
        ForeignOrigin: the upload URL is not on the profile's file storage.
        Cancelled: it was cancelled; nothing was stored. The error's ``upload`` can be resumed.
        KeyboardInterrupt: it was interrupted; the error's ``upload`` can be resumed too.
        asyncio.CancelledError: its task was cancelled; the error's ``upload`` can be resumed too.
        SizeDiffers: it was stored, but the file storage reports a different size.
        ServiceError: it broke or was refused. If it broke, the error's ``upload`` can be resumed.

    Examples:
        >>> from svckit import places
        >>> next(upload(b"hello", to=places.drive("u-001"), name="hello.txt")).json
        {'fileName': 'hello.txt', 'fileSize': 5}
    """
    check_flags("files.upload was not sent", overwrite=overwrite, progress=progress)
    check_place(to)
    check_cancel(cancel)
    if to.upload_path is None:
        raise InvalidInput(f"files.upload was not sent: the place accepts no uploads ({to!r})")
    range_size = parse_resumable(resumable)
    if form not in get_args(UploadForm):
        raise InvalidInput(
            f"files.upload was not sent: form must be {' or '.join(map(repr, get_args(UploadForm)))}; given {form!r}"
        )
    with open_source(source, size) as content:
        name = name or get_name(source)
        given = {"file_name": name, "file_size": content.size}
        if overwrite:
            given["overwrite"] = True
        if modified not in (None, False):
            given["modified_time"] = format_modified(source, modified)
        announced = validate(
            UploadRequest,
            given,
            operation="files.upload",
            arguments={"file_name": "name", "modified_time": "modified"},
        )
        name = announced.file_name
        content_type = content_type or mimetypes.guess_type(name)[0] or UNKNOWN_TYPE
        if not _MEDIA_TYPE.fullmatch(content_type):
            raise InvalidInput(f"content_type must be a media type such as image/png; given {content_type!r}")
        if cancel is not None and cancel.is_set():
            raise Cancelled("files.upload was cancelled before anything was sent")
        response = yield Request(
            operation="files.upload",
            method="POST",
            target=to.upload_path,
            json=announced.to_wire(),
            expects=(200, 201),  # the description does not show the status of this step
            repeatable=True,  # it stores nothing yet
        )
        url = check_absolute(read(UploadTicket, response).upload_url, response)
        started = Upload(to, name, content_type, content.size, range_size, url, form=form)
        return (yield from _send_rest(started, content, progress, cancel))


def resume(
    upload: Upload, source: Source, *, progress: bool | None = None, cancel: Cancel | None = None
) -> Operation[UploadResult]:
    """Continue an upload that broke or was cancelled, at the same upload URL.

    An upload in ranges resumes with the first range that the service does not have. An upload that is sent whole
    starts again; if the first attempt was stored after all, the service refuses the second, because an upload URL
    accepts one upload. The description shows neither this nor how long the URL is valid: both are assumed.

    What was sent already is read again and compared with what was sent then.

    Args:
        upload: the ``upload`` of the error.
        source: the whole content again, from its beginning.
        progress: as with `upload`.
        cancel: as with `upload`.

    Returns:
        The response of the file storage.

    Raises:
        InvalidInput: the content has another size or has changed, or nothing is left to send.
        Cancelled, ServiceError: as with `upload`.

    Examples:
        >>> import svckit
        >>> from svckit import places
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> fault = svc.fake.faults.reset("storage.receive")
        >>> try:
        ...     svc.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
        ... except svckit.Unreachable as error:
        ...     broken = error.upload
        >>> svc.run(resume(broken, b"hello")).file_size
        5
    """
    check_flags("files.resume was not sent", progress=progress)
    if not isinstance(upload, Upload):
        raise InvalidInput(
            f"files.resume takes the upload of an error, error.upload; given {describe_given(upload)}"
        )
    check_cancel(cancel)
    if upload.is_done:
        raise InvalidInput(
            f"files.resume was not sent: all {upload.size} bytes of {upload.name!r} were sent already"
        )
    with open_source(source, upload.size) as content:
        _compare(upload, content, cancel)
        return (yield from _send_rest(upload, content, progress, cancel))


def _compare(upload: Upload, content: SizedContent, cancel: Cancel | None) -> None:
    """Read again what was sent, as far as possible in advance; the rest is compared while it is sent.

    Raises:
        InvalidInput: the content differs from what was sent.
        Cancelled: the upload was cancelled.
    """
    upload.sent = upload.sent.restart()
    at, end = 0, upload.sent.earlier if content.is_rewindable else min(upload.offset, upload.sent.earlier)
    while at < end:
        if cancel is not None and cancel.is_set():
            raise _make_cancelled(upload)
        chunk = content.read(at, min(CHUNK, end - at))
        if not chunk:
            raise InvalidInput(
                f"files.resume was not sent: the source ended after {at} of the {end} bytes that were sent before. "
                "Pass the whole content, from its beginning; a source that can be read only once, such as a generator "
                "or a pipe, must be created again"
            )
        upload.sent.record(at, chunk)
        at += len(chunk)


def _send_rest(
    upload: Upload, content: SizedContent, progress: bool | None, cancel: Cancel | None
) -> Operation[UploadResult]:
    """Send the rest, one request after another."""
    with progress_bar(f"upload {upload.name}", upload.size, unit="bytes", shown=progress) as advance:
        advance(upload.offset)
        while True:
            start, end = upload.offset, upload.next_end
            if upload.range_size is not None:
                content.keep(start)
            part = CountedPart(content, start, end, sent=upload.sent, advance=advance, cancel=cancel)
            response = yield from _send_part(upload, part, end)
            if response is None:  # the service had it already
                upload.offset, upload.is_doubtful = end, False
            elif end == upload.size and is_stored(response):
                upload.offset, upload.is_done = end, True
                return read_result(upload.name, upload.size, response)
            else:
                ranged = upload.range_size is not None
                upload.offset = next_offset(response, start, end, upload.size, in_ranges=ranged)
                upload.is_doubtful = False
            _correct_bar(advance, upload.offset - start, part)


def _send_part(upload: Upload, part: CountedPart, end: int) -> Operation[Response | None]:
    """Send one part; return ``None`` if it had arrived before, and only the response was lost."""
    try:
        return (yield _build_request(upload, part, end))
    except Cancelled:
        upload.is_doubtful = upload.is_doubtful or part.starts > 1
        raise _make_cancelled(upload) from None
    except (KeyboardInterrupt, CancelledError) as interrupt:
        upload.is_doubtful = upload.is_doubtful or part.starts > 0
        vars(interrupt)["upload"] = upload  # a notebook keeps the interrupt as sys.last_value
        interrupt.add_note(_explain_resume(upload))
        raise
    except (Refused, *_GONE) as error:
        may_have_come = upload.is_doubtful or part.starts > 1
        if may_have_come and end == upload.size:
            upload.is_done = True
            raise _make_unknown(upload, error) from error
        if may_have_come and isinstance(error, Refused):
            return None
        if isinstance(error, _GONE):
            error.add_note("The upload URL no longer exists: upload the file again with svc.files.upload.")
        raise
    except ServiceError as error:
        if isinstance(error, _PASSING) or (error.status or 0) >= 500:
            upload.is_doubtful = upload.is_doubtful or part.starts > 0
            error.upload = upload
            error.args = (f"{error} {_explain_resume(upload)}",)
        raise


def _build_request(upload: Upload, part: CountedPart, end: int) -> Request:
    in_ranges = upload.range_size is not None and upload.size > 0
    content_range = f"{upload.offset}-{end - 1}/{upload.size}"
    return Request(
        operation="files.upload",
        method="POST",
        target=upload.url.reveal(),
        area="storage",
        place=upload.to.upload_path or "",
        headers={"Content-Range": content_range} if in_ranges else {},
        file=_build_part(upload, part),
        expects=(200, 201, 308) if in_ranges else (200, 201),  # the description shows 201
        repeatable=not upload.is_all_at_once,  # the service refuses a range that it has
    )


def _build_part(upload: Upload, part: CountedPart) -> FilePart:
    if upload.form == "Filedata":
        return FilePart(upload.name, upload.content_type, part)
    return FilePart(upload.name, upload.content_type, part, "FileData", {"resourceName": upload.name})


def _correct_bar(advance: Advance, taken: int, part: CountedPart) -> None:
    """Correct the bar to what the service has, if that differs from what was read."""
    if taken != part.counted:
        advance(taken - part.counted)


def parse_resumable(resumable: bool | int) -> int | None:
    """Return the number of bytes of a range; ``None`` if the content is sent whole.

    Raises:
        InvalidInput: it is not such a number.
    """
    if isinstance(resumable, bool):
        return RANGE_SIZE if resumable else None
    if not isinstance(resumable, int) or resumable < 1:
        raise InvalidInput(
            "files.upload was not sent: resumable must be True, False, or the number of bytes of a range, from 1; "
            f"given {resumable!r}"
        )
    return resumable


def _make_cancelled(upload: Upload) -> Cancelled:
    error = Cancelled(f"files.upload was cancelled. {_explain_resume(upload)}")
    error.upload = upload
    return error


def _explain_resume(upload: Upload) -> str:
    at = f"{upload.offset} of {upload.size} bytes of {upload.name!r} have arrived"
    again = "svc.files.resume(error.upload, source)"
    if not upload.is_all_at_once:
        return f"{at}; {again} resumes from there."
    if upload.is_doubtful:
        return f"It may have been stored. {again} sends it again to the same upload URL, which accepts one upload."
    return f"Nothing was stored; {again} sends it again."


def _make_unknown(upload: Upload, error: ServiceError) -> Unreachable:
    return Unreachable(
        f"files.upload: all {upload.size} bytes of {upload.name!r} were sent, but the response was lost. The upload "
        f"URL accepts no more ({error.description}), so the file was most likely stored, and its ID is unknown. Look "
        f"for it before you upload it again. ({error.request})",
        operation=error.operation,
        request=error.request,
    )
