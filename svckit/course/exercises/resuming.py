"""Lesson 07: download a file, and send it on in pieces over a connection that breaks."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

import httpx

from fakes import FakeService
from fakes.lessons import JournalEntry, Options, Run, Seen, said, say_first
from svckit.course.exercises.requests import header, open_client
from svckit.course.exercises.transfers import RECEIVE, MeasuringClient, client, sent

__all__ = ["prepare", "summarize"]

SEND = "storage.send"
FILE, NAME = "film-1", "film.mp4"
PIECE = 10_000
"""The most bytes of a piece."""
MOST = 1.1
"""How many times the bytes of the file may be sent."""


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Store a file, announce it elsewhere, inject faults, and return a client, a token and three URLs."""
    facts = fake.facts
    content = Random(facts["login_id"]).randbytes(options["size"])  # noqa: S311 - a film, not a secret
    fake.files.seed(tuple(options["place"]), FILE, NAME, "video/mp4", content)
    with open_client(fake) as http:
        file = {"fileName": NAME, "fileSize": options["size"]}
        announced = http.post("/users/u-002/drive/files", json=file)
    for skip, arrives in options.get("breaks", ()):
        fake.faults.reset(RECEIVE, skip=skip, applied=arrives)
    return (
        MeasuringClient(fake, options.get("elsewhere", "")),
        fake.access_token("u-001"),
        facts["upload_url"],
        facts["base_url"] + options["source"],
        announced.json()["uploadUrl"],
    )


def is_foreign(run: Run) -> bool:
    """Return whether redirects lead elsewhere."""
    return bool(run.options.get("elsewhere"))


def is_complete(run: Run) -> bool:
    """Return whether the file arrived in the drive."""
    files = {file.place: file.latest.content.read() for file in run.fake.files.list_files()}
    return files.get(("drive", "u-002")) == files[tuple(run.options["place"])]


def count_bytes(run: Run, entries: Sequence[JournalEntry]) -> int:
    """Return the bytes of content that requests carried."""
    return sum(client(run).pieces.get(entry.number, 0) for entry in entries)


def carries_file(run: Run) -> Seen:
    """Look for what kept the file from arriving as it was."""
    if is_foreign(run):
        return False if sent(run) else None
    return is_complete(run) or find_cause(run)


def find_cause(run: Run) -> Seen:
    """Say that the download ended early, which piece is not as it should be, or that the upload ended early."""
    located, fetched, last = run.entries[0], run.sent(SEND, 200), run.entries[-1]
    if located.status == 302 and not run.sent(SEND):
        return said("redirect ignored", located)
    if fetched and not sent(run) and run.error is None:
        return said("not sent on", fetched[0])
    if any(entry.is_error and not entry.injected for entry in run.entries):
        return False
    ends = {"early end": run.error is None, "giving up": last.injected}
    return say_first(ends, last, arrived=count_bytes(run, run.sent(RECEIVE, 200, 201))) or False


def sends_tokens(run: Run) -> bool | None:
    """Look for a request that was refused for want of the token."""
    is_refused = any(entry.status == 401 for entry in run.entries)
    return False if is_refused else bool(run.sent(SEND)) or None


def keeps_token(run: Run) -> Seen:
    """Look for a token that went to another host, or an error in place of a return."""
    if strays := client(run).strays:
        return said("elsewhere", run.entries[0], host=httpx.URL(run.arguments[2]).host, count=sum(strays))
    if is_foreign(run) and run.error is not None:
        return said("raises", run.entries[0])
    return True if run.sent(SEND) or is_foreign(run) else None


def sends_ranges(run: Run) -> Iterator[Seen]:
    """Look for content that was not sent in small ranges."""
    for entry in () if is_foreign(run) else sent(run):
        has_range, count = bool(header(entry, "content-range")), count_bytes(run, [entry])
        large = said("large pieces" if has_range else "no range", entry, bytes=count, most=PIECE)
        yield large if count > PIECE else has_range


def is_thrifty(run: Run) -> Seen:
    """Look at what interruptions cost, if the file arrived."""
    if is_foreign(run) or not is_complete(run):
        return None
    return bool(count_bytes(run, sent(run)) <= MOST * run.options["size"])


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    return {
        "pieces": len(run.sent(RECEIVE, 200, 201)),
        "broken": sum(entry.injected is not None for entry in sent(run)),
        "bytes": count_bytes(run, sent(run)),
    }


def solution_resends(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    """Send an interrupted piece again, and take a refusal of it for the news that it had arrived."""
    http.headers["Authorization"] = f"Bearer {token}"
    location = http.get(source).headers["Location"]
    own, other = httpx.URL(storage), httpx.URL(location)
    if (own.scheme, own.host, own.port) != (other.scheme, other.host, other.port):
        return
    content = http.get(location).raise_for_status().content
    start, doubtful = 0, False
    while start < len(content):
        piece = content[start : start + 10_000]
        covers = {"Content-Range": f"{start}-{start + len(piece) - 1}/{len(content)}"}
        try:
            response = http.post(target, files={"Filedata": ("film.mp4", piece)}, headers=covers)
        except httpx.TransportError:
            doubtful = True
            continue
        if not (doubtful and response.status_code == 400):
            response.raise_for_status()
        start, doubtful = start + len(piece), False


def solution_asks_for_offset(http: httpx.Client, token: str, storage: str, source: str, target: str) -> None:
    """Continue where the responses say, with smaller pieces, and with the unit that HTTP has."""
    http.headers["Authorization"] = f"Bearer {token}"
    location = http.get(source).headers["Location"]
    if not location.startswith(f"{storage}/"):
        return
    content = http.get(location).raise_for_status().content
    start, size = 0, len(content)
    while start < size:
        end = min(start + 8_192, size)
        piece = {"FileData": ("film.mp4", content[start:end])}
        covers = {"Content-Range": f"bytes {start}-{end - 1}/{size}"}
        for _ in range(3):
            try:
                response = http.post(target, data={"resourceName": "film.mp4"}, files=piece, headers=covers)
            except httpx.ReadError:
                continue
            start = response.json().get("offset", end)
            break
