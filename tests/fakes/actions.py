"""Everything that can be done to a fake and is kept by it, as actions of a client that speaks literal HTTP."""

import json
from collections.abc import Callable
from typing import Any

import httpx
from hypothesis import strategies as st

from fakes import FakeService

NOW = "2026-06-01T09:00:00+09:00"
TEXT = {"type": "text", "text": "héllo <b>"}


class Client:
    """Literal HTTP with a bearer of the fake's own; answers as what a client sees of them."""

    def __init__(self, fake: FakeService) -> None:
        self.fake, self.facts = fake, fake.facts
        self.http = httpx.Client(transport=fake.transport(), trust_env=False)

    def call(self, method: str, url: str, **request: Any) -> tuple[int, dict[str, str], bytes]:
        token = self.fake.state.tokens.issue("u-001", "client-1", "file").access_token
        response = self.http.request(method, url, headers={"Authorization": f"Bearer {token}"}, **request)
        return response.status_code, dict(response.headers), response.content

    def upload_url(self, name: str, size: int, overwrite: bool = False) -> str:
        asked = {"fileName": name, "fileSize": size, "overwrite": overwrite}
        return json.loads(
            self.call("POST", f"{self.facts['base_url']}/users/u-001/drive/files", json=asked)[2]
        )["uploadUrl"]


def sign_in(client: Client) -> object:
    auth = "https://auth.fake.test/oauth2/v2.0/authorize"
    names = ("client_id", "redirect_uri")
    asked = {name: client.facts[name] for name in names} | {
        "scope": "file",
        "response_type": "code",
        "state": "s",
    }
    page = client.call("GET", auth, params=asked)
    ticket = page[2].decode().partition('name="login_ticket" value="')[2].partition('"')[0]
    form = {"login_ticket": ticket} | {name: client.facts[name] for name in ("login_id", "password")}
    begun = client.call("GET", auth, params=asked)
    return page, begun, client.call("POST", auth, data=form)


def refresh(client: Client) -> object:
    issued = client.fake.state.tokens.issue("u-002", "client-1", "file")
    form = {"grant_type": "refresh_token", "refresh_token": issued.refresh_token}
    form |= {name: client.facts[name] for name in ("client_id", "client_secret")}
    return client.call("POST", "https://auth.fake.test/oauth2/v2.0/token", data=form)


def patch(client: Client) -> object:
    count = client.fake.state.ids.counts["at"]
    change = {"nickName": f"名 {count}", "email": f"new.{count}@example.com", "userExternalKey": f"k-{count}"}
    return client.call("PATCH", f"https://api.fake.test/users/u-00{1 + count % 3}", json=change)


def upload(client: Client) -> object:
    url = client.upload_url("ä.txt", 5, overwrite=True)
    return client.call("POST", url, files={"Filedata": ("ä.txt", b"h\x00\xffyo", "text/plain")})


def upload_partly(client: Client) -> object:
    url = client.upload_url("part.bin", 10)
    part = {"Filedata": ("part.bin", b"01234", "text/plain")}
    token = client.fake.state.tokens.issue("u-001", "client-1", "file").access_token
    headers = {"Authorization": f"Bearer {token}", "Content-Range": "bytes 0-4/10"}
    return client.http.post(url, files=part, headers=headers).content


def download(client: Client) -> object:
    last = client.fake.files.list_files()[-1].latest.address
    return client.call("GET", f"https://storage.fake.test/downloads/{last}")


def register_status(client: Client) -> object:
    start = client.fake.clock.now().replace(microsecond=0)
    times = {
        "startTime": start.replace(year=2027).isoformat(),
        "endTime": start.replace(year=2028).isoformat(),
    }
    url = "https://api.fake.test/users/u-002/user-profile-statuses"
    reply = {"autoReplyMail": {"internal": {"content": "away"}}}
    return client.call("POST", url, json={"profileStatusId": "BUSY"}), client.call(
        "POST", url, json={"profileStatusId": "AWAY"} | times | reply
    )


def notify(client: Client) -> object:
    url = client.facts["webhooks"][-1]
    button = {"label": "Open", "url": "https://example.com"}
    return client.call("POST", url, json={"body": {"text": '<m userId="u-002">'}, "button": button})


def send(client: Client) -> object:
    delivery = client.fake.callbacks.send("bot-1", "u-003", TEXT, channel_id="room")
    return delivery.headers, delivery.body, delivery.record()


def set_up(client: Client) -> object:
    fake, count = client.fake, len(client.fake.webhooks.all())
    if count < 5:
        fake.webhooks.invite_bot(f"room-{count}")
        fake.webhooks.add(f"Hook {count}", f"room-{count}")
        fake.callbacks.add_bot(f"bot-{count + 1}")
        fake.callbacks.client_versions["u-002"] = f"2.{count}"
    fake.settings.forbidden_email_words = [*fake.settings.forbidden_email_words, "new"]
    fake.settings.custom_properties = [{"name": "rank", "propertyType": "INTEGER", "multiValued": False}]
    return fake.facts["webhooks"]


def break_down(client: Client) -> object:
    client.fake.faults.status("users.update", 503, times=2, retry_after=5)
    client.fake.faults.truncate("storage.*", after=10_000)
    client.fake.faults.drop_callback(times=None)
    return repr(client.fake.faults)


def wait(client: Client) -> object:
    return client.fake.clock.advance(days=29.5, seconds=0.25).isoformat()


ACTIONS: list[Callable[[Client], object]] = [
    sign_in,
    refresh,
    patch,
    upload,
    upload_partly,
    download,
    register_status,
    notify,
    send,
    set_up,
    break_down,
    wait,
]
SEQUENCES = st.lists(st.sampled_from(ACTIONS), max_size=12)


def run(fake: FakeService, actions: list[Callable[[Client], object]]) -> list[object]:
    client = Client(fake)
    return [action(client) for action in actions]


def everything_done() -> FakeService:
    """A fake in which all has been done."""
    fake = FakeService.sample(now=NOW, assume={"token.refresh-reuse": "single-use"})
    run(fake, ACTIONS)
    return fake
