"""What is there in a sample, put into requests that schemathesis has made up: few would get past a sign-in or an ID."""

import re
from collections import Counter

from svckit.models.paths import UPLOAD_PLACES

from ..caller import Caller

SAMPLE = {
    "userId": "u-003",
    "botId": "bot-1",
    "formId": "form-1",
    "responseId": "response-1",
    "revisionId": "1",
}
PLACES = [place for place in UPLOAD_PLACES if "{fileId}" not in place.template]
CONTENT = "hello"
RATE = 120


class Settling(Caller):
    """Settles requests to a fake, whose state it knows because it has brought it about."""

    def __init__(self, fake):
        super().__init__(fake)
        self._turns = Counter()
        self._by_operation = {
            "auth.authorize": self._authorize,
            "auth.login": self._log_in,
            "auth.token": self._token,
            "notifications.post": self._notify,
            "users.update": self._update,
            "storage.receive": self._upload,
            "storage.receive_bytes": self._upload,
            "storage.send": self._download,
        }
        self._files = {}
        self._files |= {place: self._stored(place) for place in PLACES}

    def settle(self, case, operation):
        """Put in what is known to be there; every third time in a way that leads elsewhere."""
        self._turns[operation] += 1
        case.headers.update(self.bearer)
        known = case.path_parameters or {}
        for name in known:
            known[name] = self._known(name, case.operation.path)
        special = self._by_operation.get(operation)
        if special is not None:
            special(case, elsewhere=self._turns[operation] % 3 == 0)

    def _known(self, name, template):
        if name == "webhookId":
            return self.facts["webhooks"][0].rpartition("/")[2]
        if name == "attachmentId" and template.startswith("/forms/"):
            return "attachment-1"
        if name in ("fileId", "attachmentId"):
            there = (id_ for place, id_ in self._files.items() if template.startswith(f"{place.template}/"))
            return next(there, f"{name}-1")
        return SAMPLE.get(name, f"{name}-1")

    def _stored(self, place):
        """The ID of a file that is uploaded to a place."""
        return self.upload(re.sub(r"{(\w+)}", lambda name: self._known(name[1], ""), place.template))[
            "fileId"
        ]

    # -- one operation each ---------------------------------------------------------------------------------------

    def _authorize(self, case, *, elsewhere):
        case.query |= dict(self.authorize(**({"scope": ""} if elsewhere else {})).request.url.params)

    def _log_in(self, case, *, elsewhere):
        case.body = self.hidden() | {name: str(self.facts[name]) for name in ("login_id", "password")}
        if elsewhere:
            case.body["password"] = "wrong"

    def _token(self, case, *, elsewhere):
        if isinstance(case.body, dict):
            case.body |= {name: str(self.facts[name]) for name in ("client_id", "client_secret")}
        if elsewhere:
            code = {"grant_type": "authorization_code", "code": self.code()}
            case.body = (case.body if isinstance(case.body, dict) else {}) | code

    def _notify(self, case, *, elsewhere):
        """Elsewhere, the rate is used up."""
        self.fake.clock.advance(minutes=1)
        for _ in range(RATE if elsewhere else 0):
            self.notify()

    def _update(self, case, *, elsewhere):
        """Elsewhere, with the e-mail of another user."""
        if elsewhere and isinstance(case.body, dict):
            case.body["email"] = self.facts["login_id"]

    def _upload(self, case, *, elsewhere):
        """Elsewhere, its first piece; else now and then whole."""
        case.path_parameters["address"] = self.url().rpartition("/")[2]
        if elsewhere:
            case.body = {"resourceName": "a", "FileData": CONTENT[:3]}
            case.headers["Content-Range"] = f"0-2/{len(CONTENT)}"
        elif self._turns[case.operation.definition.raw["operationId"]] % 3 == 1:
            case.body = {"resourceName": "a", "FileData": CONTENT}
            case.headers.pop("Content-Range", None)

    def _download(self, case, *, elsewhere):
        url = self.api("GET", "/audits/logs/download").headers["Location"]
        case.path_parameters["address"] = url.rpartition("/")[2] + "x" * elsewhere
