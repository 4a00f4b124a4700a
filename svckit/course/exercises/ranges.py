"""Reading the traffic of an exercise that sends a file in pieces."""

import re
from typing import NamedTuple

from fakes.lessons import Run
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises.transfers import BAD_REQUEST, RECEIVE, UNAUTHORIZED, client, header, sent

__all__ = [
    "FILE",
    "NAME",
    "PIECE",
    "Piece",
    "bytes_sent",
    "content_of",
    "copies",
    "gets_stuck",
    "interrupted",
    "is_complete",
    "is_foreign",
    "misses_end",
    "misses_total",
    "pieces",
    "sends_much",
    "sends_whole",
    "skips",
    "starts_over",
    "wastes",
]

FILE, NAME = "film-1", "film.mp4"
PIECE = 10_000
MOST = 1.1
"""How many times the bytes of the file may be sent."""
STORED = (200, 201)
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
        return self.entry.status in STORED


def content_of(run: Run) -> bytes:
    """Return the content of the file."""
    return next(each for each in run.fake.files.list_files() if each.file_id == FILE).latest.content.read()


def is_foreign(run: Run) -> bool:
    """Return whether redirects lead elsewhere."""
    return bool(run.variant.options.get("elsewhere"))


def copies(run: Run) -> list[bytes]:
    """Return the content of what arrived in the drive."""
    files = run.fake.files.list_files()
    return [each.latest.content.read() for each in files if each.place == ("drive", "u-002")]


def pieces(run: Run) -> list[Piece]:
    """Return the requests that sent a range, in order."""
    found, before = list[Piece](), 0
    for entry in run.sent(RECEIVE):
        match = RANGE.fullmatch(header(entry, "content-range"))
        if match:
            piece = Piece(entry, int(match[1]), int(match[2]), int(match[3]), before)
            found.append(piece)
            before = piece.end + 1 if piece.arrived else before
    return found


def interrupted(run: Run) -> list[JournalEntry]:
    """Return the requests that broke."""
    return [entry for entry in sent(run) if entry.injected]


def bytes_sent(run: Run) -> int:
    """Return the bytes of content that were sent, more than once if they were."""
    return sum(client(run).pieces.get(entry.number, 0) for entry in sent(run))


def is_complete(run: Run) -> bool | None:
    """Return whether the file arrived; None if it should not."""
    if is_foreign(run):
        return False if sent(run) else None
    return copies(run) == [content_of(run)]


def sends_whole(run: Run) -> str | None:
    """Find content without a range."""
    for entry in sent(run):
        if not header(entry, "content-range") and entry.status != UNAUTHORIZED:
            outcome = (
                "It broke, and all of it was lost." if entry.injected else f"Its status was {entry.status}."
            )
            return f"Request {entry.number} sent {entry.request_bytes:,} bytes without a Content-Range. {outcome}"
    return None


def sends_much(run: Run) -> str | None:
    """Find a piece that is too large."""
    for piece in pieces(run):
        if piece.end - piece.start >= PIECE and client(run).pieces.get(piece.entry.number, 0) > PIECE:
            size = client(run).pieces[piece.entry.number]
            return f"Request {piece.entry.number} sent {size:,} bytes at once. A piece may have {PIECE:,}."
    return None


def misses_total(run: Run) -> str | None:
    """Find a range that cannot be read, or is of a file of another size."""
    size = len(content_of(run))
    for entry in sent(run):
        given = header(entry, "content-range")
        if given and not RANGE.fullmatch(given):
            return (
                f"Request {entry.number} said Content-Range: {given}. It needs three numbers, as in 0-9/25."
            )
    for piece in pieces(run):
        if piece.total != size:
            return (
                f"Request {piece.entry.number} said Content-Range: {header(piece.entry, 'content-range')}, so the file "
                f"would have {piece.total:,} bytes. It has {size:,}."
            )
    return None


def misses_end(run: Run) -> str | None:
    """Find a range that covers more or less than was sent."""
    for piece in pieces(run):
        carried, covered = client(run).pieces.get(piece.entry.number, 0), piece.end - piece.start + 1
        if piece.entry.status == BAD_REQUEST and carried != covered and carried <= PIECE:
            return (
                f"Request {piece.entry.number} said Content-Range: {header(piece.entry, 'content-range')}. That is "
                f"{covered:,} bytes, and the request carried {carried:,}. It was refused with {piece.entry.status}."
            )
    return None


def describe_break(run: Run, piece: Piece) -> str:
    """Return which request was interrupted before a piece; empty if none was."""
    numbers = [entry.number for entry in interrupted(run) if entry.number < piece.entry.number]
    return f"Request {numbers[-1]} was interrupted. " if numbers else ""


def starts_over(run: Run) -> str | None:
    """Find a first piece after others had arrived."""
    for piece in pieces(run):
        if piece.start == 0 and piece.before > PIECE and not piece.arrived and piece.entry.status:
            return (
                f"{describe_break(run, piece)}{piece.before:,} bytes had arrived, and request {piece.entry.number} "
                f"started at byte 0 again. It was refused with {piece.entry.status}."
            )
    return None


def skips(run: Run) -> str | None:
    """Find a piece that comes after one that did not arrive."""
    for piece in pieces(run):
        if piece.start > piece.before and not piece.arrived and piece.entry.status:
            return (
                f"{describe_break(run, piece)}{piece.before:,} bytes had arrived, and request {piece.entry.number} "
                f"continued at byte {piece.start:,}. It was refused with {piece.entry.status}."
            )
    return None


def gets_stuck(run: Run) -> str | None:
    """Find a piece that had arrived, was sent again, and was taken for missing."""
    for piece in pieces(run):
        known = piece.start < piece.before and not piece.arrived and piece.entry.status is not None
        if known and not is_complete(run):
            again = sum(each.start == piece.start for each in pieces(run))
            return (
                f"The piece that begins at byte {piece.start:,} had arrived, although the response was interrupted. "
                f"Request {piece.entry.number} sent it again and was refused with {piece.entry.status}. It was sent "
                f"{again} times, and the pieces after it never were."
            )
    return None


def wastes(run: Run) -> str | None:
    """Find much more sent than the file has."""
    size, count = len(content_of(run)), bytes_sent(run)
    if count <= MOST * size:
        return None
    return f"The file has {size:,} bytes, and {count:,} were sent: {count / size:.2f} times as many."
