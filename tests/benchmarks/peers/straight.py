"""What the fake does for a call, written in one piece, so that all peers do the same work."""

import re
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO

from pydantic import BaseModel, Field
from pydantic_core import from_json, to_json
from python_multipart import parse_form

from fakes import FakeService
from svckit.models.user import UserChange

BEARER = "Bearer benchmark"
JSON = "application/json; charset=UTF-8"
ORIGIN = "https://peer.test"
Response = tuple[int, bytes]


class Announcement(BaseModel):
    """The first step of an upload."""

    file_name: str = Field(alias="fileName", max_length=200)
    file_size: int = Field(alias="fileSize", ge=0)


class Straight:
    """Users and uploaded files, without rules, a journal or a clock.

    Args:
        origin: where it is found, for the URL of an upload.

    Attributes:
        users: the records by user ID.
    """

    def __init__(self, origin: str = ORIGIN) -> None:
        self.origin = origin
        self.users: dict[str, dict[str, Any]] = {
            record["userId"]: from_json(to_json(record)) for record in FakeService.sample().records("users")
        }
        self._announced: dict[str, Announcement] = {}
        self._files: dict[str, Any] = {}

    def update(self, bearer: str | None, user_id: str, change: UserChange) -> Response:
        """Merge a change into a user, and return the whole record."""
        if bearer != BEARER:
            return 401, b"{}"
        record = self.users[user_id]
        record.update(change.to_wire())
        return 200, to_json(record)

    def announce(self, bearer: str | None, announced: Announcement) -> Response:
        """Return the URL that takes the content of a file."""
        if bearer != BEARER:
            return 401, b"{}"
        file_id = f"file-{len(self._announced) + 1}"
        self._announced[file_id] = announced
        return 200, to_json({"offset": 0, "uploadUrl": f"{self.origin}/uploads/{file_id}"})

    def receive(self, bearer: str | None, file_id: str, content: BinaryIO) -> Response:
        """Store the content of a file; beyond a MiB it goes to the disk, as the fake's does."""
        if bearer != BEARER:
            return 401, b"{}"
        stored = self._files[file_id] = SpooledTemporaryFile(max_size=2**20)  # noqa: SIM115 - it is kept
        content.seek(0)
        copyfileobj(content, stored)
        announced = self._announced[file_id]
        if stored.tell() != announced.file_size:
            return 400, b"{}"
        return 201, to_json(
            {"fileId": file_id, "fileName": announced.file_name, "fileSize": announced.file_size}
        )

    def handle(self, method: str, path: str, headers: Any, body: BinaryIO) -> Response:
        """Respond to a request, for a library that has neither routes nor forms."""
        bearer = headers.get("Authorization")
        if method == "PATCH" and (user := re.fullmatch("/users/([^/]+)", path)):
            return self.update(bearer, user[1], UserChange.model_validate_json(body.read()))
        if method == "POST" and re.fullmatch("/users/([^/]+)/drive/files", path):
            return self.announce(bearer, Announcement.model_validate_json(body.read()))
        if method == "POST" and (upload := re.fullmatch("/uploads/([^/]+)", path)):
            files: list[Any] = []
            sent = {name: headers[name].encode() for name in ("Content-Type", "Content-Length")}
            parse_form(sent, body, lambda _: None, files.append)
            return self.receive(bearer, upload[1], files[0].file_object)
        return 404, b"{}"
