"""Plan the transfer of many files: check all arguments before anything is sent."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from svckit.errors import InvalidInput
from svckit.local_files import find_name_problems
from svckit.models.flags import check_flags
from svckit.models.phrases import describe_given
from svckit.operations.journals import Entry, Journal, JournalPath
from svckit.operations.sources import get_name
from svckit.operations.transfers import Downloads, OneDownload, OneFile, OneUpload, Uploads
from svckit.operations.uploads import UploadForm, parse_resumable
from svckit.places import Place, check_place

__all__ = ["ManyFiles", "ManyPlaces", "To", "plan_downloads", "plan_uploads"]

ManyFiles: TypeAlias = Iterable[OneFile] | Mapping[str, OneFile] | Uploads
ManyPlaces: TypeAlias = Iterable[Place] | Mapping[Place, str] | Downloads
To: TypeAlias = Place | Callable[[str], Place]
SHOWN_PROBLEMS = 10
"""How many problems an error lists."""


def plan_uploads(
    files: ManyFiles,
    to: To | None,
    *,
    overwrite: bool = False,
    modified: bool | str | datetime | None = None,
    resumable: bool | int = False,
    form: UploadForm = "Filedata",
    journal: JournalPath | None = None,
) -> Uploads:
    """Plan uploads.

    Args:
        files: paths, open binary files, or a mapping of names to these or to bytes; or earlier uploads, of which the
            failed ones are repeated.
        to: the place for all, or a function that makes one from a file's name; not with earlier uploads.
        overwrite: as with `svckit.operations.uploads.upload`, like the other options.
        modified: when the files were last changed.
        resumable: whether they are sent in ranges.
        form: the form that their content is sent in.
        journal: a file that records what is done and how much of the rest has arrived; not with earlier uploads.

    Raises:
        InvalidInput: `files` is of another kind, or names or files are not valid. Nothing is sent.
    """
    if isinstance(files, Uploads):
        _check_earlier("upload", "their places", to=to, journal=journal)
        return files
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
    plan = []
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
        plan.append(OneUpload(name, source, place, {"name": name, "journal": opened} | options))
    return Uploads("upload", plan, journal=opened)


def _check_earlier(title: str, kept: str, **given: object) -> None:
    for name, value in given.items():
        if value is not None:
            kept = kept if name == "to" else "their journal, if any"
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


def plan_downloads(
    places: ManyPlaces,
    to: str | Path | None,
    *,
    overwrite: bool = False,
    journal: JournalPath | None = None,
) -> Downloads:
    """Plan downloads.

    Args:
        places: the files, or a mapping of files to their names; or earlier downloads, of which the failed ones are
            repeated.
        to: the directory to write to; by default the contents are returned.
        overwrite: whether existing files may be replaced.
        journal: a file that records what is done; needs a directory; not with earlier downloads.

    Raises:
        InvalidInput: `places` is of another kind, a place does not name a file, or a name is not a valid file name.
            Nothing is sent.
    """
    if isinstance(places, Downloads):
        _check_earlier("download", "their directory", to=to, journal=journal)
        return places
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
    plan = []
    for place, name in zip(found, names, strict=True):
        entry = (
            None if opened is None else Entry(opened, f"{place} to {Path(directory or '.', name).absolute()}")
        )
        plan.append(OneDownload(place, directory, overwrite, name, entry))
    return Downloads("download", plan, journal=opened)


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
