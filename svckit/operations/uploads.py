"""Uploads, in two steps (the service's description, section "File transfer"), whole or in ranges."""

import mimetypes
from datetime import datetime
from typing import Any, get_args

from svckit.errors import Cancelled, InvalidInput
from svckit.http.messages import Operation, Request
from svckit.models.files import RANGE_SIZE, UploadRequest, UploadResult, UploadTicket
from svckit.models.phrases import describe_given
from svckit.operations.batch import Cancel, check_cancel
from svckit.operations.checks import check_absolute, check_flags, read, validate
from svckit.operations.journals import JournalPath
from svckit.operations.kept_uploads import find_entry, read_upload
from svckit.operations.sending import MEDIA_TYPE, Upload, UploadForm, make_cancelled, send_rest
from svckit.operations.sources import CHUNK, SizedContent, Source, format_modified, get_name, open_source
from svckit.places import Place, check_place

__all__ = ["Upload", "UploadForm", "parse_resumable", "resume", "upload"]

UNKNOWN_TYPE = "application/octet-stream"


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
    journal: JournalPath | None = None,
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
        name: name to store it under, sent as given; by default that of the file, composed (NFC) where macOS decomposed
            it; required if the content has no name.
        content_type: its media type; by default guessed from the name.
        size: its size in bytes; required for content that comes in pieces and cannot be rewound.
        overwrite: whether to replace a file of the same name in the same place.
        modified: when the file was last changed: an aware ``datetime``, text that is sent as it is, or ``True`` for
            the time from the file system. By default nothing is sent.
        resumable: ``True`` for ranges of 8 MiB, or the bytes of a range. Content that comes in pieces is held in
            memory a range at a time.
        form: the form that the content is sent in: ``"Filedata"`` for a part of that name, or ``"resourceName"`` for
            a field ``resourceName``, which holds the name, and a part ``FileData``. The description shows both.
        journal: a file that records the upload URL and how much has arrived, so that the same call resumes in another
            process, until the URL expires. The source must be a path, and is sent in ranges; if its size, its
            modification time or what was sent of it has changed, nothing is sent. The file is for its owner only, and
            is deleted after success.
        progress: ``True`` or ``False`` for a bar or none. By default one appears after a second, in a notebook or
            at a terminal, if tqdm is installed; elsewhere, such as in a log, ``True`` writes lines.
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
    path = to.upload_path
    if path is None:
        raise InvalidInput(f"files.upload was not sent: the place accepts no uploads ({to!r})")
    range_size = parse_resumable(resumable) or (RANGE_SIZE if journal is not None else None)
    if form not in get_args(UploadForm):
        raise InvalidInput(
            f"files.upload was not sent: form must be {' or '.join(map(repr, get_args(UploadForm)))}; given {form!r}"
        )
    with open_source(source, size) as content:
        announced = _announce(source, content.size, name=name, overwrite=overwrite, modified=modified)
        name = announced["fileName"]
        content_type = content_type or mimetypes.guess_type(name)[0] or UNKNOWN_TYPE
        if not MEDIA_TYPE.fullmatch(content_type):
            raise InvalidInput(f"content_type must be a media type such as image/png; given {content_type!r}")
        if cancel is not None and cancel.is_set():
            raise Cancelled("files.upload was cancelled before anything was sent")
        entry = None if journal is None else find_entry(journal, source, to, name)
        if entry is not None and (broken := read_upload(entry, to, name, content.size)) is not None:
            return (yield from _resume(broken, content, progress, cancel))
        response = yield Request(
            operation="files.upload",
            method="POST",
            target=path,
            json=announced,
            expects=(200, 201),  # the description does not show the status of this step
            repeatable=True,  # it stores nothing yet
        )
        url = check_absolute(read(UploadTicket, response).upload_url, response)
        started = Upload(
            to=to,
            name=name,
            content_type=content_type,
            size=content.size,
            range_size=range_size,
            url=url,
            form=form,
            entry=entry,
        )
        return (yield from send_rest(started, content, progress, cancel))


def _announce(
    source: Source, size: int, *, name: str | None, overwrite: bool, modified: bool | str | datetime | None
) -> dict[str, Any]:
    """Return what the first step says about the content.

    Raises:
        InvalidInput: a value breaks a limit, or the name or the time of the source is unknown.
    """
    given = {"file_name": name or get_name(source), "file_size": size}
    if overwrite:
        given["overwrite"] = True
    if modified not in (None, False):
        given["modified_time"] = format_modified(source, modified)
    return validate(
        UploadRequest,
        given,
        operation="files.upload",
        arguments={"file_name": "name", "modified_time": "modified"},
    )


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
    with open_source(source, upload.size) as content:
        return (yield from _resume(upload, content, progress, cancel))


def _resume(
    upload: Upload, content: SizedContent, progress: bool | None, cancel: Cancel | None
) -> Operation[UploadResult]:
    if upload.is_done:
        look = "" if upload.entry is None else f": look for it, and delete {upload.entry.journal.path}"
        raise InvalidInput(
            f"files.resume was not sent: all {upload.size} bytes of {upload.name!r} were sent already{look}"
        )
    _compare(upload, content, cancel)
    return (yield from send_rest(upload, content, progress, cancel))


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
            raise make_cancelled(upload)
        chunk = content.read(at, min(CHUNK, end - at))
        if not chunk:
            raise InvalidInput(
                f"files.resume was not sent: the source ended after {at} of the {end} bytes that were sent before. "
                "Pass the whole content, from its beginning; a source that can be read only once, such as a generator "
                "or a pipe, must be created again"
            )
        upload.sent.record(at, chunk)
        at += len(chunk)


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
