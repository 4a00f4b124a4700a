"""Transfers with a journal: resumed by another session, as by another process, and done once."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeService
from svckit.errors import Cancelled, InvalidInput, NotFound, Unreachable
from svckit.operations import files as files_operations
from svckit.operations.journals import Journal
from svckit.session.connect import connect
from svckit.session.session import Session

from ..conftest import IN_PROCESS, Face
from .ranges import CONTENT, DRIVE, RANGE, SEND, Cancelling, ranges, stored

START = "2026-06-01T09:00:00+09:00"


@contextmanager
def impatient(fake: FakeService) -> Iterator[Session]:
    """A session that sends nothing twice."""
    with connect(fake) as svc:
        svc.retries = 0
        yield svc


def upload(svc: Session, source: Path, journal: Path, **options: Any) -> Any:
    return svc.files.upload(source, **{"to": DRIVE, "resumable": RANGE, "journal": journal, **options})


def break_off(
    fake: FakeService, source: Path, journal: Path, *, skip: int = 1, applied: bool = False, **options: Any
) -> None:
    """Lose a range, after some others, and all that the session knows of it."""
    fake.faults.reset(SEND, skip=skip, applied=applied)
    with impatient(fake) as svc, pytest.raises(Unreachable):
        upload(svc, source, journal, **options)


def crash(
    fake: FakeService, source: Path, journal: Path, monkeypatch: pytest.MonkeyPatch, *, at: int
) -> None:
    """Crash when a range has arrived, before its response is looked at."""
    lines: list[bytes] = []
    write = Journal.write

    def copy(self: Journal, name: str, entry: Any) -> None:
        write(self, name, entry)
        lines.append(self.path.read_bytes())

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "write", copy)
        break_off(fake, source, journal, skip=at, applied=True)
    journal.write_bytes(lines[-2])


@IN_PROCESS
def test_another_session_resumes_where_it_was(
    on_fake: Face, fake: FakeService, source: Path, journal: Path
) -> None:
    break_off(fake, source, journal)
    assert on_fake(lambda svc: upload(svc, source, journal)).file_size == len(CONTENT)
    assert ranges(fake) == ["0-4095/10240", "4096-8191/10240", "4096-8191/10240", "8192-10239/10240"]
    assert stored(fake) == [CONTENT]
    assert not journal.exists()


@pytest.mark.parametrize("offset", ["absent", "sent"])
@pytest.mark.parametrize("at", [0, 1])
def test_a_range_that_arrived_before_a_crash_is_not_stored_twice(
    offset: str, at: int, source: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeService.sample(now=START, assume={"file.resume-offset": offset})
    crash(fake, source, journal, monkeypatch, at=at)
    with connect(fake) as svc:
        upload(svc, source, journal)
    assert stored(fake) == [CONTENT]


def test_after_the_last_range_was_lost_it_is_not_sent_again(
    fake: FakeService, source: Path, journal: Path
) -> None:
    break_off(fake, source, journal, skip=2, applied=True)
    with connect(fake) as svc:
        with pytest.raises(Unreachable, match="most likely stored"):
            upload(svc, source, journal)
        with pytest.raises(InvalidInput, match=r"sent already: look for it, and delete .*x\.upload"):
            upload(svc, source, journal)
    assert stored(fake) == [CONTENT]


def test_an_expired_url_says_so_and_the_next_call_starts_again(
    fake: FakeService, source: Path, journal: Path
) -> None:
    break_off(fake, source, journal)
    fake.clock.advance(days=2)
    with connect(fake) as svc:
        with pytest.raises(NotFound, match="expired after 24 hours"):
            upload(svc, source, journal)
        assert not journal.exists()
        upload(svc, source, journal)
    assert stored(fake) == [CONTENT]


def test_the_journal_is_the_owners_and_holds_no_token(fake: FakeService, source: Path, journal: Path) -> None:
    journal.touch(mode=0o644)
    with impatient(fake) as svc:
        fake.faults.reset(SEND, skip=1)
        with pytest.raises(Unreachable):
            upload(svc, source, journal)
        tokens = svc._driver.tokens.current
    text = journal.read_text("utf-8")
    assert "/uploads/" in text
    assert tokens is not None
    assert tokens.access.reveal() not in text
    if sys.platform != "win32":
        assert stat.S_IMODE(journal.stat().st_mode) == 0o600


def change_size(path: Path) -> None:
    path.write_bytes(CONTENT + b"x")


def change_time(path: Path) -> None:
    os.utime(path, (1, 1))


def change_what_was_sent(path: Path) -> None:
    before = path.stat()
    path.write_bytes(b"x" + CONTENT[1:])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (change_size, r"belongs to the upload of .*\(10240 bytes.*and this is .*\(10241 bytes"),
        (change_time, "modified 1970-01-01T00:00:01"),
        (change_what_was_sent, "its first 8192 bytes are not those that were sent before"),
    ],
)
def test_a_file_that_has_changed_is_noticed(
    change: Any, why: str, fake: FakeService, source: Path, journal: Path
) -> None:
    break_off(fake, source, journal)
    change(source)
    sent = len(ranges(fake))
    with connect(fake) as svc, pytest.raises(InvalidInput, match=why):
        upload(svc, source, journal)
    assert len(ranges(fake)) == sent


@pytest.mark.parametrize("options", [{"name": "y.bin"}, {"to": DRIVE.file("folder-1")}])
def test_a_journal_belongs_to_one_upload(
    options: dict[str, Any], fake: FakeService, source: Path, journal: Path
) -> None:
    break_off(fake, source, journal)
    with connect(fake) as svc, pytest.raises(InvalidInput, match="Delete the journal"):
        upload(svc, source, journal, **options)


@pytest.mark.parametrize(
    "content", [b"hello\n", b"hello", b'{"journal": "downloads", "version": 1}\n', b"[]\n", b"\xff\n"]
)
def test_another_file_is_left_alone(content: bytes, fake: FakeService, source: Path, journal: Path) -> None:
    journal.write_bytes(content)
    with connect(fake) as svc, pytest.raises(InvalidInput, match="is not a journal of uploads"):
        upload(svc, source, journal)
    assert journal.read_bytes() == content


def test_a_journal_needs_a_path(fake: FakeService, journal: Path) -> None:
    (journal.parent / "x.bin").touch()
    with connect(fake) as svc:
        with pytest.raises(InvalidInput, match=r"a journal needs the path of a file.*given bytes"):
            svc.files.upload(CONTENT, to=DRIVE, name="x.bin", journal=journal)
        with pytest.raises(InvalidInput, match="journal must be the path of a file; given True"):
            svc.files.upload(journal.parent / "x.bin", to=DRIVE, journal=True)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="a journal needs a directory"):
            svc.files.download_many([DRIVE.file("f")], journal=journal)
    assert not journal.exists()


def test_explaining_an_upload_records_nothing(
    svc: Session, fake: FakeService, source: Path, journal: Path
) -> None:
    shown = svc.explain(
        files_operations.upload(source, DRIVE, journal=journal),
        {"uploadUrl": f"{fake.facts['upload_url']}/uploads/1"},
    )
    assert "Content-Range: 0-10239/10240" in str(shown)
    assert not journal.exists()


def test_the_error_resumes_with_the_journal_too(fake: FakeService, source: Path, journal: Path) -> None:
    fake.faults.reset(SEND, skip=1)
    with impatient(fake) as svc:
        with pytest.raises(Unreachable) as caught:
            upload(svc, source, journal)
        svc.files.resume(caught.value.upload, source)
    assert stored(fake) == [CONTENT]
    assert not journal.exists()


def test_a_cancelled_upload_is_resumed(svc: Session, fake: FakeService, source: Path, journal: Path) -> None:
    with pytest.raises(Cancelled):
        upload(svc, source, journal, cancel=Cancelling(after=2))
    upload(svc, source, journal)
    assert ranges(fake)[-2:] == ["4096-8191/10240", "8192-10239/10240"]
    assert stored(fake) == [CONTENT]


@IN_PROCESS
def test_many_uploads_skip_what_is_done(
    on_fake: Face, fake: FakeService, files: list[Path], journal: Path
) -> None:
    fake.faults.reset(SEND, skip=4)
    with impatient(fake) as svc:
        first = svc.files.upload_many(files, DRIVE, resumable=RANGE, journal=journal)
    assert [each.state for each in first] == ["ok", "failed", "ok", "ok"]
    before = len(ranges(fake))
    again = on_fake(lambda svc: svc.files.upload_many(files, DRIVE, resumable=RANGE, journal=journal))
    assert [each.value.file_id for each in again if each.label != "1.bin"] == [
        each.value.file_id for each in first.ok
    ]
    assert ranges(fake)[before:] == ["4096-8191/10241", "8192-10240/10241"]
    assert sorted(stored(fake)) == [file.read_bytes() for file in files]
    assert not journal.exists()


def test_many_uploads_send_a_changed_file_from_its_beginning(
    fake: FakeService, files: list[Path], journal: Path
) -> None:
    fake.faults.reset(SEND, skip=1)
    with impatient(fake) as svc:
        svc.files.upload_many(files, DRIVE, resumable=RANGE, journal=journal)
        files[0].write_bytes(b"new")
        missing = files[3].with_name("missing.bin")
        again = svc.files.upload_many([*files[:3], missing], DRIVE, resumable=RANGE, journal=journal)
    assert [each.state for each in again] == ["ok", "ok", "ok", "failed"]
    assert sorted(stored(fake)) == [*(file.read_bytes() for file in files[1:]), b"new"]
    assert journal.exists()


@IN_PROCESS
def test_many_downloads_skip_what_is_there(
    svc: Session, on_fake: Face, fake: FakeService, files: list[Path], tmp_path: Path, journal: Path
) -> None:
    there = [DRIVE.file(each.value.file_id) for each in svc.files.upload_many(files, DRIVE)]
    names = {place: f"{number}.bin" for number, place in enumerate(there)}
    fake.faults.reset("storage.send", skip=1)
    with impatient(fake) as other:
        first = other.files.download_many(names, tmp_path / "out", journal=journal)
    assert [each.state for each in first] == ["ok", "failed", "ok", "ok"]
    (tmp_path / "out" / "3.bin").unlink()
    before = len(fake.journal)
    again = on_fake(lambda svc: svc.files.download_many(names, tmp_path / "out", journal=journal))
    assert [each.value.read_bytes() for each in again] == [file.read_bytes() for file in files]
    sent = [entry.operation for entry in list(fake.journal)[before:]]
    assert sent.count("storage.send") == 2
    assert not journal.exists()
    with pytest.raises(InvalidInput, match="their journal, if any; leave out journal="):
        on_fake(lambda svc: svc.files.download_many(again, journal=journal))
