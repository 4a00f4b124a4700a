"""What the file storage says about content that was sent."""

from pydantic import ValidationError

from svckit.errors import ServiceError, SizeDiffers
from svckit.http.messages import Response
from svckit.models.files import UploadOffset, UploadResult
from svckit.operations.checks import make_response_error, read

__all__ = ["is_stored", "next_offset", "read_result"]


def next_offset(reply: Response, start: int, end: int, size: int, *, in_ranges: bool) -> int:
    """Return where the service wants to continue; if it does not say, that is after what was sent.

    Args:
        reply: its response to a part of the content.
        start: where the part started.
        end: where it ended.
        size: bytes in all.
        in_ranges: whether a part of it may be left to send.

    Raises:
        ServiceError: it says something else, or that all has come without having stored it.
    """
    try:
        offset = UploadOffset.from_wire(reply.content).offset
    except ValidationError:
        offset = None
    offset = end if offset is None else offset
    if offset == end == size:
        raise make_response_error(
            reply,
            f"all {size} bytes have come, and it does not say that they are stored; look for the file before you "
            "upload it again",
        )
    if not start < offset <= end or not (in_ranges or offset == end):
        raise make_response_error(
            reply, f"it says that {offset} bytes have come, after the bytes {start} to {end - 1}"
        )
    return offset


def is_stored(reply: Response) -> bool:
    """Whether a response to the last bytes says that the file is stored, if with another status than 201."""
    if reply.status == 201:
        return True
    try:
        return reply.status == 200 and bool(UploadResult.from_response(reply.content).model_fields_set)
    except ValidationError:
        return False


def read_result(name: str, size: int, reply: Response) -> UploadResult:
    """Read the result of an upload of a file of this name and size.

    Raises:
        SizeDiffers: the file storage says another size than was sent.
        ServiceError: it cannot be read.
    """
    try:
        result = read(UploadResult, reply)
    except ServiceError as error:
        error.add_note(
            f"By its status, {reply.status}, the file is stored: look for it before you upload it again."
        )
        raise
    if result.file_size not in (None, size):
        raise SizeDiffers(
            f"files.upload: {name!r} is stored, but its size differs: {size} bytes were sent, and the "
            f"response says fileSize {result.file_size} ({reply.status}; {reply.request}). {SizeDiffers.advice}",
            result=result,
            status=reply.status,
            operation=reply.operation,
            request=reply.request,
        )
    return result
