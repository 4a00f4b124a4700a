"""The metadata of a file, before and after its content is sent."""

from typing import Annotated, ClassVar

from pydantic import Field

from svckit.models.base import Flag, Int64, Integer, OrAbsent, WireModel, absent
from svckit.models.record_card import ServiceRecord

__all__ = ["RANGE_SIZE", "UploadOffset", "UploadRequest", "UploadResult", "UploadTicket"]

RANGE_SIZE = 8 * 1024 * 1024
"""The bytes of each range of an upload with ``resumable=True``."""


class UploadRequest(WireModel):
    """A request for an upload URL (the service's description, section "File transfer").

    ``modifiedTime`` can be any text: the description shows no format.

    Examples:
        >>> UploadRequest(file_name="report.pdf", file_size=1024).to_wire()
        {'fileName': 'report.pdf', 'fileSize': 1024}
    """

    file_name: str = Field(description="Name the file is stored under.")
    file_size: Annotated[Int64, Field(ge=0)] = Field(description="Size of the content in bytes.")
    modified_time: OrAbsent[str] = absent("When the file was last changed.")
    overwrite: OrAbsent[Flag] = absent("Whether to replace a file of the same name in the same place.")


class UploadTicket(WireModel):
    """The response to an upload request."""

    upload_url: str = Field(description="URL to send the content to.")


class UploadOffset(WireModel):
    """The response to a range of a resumable upload that is not the last.

    The service's description does not show it, so nothing in it is required.

    Examples:
        >>> UploadOffset.from_wire('{"offset": 1024}').offset
        1024
    """

    offset: OrAbsent[Integer] = absent("Number of the next byte to send.")


class UploadResult(ServiceRecord):
    """The file storage's response about stored content.

    The first three fields are common to all places; the others are for drive files. The description allows
    the result to differ by resource, so no field is required.

    Examples:
        >>> UploadResult.from_wire('{"fileId": "f-1", "fileName": "a.txt", "fileSize": 3}').file_id
        'f-1'
    """

    id_field: ClassVar[str] = "file_id"

    file_id: OrAbsent[str] = absent("ID of the stored file.")
    file_name: OrAbsent[str] = absent("Name the file is stored under.")
    file_size: OrAbsent[Integer] = absent("Size of the content in bytes.")
    parent_file_id: OrAbsent[str] = absent("ID of the folder that holds the file.")
    accessed_time: OrAbsent[str] = absent("When the file was last opened.")
    created_time: OrAbsent[str] = absent("When the file was created.")
    modified_time: OrAbsent[str] = absent("When the file was last changed.")
    file_path: OrAbsent[str] = absent("Path of the file in its drive.")
    file_type: OrAbsent[str] = absent("Type of the file.")
    has_permission: OrAbsent[Flag] = absent("Whether access to the file is granted separately.")
    permission_root_file_id: OrAbsent[str] = absent("ID of the folder whose access rights the file inherits.")
    resource_location: OrAbsent[Integer] = absent("Code of the location that stores the content.")
    statuses: OrAbsent[list[str]] = absent("States the file is in.")
