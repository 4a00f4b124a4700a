"""Plan the transfer of many files: check all arguments before anything is sent."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

from svckit.errors import InvalidInput
from svckit.local_files import find_name_problems
from svckit.models.phrases import describe_given
from svckit.operations.batch import Cancel, Plan
from svckit.operations.checks import check_flags
from svckit.operations.journals import Entry, Journal, JournalPath
from svckit.operations.sources import get_name
from svckit.operations.transfers import Downloads, OneDownload, OneFile, OneUpload, Uploads
from svckit.operations.uploads import UploadForm, parse_resumable
from svckit.places import Place, check_place

__all__ = ["ManyFiles", "ManyPlaces", "To", "download_many", "upload_many"]

ManyFiles: TypeAlias = Iterable[OneFile] | Mapping[str, OneFile] | Uploads
ManyPlaces: TypeAlias = Iterable[Place] | Mapping[Place, str] | Downloads
To: TypeAlias = Place | Callable[[str], Place]
SHOWN_PROBLEMS = 10
"""How many problems an error lists."""


def upload_many(
    _session: Any,
    files: ManyFiles,
    to: To | None = None,
    *,
    overwrite: bool = False,
    modified: bool | str | datetime | None = None,
    resumable: bool | int = False,
    form: UploadForm = "Filedata",
    journal: JournalPath | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    cancel: Cancel | None = None,
) -> AbstractContextManager[Plan[Uploads]]:
    """Upload many files in parallel; a failure does not stop the others.

    Uses threads; where none can be started, such as in a browser, files are uploaded one by one.

    Args:
        files: paths, open binary files, or a mapping of names to these or to bytes; or the result of an earlier
            call, to repeat only what failed.
        to: the place for all, or a function that makes one from a file's name.
        overwrite: whether to replace files of the same names.
        modified: as with ``upload``.
        resumable: as with ``upload``.
        form: as with ``upload``.
        journal: as with ``upload``, one file for all: the same call in another process skips what is done and
            resumes the others.
        workers: how many at a time. By default 4; while a fake's clock stands still 1, so that IDs are the same in
            every run.
        progress: as with ``upload``; the bar counts files.
        cancel: as with ``upload``. Stopping the notebook's cell cancels too.

    Returns:
        The outcome of each, in the order given: ``ok``, ``failed``, ``frame()``.

    Raises:
        InvalidInput: the arguments make no sense. Nothing was sent.
        Cancelled: it was cancelled; ``result`` holds the outcomes until then.

    Examples:
        >>> import svckit
        >>> from svckit import places
        >>> with svckit.connect() as svc:
        ...     svc.files.upload_many({"a.txt": b"A", "b.txt": b"B"}, to=places.drive("u-001"))
        upload: 2 of 2 done
    """
    if isinstance(files, Uploads):
        _check_earlier("upload", to, journal, places="their places")
        return files.plan(workers, progress, cancel)
    if isinstance(files, str | bytes | bytearray | memoryview | Path) or not isinstance(files, Iterable):
        raise InvalidInput(
            "files.upload_many was not sent: files must be a list of paths or open files, or a mapping of names to "
            f"these or to bytes; given {describe_given(files)}{_suggest_files(files)}"
        )
    if to is None:
        raise InvalidInput(
            'files.upload_many was not sent: the place is missing; pass to=places.drive("u-001")'
        )
    check_flags("files.upload_many was not sent", overwrite=overwrite)
    parse_resumable(resumable)
    named = (
        list(files.items())
        if isinstance(files, Mapping)
        else [(get_name(source), source) for source in files]
    )
    _check_upload_names(named)
    transfers = []
    open_files: set[int] = set()
    opened = None if journal is None else Journal(journal, "uploads", keeps_results=True)
    for name, source in named:
        if hasattr(source, "seek"):  # it has one position, and uploads run in parallel
            if id(source) in open_files:
                raise InvalidInput(
                    f"files.upload_many was not sent: the open file for {name!r} is given twice; pass its path or bytes"
                )
            open_files.add(id(source))
        place = check_place(to if isinstance(to, Place) or not callable(to) else to(name))
        options = {"overwrite": overwrite, "modified": modified, "resumable": resumable, "form": form}
        transfers.append(OneUpload(name, source, place, options={"name": name, "journal": opened} | options))
    return Uploads("upload", transfers, journal=opened).plan(workers, progress, cancel)


def _check_earlier(title: str, to: object, journal: object, *, places: str) -> None:
    for name, value, kept in (("to", to, places), ("journal", journal, "their journal, if any")):
        if value is not None:
            raise InvalidInput(
                f"files.{title}_many was not sent: earlier {title}s have {kept}; leave out {name}="
            )


def _suggest_files(given: object) -> str:
    """Suggest code for the files of a folder, if one was given."""
    if not isinstance(given, str | Path) or not Path(given).is_dir():
        return ""
    return (
        f". The files of that folder are [path for path in Path({str(given)!r}).iterdir() if path.is_file()]"
    )


def download_many(
    _session: Any,
    places: ManyPlaces,
    to: str | Path | None = None,
    *,
    overwrite: bool = False,
    journal: JournalPath | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    cancel: Cancel | None = None,
) -> AbstractContextManager[Plan[Downloads]]:
    """Download many files in parallel, into a directory or memory; otherwise like ``upload_many``.

    Args:
        places: the files, or a mapping of files to their names in the directory; or the result of an earlier
            call, to repeat only what failed.
        to: the directory to write to, where a file without a name is named after its ID and media type; by
            default the contents are returned.
        overwrite: whether existing files may be replaced.
        journal: a file that records what is done, so that the same call in another process skips files that are
            still there, and downloads the others; deleted when all are done. Needs `to`.
        workers: how many at a time. By default 4; while a fake's clock stands still 1, so that IDs are the same in
            every run.
        progress: as with ``upload_many``.
        cancel: as with ``upload_many``.

    Returns:
        The outcome of each, in the order given: ``ok``, ``failed``, ``frame()``. A ``value`` is the path or
            the content.

    Raises:
        InvalidInput: the arguments make no sense. Nothing was sent.
        Cancelled: it was cancelled; ``result`` holds the outcomes until then.

    Examples:
        >>> import svckit
        >>> from svckit import places
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="hello.txt")
        >>> svc.files.download_many([places.drive("u-001").file(stored.file_id)])
        download: 1 of 1 done
    """
    if isinstance(places, Downloads):
        _check_earlier("download", to, journal, places="their directory")
        return places.plan(workers, progress, cancel)
    if isinstance(places, str | Place) or not isinstance(places, Iterable):
        raise InvalidInput(
            f"files.download_many was not sent: places must be a list of places; given {describe_given(places)}"
        )
    check_flags("files.download_many was not sent", overwrite=overwrite)
    found = [check_place(place) for place in places]
    for place in found:
        if place.download_path is None:
            raise InvalidInput(
                f"files.download_many was not sent: the place does not name a file ({place!r})"
            )
    directory = None if to is None else Path(to)
    if directory is not None and directory.is_file():
        raise InvalidInput(f"files.download_many was not sent: {directory} is a file; to must be a directory")
    names = _check_file_names(places, directory) if isinstance(places, Mapping) else [""] * len(found)
    if journal is not None and directory is None:
        raise InvalidInput("files.download_many was not sent: a journal needs a directory; pass to=DIRECTORY")
    opened = None if journal is None else Journal(journal, "downloads", keeps_results=True)
    transfers = []
    for place, name in zip(found, names, strict=True):
        entry = (
            None if opened is None else Entry(opened, f"{place} to {Path(directory or '.', name).absolute()}")
        )
        transfers.append(OneDownload(place, to=directory, overwrite=overwrite, name=name, entry=entry))
    return Downloads("download", transfers, journal=opened).plan(workers, progress, cancel)


def _check_file_names(places: Mapping[Place, str], directory: Path | None) -> list[str]:
    """Check the names of files in a directory, and return them; each must be valid and unique on every system.

    Raises:
        InvalidInput: the directory is missing, or names are not valid; lists them.
    """
    if directory is None:
        raise InvalidInput(
            "files.download_many was not sent: to save files under their own names, pass to=DIRECTORY"
        )
    names = list(places.values())
    if problems := find_name_problems(names):
        raise InvalidInput(
            f"files.download_many was not sent: not every name is that of a file of its own in {directory}: "
            f"{_list_problems(problems)}"
        )
    return names


def _check_upload_names(named: Sequence[tuple[str, OneFile]]) -> None:
    """Check the names and the kinds of all files.

    Raises:
        InvalidInput: some are not valid; lists them.
    """
    problems = [problem for name, source in named if (problem := _describe_upload(name, source))]
    if problems:
        raise InvalidInput(f"files.upload_many was not sent: {_list_problems(problems)}")


def _describe_upload(name: object, source: object) -> str:
    """Describe what is wrong with the name or the kind of a file; empty if nothing is."""
    if not isinstance(name, str) or not name.strip():
        return f"{describe_given(name)} is not the name of a file"
    if name.encode("utf-8", "replace").decode() != name:
        return f"{name!r:.60} has half of a character, which cannot be sent"
    if not isinstance(source, str | Path | bytes | bytearray | memoryview | Iterable) and not hasattr(
        source, "read"
    ):
        return f"{name!r:.60} must be a path, bytes or an open file; given {describe_given(source)}"
    return ""


def _list_problems(problems: Sequence[str]) -> str:
    """List the first problems, and count the others."""
    more = len(problems) - SHOWN_PROBLEMS
    return "; ".join([*problems[:SHOWN_PROBLEMS], *([f"and {more} more"] if more > 0 else [])])
