"""Lesson 06: upload the files of a folder, each in two steps."""

import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp
from weakref import finalize

from fakes import FakeService
from fakes.lessons import Run, Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from svckit.course.exercises.request_bodies import read_fields
from svckit.course.exercises.transfers import (
    PIECE,
    RECEIVE,
    UNAUTHORIZED,
    MeasuringClient,
    announced,
    client,
    file_of,
    forgets_token,
    is_described,
    issued,
    name_of,
    names_part,
    sends_field,
    sends_no_form,
    sent,
    sets_content_type,
    skips_first_step,
    splits_file,
)
from svckit.display.card import quantity

__all__ = ["EXERCISE"]


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Write the files into a new folder, and return a client, the URL of a place, a token and the folder."""
    http = MeasuringClient(fake)
    folder = Path(mkdtemp(prefix="lesson-06-"))
    finalize(http, shutil.rmtree, folder, ignore_errors=True)
    names = [fake.directory[user]["userName"]["firstName"] for user in fake.facts["users"]]
    for name, text, times in variant.options["files"]:
        lines = (text.format(name=names[number % len(names)]) for number in range(times))
        (folder / name).write_bytes("".join(lines).encode())
    return http, fake.facts["base_url"] + variant.options["place"], fake.access_token("u-001"), folder


def files(run: Run) -> dict[str, bytes]:
    """Return the files of the folder, by name."""
    folder: Path = run.arguments[3]
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def stored(run: Run) -> list[tuple[str, bytes]]:
    """Return the name and the content of each file that was uploaded."""
    return [
        (each.name, each.latest.content.read())
        for each in run.fake.files.list_files()
        if each.created_at >= run.started and each.place[0] in ("drive", "shared_drive")
    ]


def is_complete(run: Run) -> bool:
    """Return whether each file is stored once, with its content."""
    return sorted(stored(run)) == sorted(files(run).items())


def has_own_urls(run: Run) -> bool | None:
    """Return whether each upload URL that was issued took one file; None if none was issued."""
    if not issued(run):
        return None
    return len(issued(run)) == len(run.sent(RECEIVE, 201)) and reuses_url(run) is None


def has_right_sizes(run: Run) -> bool | None:
    """Return whether the announced sizes are those of the files; None if no file was announced."""
    known = [entry for entry in announced(run) if name_of(entry) in files(run)]
    sizes = [read_fields(entry).get("fileSize") == len(files(run)[name_of(entry)]) for entry in known]
    return all(sizes) if sizes else None


def is_named(run: Run) -> bool | None:
    """Return whether the content is in one of the forms that the description shows; None if none was read."""
    read = [entry for entry in sent(run) if entry.status != UNAUTHORIZED]
    return all(is_described(entry) for entry in read) if read else None


def is_streamed(run: Run) -> bool | None:
    """Return whether no large file was sent in one piece; None if none was sent."""
    large = [name for name, content in files(run).items() if len(content) > PIECE]
    tried = [entry for entry in sent(run) if file_of(run, entry) in large and entry.status != UNAUTHORIZED]
    return holds_file(run) is None if tried else None


def has_tokens(run: Run) -> bool | None:
    """Return whether all requests had the token; None before the second step."""
    return forgets_token(run) is None if sent(run) else None


def has_refusal(run: Run) -> bool:
    """Return whether a request was refused, which then is what feedback should be about."""
    return any(entry.is_error for entry in run.entries)


def stops_halfway(run: Run) -> str | None:
    """Find upload URLs to which nothing was sent."""
    if run.error is not None or has_refusal(run) or not issued(run) or sent(run):
        return None
    count = quantity(len(issued(run)), "upload URL")
    first = issued(run)[0].number
    return (
        f"The service issued {count}, the first in the response to request {first}. Nothing was sent there."
    )


def reuses_url(run: Run) -> str | None:
    """Find an upload URL that should have taken several files, at once or one after another."""
    urls, taken = client(run).urls, dict[str, int]()
    for entry in sent(run):
        url = urls[entry.number]
        count = sum(part.file_name is not None for part in entry.parts)
        if count > 1:
            return f"Request {entry.number} sent {count} files to one upload URL. It was refused with {entry.status}."
        if url in taken:
            return (
                f"Request {entry.number} sent content to the upload URL that had taken a file in request {taken[url]}. "
                f"It was refused with {entry.status}."
            )
        if entry.status == 201:
            taken[url] = entry.number
    return None


def misses_name(run: Run) -> str | None:
    """Find an announced name that is not that of a file in the folder."""
    known = files(run)
    for entry in announced(run):
        name = read_fields(entry).get("fileName")
        if isinstance(name, str) and name not in known:
            return f"Request {entry.number} announced the name “{name}”. The folder has {', '.join(known)}."
    return None


def misses_size(run: Run) -> str | None:
    """Find an announced size that is not that of the file."""
    known = files(run)
    for entry in announced(run):
        content, size = known.get(name_of(entry)), read_fields(entry).get("fileSize")
        if content is not None and isinstance(size, int) and size != len(content):
            return (
                f"Request {entry.number} announced {size:,} as the size of “{name_of(entry)}”, which has "
                f"{len(content):,} bytes."
            )
    return None


def mixes_up(run: Run) -> str | None:
    """Find content that was sent to the upload URL of another file."""
    for entry in run.sent(RECEIVE):
        names = [part.file_name for part in entry.parts if part.file_name in files(run)]
        if names and names[0] != file_of(run, entry):
            return (
                f"Request {entry.number} sent “{names[0]}” to the upload URL that was issued for "
                f"“{file_of(run, entry)}”. The status was {entry.status}."
            )
    return None


def leaves_out(run: Run) -> str | None:
    """Find files that were never announced."""
    missing = files(run).keys() - {name_of(entry) for entry in announced(run)}
    if run.error is not None or has_refusal(run) or not missing:
        return None
    return f"The folder has {quantity(len(files(run)), 'file')}. Nothing was sent for {', '.join(sorted(missing))}."


def stores_twice(run: Run) -> str | None:
    """Find a file that was stored twice."""
    for name, count in Counter(name for name, _ in stored(run)).items():
        if count > 1:
            return f"“{name}” is in the place {count} times now, each with an ID of its own."
    return None


def holds_file(run: Run) -> str | None:
    """Find a large file that was sent in one piece."""
    for entry in sent(run):
        piece = client(run).pieces.get(entry.number, 0)
        sizes = [len(content) for content in files(run).values() if len(content) > PIECE]
        if piece in sizes:
            return (
                f"Request {entry.number} sent a file of {piece:,} bytes in one piece: all of it was in memory. "
                f"An open file is read in pieces of at most {PIECE:,} bytes."
            )
    return None


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    largest = max(client(run).pieces[entry.number] for entry in sent(run))
    size = sum(len(content) for content in files(run).values())
    return (
        f"{quantity(len(stored(run)), 'file')} stored, {size:,} bytes, {quantity(len(issued(run)), 'upload URL')}; "
        f"at most {largest:,} bytes of a file in memory."
    )


EXERCISE = Exercise(
    name="upload_folder",
    title="Upload in two steps",
    minutes=20,
    section="Endpoints › File transfer",
    starter="""\
def upload_folder(http, place, token, folder):
    for path in sorted(folder.iterdir()):
        ...
""",
    prepare=prepare,
    variants=(
        Variant(
            "three files",
            {
                "place": "/users/u-001/drive/files",
                "files": (
                    ("minutes.txt", "{name} takes the minutes.\n", 1),
                    ("prices.csv", "{name},1200\n", 40),
                    ("visits.log", "09:00 {name} came in\n", 8_000),
                ),
            },
        ),
        Variant(
            "a folder of a shared drive, and files with letters such as é and ü",
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
    ),
    goals=(
        Goal("each file is in the place once, with its content", is_complete),
        Goal("each upload URL takes one file", has_own_urls),
        Goal("the announced sizes are those of the files", has_right_sizes),
        Goal("the content is in a part that the description names", is_named),
        Goal("both steps send the token", has_tokens),
        Goal("large files are read in pieces", is_streamed),
    ),
    mistakes=(
        Mistake(
            "no token",
            forgets_token,
            (
                "How does the service know who is sending that request?",
                "The place and the upload URL are at different hosts. What do both need?",
                "See “Second step: the content” above: compare the headers of the two requests.",
            ),
        ),
        Mistake(
            "one step",
            skips_first_step,
            (
                "What does the place have to know before it takes a file?",
                "The place takes JSON with two fields. Where does the content go?",
                "See “First step: announce it” above: look at what is sent, and what comes back.",
            ),
        ),
        Mistake(
            "other size",
            misses_size,
            (
                "What does the service count: letters or bytes?",
                "Which length is it: that of the text, or that of the file on disk?",
                "See “Break it” above: é is one letter. How many bytes is it?",
            ),
        ),
        Mistake(
            "path as name",
            misses_name,
            (
                "Under which name should other people find the file?",
                "A path has several parts. Which of them is the name of the file?",
                "See “First step: announce it” above: fileName there has no folders in it.",
            ),
        ),
        Mistake(
            "no second step",
            stops_halfway,
            (
                "What is in the response to the first request, and what is it for?",
                "An upload URL is a place for content. Who has to send it there?",
                "See “Second step: the content” above, and the journal after it: two requests for one file.",
            ),
        ),
        Mistake(
            "reused URL",
            reuses_url,
            (
                "How many files can one upload URL take?",
                "Where does your function ask for an upload URL: before the loop, or for each file?",
                "See “Break it” above: the second use of a URL, and its status.",
            ),
        ),
        Mistake(
            "mixed up",
            mixes_up,
            (
                "For which file was that upload URL issued?",
                "Each upload URL is for the file that was announced for it. What keeps the pairs together?",
                "See “Second step: the content” above: each first step there is followed by its second.",
            ),
        ),
        Mistake(
            "own content type",
            sets_content_type,
            (
                "Who knows where one part of a form ends and the next begins?",
                "httpx makes the boundary between the parts, and a header with it. What replaced that header?",
                "See “Second step: the content” above: which headers does that request set, and which not?",
            ),
        ),
        Mistake(
            "no form",
            sends_no_form,
            (
                "In what envelope does the content travel?",
                "httpx has a parameter for files. Which one did that request use?",
                "See “Second step: the content” above: the parameter files makes a form of parts.",
            ),
        ),
        Mistake(
            "field",
            sends_field,
            (
                "What distinguishes a file from a text field in a form?",
                "A file part has two names: that of the part, and that of the file.",
                "See “Second step: the content” above: what does the tuple in files begin with?",
            ),
        ),
        Mistake(
            "split",
            splits_file,
            (
                "How many requests does the second step of one file have?",
                "Only reading happens in pieces. Who reads the file, if you pass it open, in one request?",
                "See “Files that are too big to hold” above: what is passed there in place of bytes?",
            ),
        ),
        Mistake(
            "left out",
            leaves_out,
            (
                "Which files does your loop go over?",
                "Does the folder only have files of the kinds that you thought of?",
                "See “Exercise” above: every file of the folder, whatever its name.",
            ),
        ),
        Mistake(
            "twice",
            stores_twice,
            (
                "What does the service do with a second file of the same name?",
                "It keeps both. Which of your requests made the second?",
                "See “Break it” above: what was stored stays stored.",
            ),
        ),
        Mistake(
            "part name",
            names_part,
            (
                "Who decides what the part is called?",
                "This service accepts other names, and the next one may not. Which name is documented?",
                "See “Second step: the content” above: the name of the part is the key in files.",
            ),
        ),
        Mistake(
            "in memory",
            holds_file,
            (
                "How much memory would a film of 4 GB take?",
                "Who should read the file: you, before the request, or httpx, while it sends?",
                "See “Files that are too big to hold” above: what is passed there in place of bytes?",
            ),
        ),
    ),
    summarize=summarize,
)
