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
    Ended,
    InvalidInput,
    NotFound,
    RateLimited,
    Refused,
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
from svckit.models.files import UploadRequest, UploadResult, UploadTicket
from svckit.models.phrases import count_bytes, name_type
from svckit.models.secret import Secret
from svckit.operations.batch import Cancel, check_cancel
from svckit.operations.checks import check_absolute, read, validate
from svckit.operations.sent import Sent
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

__all__ = ["Upload", "UploadForm", "resume", "upload"]

UploadForm = Literal["Filedata", "resourceName"]
"""The forms that the description shows: a part ``Filedata``, or the fields ``resourceName`` and ``FileData``."""

UNKNOWN_TYPE = "application/octet-stream"
RANGE_SIZE = 8 * 1024 * 1024
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(;[\t\x20-\x7e]*)?", re.ASCII)
_PASSING = (Unreachable, Unauthorized, RateLimited)  # and 5xx: the upload itself was not refused
_GONE = (NotFound, Ended)


@dataclass(slots=True, repr=False)
class Upload:
    """An upload under way, such as one that broke; `resume` continues it.

    Attributes:
        to: the place it goes to.
        name: name of the file.
        content_type: its media type.
        size: its size in bytes.
        range_size: bytes of each range it is sent in; ``None`` where it is sent whole.
        address: where the content is sent; a secret.
        offset: how many bytes the service has said to have.
        is_doubtful: whether it may have more, because the answer to the last request was lost.
        is_done: whether it has all, so that there is nothing to resume.
        sent: how many bytes have been sent, and a hash of them.
        form: the form that the content is sent in.
    """

    to: Place
    name: str
    content_type: str
    size: int
    range_size: int | None
    address: Secret
    offset: int = 0
    is_doubtful: bool = False
    is_done: bool = False
    sent: Sent = field(default_factory=Sent, compare=False)
    form: UploadForm = "Filedata"

    @property
    def next_end(self) -> int:
        """Where the next request ends."""
        return self.size if self.range_size is None else min(self.offset + self.range_size, self.size)

    @property
    def is_all_at_once(self) -> bool:
        """Whether the next request carries the whole content, so that a second one could store it twice."""
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
    ``SizedContent-Range: <start>-<end>/<total>``, and a range that broke is sent again, unless it is all there is. How
    the service answers ranges is not shown. Assumed is that it answers 200 (or 308) to one that is not the last,
    perhaps with its next ``offset``, that it refuses one that it has already, and that a refusal leaves the upload
    as it was.

    Args:
        source: a path, the content itself as bytes, an open binary file (one that can be rewound is sent whole,
            from its beginning; it stays open), or what yields bytes, such as a generator.
        to: where to, such as ``places.drive("u-001")``.
        name: name to store it under; that of the file if left out; required where there is none.
        content_type: its media type; guessed from the name if left out.
        size: its size in bytes; required for content that comes in pieces and cannot be rewound.
        overwrite: whether to replace a file of the same name in the same place.
        modified: when the file was last changed: an aware ``datetime``, text that is sent as it is, or ``True`` for
            the time the file system knows. Left out, nothing is said.
        resumable: ``True`` for ranges of 8 MiB, or the bytes of a range. Content that comes in pieces is held in
            memory a range at a time.
        form: the form that the content is sent in: ``"Filedata"`` for a part of that name, or ``"resourceName"`` for
            a field ``resourceName``, which holds the name, and a part ``FileData``. The description shows both.
        progress: ``True`` or ``False`` for a bar or none. Left out, there is one after a second, in a notebook or
            at a terminal, if tqdm is there.
        cancel: a ``threading.Event`` or another object with ``is_set()``; when set, the upload stops.

    Returns:
        What the file storage says: ``file_id``, ``file_name``, ``file_size`` and, for drives, more.

    Raises:
        InvalidInput: the place takes no uploads, a name or size is missing, or the content has another size.
        OSError: the file cannot be read.
        ForeignOrigin: the upload URL is not on the profile's file storage.
        Cancelled: it was cancelled; nothing of it is stored. Its ``upload`` can be resumed.
        KeyboardInterrupt: it was interrupted; the ``upload`` of that can be resumed too.
        asyncio.CancelledError: its task was cancelled; the same holds of that.
        SizeDiffers: it is stored, and the file storage says that it has another size.
        ServiceError: it broke or was refused. If it broke, ``upload`` can be resumed.

    Examples:
        >>> from svckit import places
        >>> next(upload(b"hello", to=places.drive("u-001"), name="hello.txt")).json
        {'fileName': 'hello.txt', 'fileSize': 5}
    """
    check_place(to)
    check_cancel(cancel)
    if to.upload_path is None:
        raise InvalidInput(f"files.upload was not sent: nothing can be uploaded there ({to!r})")
    range_size = _parse_resumable(resumable)
    if form not in get_args(UploadForm):
        raise InvalidInput(
            f"files.upload was not sent: form is {' or '.join(map(repr, get_args(UploadForm)))}; given {form!r}"
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
            raise InvalidInput(f"content_type is written like image/png; given {content_type!r}")
        if cancel is not None and cancel.is_set():
            raise Cancelled("files.upload was cancelled before anything was sent")
        reply = yield Request(
            operation="files.upload",
            method="POST",
            target=to.upload_path,
            json=announced.to_wire(),
            expects=(200, 201),  # the description does not show the status of this step
            repeatable=True,  # it stores nothing yet
        )
        address = check_absolute(read(UploadTicket, reply).upload_url, reply)
        begun = Upload(to, name, content_type, content.size, range_size, address, form=form)
        return (yield from _send_rest(begun, content, progress, cancel))


def resume(
    upload: Upload, source: Source, *, progress: bool | None = None, cancel: Cancel | None = None
) -> Operation[UploadResult]:
    """Continue an upload that broke or was cancelled, at the same upload URL.

    One that is sent in ranges goes on with the first range that the service does not have. One that is sent whole
    begins anew; if the first attempt was stored after all, the service refuses the second, because an upload URL
    takes one upload. That, and how long the URL is valid, the description does not show: they are assumed.

    What has been sent already is read again and compared with what was sent then.

    Args:
        upload: the upload, from the ``upload`` of the error.
        source: the whole content once more, from its beginning.
        progress: as with `upload`.
        cancel: as with `upload`.

    Returns:
        What the file storage says.

    Raises:
        InvalidInput: the content has another size or has changed, or nothing is left to send.
        Cancelled, ServiceError: as with `upload`.
    """
    if not isinstance(upload, Upload):
        raise InvalidInput(
            f"files.resume continues the upload of an error, error.upload; given {name_type(upload)}"
        )
    check_cancel(cancel)
    if upload.is_done:
        raise InvalidInput(
            f"files.resume was not sent: all {upload.size} bytes of {upload.name!r} have been sent already"
        )
    with open_source(source, upload.size) as content:
        _compare(upload, content, cancel)
        return (yield from _send_rest(upload, content, progress, cancel))


def _compare(upload: Upload, content: SizedContent, cancel: Cancel | None) -> None:
    """Read again what was sent, as far as that can be done ahead; the rest is compared as it is sent.

    Raises:
        InvalidInput: it is not what was sent.
        Cancelled: it is time to stop.
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
                "Give the whole content, from its beginning; what is read only once, such as a generator or a pipe, "
                "must be given afresh"
            )
        upload.sent.record(at, chunk)
        at += len(chunk)


def _send_rest(
    upload: Upload, content: SizedContent, progress: bool | None, cancel: Cancel | None
) -> Operation[UploadResult]:
    """Send what is left, one request after another."""
    with progress_bar(f"upload {upload.name}", upload.size, unit="bytes", shown=progress) as advance:
        advance(upload.offset)
        while True:
            start, end = upload.offset, upload.next_end
            if upload.range_size is not None:
                content.keep(start)
            part = CountedPart(content, start, end, sent=upload.sent, advance=advance, cancel=cancel)
            reply = yield from _send_part(upload, part, end)
            if reply is None:  # the service had it already
                upload.offset, upload.is_doubtful = end, False
            elif end == upload.size and is_stored(reply):
                upload.offset, upload.is_done = end, True
                return read_result(upload.name, upload.size, reply)
            else:
                ranged = upload.range_size is not None
                upload.offset = next_offset(reply, start, end, upload.size, in_ranges=ranged)
                upload.is_doubtful = False
            _correct_bar(advance, upload.offset - start, part)


def _send_part(upload: Upload, part: CountedPart, end: int) -> Operation[Response | None]:
    """Send one part; ``None`` says that it had come before, and only the answer to it was lost."""
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
            error.add_note(
                "There is no upload URL any more to go on with: upload the file anew, with svc.files.upload."
            )
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
        target=upload.address.reveal(),
        area="storage",
        place=upload.to.upload_path or "",
        headers={"Content-Range": content_range} if in_ranges else {},
        file=_build_part(upload, part),
        expects=(200, 201, 308) if in_ranges else (200, 201),  # described is 201
        repeatable=not upload.is_all_at_once,  # a range that it has, the service refuses
    )


def _build_part(upload: Upload, part: CountedPart) -> FilePart:
    if upload.form == "Filedata":
        return FilePart(upload.name, upload.content_type, part)
    return FilePart(upload.name, upload.content_type, part, "FileData", {"resourceName": upload.name})


def _correct_bar(advance: Advance, taken: int, part: CountedPart) -> None:
    """Let the bar show what the service has, where that is not what was read."""
    if taken != part.counted:
        advance(taken - part.counted)


def _parse_resumable(resumable: bool | int) -> int | None:
    if isinstance(resumable, bool):
        return RANGE_SIZE if resumable else None
    if not isinstance(resumable, int) or resumable < 1:
        raise InvalidInput(
            "files.upload was not sent: resumable is True, False, or how many bytes a range has, from 1; "
            f"given {resumable!r}"
        )
    return resumable


def _make_cancelled(upload: Upload) -> Cancelled:
    error = Cancelled(f"files.upload was cancelled. {_explain_resume(upload)}")
    error.upload = upload
    return error


def _explain_resume(upload: Upload) -> str:
    at = f"{upload.offset} of {upload.size} bytes of {upload.name!r} have been taken"
    again = "svc.files.resume(error.upload, source)"
    if not upload.is_all_at_once:
        return f"{at}; {again} goes on from there."
    if upload.is_doubtful:
        return (
            f"It may be stored or not. {again} sends it again to the same upload URL, which takes one upload."
        )
    return f"Nothing is stored; {again} sends it again."


def _make_unknown(upload: Upload, error: ServiceError) -> Unreachable:
    return Unreachable(
        f"files.upload: all {upload.size} bytes of {upload.name!r} were sent, and the answer was lost. The upload URL "
        f"takes no more ({error.description}), so the file is stored, most likely, and its ID is not known. Look for "
        f"it before you upload it again. ({error.request})",
        operation=error.operation,
        request=error.request,
    )
