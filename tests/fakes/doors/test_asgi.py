"""The fake as an ASGI app: mounted anywhere, streaming both ways, giving out addresses that lead back to it."""

import asyncio
from urllib.parse import quote

import httpx
import pytest

from fakes.doors.asgi import AsgiDoor
from fakes.doors.layout import Layout
from fakes.faults.kinds import BrokenConnection

from ..caller import bearer, make

DRIVE = "/api/users/u-001/drive/files"


def call(app, method, path, *, base="http://fake.example", fake=None, root="", **options):
    """One call through `httpx.ASGITransport`."""

    async def run():
        transport = httpx.ASGITransport(app, root_path=root)
        async with httpx.AsyncClient(transport=transport, base_url=base) as http:
            return await http.request(method, path, **options)

    return asyncio.run(run())


def upload_url(app, fake, path=DRIVE, **options):
    headers = bearer(fake) | options.pop("headers", {})
    file = {"fileName": "a.txt", "fileSize": 5}
    return call(app, "POST", path, json=file, headers=headers, **options).json()["uploadUrl"]


class Wire:
    """A server of one request, message by message."""

    def __init__(
        self,
        app,
        method="GET",
        path="/",
        *,
        headers=(),
        body=(b"",),
        gone=False,
        stays=False,
        fails_after=None,
        **scope,
    ):
        self.sent = []
        self._stays = stays
        self._fails_after = fails_after
        self._coming = [{"type": "http.request", "body": piece, "more_body": True} for piece in body]
        self._coming[-1]["more_body"] = gone
        scope = {"server": ("127.0.0.1", 8000), "scheme": "http"} | scope
        self.scope = scope | {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": quote(path).encode(),
            "query_string": b"",
            "headers": [(name.lower().encode(), value.encode()) for name, value in dict(headers).items()],
        }
        asyncio.run(app(self.scope, self._receive, self._send))

    async def _receive(self):
        if self._stays and not self._coming:
            await asyncio.Event().wait()
        return self._coming.pop(0) if self._coming else {"type": "http.disconnect"}

    async def _send(self, message):
        if len(self.sent) == self._fails_after:
            raise OSError("the client has gone")
        self.sent.append(message)


@pytest.mark.parametrize("path", ["/", "/ap", "/apiary", "/api-v1/users"])
def test_other_paths_say_what_there_is(fake, path):
    response = call(fake.asgi, "GET", path)
    assert response.status_code == 404
    assert "http://fake.example/auth" in response.json()["description"]
    assert response.json()["description"] == response.headers["X-Fake-Reason"] == fake.journal[-1].reason
    assert (fake.journal[-1].operation, fake.journal[-1].status) == ("unmatched", 404)


@pytest.mark.parametrize("root", ["", "/fake", "/a/b%20c/", "/api"])
def test_addresses_lead_back_through_the_mount(fake, root):
    prefix = root.rstrip("/")
    url = upload_url(fake.asgi, fake, prefix + DRIVE, root=root)
    assert url.startswith(f"http://fake.example{prefix}/storage/uploads/")
    files = {"Filedata": ("a.txt", b"hello")}
    assert call(fake.asgi, "POST", url, root=root, files=files, headers=bearer(fake)).status_code == 201


def test_mount_whose_prefix_the_server_has_decoded(fake):
    place, headers = (
        "/caf\u00e9 1/api/users/u-001/photo",
        bearer(fake) | {"Host": "fake.example", "Content-Type": "application/json"},
    )
    file = (b'{"fileName": "a.jpg", "fileSize": 5}',)
    wire = Wire(fake.asgi, "POST", place, headers=headers, body=file, root_path="/caf\u00e9 1")
    assert b'"http://fake.example/caf%C3%A9%201/storage/uploads/' in wire.sent[1]["body"]


def test_mounted_addresses_follow_the_host_of_the_request(fake):
    headers = {"Host": "elsewhere.example:81"}
    assert upload_url(fake.asgi, fake, headers=headers).startswith("http://elsewhere.example:81/storage/")


@pytest.mark.parametrize("host", ["evil.example", "evil.example/x?y=", "a@evil.example", ""])
def test_fixed_addresses_follow_no_host_header(fake, host):
    door = AsgiDoor(fake, Layout("https://fake.example/base"))
    url = upload_url(door, fake, headers={"Host": host})
    assert url.startswith("https://fake.example/base/storage/uploads/")


ODD = (
    "evil.example/x?y= a@evil.example evil.example\\x evil.example:99999 evil.example:0 evil.example: "
    "evil.example:080000 evil..example .example [::::] [::1 ::1 a;b"
)
ODD_HOSTS = [*ODD.split(), "", "a b"]


@pytest.mark.parametrize("host", ODD_HOSTS)
@pytest.mark.parametrize("forwarded", [False, True])
def test_invalid_host_header_is_ignored(fake, host, forwarded):
    door = AsgiDoor(fake, Layout(forwarded=forwarded))
    headers = {"X-Forwarded-Host": host, "X-Forwarded-Proto": "http"} if forwarded else {"Host": host}
    url = upload_url(door, fake, headers=headers)
    assert url.startswith("http://fake.example/storage/uploads/")


def test_download_is_sent_in_pieces(fake):
    stored = fake.files.list_files()[0]
    place = "/api/forms/form-1/responses/response-1/attachments/attachment-1"
    location = call(fake.asgi, "GET", place, headers=bearer(fake)).headers["Location"]
    stored.latest.content.write(b"x" * 200_000)
    path = location.removeprefix("http://fake.example")
    wire = Wire(fake.asgi, path=path, headers=bearer(fake), stays=True)
    head, *pieces = wire.sent
    assert (b"content-length", str(len(stored.latest.content)).encode()) in head["headers"]
    assert b"".join(piece["body"] for piece in pieces) == stored.latest.content.read()
    assert max(len(piece["body"]) for piece in pieces) == 64 * 1024
    assert [piece.get("more_body", False) for piece in pieces] == [True] * (len(pieces) - 1) + [False]


@pytest.mark.parametrize("count", [0, 1])
def test_sending_ends_where_the_server_says_that_the_client_has_gone(fake, count):
    wire = Wire(
        fake.asgi,
        "PATCH",
        "/api/users/u-001",
        headers=bearer(fake) | {"Content-Type": "application/json"},
        body=(b"{}",),
        fails_after=count,
    )
    assert len(wire.sent) == count
    assert fake.journal[-1].status == 200


def test_body_that_breaks_off_reaches_no_handler(fake):
    wire = Wire(
        fake.asgi, "PATCH", "/api/users/u-001", headers=bearer(fake), body=(b'{"nickName":',), gone=True
    )
    assert wire.sent == []
    assert len(fake.journal) == 0
    assert not fake.in_progress


def test_app_that_cannot_break_its_connection_raises(fake):
    fake.faults.reset("*")
    with pytest.raises(BrokenConnection):
        Wire(fake.asgi, path="/api/users/u-001")


def test_read_timeout_is_silence_until_the_client_goes_away(fake):
    fake.faults.read_timeout("*")
    assert Wire(fake.asgi, path="/api/users/u-001").sent == []


def test_refused_assumption_is_told():
    strict = make(assumptions="refuse")
    response = call(strict.asgi, "PATCH", "/api/users/u-001", json={})
    assert response.status_code == 500
    assert response.json()["code"] == "ASSUMPTION_REFUSED"
    assert "api.unauthorized" in response.json()["description"]


def test_server_may_start_and_stop_it(fake):
    coming, sent = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}], []

    async def receive():
        return coming.pop(0)

    async def send(message):
        sent.append(message["type"])

    asyncio.run(fake.asgi({"type": "lifespan"}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_websocket_is_refused(fake):
    sent = []

    async def send(message):
        sent.append(message["type"])

    asyncio.run(fake.asgi({"type": "websocket"}, None, send))
    assert sent == ["websocket.close"]


@pytest.mark.parametrize("kind", ["connect_error", "reset"])
def test_broken_connection_is_saved_first(fake, kind):
    saved = []

    async def settle():
        saved.append(sum(fault.times - fault.used for fault in fake.faults))

    fake.settle = settle
    getattr(fake.faults, kind)("users.update")
    with pytest.raises(BrokenConnection):
        call(fake.asgi, "PATCH", "/api/users/u-001", json={}, headers=bearer(fake))
    assert saved == [0]  # times that it is still to apply
