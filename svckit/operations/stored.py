"""Read what the file storage says about content that was sent."""

from pydantic import ValidationError

from svckit.errors import ServiceError, SizeDiffers
from svckit.http.messages import Response
from svckit.models.files import UploadOffset, UploadResult
from svckit.operations.checks import make_response_error, read

__all__ = ["is_stored", "next_offset", "read_result"]

STORED = 201


def next_offset(response: Response, start: int, end: int, size: int, *, in_ranges: bool) -> int:
    """Return the offset where the service wants to continue; by default the end of what was sent.

    Args:
        response: the response to a part of the content.
        start: the offset of the part's start.
        end: the offset of its end.
        size: the total size in bytes.
        in_ranges: whether a part of it may be left to send.

    Raises:
        ServiceError: the offset makes no sense, or all bytes have arrived but were not stored.
    """
    try:
        offset = UploadOffset.from_wire(response.content).offset
    except ValidationError:
        offset = None
    offset = end if offset is None else offset
    if offset == end == size:
        raise make_response_error(
            response,
            f"all {size} bytes have arrived, but it does not say that they are stored; look for the file before you "
            "upload it again",
        )
    if not start < offset <= end or not (in_ranges or offset == end):
        raise make_response_error(
            response, f"it says that {offset} bytes have arrived, after the bytes {start} to {end - 1}"
        )
    return offset


def is_stored(response: Response) -> bool:
    """Return whether a response to the last bytes says that the file is stored, even if its status is not 201."""
    if response.status == STORED:
        return True
    try:
        return response.status == 200 and bool(UploadResult.from_response(response.content).model_fields_set)
    except ValidationError:
        return False


def read_result(name: str, size: int, response: Response) -> UploadResult:
    """Read the result of an upload of a file with this name and size.

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
    if result.file_size not in (None, size):
        raise SizeDiffers(
            f"files.upload: {name!r} is stored, but its size differs: {size} bytes were sent, and the "
            f"response says fileSize {result.file_size} ({response.status}; {response.request}). {SizeDiffers.advice}",
            result=result,
            status=response.status,
            operation=response.operation,
            request=response.request,
        )
    return result
