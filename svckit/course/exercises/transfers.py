"""The traffic of files, for lessons 06 and 07, also what the journal leaves out."""

from collections.abc import Iterator
from dataclasses import dataclass

import httpx

from fakes import FakeService
from fakes.lessons import JournalEntry, Run

__all__ = ["PIECE", "RECEIVE", "MeasuringClient", "client", "sent"]

RECEIVE = "storage.receive"
PIECE = 64 * 1024
"""The bytes of a piece that httpx reads of an open file; smaller files may be in memory."""


class MeasuringClient(httpx.Client):
    """A client of a fake that notes what the journal leaves out, by the number of the request.

    Attributes:
        pieces: the bytes of the largest piece in which the body came.
        strays: whether each request to the host ``elsewhere`` had a token.

    Args:
        fake: the fake.
        elsewhere: the host that redirects lead to in place of the storage; empty to leave them as they are.

    Examples:
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> http = MeasuringClient(fake)
        >>> response = http.post(fake.facts["base_url"] + "/users/u-001/photo", content=b"hello")
        >>> http.pieces
        {1: 5}
    """

    def __init__(self, fake: FakeService, elsewhere: str = "") -> None:
        self.pieces: dict[int, int] = {}
        self.strays: list[bool] = []
        self.elsewhere = elsewhere
        super().__init__(transport=Measuring(self, fake))


class Measuring(httpx.BaseTransport):
    """The transport of a `MeasuringClient`."""

    def __init__(self, client: MeasuringClient, fake: FakeService) -> None:
        self._client = client
        self._fake = fake

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Pass a request on to the fake, unless it goes elsewhere."""
        client = self._client
        if request.url.host == client.elsewhere:
            client.strays.append("Authorization" in request.headers)
            return httpx.Response(200, content=b"<html>Welcome!</html>", request=request)
        number = self._fake.journal.mark().number + 1
        if isinstance(request.stream, httpx.SyncByteStream):
            request.stream = Body(request.stream, client.pieces, number)
        response: httpx.Response = self._fake.transport().handle_request(request)
        if client.elsewhere and "Location" in response.headers:
            location = httpx.URL(response.headers["Location"])
            response.headers["Location"] = str(location.copy_with(host=client.elsewhere))
        return response


@dataclass
class Body(httpx.SyncByteStream):
    """The body of a request, which is measured while it is sent."""

    stream: httpx.SyncByteStream
    sizes: dict[int, int]
    number: int

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.stream:
            self.sizes[self.number] = max(len(piece), self.sizes.get(self.number, 0))
            yield piece


def client(run: Run) -> MeasuringClient:
    """Return the client that the function was given."""
    http: MeasuringClient = run.arguments[0]
    return http


def sent(run: Run) -> tuple[JournalEntry, ...]:
    """Return the second steps."""
    return tuple(entry for entry in run.entries if entry.operation.startswith(RECEIVE))
