"""Journals that were cut by a crash or a full disk go on; those that somebody else has changed are one clear error."""

import errno
import io
import json
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeService
from svckit.errors import ForeignOrigin, InvalidInput
from svckit.operations import journals
from svckit.operations.journals import Journal
from svckit.session.connect import connect
from svckit.session.session import Session

from .ranges import CONTENT, DRIVE, SEND, ranges
from .test_journals import break_off, impatient, upload


def write_entry(journal: Path, **fields: Any) -> None:
    """Change fields of the last entry of a journal, as somebody else might."""
    header, *_, last = journal.read_text("utf-8").splitlines()
    record = json.loads(last)
    record["entry"] |= fields
    journal.write_text(f"{header}\n{json.dumps(record)}\n", "utf-8")


TAMPERED: dict[str, dict[str, Any]] = {
    "an offset beyond the size": {"offset": len(CONTENT) + 1},
    "a huge offset": {"offset": 10**30},
    "a negative offset": {"offset": -1},
    "a Boolean offset": {"offset": True},
    "an offset that is a secret": {"offset": "canary"},
    "more sent than there is": {"sent": len(CONTENT) + 1},
    "no range": {"range_size": 0},
    "a media type with a header": {"content_type": "a/b\r\nX-A: b"},
    "another form": {"form": "x"},
    "no URL": {"url": None},
    "a number for a digest": {"digest": 5},
    "another field": {"more": 1},
}


@pytest.mark.parametrize("fields", TAMPERED.values(), ids=TAMPERED)
def test_a_tampered_entry_is_one_error(
    fields: dict[str, Any], fake: FakeService, source: Path, journal: Path
) -> None:
    break_off(fake, source, journal)
    write_entry(journal, **fields)
    sent = len(ranges(fake))
    with (
        connect(fake) as svc,
        pytest.raises(InvalidInput, match=r"x\.upload is damaged; delete it") as caught,
    ):
        upload(svc, source, journal)
    assert len(ranges(fake)) == sent
    assert caught.value.__cause__ is None
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/uploads/1",
        "http://storage.fake.test/uploads/1",
        "file:///etc/passwd",
        "https://[",
        "/users/u-001",
    ],
)
def test_a_tampered_url_gets_nothing(url: str, fake: FakeService, source: Path, journal: Path) -> None:
    break_off(fake, source, journal)
    write_entry(journal, url=url)
    sent = len(ranges(fake))
    with connect(fake) as svc, pytest.raises((ForeignOrigin, InvalidInput)):
        upload(svc, source, journal)
    assert len(ranges(fake)) == sent


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 10_000,
        b'{"name": [], "entry": {}}',
        b'{"name": "a", "entry": 5}',
        b'{"name": "a", "entry": []}',
        b'{"name": "a", "entry": "text"}',
    ],
)
def test_a_line_that_json_cannot_read_is_one_error(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    Journal(path, "uploads").write("a", {})
    content = path.read_bytes() + line + b"\n"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match="is not a journal of uploads"):
        Journal(path, "uploads")
    assert path.read_bytes() == content


@pytest.mark.parametrize("result", [5, {}, {"path": 5, "size": 1}, {"path": "a"}, None])
def test_a_tampered_result_is_one_error(
    svc: Session, result: Any, fake: FakeService, files: list[Path], tmp_path: Path, journal: Path
) -> None:
    there = [DRIVE.file(each.value.file_id) for each in svc.files.upload_many(files[:2], DRIVE)]
    fake.faults.reset("storage.send", skip=1)
    with impatient(fake) as other:
        other.files.download_many(there, tmp_path / "out", journal=journal)
    write_entry(journal, result=result)
    with pytest.raises(InvalidInput, match="is damaged; delete it"):
        svc.files.download_many(there, tmp_path / "out", journal=journal)


def test_a_tampered_result_of_an_upload_is_one_error(
    fake: FakeService, files: list[Path], journal: Path
) -> None:
    fake.faults.reset(SEND, skip=1)
    with impatient(fake) as svc:
        svc.files.upload_many(files[:2], DRIVE, journal=journal)
    lines = (
        journal.read_text("utf-8")
        .replace('"fileId": "', '"fileId": ["')
        .replace('", "fileName"', '"], "fileName"')
    )
    journal.write_text(lines, "utf-8")
    with connect(fake) as svc, pytest.raises(InvalidInput, match="is damaged; delete it"):
        svc.files.upload_many(files[:2], DRIVE, journal=journal)


def whole(path: Path) -> bytes:
    """A journal with three entries."""
    kept = Journal(path, "uploads")
    for name in "abc":
        kept.write(name, {"offset": 5})
    return path.read_bytes()


def test_the_journal_of_many_says_that_one_of_them_is_stored(
    fake: FakeService, files: list[Path], journal: Path
) -> None:
    fake.faults.reset(SEND, skip=1)
    with impatient(fake) as svc:
        svc.files.upload_many(files[:2], DRIVE, journal=journal)
        kept = Journal(journal, "uploads", keeps_results=True)
        with pytest.raises(InvalidInput, match=r"x\.upload, '0\.bin' is stored already$"):
            svc.files.upload(files[0], DRIVE, journal=kept)


def test_a_journal_that_was_cut_anywhere_goes_on(tmp_path: Path) -> None:
    content = whole(tmp_path / "whole.journal")
    lines = content.splitlines(keepends=True)
    for size in range(len(content)):
        path = tmp_path / "cut.journal"
        path.write_bytes(content[:size])
        Journal(path, "uploads").write("d", {"offset": 6})
        kept = content[:size].rpartition(b"\n")[0].count(b"\n")
        assert list(Journal(path, "uploads").entries) == [*"abc"[:kept], "d"]
        assert path.read_bytes().splitlines(keepends=True)[:-1] == lines[: max(1, kept + 1)]


@pytest.mark.parametrize("written", [0, 7, None])
def test_a_line_that_could_not_be_written_is_taken_back(
    written: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "full.journal"
    content = whole(path)

    class Full(io.FileIO):
        def write(self, line: Any) -> int:
            super().write(bytes(line)[: 3 if written is None else written])
            if written is None:
                raise OSError(errno.ENOSPC, "No space left on device")
            return written

    kept = Journal(path, "uploads")
    with monkeypatch.context() as patch:
        patch.setattr(journals, "open", lambda path, mode, **_: Full(path, mode.strip("b")), raising=False)
        with pytest.raises(OSError, match="No space left on device"):
            kept.write("d", {"offset": 6})
    assert path.read_bytes() == content
    assert list(kept.entries) == [*"abc"]
    kept.write("e", {"offset": 7})
    assert list(Journal(path, "uploads").entries) == [*"abc", "e"]
