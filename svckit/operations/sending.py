"""The second step of an upload: send the content to the upload URL, whole or in ranges, and read what arrived."""

import re
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from pydantic import ValidationError

from svckit.display.progress import progress_bar
from svckit.errors import (
    Cancelled,
    NotFound,
    RateLimited,
    Refused,
    Retired,
    ServiceError,
    SizeDiffers,
    Unauthorized,
    Unreachable,
)
from svckit.http.error_responses import read_offset
from svckit.http.messages import FilePart, Operation, Request, Response
from svckit.models.files import UploadResult
from svckit.models.phrases import count_bytes
from svckit.models.secret import Secret
from svckit.operations.batch import Cancel
from svckit.operations.checks import make_response_error, read
from svckit.operations.journals import Entry
from svckit.operations.sources import CountedPart, SentContent, SizedContent
from svckit.places import Place

__all__ = ["MEDIA_TYPE", "Upload", "UploadForm", "make_cancelled", "send_rest"]

MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(;[\t\x20-\x7e]*)?", re.ASCII)
UploadForm = Literal["Filedata", "resourceName"]
"""The forms that the description shows: a part ``Filedata``, or the fields ``resourceName`` and ``FileData``."""

STORED = 201
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
        entry: its entry in a journal, if it has one.
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
    entry: Entry | None = field(default=None, compare=False)

    @property
    def next_end(self) -> int:
        """The offset of the end of the next request."""
        return self.size if self.range_size is None else min(self.offset + self.range_size, self.size)

    @property
    def is_all_at_once(self) -> bool:
        """True if the next request carries the whole content, so that a second one could store it twice."""
        return self.offset == 0 and self.next_end == self.size

    def keep(self, *, is_doubtful: bool) -> None:
        """Record the upload in its journal, if it has one."""
        if self.entry is not None:
            self.entry.write(
                {
                    "url": self.url.reveal(),
                    "content_type": self.content_type,
                    "range_size": self.range_size,
                    "offset": self.offset,
                    "is_doubtful": is_doubtful,
                    "is_done": self.is_done,
                    "sent": self.sent.size,
                    "digest": self.sent.digest,
                    "form": self.form,
                }
            )

    def __repr__(self) -> str:
        way = "whole" if self.range_size is None else f"in ranges of {count_bytes(self.range_size)}"
        return f"<Upload of {self.name!r}, {way}: {self.offset} of {count_bytes(self.size)}>"


def send_rest(
    upload: Upload, content: SizedContent, progress: bool | None, cancel: Cancel | None
) -> Operation[UploadResult]:
    """Send the rest, one request after another."""
    with progress_bar(f"upload {upload.name}", upload.size, unit="bytes", shown=progress) as advance:
        advance(upload.offset)
        while True:
            start, end = upload.offset, upload.next_end
            if upload.range_size is not None:
                content.keep(start)
            upload.sent.begin_part(start)
            part = CountedPart(
                content=content,
                start=start,
                size=end - start,
                sent=upload.sent,
                advance=advance,
                cancel=cancel,
                on_start=partial(upload.keep, is_doubtful=True),  # until the response has arrived
            )
            response = yield from _send_part(upload, part, end)
            if response is None:  # the service had it already
                upload.is_doubtful = False
            elif end == upload.size and _is_stored(response):
                upload.offset, upload.is_done = end, True
                upload.keep(is_doubtful=False)
                result = _read_result(upload, response)
                if upload.entry is not None:
                    upload.entry.finish(result.to_wire())
                return result
            else:
                upload.offset = _next_offset(upload, response, end)
                upload.is_doubtful = False
            advance(upload.offset - start - part.counted)  # to what the service has of it


def _send_part(upload: Upload, part: CountedPart, end: int) -> Operation[Response | None]:
    """Send one part; return ``None`` if it had arrived before, and only the response was lost.

    It may have arrived once sending it has started. The last start does not count if `cancel` stopped it on the way,
    or if it is the one that was refused.
    """
    try:
        return (yield _build_request(upload, part, end))
    except Cancelled:
        upload.is_doubtful = upload.is_doubtful or part.starts > 1
        upload.keep(is_doubtful=upload.is_doubtful)
        raise make_cancelled(upload) from None
    except (Refused, *_GONE) as error:
        may_have_come = upload.is_doubtful or part.starts > 1
        if may_have_come and _advance_to(upload, error, end):
            return None
        if isinstance(error, _GONE):
            if upload.entry is not None:
                upload.entry.forget()
            error.add_note("The upload URL no longer exists: upload the file again with svc.files.upload.")
        raise
    except ServiceError as error:
        if isinstance(error, _PASSING) or (error.status or 0) >= 500:
            upload.is_doubtful = upload.is_doubtful or part.starts > 0
            upload.keep(is_doubtful=upload.is_doubtful)
            error.upload = upload
            error.args = (f"{error} {_explain_resume(upload)}",)
        raise
    except Exception:
        raise
    except BaseException as interrupt:  # Ctrl-C, or the cancellation of a task
        upload.is_doubtful = upload.is_doubtful or part.starts > 0
        vars(interrupt)["upload"] = upload  # a notebook keeps the interrupt as sys.last_value
        interrupt.add_note(_explain_resume(upload))
        raise


def _advance_to(upload: Upload, error: ServiceError, end: int) -> bool:
    """Move the upload to where a refusal of a part that may have arrived says it continues; return whether it can.

    By default the service says nothing of it, and the part is taken to have arrived.

    Raises:
        Unreachable: it was the last part, so the file was most likely stored.
    """
    offset = error.offset if isinstance(error, Refused) else None
    if offset == upload.size or (offset is None and end == upload.size):
        upload.is_done = True
        upload.keep(is_doubtful=False)
        raise _make_unknown(upload, error) from error
    if offset is None and isinstance(error, Refused):
        offset = end
    if offset is None or not upload.offset < offset <= end:
        return False
    upload.offset = offset
    return True


def _build_request(upload: Upload, part: CountedPart, end: int) -> Request:
    in_ranges = upload.range_size is not None and upload.size > 0
    content_range = f"{upload.offset}-{end - 1}/{upload.size}"
    file = FilePart(upload.name, upload.content_type, part)
    if upload.form == "resourceName":
        file = file._replace(name="FileData", fields={"resourceName": upload.name})
    return Request(
        operation="files.upload",
        method="POST",
        target=upload.url.reveal(),
        area="storage",
        place=upload.to.upload_path or "",
        headers={"Content-Range": content_range} if in_ranges else {},
        file=file,
        expects=(200, 201, 308) if in_ranges else (200, 201),  # the description shows 201
        repeatable=not upload.is_all_at_once,  # the service refuses a range that it has
    )


def make_cancelled(upload: Upload) -> Cancelled:
    """Make the error for an upload that was cancelled."""
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


def _next_offset(upload: Upload, response: Response, end: int) -> int:
    """Return the offset where the service wants to continue; by default the end of the part that was sent.

    Raises:
        ServiceError: the offset makes no sense, or all bytes have arrived but were not stored.
    """
    offset = read_offset(response.content)
    offset = end if offset is None else offset
    if offset == end == upload.size:
        raise make_response_error(
            response,
            f"all {upload.size} bytes have arrived, but it does not say that they are stored; look for the file before "
            "you upload it again",
        )
    if not upload.offset < offset <= end or (upload.range_size is None and offset != end):
        raise make_response_error(
            response,
            f"it says that {offset} bytes have arrived, after the bytes {upload.offset} to {end - 1}",
        )
    return offset


def _is_stored(response: Response) -> bool:
    """Return whether a response to the last bytes says that the file is stored, even if its status is not 201."""
    if response.status == STORED:
        return True
    try:
        return response.status == 200 and bool(UploadResult.from_response(response.content).model_fields_set)
    except ValidationError:
        return False


def _read_result(upload: Upload, response: Response) -> UploadResult:
    """Read the result of an upload.

    Raises:
        SizeDiffers: the file storage reports a different size.
        ServiceError: the response cannot be read.
    """
    try:
        result = read(UploadResult, response)
        if response.status != STORED:
            response.report(f"the status is {response.status}, not {STORED}")
    except ServiceError as error:
        error.add_note(
            f"By its status, {response.status}, the file was stored: look for it before you upload it again."
        )
        raise
    if result.file_size not in (None, upload.size):
        raise SizeDiffers(
            f"files.upload: {upload.name!r} is stored, but its size differs: {upload.size} bytes were sent, and the "
            f"response says fileSize {result.file_size} ({response.status}; {response.request}). {SizeDiffers.advice}",
            result=result,
            **response.context,
        )
    return result
