"""Examples of bodies from the sample domain, under the chosen alternatives; none contains a secret."""

import json
from collections.abc import Mapping
from threading import RLock
from typing import Any

from fakes.clock import Clock
from fakes.faults.injection import Faults
from fakes.handlers.files import make_upload_result
from fakes.http.addresses import BaseURLs
from fakes.parts.state import BOT_ID, CHANNEL_ID, FIRST_USER, State
from fakes.rulebook.rules import Rules
from svckit.models.signature import HEADER_WORD
from svckit.models.status import StatusRegistration

__all__ = ["Examples"]

NOW = "2026-06-01T09:00:00+09:00"

PARAMETERS = {
    "userId": FIRST_USER,
    "botId": BOT_ID,
    "formId": "form-1",
    "responseId": "response-1",
    "attachmentId": "attachment-1",
}
"""The path parameters of the sample; all others may be any text."""

REQUESTS: Mapping[str, Mapping[str, Any]] = {
    "UserChange": {"nickName": "Mina", "task": None},
    "StatusRegistration": {"profileStatusId": "BUSY", "statusMessage": "In a meeting"},
    "UploadRequest": {"fileName": "report.pdf", "fileSize": 1024},
    "Notification": {"title": "CI", "body": {"text": "Build is green"}},
}
MESSAGES: Mapping[str, Mapping[str, Any]] = {
    "text": {"text": "hello", "postback": "start"},
    "location": {"address": "1-1 Example Street", "latitude": 35.6812, "longitude": 139.7671},
    "sticker": {"packageId": "1", "stickerId": "2"},
    "image": {"fileId": "image-1"},
    "file": {"fileId": "file-1"},
}


class Examples:
    """Examples by the name of a schema, under some rules."""

    def __init__(self, rules: Rules, base_urls: BaseURLs, header_word: str = HEADER_WORD) -> None:
        chosen = {rule.id: rule.chosen for rule in rules if rule.chosen is not None}
        self._rules = Rules(chosen)
        self._state = State(
            users=20, seed=0, clock=Clock(NOW), rules=self._rules, faults=Faults(), lock=RLock()
        )
        self._state.settings.header_word = header_word
        self._bodies = {**REQUESTS, **self._build_responses(base_urls)}

    def __getitem__(self, schema: str) -> Any:
        """Return an example of a schema, or None."""
        return self._bodies.get(schema)

    def _build_responses(self, base_urls: BaseURLs) -> dict[str, Any]:
        state, registration = self._state, StatusRegistration.from_wire(REQUESTS["StatusRegistration"])
        stored = state.files.seed(("drive", FIRST_USER), "file-1", "report.pdf", "application/pdf", b"%PDF")
        return {
            "User": state.directory[FIRST_USER],
            "UserProfileStatus": state.statuses.register(FIRST_USER, registration),
            "UploadTicket": {"uploadUrl": f"{base_urls.storage}/uploads/<address>"},
            "UploadResult": make_upload_result(stored, self._rules),
            "UploadOffset": {"offset": 512},
            "NotificationReply": {"code": 200, "description": "success"},
            "TokenSet": {
                "access_token": "<ACCESS_TOKEN>",
                "refresh_token": "<REFRESH_TOKEN>",
                "scope": "user,file",
                "expires_in": "86400",
                "token_type": "Bearer",
            },
        }

    def event(self, kind: str) -> tuple[dict[str, str], dict[str, Any]]:
        """Return the headers, without the signature itself, and the body of a message event."""
        received: list[tuple[Mapping[str, str], bytes]] = []
        callbacks, content = self._state.callbacks, MESSAGES[kind]
        if "fileId" in content:  # where file IDs are checked, the bot must have it
            self._state.files.seed(("bot", BOT_ID), content["fileId"], "file", "text/plain", b"")
        callbacks.connect(BOT_ID, lambda headers, body: received.append((headers, body)))
        callbacks.send(BOT_ID, FIRST_USER, {"type": kind, **content}, CHANNEL_ID)
        headers, body = received[0]
        shown = {
            name: "<signature>" if "signature" in name.lower() else value for name, value in headers.items()
        }
        return shown, json.loads(body)
