"""What the fake does for a call, written in one piece, so that all peers do the same work.

Each method reads the request, checks it, stores what it changes and returns the response: what a careful author would
write for a test, if a test needed no rules, no journal and no faults.
"""

from collections import deque
from datetime import UTC, datetime, timedelta
from math import ceil
from os import SEEK_END
from secrets import token_hex
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import parse_qsl

from pydantic_core import from_json, to_json
from python_multipart import parse_form

from fakes import FakeService
from svckit.models.files import UploadRequest
from svckit.models.notification import Notification, mentions
from svckit.models.status import StatusRegistration
from svckit.models.user import UserChange

BEARER = "Bearer benchmark"
JSON = "application/json; charset=UTF-8"
ORIGIN = "https://peer.test"
FACTS = {
    "base_url": ORIGIN,
    "auth_url": ORIGIN,
    "webhook": f"{ORIGIN}/message/benchmark",
    "client_id": "client",
    "client_secret": "secret",
    "refresh_token": "refresh",
}
"""What a client has to know."""
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
PER_MINUTE = 120
SUCCESS = to_json({"code": 200, "description": "success"})


class Response(NamedTuple):
    """A response, which is JSON unless its headers say otherwise."""

    status: int
    content: bytes = b"{}"
    headers: tuple[tuple[str, str], ...] = (("Content-Type", JSON),)


class Straight:
    """Users, files, statuses, tokens and messages of one domain.

    Args:
        origin: where it is found, for the URLs of files.
        per_minute: how many notifications it takes.

    Attributes:
        users: the records by user ID.
    """

    def __init__(self, origin: str = ORIGIN, per_minute: int = PER_MINUTE) -> None:
        self.origin = origin
        self.users: dict[str, dict[str, Any]] = {
            record["userId"]: from_json(to_json(record)) for record in FakeService.sample().records("users")
        }
        self._announced: dict[str, tuple[str, UploadRequest, datetime]] = {}
        self._files: dict[str, tuple[str, str, BinaryIO, int]] = {}
        self._downloads: dict[str, str] = {}
        self._statuses: dict[str, dict[str, Any]] = {}
        self._refresh = {FACTS["refresh_token"]: datetime.now(UTC) + 90 * DAY}
        self._access: dict[str, datetime] = {}
        self._messages: deque[dict[str, Any]] = deque(maxlen=10_000)
        self._per_minute = per_minute
        self._minute, self._used = datetime.now(UTC), 0

    def update(self, bearer: str | None, user_id: str, change: UserChange) -> Response:
        """Merge a change into a user, and return the whole record."""
        if bearer != BEARER:
            return Response(401)
        record = self.users[user_id]
        record.update(change.to_wire())
        return Response(200, to_json(record))

    def register(self, bearer: str | None, user_id: str, status: StatusRegistration) -> Response:
        """Register a profile status, and return it."""
        if bearer != BEARER:
            return Response(401)
        now = datetime.now(UTC)
        if user_id not in self.users or (status.end_time and status.end_time <= (status.start_time or now)):
            return Response(400)
        record = {
            "userProfileStatusId": f"status-{token_hex(8)}",
            "profileStatusName": status.profile_status_id.title(),
            "scheduleType": "RESERVED" if status.start_time and status.start_time > now else "PRESENT",
            "statusMessage": None,
            "startTime": None,
            "endTime": None,
            "autoReplyMail": None,
            **status.to_wire(),
        }
        self._statuses[user_id] = record
        return Response(200, to_json(record))

    def announce(self, bearer: str | None, user_id: str, announced: UploadRequest) -> Response:
        """Return the URL that takes the content of a file."""
        if bearer != BEARER:
            return Response(401)
        if user_id not in self.users:
            return Response(404)
        address = token_hex(20)
        self._announced[address] = user_id, announced, datetime.now(UTC) + DAY
        return Response(200, to_json({"uploadUrl": f"{self.origin}/uploads/{address}"}))

    def receive(self, bearer: str | None, address: str, content: BinaryIO, media_type: str) -> Response:
        """Store the content of a file."""
        if bearer != BEARER:
            return Response(401)
        user_id, announced, until = self._announced[address]
        size, now = content.seek(0, SEEK_END), datetime.now(UTC)
        if size != announced.file_size or now > until:
            return Response(400)
        del self._announced[address]
        file_id, name = f"file-{len(self._files) + 1}", announced.file_name
        self._files[file_id] = user_id, media_type, content, size
        time = now.isoformat()
        return Response(
            201,
            to_json(
                {
                    "fileId": file_id,
                    "fileName": name,
                    "fileSize": size,
                    "parentFileId": "root",
                    "filePath": f"/{name}",
                    "hasPermission": False,
                    "permissionRootFileId": "root",
                    "resourceLocation": 0,
                    "accessedTime": time,
                    "createdTime": time,
                    "modifiedTime": announced.modified_time or time,
                    "fileType": name.rpartition(".")[2],
                    "statuses": [],
                }
            ),
        )

    def locate(self, bearer: str | None, user_id: str, file_id: str) -> Response:
        """Redirect to the content of a file."""
        if bearer != BEARER:
            return Response(401)
        if self._files[file_id][0] != user_id:
            return Response(404)
        address = token_hex(20)
        self._downloads[address] = file_id
        return Response(302, b"", (("Location", f"{self.origin}/downloads/{address}"),))

    def send(self, bearer: str | None, address: str) -> Response:
        """Return the content of a file."""
        if bearer != BEARER:
            return Response(401)
        _, media_type, content, _ = self._files[self._downloads[address]]
        content.seek(0)
        return Response(200, content.read(), (("Content-Type", media_type),))

    def refresh(self, form: dict[str, str]) -> Response:
        """Issue an access token for a refresh token."""
        now, known = datetime.now(UTC), (FACTS["client_id"], FACTS["client_secret"])
        if form["grant_type"] != "refresh_token" or (form["client_id"], form["client_secret"]) != known:
            return Response(400)
        if self._refresh[form["refresh_token"]] <= now:
            return Response(400)
        access_token = token_hex(20)
        self._access[access_token] = now + DAY
        issued = {
            "access_token": access_token,
            "scope": "user",
            "expires_in": "86400",
            "token_type": "Bearer",
        }
        return Response(200, to_json(issued), (("Content-Type", JSON), ("Cache-Control", "no-store")))

    def notify(self, webhook: str, notification: Notification) -> Response:
        """Put a message into a room, within the rate."""
        now = datetime.now(UTC)
        if webhook != "benchmark" or not notification.body.text:
            return Response(400)
        mentioned = mentions(notification.body.text)
        if any(user_id not in self.users for user_id in mentioned):
            return Response(400)
        if now - self._minute >= MINUTE:
            self._minute, self._used = now, 0
        if self._used >= self._per_minute:
            return Response(429)
        self._used += 1
        self._messages.append({"mentions": mentioned, "sentAt": now, "title": "CI", **notification.to_wire()})
        rate = (
            ("RateLimit-Used", str(self._used)),
            ("RateLimit-Limit", str(self._per_minute)),
            ("RateLimit-Remaining", str(self._per_minute - self._used)),
            ("RateLimit-Reset", str(ceil((self._minute + MINUTE - now).total_seconds()))),
        )
        return Response(200, SUCCESS, (("Content-Type", JSON), *rate))

    def handle(self, method: str, path: str, headers: Any, body: BinaryIO) -> Response:  # noqa: PLR0911
        """Respond to a request, for a library that has neither routes nor forms."""
        bearer = headers.get("Authorization")
        match method, *path.split("/")[1:]:
            case "PATCH", "users", user_id:
                return self.update(bearer, user_id, UserChange.model_validate_json(body.read()))
            case "POST", "users", user_id, "user-profile-statuses":
                return self.register(bearer, user_id, StatusRegistration.model_validate_json(body.read()))
            case "POST", "users", user_id, "drive", "files":
                return self.announce(bearer, user_id, UploadRequest.model_validate_json(body.read()))
            case "POST", "uploads", address:
                files: list[Any] = []
                sent = {name: headers[name].encode() for name in ("Content-Type", "Content-Length")}
                parse_form(sent, body, lambda _: None, files.append)
                return self.receive(bearer, address, files[0].file_object, files[0].content_type)
            case "GET", "users", user_id, "drive", "files", file_id, "download":
                return self.locate(bearer, user_id, file_id)
            case "GET", "downloads", address:
                return self.send(bearer, address)
            case "POST", "oauth2", "v2.0", "token":
                return self.refresh(dict(parse_qsl(body.read().decode())))
            case "POST", "message", webhook:
                return self.notify(webhook, Notification.model_validate_json(body.read()))
        return Response(404)
