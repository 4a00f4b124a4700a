"""The door for httpx, and for its fork httpx2 where that is installed: streaming both ways, reaching nothing else."""

import asyncio

import pytest

from fakes import FakeService

from ...conformance.doors import AsyncDoor, SyncDoor
from ..caller import bearer

DRIVE = "https://api.fake.test/users/u-001/drive/files"
HEAD = b'--b\r\nContent-Disposition: form-data; name="Filedata"; filename="a.txt"\r\n\r\n'
FORM = {"Content-Type": "multipart/form-data; boundary=b"}
PIECES = (HEAD[:20], HEAD[20:], b"hel", b"", b"lo", b"\r\n--b", b"--\r\n")


class Sync(SyncDoor):
    """A `Client` of the library."""

    def stream(self, *request, raw=False):
        with self._client.stream(*request) as answer:
            return list(answer.iter_raw() if raw else answer.iter_bytes()), answer


class Async(AsyncDoor):
    """An `AsyncClient` of the library, each call driven to its end."""

    def stream(self, *request, raw=False):
        async def run():
            async with self._client.stream(*request) as answer:
                chunks = answer.aiter_raw() if raw else answer.aiter_bytes()
                return [chunk async for chunk in chunks], answer

        return self._runner.run(run())


@pytest.fixture(params=["httpx", "httpx2"])
def library(request):
    return pytest.importorskip(request.param)


@pytest.fixture
def transport(fake, library):
    """A function that makes a transport for the library."""

    def make(pass_through=None):
        return fake.transport(pass_through, client=library.__name__)

    return make


@pytest.fixture(params=[Sync, Async])
def connect(fake, library, transport, request):
    """A function that makes a client of the fake, of either kind."""
    made = []

    def make(pass_through=None):
        made.append(request.param(transport(pass_through), library))
        made[-1]._client.headers.update(bearer(fake))
        return made[-1]

    yield make
    for client in made:
        client.close()


def uploaded(client, pieces=PIECES):
    url = client.send("POST", DRIVE, None, json={"fileName": "a.txt", "fileSize": 5}).json()["uploadUrl"]
    return client.send("POST", url, pieces, headers=FORM)


def test_downloads_are_streamed_in_chunks(connect):
    client, size = connect(), 200_000
    url = client.send("POST", DRIVE, None, json={"fileName": "a", "fileSize": size}).json()["uploadUrl"]
    file_id = client.send("POST", url, None, files={"Filedata": b"x" * size}).json()["fileId"]
    location = client.send("GET", f"{DRIVE}/{file_id}/download", None).headers["Location"]
    chunks, answer = client.stream("GET", location)
    assert b"".join(chunks) == b"x" * size
    assert len(chunks) > 1
    assert answer.headers["Content-Length"] == str(size)


def test_raw_bytes_of_a_json_response_can_be_read(connect):
    chunks, answer = connect().stream("GET", "https://api.fake.test/users", raw=True)
    assert answer.headers["Content-Length"] == str(len(b"".join(chunks)))
    assert b"NOT_FOUND" in b"".join(chunks)


def test_the_library_times_the_call(connect):
    client = connect()
    assert client.send("GET", "https://api.fake.test/users", None).elapsed.total_seconds() > 0
    assert uploaded(client).elapsed.total_seconds() > 0


@pytest.mark.parametrize(
    "url", ["https://example.com/users", "http://api.fake.test/users", "https://fake.test"]
)
def test_other_hosts_cannot_be_reached(connect, library, fake, url):
    with pytest.raises(library.ConnectError, match="not served by this fake") as failed:
        connect().send("GET", url, None)
    assert failed.value.request.url == url
    assert len(fake.journal) == 0


def test_other_hosts_are_passed_on_where_that_is_asked_for(connect, library):
    elsewhere = library.MockTransport(lambda request: library.Response(200, text=f"from {request.url.host}"))
    client = connect(pass_through=elsewhere)
    assert client.send("GET", "https://example.com/", None).text == "from example.com"
    assert client.send("GET", "https://api.fake.test/", None).status_code == 404


def one_kind_only(library, kind):
    """A transport for one kind of client, which counts how often it was closed."""

    class SyncOnly(library.BaseTransport):
        closed = 0

        def handle_request(self, request):
            return library.Response(200)

        def close(self):
            self.closed += 1

    class AsyncOnly(library.AsyncBaseTransport):
        closed = 0

        async def handle_async_request(self, request):
            return library.Response(200)

        async def aclose(self):
            self.closed += 1

    return {Sync: SyncOnly, Async: AsyncOnly}[kind]()


@pytest.mark.parametrize(("kind", "other"), [(Sync, Async), (Async, Sync)])
def test_pass_through_of_the_other_kind_is_refused_in_words(library, transport, kind, other):
    client = kind(transport(one_kind_only(library, other)), library)
    with pytest.raises(TypeError, match=f"^pass_through is .*{other.__name__}Only.*, but this client needs "):
        client.send("GET", "https://example.com/", None)
    client.close()


@pytest.mark.parametrize("wrong", [5, "https://example.com", True])
def test_pass_through_that_is_no_transport_is_refused_at_once(transport, wrong):
    with pytest.raises(TypeError, match=f"^pass_through must be a transport of httpx2?, .* given {wrong!r}"):
        transport(wrong)


@pytest.mark.parametrize("kind", [Sync, Async])
def test_where_others_are_passed_on_to_is_closed_with_the_client(library, transport, kind):
    elsewhere = one_kind_only(library, kind)
    kind(transport(elsewhere), library).close()
    assert elsewhere.closed == 1
    kind(transport(), library).close()


def test_one_transport_serves_both_kinds(library, transport):
    shared = transport()

    async def call():
        async with library.AsyncClient(transport=shared) as client:
            return await client.get("https://api.fake.test/users")

    with library.Client(transport=shared) as client:
        assert client.get("https://api.fake.test/users").content == asyncio.run(call()).content


@pytest.mark.parametrize(
    ("fault", "options", "error"),
    [
        ("connect_error", {}, "ConnectError"),
        ("read_timeout", {}, "ReadTimeout"),
        ("reset", {}, "ReadError"),
        ("truncate", {"after": 5}, "RemoteProtocolError"),
    ],
)
def test_faults_are_what_the_library_raises(connect, library, fake, fault, options, error):
    getattr(fake.faults, fault)("users.update", **options)
    with pytest.raises(getattr(library, error)) as failed:
        connect().send("PATCH", "https://api.fake.test/users/u-001", None, json={})
    assert type(failed.value).__module__.partition(".")[0] == library.__name__


def test_a_delay_longer_than_the_patience_of_the_client_is_a_timeout(library):
    fake = FakeService.sample()
    fake.faults.delay("users.update", seconds=30)
    transport = fake.transport(client=library.__name__)
    with library.Client(transport=transport, timeout=0.01) as client, pytest.raises(library.ReadTimeout):
        client.patch("https://api.fake.test/users/u-001", json={})


def test_another_library_is_refused(fake):
    httpx, httpx2 = pytest.importorskip("httpx"), pytest.importorskip("httpx2")
    for library, other in ((httpx, "httpx2"), (httpx2, "httpx")):
        with (
            library.Client(transport=fake.transport(client=other)) as client,
            pytest.raises(
                TypeError, match=f"this transport is for {other}, but the client is of {library.__name__}"
            ),
        ):
            client.get(fake.facts["base_url"])
    with pytest.raises(ValueError, match="client must be 'httpx' or 'httpx2'; given 'aiohttp'"):
        fake.transport(client="aiohttp")
