"""Lesson 06: upload the files of a folder, each in two steps."""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from weakref import finalize

import httpx

from fakes import FakeService
from fakes.lessons import JournalEntry, Options, Run, Seen, said
from svckit.course.exercises.requests import header, read_fields
from svckit.course.exercises.transfers import PIECE, MeasuringClient, client, sent

__all__ = ["prepare", "summarize"]

DOCUMENTED = (["Filedata"], ["resourceName", "FileData"], ["FileData", "resourceName"])
"""The names of the parts in the two forms that the description shows."""


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Write the files into a new folder, and return a client, the URL of a place, a token and the folder."""
    http = MeasuringClient(fake)
    folder = Path(mkdtemp(prefix="lesson-06-"))
    finalize(http, shutil.rmtree, folder, ignore_errors=True)
    for name, content in write_files(fake, options).items():
        (folder / name).write_bytes(content)
    return http, fake.facts["base_url"] + options["place"], fake.access_token("u-001"), folder


def write_files(fake: FakeService, options: Options) -> dict[str, bytes]:
    """Return the files of a variant, by name, whatever a function does with the folder."""
    names = [fake.directory[user]["userName"]["firstName"] for user in fake.facts["users"]]
    return {
        name: "".join(text.format(name=names[number % len(names)]) for number in range(times)).encode()
        for name, text, times in sorted(options["files"])
    }


def list_stored(run: Run) -> list[tuple[str, bytes]]:
    """Return the name and the content of each file that was uploaded."""
    return [
        (file.name, file.latest.content.read())
        for file in run.fake.files.list_files()
        if file.created_at >= run.started and file.place[0] in ("drive", "shared_drive")
    ]


def list_announced(run: Run) -> list[JournalEntry]:
    """Return the first steps."""
    return [entry for entry in run.entries if entry.operation.startswith("upload.") and read_fields(entry)]


def count_issued(run: Run) -> int:
    """Return the number of upload URLs that were issued."""
    return sum(not entry.is_error for entry in list_announced(run))


def stores_each_once(run: Run) -> Seen:
    """Look for a file that is not in the place, or twice."""
    return sorted(list_stored(run)) == sorted(write_files(run.fake, run.options).items()) or find_cause(run)


def find_cause(run: Run) -> Seen:
    """Say what was sent too seldom or too often; nothing after an error or a refusal."""
    if run.error or any(entry.is_error for entry in run.entries):
        return False
    if not sent(run):
        return said("no second step", run.entries[0], count=count_issued(run))
    counts = Counter(name for name, _ in list_stored(run))
    left = sorted(write_files(run.fake, run.options).keys() - counts.keys())
    if left:
        return said("left out", names=", ".join(left))
    return said("twice", name=counts.most_common(1)[0][0], count=counts.total())


def uses_each_url_once(run: Run) -> bool | None:
    """Return whether each upload URL took one file."""
    issued = count_issued(run)
    return issued == len(run.sent("storage.receive", 201)) if issued else None


def announces_sizes(run: Run) -> Iterator[Seen]:
    """Look for an announced name or size that is not that of a file in the folder."""
    known = write_files(run.fake, run.options)
    for entry in list_announced(run):
        fields = read_fields(entry)
        name, size = str(fields.get("fileName")), fields.get("fileSize")
        if name not in known:
            yield said("path as name", entry, name=name, names=", ".join(known))
        elif isinstance(size, int):  # the service refuses anything else
            right = len(known[name])
            yield size == right or said("other size", entry, name=name, size=size, bytes=right)


def names_part(run: Run) -> Iterator[Seen]:
    """Look for content that is not in one of the forms that the description shows."""
    for entry in run.sent("storage.receive", 200, 201):
        names = [part.name for part in entry.parts]
        yield names in DOCUMENTED or said("part name", entry, names=", ".join(names))


def sends_tokens(run: Run) -> bool | None:
    """Return whether both steps have the token."""
    return all(header(entry, "authorization") for entry in run.entries) if sent(run) else None


def reads_in_pieces(run: Run) -> Iterator[Seen]:
    """Look for a large file that was sent in one piece."""
    large = {len(content) for content in write_files(run.fake, run.options).values() if len(content) > PIECE}
    for entry in sent(run):
        size = client(run).pieces.get(entry.number, 0)
        if size not in large or header(entry, "content-range"):
            yield True
        else:
            yield not entry.is_error and said("in memory", entry, size=size, most=PIECE)


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    stored = list_stored(run)
    return {
        "count": len(stored),
        "bytes": sum(len(content) for _, content in stored),
        "urls": count_issued(run),
        "largest": max(client(run).pieces[entry.number] for entry in sent(run)),
    }


def solution_opens_files(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    """Send an open file as the part Filedata."""
    http.headers["Authorization"] = f"Bearer {token}"
    for path in folder.iterdir():
        announced = {"fileName": path.name, "fileSize": path.stat().st_size}
        url = http.post(place, json=announced).raise_for_status().json()["uploadUrl"]
        with path.open("rb") as content:
            http.post(url, files={"Filedata": (path.name, content)}).raise_for_status()


def solution_names_resource(http: httpx.Client, place: str, token: str, folder: Path) -> None:
    """Send the fields resourceName and FileData, the other form that the description shows; all URLs first."""
    http.headers["Authorization"] = f"Bearer {token}"
    urls = {}
    for path in folder.iterdir():
        announced = {"fileName": path.name, "fileSize": path.stat().st_size}
        urls[path] = http.post(place, json=announced).raise_for_status().json()["uploadUrl"]
    for path, url in urls.items():
        with path.open("rb") as content:
            fields = {"FileData": (None, content)}
            http.post(url, data={"resourceName": path.name}, files=fields).raise_for_status()
