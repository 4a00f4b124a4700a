"""The traffic of files, for lessons 06 and 07, also what the journal leaves out."""

from collections.abc import Iterator

import httpx

from fakes import FakeService
from fakes.lessons import Run, Said, said
from fakes.parts.journal_entry import JournalEntry

__all__ = [
    "PIECE",
    "MeasuringClient",
    "client",
    "file_of",
    "find_bare_content",
    "find_tokenless",
    "header",
    "is_unread",
    "sent",
]

RECEIVE = "storage.receive"
BAD_REQUEST, UNAUTHORIZED = 400, 401
PIECE = 64 * 1024
"""The bytes of a piece that httpx reads of an open file; smaller files may be in memory."""


class MeasuringClient(httpx.Client):
    """A client of a fake that notes what the journal masks or leaves out, by the number of the request.

    Attributes:
        urls: the URL, with its secrets.
        pieces: the bytes of the largest piece in which the body came.
        forms: the numbers of requests whose body begins like that of a form of parts.
        strays: whether each request to the host ``elsewhere`` had a token.

    Args:
        fake: the fake.
        elsewhere: the host that redirects lead to in place of the storage; empty to leave them as they are.

    Examples:
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> http = MeasuringClient(fake)
        >>> response = http.post(fake.facts["base_url"] + "/users/u-001/photo", content=b"hello")
        >>> http.pieces, http.forms
        ({1: 5}, set())
    """

    def __init__(self, fake: FakeService, elsewhere: str = "") -> None:
        self.urls: dict[int, str] = {}
        self.pieces: dict[int, int] = {}
        self.forms: set[int] = set()
        self.strays: list[bool] = []
        self.elsewhere = elsewhere
        super().__init__(transport=Measuring(self, fake))


class Measuring(httpx.BaseTransport):
    """The transport of a `MeasuringClient`."""

    def __init__(self, client: MeasuringClient, fake: FakeService) -> None:
        self._client = client
        self._fake = fake
        self._inner = fake.transport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Pass a request on to the fake, unless it goes elsewhere."""
        client = self._client
        if request.url.host == client.elsewhere:
            client.strays.append("Authorization" in request.headers)
            return httpx.Response(200, content=b"<html>Welcome!</html>", request=request)
        number = self._fake.journal.mark().number + 1
        client.urls[number] = str(request.url)
        if isinstance(request.stream, httpx.SyncByteStream):
            request.stream = Body(request.stream, client, number)
        response: httpx.Response = self._inner.handle_request(request)
        if client.elsewhere and "Location" in response.headers:
            location = httpx.URL(response.headers["Location"])
            response.headers["Location"] = str(location.copy_with(host=client.elsewhere))
        return response


class Body(httpx.SyncByteStream):
    """The body of a request, which is measured while it is sent."""

    def __init__(self, stream: httpx.SyncByteStream, client: MeasuringClient, number: int) -> None:
        self._stream = stream
        self._client = client
        self._number = number

    def __iter__(self) -> Iterator[bytes]:
        client, number = self._client, self._number
        for piece in self._stream:
            if number not in client.pieces and piece.startswith(b"--"):
                client.forms.add(number)
            client.pieces[number] = max(len(piece), client.pieces.get(number, 0))
            yield piece


def client(run: Run) -> MeasuringClient:
    """Return the client that the function was given."""
    http: MeasuringClient = run.arguments[0]
    return http


def file_of(run: Run, entry: JournalEntry) -> str:
    """Return the name of the file for which the upload URL of a second step was issued; empty if it was not issued."""
    uploads = run.fake.files.uploads.dump().uploads
    upload = uploads.get(client(run).urls[entry.number].rpartition("/")[2])
    return "" if upload is None else upload.request.file_name


def sent(run: Run) -> tuple[JournalEntry, ...]:
    """Return the second steps."""
    return tuple(entry for entry in run.entries if entry.operation.startswith(RECEIVE))


def header(entry: JournalEntry, name: str) -> str:
    """Return a header of a request; empty if it was not sent."""
    return next((value for each, value in entry.request_headers if each.lower() == name), "")


def is_unread(entry: JournalEntry) -> bool:
    """Return whether content was refused before it was read, for want of a token."""
    return entry.status == UNAUTHORIZED


def find_tokenless(run: Run) -> Said | None:
    """Say which request had no token."""
    for entry in run.entries:
        if not header(entry, "authorization"):
            return said(
                "no token", request=entry.number, call=f"{entry.method} {entry.path}", status=entry.status
            )
    return None


def find_bare_content(run: Run) -> Said | None:
    """Say which content was not sent as a form of parts."""
    for entry in sent(run):
        if not entry.parts and entry.status == BAD_REQUEST:
            known = {"request": entry.number, "method": entry.method, "status": entry.status}
            kind = header(entry, "content-type") or "no Content-Type"
            is_form = entry.number in client(run).forms
            name = "own content type" if is_form else "no form"
            return said(name, **known, bytes=f"{entry.request_bytes:,}", kind=kind)
    return None
