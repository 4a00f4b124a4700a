"""A body is read only as far as the response depends on it: its head, its bearer and its announced size come first."""

import itertools

import httpx
import pytest

from ..admin import Admin
from ..caller import BOUNDARY, calling, make

MIB = 1024 * 1024
CHUNK = b"x" * 65536
ENDLESS = 100_000
"""Chunks that nobody should ask for: 6 GB."""
FORM = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="Filedata"; filename="a"\r\n\r\n'.encode()
MULTIPART = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
JSON = {"Content-Type": "application/json"}
NO_BEARER = {"Authorization": "Bearer made-up"}


class Body:
    """A body that never ends, and how much of it was asked for."""

    def __init__(self, begin=b"", most=ENDLESS):
        self.asked = 0
        self._begin = begin
        self._most = most

    def __iter__(self):
        for chunk in itertools.chain([self._begin], itertools.repeat(CHUNK)):
            self.asked += len(chunk)
            assert self.asked < self._most * len(CHUNK)
            yield chunk


def upload_url(me, size=10):
    return me.ask(size=size).json()["uploadUrl"]


def refused(me, method, url, headers, *, begin=b"", most):
    """The response to a body of which at most so many bytes were asked for."""
    body = Body(begin)
    response = me.http.request(method, url, headers=me.bearer | headers, content=body)
    assert body.asked <= most + len(CHUNK) + len(begin)
    return response


@pytest.mark.parametrize(
    ("area", "path", "method", "error", "limit"),
    [
        ("base_url", "/users/u-001", "PATCH", "code", 16 * MIB),
        ("base_url", "/nothing/here", "POST", "code", 16 * MIB),
        ("auth_url", "/oauth2/v2.0/token", "POST", "error", 64 * 1024),
        ("auth_url", "/oauth2/v2.0/authorize", "POST", None, 64 * 1024),
        ("webhook_url", "/message/any", "POST", "code", 16 * MIB),
    ],
)
@pytest.mark.parametrize("choice", ["413", "400"])
def test_bodies_are_limited_before_anything_is_looked_at(area, path, method, error, limit, choice):
    with calling(make(assume={"api.body-limit": choice})) as me:
        response = refused(me, method, me.facts[area] + path, JSON | NO_BEARER, most=limit)
        assert response.status_code == int(choice)
        assert f"longer than {limit} bytes" in response.headers["X-Fake-Reason"]
        assert "api.body-limit" in response.headers["X-Fake-Assumed"]
        assert error is None or error in response.json()
        assert me.fake.journal[-1].request_bytes > limit
        assert me.fake.journal[-1].request_body == ""


def test_body_of_just_the_limit_is_read(me):
    body = b'{"nickName": "Mina"}'
    url = me.facts["base_url"] + "/users/u-001"
    response = me.http.patch(url, headers=me.bearer | JSON, content=body.ljust(16 * MIB))
    assert response.json()["nickName"] == "Mina"


@pytest.mark.parametrize(
    ("form", "limit"), [(b"x=" + b"%41" * 30_000, "65536 bytes"), (b"x=1&" * 1000, "1000 fields")]
)
@pytest.mark.parametrize("path", ["token", "authorize"])
def test_forms_have_a_limit_of_their_own(me, form, limit, path):
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    response = me.http.post(f"{me.facts['auth_url']}/oauth2/v2.0/{path}", content=form, headers=headers)
    assert response.status_code == 413
    assert limit in response.headers["X-Fake-Reason"]


@pytest.mark.parametrize("key", [{}, {"Authorization": "Bearer wrong"}])
def test_admin_body_is_not_read_without_the_key(me, key):
    body = Body()
    response = me.http.put(me.facts["admin_url"] + "/snapshot", headers=JSON | key, content=body)
    assert response.status_code == 401
    assert body.asked <= len(CHUNK)


def test_admin_body_with_the_key_has_no_limit(fake):
    body = b'{"advance": 1}'.ljust(32 * MIB)
    assert Admin(fake)("POST", "/clock", content=body, headers=JSON).status_code == 200


def test_content_is_not_read_without_a_bearer(me):
    response = refused(me, "POST", upload_url(me), MULTIPART | NO_BEARER, begin=FORM, most=0)
    assert response.status_code == 401


def test_content_is_not_read_for_a_url_that_was_not_issued(me):
    url = me.facts["upload_url"] + "/uploads/unknown"
    assert refused(me, "POST", url, MULTIPART, begin=FORM, most=0).status_code == 404


def test_content_is_read_as_far_as_the_announced_size(me):
    url = upload_url(me, size=100_000)
    response = refused(me, "POST", url, MULTIPART, begin=FORM, most=100_000 + len(CHUNK))
    assert response.status_code == 400
    assert "the 100000 bytes announced as fileSize" in response.headers["X-Fake-Reason"]
    assert "file.size" in response.headers["X-Fake-Assumed"]
    assert me.send(url, bytes(100_000)).status_code == 201


@pytest.mark.parametrize(
    "begin",
    [
        FORM.replace(b"--", b"before --", 1),
        FORM
        + b"x" * 10
        + f"\r\n--{BOUNDARY}\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n".encode(),
        FORM + b"x" * 10 + f"\r\n--{BOUNDARY}--\r\n".encode(),
        b"x" * 10,
    ],
    ids=["preamble", "second file", "epilogue", "no boundary"],
)
def test_what_stands_around_the_content_is_not_read_without_end(me, begin):
    url = upload_url(me, size=10)
    response = refused(me, "POST", url, MULTIPART, begin=begin, most=4 * len(CHUNK))
    assert response.status_code == (201 if begin.endswith(b"--\r\n") else 400)


def test_range_is_read_as_far_as_the_announced_size(me):
    url, headers = upload_url(me, size=10), MULTIPART | {"Content-Range": "0-4/10"}
    response = refused(me, "POST", url, headers, begin=FORM, most=len(CHUNK))
    assert (response.status_code, "file.wrong-range" in response.headers["X-Fake-Assumed"]) == (400, True)
    assert me.send(url, b"x" * 10).status_code == 201


def test_content_beyond_the_size_limit_is_not_read():
    with calling(make(assume={"file.size": "not-checked", "file.size-limit": "413"})) as me:
        limit = 10 * 1024 * 1024
        response = refused(me, "POST", upload_url(me), MULTIPART, begin=FORM, most=limit + len(CHUNK))
        assert response.status_code == 413


def test_raw_content_is_not_read_where_it_is_refused(me):
    assert refused(me, "PUT", upload_url(me), {}, most=0).status_code == 400


def test_raw_content_is_read_as_far_as_the_announced_size():
    with calling(make(assume={"file.raw": "accepted"})) as me:
        response = refused(me, "PUT", upload_url(me), {}, most=len(CHUNK))
        assert response.status_code == 400
        assert "the 10 bytes announced as fileSize" in response.headers["X-Fake-Reason"]


@pytest.mark.parametrize("place", ["title", "text", "label", "url"])
def test_long_texts_of_messages_are_refused(me, place):
    def notify(length):
        long = "x" * length
        if place == "text":
            return me.notify(long)
        button = {"label": "Open", "url": "https://example.com/"}
        return me.notify(title=long) if place == "title" else me.notify(button=button | {place: long})

    assert notify(100_000).status_code == 200
    response = notify(100_001)
    assert response.json() == {"code": 400, "description": "invalid parameter"}
    assert "up to 100000 characters; given 100001" in response.headers["X-Fake-Reason"]
    assert "api.text-limit" in response.headers["X-Fake-Assumed"]


@pytest.mark.parametrize("field", ["employmentTypeId", "shoeSize", "nickName"])
def test_long_texts_without_a_described_maximum_are_refused(me, field):
    long = "x" * 100_001
    response = me.patch(**{field: long})
    limited = "api.text-limit" in response.headers.get("X-Fake-Assumed", "")
    assert (response.status_code, limited) == {
        "employmentTypeId": (400, True),
        "shoeSize": (200, False),  # which is ignored
        "nickName": (400, False),  # which has a described maximum
    }[field]


def test_long_names_of_files_are_refused(me):
    assert me.ask(name="x" * 100_001).status_code == 400


def test_journal_is_bounded_in_bytes():
    from fakes.parts.journal import Journal

    fake = make()
    fake.state.journal = Journal(size=100_000)
    with calling(fake) as me:
        for _ in range(30):
            me.notify("x" * 10_000)
        assert 5 <= len(fake.journal) < 11
        assert fake.journal[-1].number == 30
        fake.journal.clear()
        me.notify("x" * 10_000)
        assert len(fake.journal) == 1
        for _ in range(30):
            me.http.get(me.facts["base_url"], headers={"X-Long": "x" * 10_000})
        assert 5 <= len(fake.journal) < 11


def test_async_body_is_left_as_early(me):
    import anyio

    url = me.facts["admin_url"] + "/snapshot"
    asked = []

    async def body():
        for _ in range(100):
            asked.append(len(CHUNK))
            yield CHUNK

    async def put():
        async with httpx.AsyncClient(transport=me.fake.transport()) as http:
            return await http.put(url, content=body())

    for backend in ("asyncio", "trio"):
        assert anyio.run(put, backend=backend).status_code == 401
        assert len(asked) == 1
        asked.clear()
