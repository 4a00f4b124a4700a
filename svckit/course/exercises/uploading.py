"""Lesson 06: upload the files of a folder, each in two steps."""

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from weakref import finalize

from fakes import FakeService
from fakes.lessons import Exercise, Run, Said, Variant, said
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises import read_words
from svckit.course.exercises.request_bodies import read_fields
from svckit.course.exercises.transfers import (
    PIECE,
    MeasuringClient,
    client,
    file_of,
    find_bare_content,
    find_tokenless,
    header,
    is_unread,
    sent,
)

__all__ = ["EXERCISE"]


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Write the files into a new folder, and return a client, the URL of a place, a token and the folder."""
    http = MeasuringClient(fake)
    folder = Path(mkdtemp(prefix="lesson-06-"))
    finalize(http, shutil.rmtree, folder, ignore_errors=True)
    for name, content in write_files(fake, variant).items():
        (folder / name).write_bytes(content)
    return http, fake.facts["base_url"] + variant.options["place"], fake.access_token("u-001"), folder


def write_files(fake: FakeService, variant: Variant) -> dict[str, bytes]:
    """Return the files of a variant, by name."""
    names = [fake.directory[user]["userName"]["firstName"] for user in fake.facts["users"]]
    return {
        name: "".join(text.format(name=names[number % len(names)]) for number in range(times)).encode()
        for name, text, times in sorted(variant.options["files"])
    }


def files(run: Run) -> dict[str, bytes]:
    """Return the files that the folder had, by name, whatever the function did with it."""
    return write_files(run.fake, run.variant)


def list_stored(run: Run) -> list[tuple[str, bytes]]:
    """Return the name and the content of each file that was uploaded."""
    return [
        (file.name, file.latest.content.read())
        for file in run.fake.files.list_files()
        if file.created_at >= run.started and file.place[0] in ("drive", "shared_drive")
    ]


def list_announced(run: Run, *statuses: int) -> list[JournalEntry]:
    """Return the first steps."""
    first = [entry for entry in run.entries if entry.operation.startswith("upload.")]
    return [entry for entry in first if not statuses or entry.status in statuses]


def read_announced(entry: JournalEntry) -> tuple[str, object]:
    """Return the file name and the size that a first step announced."""
    return str(read_fields(entry).get("fileName")), read_fields(entry).get("fileSize")


def stores_each_once(run: Run) -> bool | Said:
    """Look for a file that is not in the place, or twice."""
    stored, known = list_stored(run), files(run)
    if sorted(stored) == sorted(known.items()):
        return True
    if any(isinstance(look(run), Said) for look in (uses_each_url_once, announces_sizes)):
        return False  # that says more
    if found := find_one_step(run) or find_mixed_up(run) or find_piece(run):
        return found
    twice = next((name for name, count in Counter(name for name, _ in stored).items() if count > 1), None)
    if twice:
        return said("twice", name=twice, count=len(stored))
    left = known.keys() - {read_announced(entry)[0] for entry in list_announced(run)}
    if run.error is None and left and not any(entry.is_error for entry in run.entries):
        return said("left out", count=len(known), names=", ".join(sorted(left)))
    return False


def find_one_step(run: Run) -> Said | None:
    """Say that content was sent to the place, or nothing to an upload URL."""
    for entry in list_announced(run):
        is_content = entry.json is None and "form" not in header(entry, "content-type")
        if entry.parts or (entry.request_body and is_content):
            size = f"{entry.request_bytes:,}"
            return said("one step", request=entry.number, bytes=size, status=entry.status)
    issued = list_announced(run, 200, 201)
    if run.error or sent(run) or not issued or any(entry.is_error for entry in run.entries):
        return None
    return said("no second step", count=len(issued), request=issued[0].number)


def find_piece(run: Run) -> Said | None:
    """Say that a piece of a file was sent in a request of its own, as if it were the whole."""
    sizes = dict(map(read_announced, list_announced(run, 200, 201)))
    for entry in sent(run):
        name = file_of(run, entry)
        size = sizes.get(name, 0)
        if entry.parts and entry.status == 400 and isinstance(size, int) and 0 < entry.request_bytes < size:
            known = {"request": entry.number, "bytes": f"{entry.request_bytes:,}", "status": entry.status}
            return said("split", **known, name=name, size=f"{size:,}")
    return None


def find_mixed_up(run: Run) -> Said | None:
    """Say which content was sent to the upload URL of another file."""
    known = files(run)
    for entry in run.sent("storage.receive"):
        name = next((part.file_name for part in entry.parts if part.file_name in known), None)
        other = file_of(run, entry)
        if name and name != other and other in known:
            return said("mixed up", request=entry.number, status=entry.status, name=name, other=other)
    return None


def uses_each_url_once(run: Run) -> bool | Said | None:
    """Look for an upload URL that should have taken several files, at once or one after another."""
    taken = dict[str, int]()
    for entry in sent(run):
        url, count = client(run).urls[entry.number], sum(part.file_name is not None for part in entry.parts)
        if count > 1 or url in taken:
            known = {"request": entry.number, "status": entry.status}
            return said("reused URL", **known, count=max(count, 1), before=taken.get(url, entry.number))
        if entry.status == 201:
            taken[url] = entry.number
    issued = list_announced(run, 200, 201)
    return len(issued) == len(run.sent("storage.receive", 201)) if issued else None


def announces_sizes(run: Run) -> bool | Said | None:
    """Look for an announced name or size that is not that of a file in the folder."""
    known = files(run)
    for entry in list_announced(run):
        name, size = read_announced(entry)
        given = {"request": entry.number, "name": name}
        if isinstance(size, int) and name not in known:
            return said("path as name", **given, names=", ".join(known))
        if isinstance(size, int) and size != len(known[name]):
            return said("other size", **given, size=f"{size:,}", bytes=f"{len(known[name]):,}")
        if size != len(known.get(name, b"")):
            return False
    return bool(list_announced(run)) or None


def names_part(run: Run) -> bool | Said | None:
    """Look for content that is not in one of the forms that the description shows."""
    read = [entry for entry in sent(run) if not is_unread(entry)]
    for entry in read:
        parts = {part.name: part.file_name for part in entry.parts}
        if parts.get("Filedata") is None and not {"resourceName", "FileData"} <= parts.keys():
            known = {"request": entry.number, "status": entry.status, "names": ", ".join(parts)}
            is_text = not any(parts.values())
            return (
                said("field" if is_text else "part name", **known)
                if parts
                else find_bare_content(run) or False
            )
    return bool(read) or None


def sends_tokens(run: Run) -> bool | Said | None:
    """Look for a request without the token."""
    return find_tokenless(run) or (True if sent(run) else None)


def reads_in_pieces(run: Run) -> bool | Said | None:
    """Look for a large file that was sent in one piece."""
    large = {name: len(content) for name, content in files(run).items() if len(content) > PIECE}
    tried = [entry for entry in sent(run) if file_of(run, entry) in large and not is_unread(entry)]
    for entry in tried:
        size = client(run).pieces.get(entry.number, 0)
        if size in large.values() and not header(
            entry, "content-range"
        ):  # a range says how much is read at once
            return said("in memory", request=entry.number, size=f"{size:,}", most=f"{PIECE:,}")
    return bool(tried) or None


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    stored = list_stored(run)
    return {
        "count": len(stored),
        "bytes": f"{sum(len(content) for _, content in stored):,}",
        "urls": len(list_announced(run, 200, 201)),
        "largest": f"{max(client(run).pieces[entry.number] for entry in sent(run)):,}",
    }


EXERCISE = Exercise(
    words=read_words("06-upload-in-two-steps"),
    prepare=prepare,
    options=(
        {
            "place": "/users/u-001/drive/files",
            "files": (
                ("minutes.txt", "{name} takes the minutes.\n", 1),
                ("prices.csv", "{name},1200\n", 40),
                ("visits.log", "09:00 {name} came in\n", 8_000),
            ),
        },
        {
            "place": "/sharedrives/drive-1/files/folder-1",
            "files": (
                ("agenda.txt", "Café with {name}\n", 3),
                ("Größen.csv", "{name};85 €\n", 30),
                ("sensor.log", "{name}: 21 °C\n", 9_000),
                ("thanks.md", "# Thank you, {name}!\n", 1),
            ),
        },
    ),
    checks={
        "once": stores_each_once,
        "urls": uses_each_url_once,
        "sizes": announces_sizes,
        "part": names_part,
        "token": sends_tokens,
        "memory": reads_in_pieces,
    },
    summarize=summarize,
)
