"""What is there in a sample, put into requests that schemathesis has made up: few would get past a sign-in or an ID."""

import re
from collections import Counter

import httpx

from svckit.models.paths import UPLOAD_PLACES

SAMPLE = {
    "userId": "u-003",
    "botId": "bot-1",
    "formId": "form-1",
    "responseId": "response-1",
    "revisionId": "1",
}
CONTENT = "hello"
RATE = 120


class Settling:
    """Settles requests to a fake, whose state it knows because it has brought it about."""

    def __init__(self, fake):
        self._fake = fake
        self._http = httpx.Client(transport=fake.transport())
        self._authorize_url = fake.facts["auth_url"] + "/oauth2/v2.0/authorize"
        self._turns = Counter()
        self.bearer = ""
        self._by_operation = {
            "auth.authorize": self._authorize,
            "auth.login": self._login,
            "auth.token": self._token,
            "notifications.post": self._webhook,
            "users.update": self._update,
            "storage.receive": self._upload,
            "storage.receive_bytes": self._upload,
            "storage.send": self._download,
        }
        self.sign_in()
        self._files = {
            place.store: self._stored(place) for place in UPLOAD_PLACES if "{fileId}" not in place.template
        }

    def close(self):
        self._http.close()

    def sign_in(self):
        """Take a new access token, before the last one ends."""
        self.bearer = self._fake.access_token()

    def settle(self, case, operation):
        """Put in what is known to be there; every third time in a way that leads elsewhere."""
        self._turns[operation] += 1
        case.headers["Authorization"] = f"Bearer {self.bearer}"
        known = case.path_parameters or {}
        for name in known:
            known[name] = self._known(name, case.operation.path)
        special = self._by_operation.get(operation)
        if special is not None:
            special(case, elsewhere=self._turns[operation] % 3 == 0)

    def _known(self, name, template):
        if name == "webhookId":
            return self._fake.facts["webhooks"][0].rpartition("/")[2]
        if name == "attachmentId" and template.startswith("/forms/"):
            return "attachment-1"
        if name in ("fileId", "attachmentId"):
            return next(
                (found for store, found in self._files.items() if self._is_in(store, template)), f"{name}-1"
            )
        return SAMPLE.get(name, f"{name}-1")

    def _is_in(self, store, template):
        place = next(
            each for each in UPLOAD_PLACES if each.store == store and "{fileId}" not in each.template
        )
        return template.startswith(place.template + "/")

    def _post(self, url, **options):
        return self._http.post(url, headers={"Authorization": f"Bearer {self.bearer}"}, **options)

    def _upload_url(self, path):
        """An address to upload to."""
        upload = {"fileName": "a", "fileSize": len(CONTENT)}
        return self._post(self._fake.facts["base_url"] + path, json=upload).json()["uploadUrl"]

    def _stored(self, place):
        """The ID of a file that is uploaded to a place."""
        path = re.sub(r"{(\w+)}", lambda name: self._known(name[1], ""), place.template)
        files = {"Filedata": ("a", CONTENT)}
        return self._post(self._upload_url(path), files=files).json()["fileId"]

    # -- one operation each ---------------------------------------------------------------------------------------

    def _authorize(self, case, *, elsewhere):
        case.query |= self._authorization() | ({"scope": ""} if elsewhere else {})

    def _authorization(self):
        facts = self._fake.facts
        return {
            "client_id": facts["client_id"],
            "redirect_uri": facts["redirect_uri"],
            "scope": "user,file",
            "response_type": "code",
            "state": "s-1",
        } | ({"domain": facts["domain"]} if "domain" in facts else {})

    def _form(self):
        """The form of a login screen, filled in."""
        page = self._http.get(self._authorize_url, params=self._authorization()).text
        hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
        return dict(hidden) | {name: str(self._fake.facts[name]) for name in ("login_id", "password")}

    def _login(self, case, *, elsewhere):
        case.body = self._form() | ({"password": "wrong"} if elsewhere else {})

    def _token(self, case, *, elsewhere):
        if isinstance(case.body, dict):
            case.body |= {name: str(self._fake.facts[name]) for name in ("client_id", "client_secret")}
        if elsewhere:
            response = self._http.post(self._authorize_url, data=self._form())
            code = httpx.URL(response.headers["Location"]).params["code"]
            case.body = (case.body if isinstance(case.body, dict) else {}) | {
                "grant_type": "authorization_code",
                "code": code,
            }

    def _webhook(self, case, *, elsewhere):
        """Elsewhere, the rate is used up."""
        self._fake.clock.advance(minutes=1)
        for _ in range(RATE if elsewhere else 0):
            self._http.post(self._fake.facts["webhooks"][0], json={"body": {"text": "x"}})

    def _update(self, case, *, elsewhere):
        """Elsewhere, with the e-mail of another user."""
        if elsewhere and isinstance(case.body, dict):
            case.body["email"] = self._fake.facts["login_id"]

    def _upload(self, case, *, elsewhere):
        """Elsewhere, its first piece; else now and then whole."""
        case.path_parameters["address"] = self._upload_url("/users/u-001/drive/files").rpartition("/")[2]
        if elsewhere:
            case.body = {"resourceName": "a", "FileData": CONTENT[:3]}
            case.headers["Content-Range"] = f"0-2/{len(CONTENT)}"
        elif self._turns[case.operation.definition.raw["operationId"]] % 3 == 1:
            case.body = {"resourceName": "a", "FileData": CONTENT}
            case.headers.pop("Content-Range", None)

    def _download(self, case, *, elsewhere):
        url = self._fake.facts["base_url"] + "/audits/logs/download"
        response = self._http.get(url, headers={"Authorization": f"Bearer {self.bearer}"})
        case.path_parameters["address"] = response.headers["Location"].rpartition("/")[2] + "x" * elsewhere
