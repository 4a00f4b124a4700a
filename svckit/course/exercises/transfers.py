"""Reading the traffic of exercises about files, also what the journal leaves out."""

from collections.abc import Iterator

import httpx

from fakes import FakeService
from fakes.lessons import Run
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises.request_bodies import read_fields

__all__ = [
    "BAD_REQUEST",
    "PIECE",
    "RECEIVE",
    "UNAUTHORIZED",
    "MeasuringClient",
    "announced",
    "client",
    "file_of",
    "forgets_token",
    "header",
    "is_described",
    "issued",
    "name_of",
    "names_part",
    "sends_field",
    "sends_no_form",
    "sent",
    "sets_content_type",
    "skips_first_step",
    "splits_file",
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


def announced(run: Run, *statuses: int) -> tuple[JournalEntry, ...]:
    """Return the first steps."""
    return tuple(
        entry
        for entry in run.entries
        if entry.operation.startswith("upload.") and (not statuses or entry.status in statuses)
    )


def issued(run: Run) -> tuple[JournalEntry, ...]:
    """Return the first steps that got an upload URL."""
    return announced(run, 200, 201)


def sent(run: Run) -> tuple[JournalEntry, ...]:
    """Return the second steps."""
    return tuple(entry for entry in run.entries if entry.operation.startswith(RECEIVE))


def header(entry: JournalEntry, name: str) -> str:
    """Return a header of a request; empty if it was not sent."""
    return next((value for each, value in entry.request_headers if each.lower() == name), "")


def name_of(entry: JournalEntry) -> str:
    """Return the file name that a first step announced."""
    return str(read_fields(entry).get("fileName"))


def is_described(entry: JournalEntry) -> bool:
    """Return whether the parts of a form are those of the description."""
    parts = {part.name: part.file_name for part in entry.parts}
    return parts.get("Filedata") is not None or {"resourceName", "FileData"} <= parts.keys()


def forgets_token(run: Run) -> str | None:
    """Find a request without a token."""
    for entry in run.entries:
        if not header(entry, "authorization"):
            where = name_target(entry)
            return f"Request {entry.number}, to {where}, had no access token, and was refused with {entry.status}."
    return None


def sets_content_type(run: Run) -> str | None:
    """Find a form whose Content-Type says something else, or lacks the boundary."""
    for entry in sent(run):
        if not entry.parts and entry.number in client(run).forms and entry.status == BAD_REQUEST:
            return (
                f"Request {entry.number} carried a form of parts, but its header said Content-Type: "
                f"{header(entry, 'content-type')}. The service could not find the parts: status {entry.status}."
            )
    return None


def sends_no_form(run: Run) -> str | None:
    """Find content that was not sent as a form of parts."""
    for entry in sent(run):
        if not entry.parts and entry.status == BAD_REQUEST:
            kind = header(entry, "content-type") or "no Content-Type"
            return (
                f"Request {entry.number} ({entry.method}) sent {entry.request_bytes:,} bytes with {kind}, and was "
                f"refused with {entry.status}: content has to come as multipart/form-data."
            )
    return None


def sends_field(run: Run) -> str | None:
    """Find content in a part without a file name, which makes it a field."""
    for entry in sent(run):
        if entry.parts and not is_described(entry) and all(part.file_name is None for part in entry.parts):
            names = ", ".join(part.name for part in entry.parts)
            return (
                f"Request {entry.number} had the parts {names}, none of them with a file name. They count as text "
                f"fields, and the request was refused with {entry.status}."
            )
    return None


def names_part(run: Run) -> str | None:
    """Find a part that the description does not name."""
    for entry in sent(run):
        if not is_described(entry) and entry.parts:
            names = ", ".join(f"“{part.name}”" for part in entry.parts)
            return (
                f"Request {entry.number} sent the content in a part named {names}. It got {entry.status} here, but the "
                "service's description shows another name, and other names are not promised to work."
            )
    return None


def splits_file(run: Run) -> str | None:
    """Find a piece of a file that was sent in a request of its own, as if it were the whole."""
    for entry in sent(run):
        size = announced_sizes(run).get(file_of(run, entry), 0)
        if entry.parts and entry.status == BAD_REQUEST and 0 < entry.request_bytes < size:
            return (
                f"Request {entry.number} sent {entry.request_bytes:,} bytes, its form included, for “"
                f"{file_of(run, entry)}”, which was announced with {size:,} bytes. It was refused with {entry.status}: "
                "the service took this piece for the whole file."
            )
    return None


def announced_sizes(run: Run) -> dict[str, int]:
    """Return the announced sizes, by the name of the file."""
    sizes = {name_of(entry): read_fields(entry).get("fileSize") for entry in issued(run)}
    return {name: size for name, size in sizes.items() if isinstance(size, int)}


def name_target(entry: JournalEntry) -> str:
    """Return in words where a request went."""
    if entry.operation == "storage.send":
        return "the download URL"
    return "the upload URL" if entry.operation.startswith(RECEIVE) else "the place"


def skips_first_step(run: Run) -> str | None:
    """Find content that was sent to the place."""
    for entry in announced(run):
        if entry.parts or (
            entry.request_body and entry.json is None and "form" not in header(entry, "content-type")
        ):
            return (
                f"Request {entry.number} sent the content of a file, {entry.request_bytes:,} bytes, to the place. It "
                f"was refused with {entry.status}: the place takes only a file's name and size, as JSON."
            )
    return None
