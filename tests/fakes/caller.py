"""A client of a fake that speaks literal HTTP, and says each thing in one line."""

import json
import re
from contextlib import contextmanager
from html import unescape
from urllib.parse import parse_qs, urlsplit

import httpx

from fakes import FakeService
from fakes.http.messages import RequestHead

NOW = "2026-06-01T09:00:00+09:00"
DRIVE = "/users/u-001/drive/files"
BOUNDARY = "boundary-7"
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


def make(**options) -> FakeService:
    """A fake whose clock stands."""
    return FakeService.sample(now=NOW, **options)


def stored(fake):
    """What a fake stores, except the count of calls of the resource API, to which refused calls add."""
    snapshot = fake.snapshot()
    del snapshot["api_rate"]
    return snapshot


def restored(fake) -> FakeService:
    """Another fake, with the state of this one: from a snapshot that was written and read as JSON."""
    other = FakeService.sample()
    other.restore(json.loads(json.dumps(fake.snapshot())))
    return other


def bearer(fake, user="u-001"):
    """The header of a new access token."""
    return {"Authorization": f"Bearer {fake.access_token(user)}"}


def named(response):
    """The assumptions that a response names."""
    return set(filter(None, response.headers.get("X-Fake-Assumed", "").split(", ")))


def read_statuses(observed):
    """What was observed, with the statuses of responses in their place."""
    if isinstance(observed, httpx.Response):
        return observed.status_code
    return type(observed)(map(read_statuses, observed)) if isinstance(observed, list | tuple) else observed


class Caller:
    """Calls a fake as a signed-in user, ``u-001`` unless told otherwise; each response is an `httpx.Response`."""

    def __init__(self, fake, user="u-001"):
        self.fake, self.facts = fake, fake.facts
        self.http = httpx.Client(transport=fake.transport(), trust_env=False)
        self.become(user)

    def become(self, user="u-001", **scope):
        """Call as a user from now on, with a new access token."""
        self.take(self.fake.access_token(user, **scope))

    def take(self, access_token):
        """Call with this access token from now on."""
        self.bearer = {"Authorization": f"Bearer {access_token}"}

    def api(self, method, path, **request):
        headers = self.bearer | request.pop("headers", {})
        return self.http.request(method, self.facts["base_url"] + path, headers=headers, **request)

    # -- signing in -------------------------------------------------------------------------------------------

    def authorize(self, **changes):
        names = ("client_id", "redirect_uri")
        parameters = {name: self.facts[name] for name in names}
        parameters |= {"scope": "user,file", "response_type": "code", "state": "s-1"} | changes
        return self.http.get(self.facts["auth_url"] + "/oauth2/v2.0/authorize", params=parameters)

    def hidden(self, **changes):
        """The hidden fields of a new login screen."""
        return {name: unescape(value) for name, value in HIDDEN.findall(self.authorize(**changes).text)}

    def send_login(self, form):
        return self.http.post(self.facts["auth_url"] + "/oauth2/v2.0/authorize", data=form)

    def log_in(self, login_id=None, password=None, **changes):
        form = {
            "login_id": login_id or self.facts["login_id"],
            "password": password or self.facts["password"],
        }
        return self.send_login(self.hidden(**changes) | form)

    def code(self, **changes):
        return parse_qs(urlsplit(self.log_in(**changes).headers["Location"]).query)["code"][0]

    def token(self, **form):
        client = {name: self.facts[name] for name in ("client_id", "client_secret")}
        return self.http.post(self.facts["auth_url"] + "/oauth2/v2.0/token", data=client | form)

    def exchange(self, code=None, **changes):
        return self.token(grant_type="authorization_code", code=code or self.code(), **changes)

    def refresh(self, refresh_token, **changes):
        return self.token(grant_type="refresh_token", refresh_token=refresh_token, **changes)

    # -- the directory ----------------------------------------------------------------------------------------

    def patch(self, user="u-001", **fields):
        return self.api("PATCH", f"/users/{user}", json=fields)

    def begin_update(self, user="u-001"):
        """An update whose body has yet to come."""
        headers = self.bearer | {"Content-Type": "application/json"}
        sent = [(name.encode(), value.encode()) for name, value in headers.items()]
        return self.fake.open(RequestHead("PATCH", f"{self.facts['base_url']}/users/{user}", sent))

    def set_status(self, user="u-001", **fields):
        body = {"profileStatusId": "BUSY"} | fields
        return self.api("POST", f"/users/{user}/user-profile-statuses", json=body)

    # -- files ------------------------------------------------------------------------------------------------

    def ask(self, path=DRIVE, *, name="a.txt", size=5, **more):
        return self.api("POST", path, json={"fileName": name, "fileSize": size} | more)

    def url(self, path=DRIVE, **request):
        return self.ask(path, **request).json()["uploadUrl"]

    def send(
        self, url, content=b"hello", *, field="Filedata", name="a.txt", content_type="text/plain", **headers
    ):
        files = {field: (name, content, content_type) if content_type else (name, content)}
        return self.http.post(url, files=files, headers=self.bearer | headers)

    def upload(self, path=DRIVE, content=b"hello", *, content_type="text/plain", **request):
        request = {"name": "a.txt", "size": len(content)} | request
        url = self.url(path, **request)
        return self.send(url, content, name=request["name"], content_type=content_type).json()

    def locate(self, file_id, path=DRIVE, **request):
        return self.api("GET", f"{path}/{file_id}/download", **request)

    def fetch(self, url):
        return self.http.get(url, headers=self.bearer)

    def download(self, file_id, path=DRIVE):
        return self.fetch(self.locate(file_id, path).headers["Location"])

    # -- notifications and callbacks ----------------------------------------------------------------------------

    def notify(self, text="hello", **more):
        return self.http.post(self.facts["webhooks"][0], json={"body": {"text": text}} | more)

    def say(self, content=None, *, answer=200, user="u-001", **more):
        """Write to the bot; the delivery, and what its receiver got as (headers, body)."""
        came = []

        def receiver(headers, body):
            came.append((headers, body))
            return answer

        self.fake.callbacks.connect("bot-1", receiver)
        content = content or {"type": "text", "text": "hello"}
        return self.fake.callbacks.send("bot-1", user, content, **more), came


@contextmanager
def calling(fake, user="u-001"):
    """A caller whose client is closed at the end."""
    caller = Caller(fake, user)
    with caller.http:
        yield caller


def raw_form(*parts, boundary=BOUNDARY):
    """A multipart body from header lines and contents, to the byte."""
    delimiter = b"--" + boundary.encode()
    body = b"".join(delimiter + b"\r\n" + head + b"\r\n\r\n" + content + b"\r\n" for head, content in parts)
    return body + delimiter + b"--\r\n"
