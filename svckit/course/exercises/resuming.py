"""Lesson 07: download a file, and send it on in pieces over a connection that breaks."""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import httpx

from fakes import FakeService
from fakes.lessons import Exercise, Run, Said, Variant, said
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises import read_words
from svckit.course.exercises.transfers import (
    RECEIVE,
    MeasuringClient,
    client,
    find_bare_content,
    find_tokenless,
    header,
    is_unread,
    sent,
)

__all__ = ["EXERCISE"]

SEND = "storage.send"
FILE, NAME = "film-1", "film.mp4"
PIECE = 10_000
"""The most bytes of a piece."""
MOST = 1.1
"""How many times the bytes of the file may be sent."""
RANGE = re.compile(r"(?:bytes )?(\d+)-(\d+)/(\d+)")


class Piece(NamedTuple):
    """A request that sent a range of the file: its first and last byte, the size it gave, and what had arrived."""

    entry: JournalEntry
    start: int
    end: int
    total: int
    before: int

    @property
    def arrived(self) -> bool:
        """True if the service has stored the piece, even if nobody was told."""
        return self.entry.status in (200, 201)


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Store a file, announce it elsewhere, inject faults, and return a client, a token and three URLs."""
    facts, options = fake.facts, variant.options
    content = Random(facts["login_id"]).randbytes(options["size"])  # noqa: S311 - a film, not a secret
    fake.files.seed(options["place"], FILE, NAME, "video/mp4", content)
    token = fake.access_token("u-001")
    http = MeasuringClient(fake, options.get("elsewhere", ""))
    announced = http.post(
        facts["base_url"] + "/users/u-002/drive/files",
        json={"fileName": NAME, "fileSize": options["size"]},
        headers={"Authorization": f"Bearer {token}"},
    )
    for skip, arrives in options.get("breaks", ()):
        fake.faults.reset(RECEIVE, skip=skip, applied=arrives)
    http.urls.clear()
    http.pieces.clear()
    return (
        http,
        token,
        facts["upload_url"],
        facts["base_url"] + options["source"],
        announced.json()["uploadUrl"],
    )


def content_of(run: Run) -> bytes:
    """Return the content of the file."""
    return next(file for file in run.fake.files.list_files() if file.file_id == FILE).latest.content.read()


def is_foreign(run: Run) -> bool:
    """Return whether redirects lead elsewhere."""
    return bool(run.variant.options.get("elsewhere"))


def is_complete(run: Run) -> bool:
    """Return whether the file arrived in the drive."""
    files = run.fake.files.list_files()
    copies = [file.latest.content.read() for file in files if file.place == ("drive", "u-002")]
    return copies == [content_of(run)]


def list_pieces(run: Run) -> list[Piece]:
    """Return the requests that sent a range, in order."""
    found, before = list[Piece](), 0
    for entry in run.sent(RECEIVE):
        if match := RANGE.fullmatch(header(entry, "content-range")):
            start, end, total = map(int, match.groups())
            piece = Piece(entry, start, end, total, before)
            found.append(piece)
            before = piece.end + 1 if piece.arrived else before
    return found


def count_sent(run: Run, entry: JournalEntry) -> int:
    """Return the bytes of content that a request carried."""
    return client(run).pieces.get(entry.number, 0)


def carries_file(run: Run) -> bool | Said | None:
    """Look for what kept the file from arriving as it was."""
    if is_foreign(run):
        return False if sent(run) else None
    if is_complete(run) or find_tokenless(run):
        return is_complete(run)
    return (
        find_unsent(run)
        or find_bare_content(run)
        or find_range(run)
        or find_place(run)
        or find_end(run)
        or False
    )


def find_unsent(run: Run) -> Said | None:
    """Say that a redirect was not followed, or the file not sent on."""
    located = [entry for entry in run.entries if entry.status == 302]
    fetched = run.sent(SEND, 200)
    if located and not run.sent(SEND):
        return said("redirect ignored", request=located[0].number, ending=name_error(run))
    if fetched and not sent(run) and run.error is None:
        return said("not sent on", request=fetched[0].number)
    return None


def name_error(run: Run) -> str:
    """Return the name of the error that the function raised; a dash without one."""
    return type(run.error).__name__ if run.error else "–"


def find_range(run: Run) -> Said | None:
    """Say which range is missing, cannot be read, or is not the one that was sent."""
    size = len(content_of(run))
    pieces = {piece.entry.number: piece for piece in list_pieces(run)}
    for entry in sent(run):
        given, carried, piece = (
            header(entry, "content-range"),
            count_sent(run, entry),
            pieces.get(entry.number),
        )
        known = {"request": entry.number, "range": given, "status": entry.status}
        if not given and not is_unread(entry):
            return said("no range", **known, bytes=f"{entry.request_bytes:,}")
        if piece and carried > PIECE and piece.end - piece.start >= PIECE:
            return said("large pieces", **known, bytes=f"{carried:,}", most=f"{PIECE:,}")
        if given and (piece is None or piece.total != size):
            return said("total", **known, size=f"{size:,}")
        if piece and entry.status == 400 and carried != piece.end - piece.start + 1:
            return said("end", **known, covered=f"{piece.end - piece.start + 1:,}", carried=f"{carried:,}")
    return None


def find_place(run: Run) -> Said | None:
    """Say which piece did not go on where the ones before it had ended."""
    pieces = list_pieces(run)
    broken = [entry.number for entry in sent(run) if entry.injected]
    for piece in pieces:
        known = {
            "request": piece.entry.number,
            "start": f"{piece.start:,}",
            "before": f"{piece.before:,}",
            "status": piece.entry.status,
            "broken": max((number for number in broken if number < piece.entry.number), default="–"),
        }
        if piece.arrived or piece.entry.status is None:
            continue
        if piece.start == 0 and piece.before > PIECE:
            return said("starting over", **known)
        if piece.start > piece.before:
            return said("skipping", **known)
        if piece.start < piece.before:
            return said("stuck", **known, count=sum(other.start == piece.start for other in pieces))
    return None


def find_end(run: Run) -> Said | None:
    """Say that the function ended before the last piece."""
    pieces, size = list_pieces(run), f"{len(content_of(run)):,}"
    arrived = f"{max((piece.end + 1 for piece in pieces if piece.arrived), default=0):,}"
    last = run.entries[-1]
    if run.error and last.injected:
        return said("giving up", request=last.number, error=name_error(run), arrived=arrived, size=size)
    if run.error or not pieces or any(entry.is_error for entry in run.entries):
        return None
    return said("early end", request=last.number, arrived=arrived, size=size)


def sends_tokens(run: Run) -> bool | Said | None:
    """Look for a request without the token."""
    if is_foreign(run) and client(run).strays:
        return None
    return find_tokenless(run) or (True if run.sent(SEND) else None)


def keeps_token(run: Run) -> bool | Said | None:
    """Look for a token that went to another host, or an error in place of a return."""
    host, strays = httpx.URL(run.arguments[2]).host, client(run).strays
    if strays:
        return said("elsewhere", request=1, elsewhere=client(run).elsewhere, host=host, count=sum(strays))
    if is_foreign(run) and run.error is not None:
        return said("raises", request=1, elsewhere=client(run).elsewhere, error=name_error(run))
    return True if run.sent(SEND) or is_foreign(run) else None


def sends_ranges(run: Run) -> bool | Said | None:
    """Look for content that was not sent in small ranges."""
    return None if not sent(run) or is_foreign(run) else find_range(run) or True


def is_thrifty(run: Run) -> bool | Said | None:
    """Look at what interruptions cost, if the file arrived."""
    if is_foreign(run) or not is_complete(run):
        return None
    size, count = len(content_of(run)), sum(count_sent(run, entry) for entry in sent(run))
    if count <= MOST * size:
        return True
    placed = find_place(run)
    if placed and placed.name == "starting over":
        return placed
    return said("waste", size=f"{size:,}", bytes=f"{count:,}", times=f"{count / size:.2f}")


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    broken = sum(entry.injected is not None for entry in sent(run))
    count = sum(count_sent(run, entry) for entry in sent(run))
    size, pieces = len(content_of(run)), len(list_pieces(run)) - broken
    return {"size": f"{size:,}", "pieces": pieces, "broken": broken, "bytes": f"{count:,}"}


BOT = {"place": ("bot", "bot-1"), "source": f"/bots/bot-1/attachments/{FILE}"}
DRIVE = {"place": ("drive", "u-001"), "source": f"/users/u-001/drive/files/{FILE}/revisions/1/download"}
EXERCISE = Exercise(
    words=read_words("07-download-and-resume"),
    prepare=prepare,
    options=(
        {"size": 234_567, **BOT, "breaks": ((3, False), (11, False))},
        {"size": 260_000, **DRIVE, "breaks": ((5, True), (14, False))},
        {"size": 234_567, **BOT, "elsewhere": "storage.fake.test.example.net"},
    ),
    checks={
        "arrival": carries_file,
        "token": sends_tokens,
        "host": keeps_token,
        "ranges": sends_ranges,
        "thrift": is_thrifty,
    },
    summarize=summarize,
)
