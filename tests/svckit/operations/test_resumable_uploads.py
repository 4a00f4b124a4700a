"""Uploads in ranges: broken in every way, continued, and stored once, byte for byte."""

import asyncio
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeService
from svckit.errors import Cancelled, InvalidInput, ServiceError, Unreachable
from svckit.operations.uploads import Upload
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.aio import AsyncSession
from svckit.session.connect import connect, connect_async
from svckit.session.session import Session

from ..conftest import EVERYWHERE, Face
from .ranges import (
    CONTENT,
    DRIVE,
    RANGE,
    SEND,
    SOURCES,
    Breaking,
    Cancelling,
    Make,
    broken,
    ranges,
    stored,
    upload,
)

each_source = pytest.mark.parametrize("make", SOURCES.values(), ids=SOURCES)


@each_source
def test_it_is_sent_in_consecutive_ranges(on_fake: Face, fake: FakeService, make: Make) -> None:
    result = upload(on_fake, make())
    assert (result.file_name, result.file_size) == ("x.bin", len(CONTENT))
    assert ranges(fake) == ["0-4095/10240", "4096-8191/10240", "8192-10239/10240"]
    assert stored(fake) == [CONTENT]


@pytest.mark.parametrize("resumable", [True, 10_240, 20_000])
def test_a_small_file_is_one_range(resumable: bool | int, on_fake: Face, fake: FakeService) -> None:
    upload(on_fake, CONTENT, resumable=resumable)
    assert ranges(fake) == ["0-10239/10240"]


def test_an_empty_file_has_no_ranges(on_fake: Face, fake: FakeService) -> None:
    upload(on_fake, b"", size=0)
    assert ranges(fake) == []
    assert stored(fake) == [b""]


BREAKS: dict[str, Callable[[FakeService], object]] = {
    "no connection": lambda fake: fake.faults.connect_error(SEND),
    "no connection twice": lambda fake: fake.faults.connect_error(SEND, times=2),
    "reset before": lambda fake: fake.faults.reset(SEND),
    "reset after": lambda fake: fake.faults.reset(SEND, applied=True),
    "timeout before": lambda fake: fake.faults.read_timeout(SEND, times=2),
    "timeout after": lambda fake: fake.faults.read_timeout(SEND, applied=True),
    "busy": lambda fake: fake.faults.status(SEND, 503, retry_after=5),
    "no address": lambda fake: fake.faults.reset("upload.drive", applied=True),
}


@each_source
@pytest.mark.parametrize(
    ("where", "how"),
    [
        (where, how)
        for where in EVERYWHERE
        for how in BREAKS
        if where == "in-process" or not how.startswith("timeout")  # which would take its time
    ],
    indirect=["where"],
)
def test_a_range_that_broke_is_sent_again(how: str, on_fake: Face, fake: FakeService, make: Make) -> None:
    BREAKS[how](fake)
    assert upload(on_fake, make()).file_size == len(CONTENT)
    assert len(fake.faults) == 0
    assert stored(fake) == [CONTENT]


@each_source
@pytest.mark.parametrize("applied", [False, True], ids=["lost", "taken"])
@pytest.mark.parametrize("after", [0, 1], ids=["first", "second"])
def test_an_upload_that_broke_goes_on_where_it_was(
    applied: bool, after: int, on_fake: Face, fake: FakeService, make: Make
) -> None:
    on_fake.session.retries = 0
    error = broken(
        on_fake, Breaking(make(), fake, at=RANGE * after + 1, applied=applied), Unreachable, size=10_240
    )
    assert isinstance(error.upload, Upload)
    assert error.upload.offset == RANGE * after
    assert (
        f"{RANGE * after} of 10240 bytes of 'x.bin' have arrived; svc.files.resume(error.upload, source)"
        in str(error)
    )
    result = on_fake(lambda svc: svc.files.resume(error.upload, make()))
    assert result.file_size == len(CONTENT)
    assert stored(fake) == [CONTENT]
    with pytest.raises(InvalidInput, match=r"all 10240 bytes of .x.bin. were sent already"):
        on_fake(lambda svc: svc.files.resume(error.upload, make()))


class Interrupting(Cancelling):
    """Interrupts what asks, as Ctrl-C does, once it has been asked so many times."""

    def is_set(self) -> bool:
        if super().is_set():
            raise KeyboardInterrupt
        return False


@pytest.mark.parametrize("reuse", ["single-use", "reusable"])
def test_an_upload_whose_last_response_is_lost_is_not_sent_twice(reuse: str, way: str, runner: Any) -> None:
    fake = FakeService.sample(now="2026-06-01T09:00:00+09:00", assume={"file.upload-reuse": reuse})
    lost = Breaking(CONTENT, fake, at=RANGE * 2, applied=True)
    with Face.opened(way, fake.facts, runner, transport=fake.transport(), clock=fake.clock) as face:
        error = broken(face, lost, Unreachable)
    assert "the file was most likely stored, and its ID is unknown" in str(error)
    assert error.upload is None
    assert stored(fake) == [CONTENT]


def test_whole_range_is_not_sent_again_unless_asked(on_fake: Face, fake: FakeService) -> None:
    """Where an upload URL took a second upload, it would store a second file."""
    fake.faults.reset(SEND, applied=True)
    error = broken(on_fake, CONTENT, Unreachable, resumable=True)
    assert "It may have been stored. svc.files.resume(error.upload, source)" in str(error)
    assert len(ranges(fake)) == 1
    with pytest.raises(Unreachable, match=r"this upload URL has been used.*most likely stored"):
        on_fake(lambda svc: svc.files.resume(error.upload, CONTENT))
    assert stored(fake) == [CONTENT]


@pytest.mark.parametrize(("rule", "choice"), [("file.incomplete", "308"), ("file.wrong-range", "416")])
def test_other_responses_to_ranges_do_as_well(rule: str, choice: str, way: str, runner: Any) -> None:
    fake = FakeService.sample(now="2026-06-01T09:00:00+09:00", assume={rule: choice})
    with Face.opened(way, fake.facts, runner, transport=fake.transport(), clock=fake.clock) as face:
        fake.faults.reset(SEND, applied=True)
        upload(face, CONTENT)
    assert stored(fake) == [CONTENT]


@each_source
def test_a_cancelled_upload_goes_on_where_it_was(on_fake: Face, fake: FakeService, make: Make) -> None:
    cancel = Cancelling(after=9)
    error = broken(on_fake, make(), Cancelled, cancel=cancel, resumable=1000)
    assert "files.upload was cancelled. 8000 of 10240 bytes" in str(error)
    assert stored(fake) == []
    on_fake(lambda svc: svc.files.resume(error.upload, make()))
    assert stored(fake) == [CONTENT]
    assert ranges(fake) == [f"{start}-{min(start + 999, 10_239)}/10240" for start in range(0, 10_240, 1000)]


def test_an_interrupted_upload_goes_on_where_it_was(svc: Session, fake: FakeService) -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        svc.files.upload(CONTENT, DRIVE, name="x.bin", resumable=RANGE, cancel=Interrupting(after=2))
    assert "4096 of 10240 bytes of 'x.bin' have arrived" in caught.value.__notes__[0]
    svc.files.resume(caught.value.upload, CONTENT)  # type: ignore[attr-defined]  # the upload put it there
    assert stored(fake) == [CONTENT]


def test_a_cancelled_task_leaves_an_upload_to_resume(runner: asyncio.Runner) -> None:
    async def main(svc: AsyncSession) -> None:
        class CancellingTheTask(Cancelling):
            def is_set(self) -> bool:
                if super().is_set():
                    task.cancel()
                return False

        cancel = CancellingTheTask(after=2)
        upload = svc.files.upload(CONTENT, DRIVE, name="x.bin", resumable=RANGE, cancel=cancel)
        task = asyncio.ensure_future(upload)
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        assert task.cancelled()
        assert "4096 of 10240 bytes of 'x.bin' have arrived" in caught.value.__notes__[0]
        await svc.files.resume(caught.value.upload, CONTENT)  # type: ignore[attr-defined]  # as above

    async def over_tcp(facts: Any) -> None:
        profile, credentials = Profile.from_facts(facts), Credentials.from_facts(facts)
        async with connect_async(profile, credentials=credentials) as svc:
            await main(svc)

    fake = FakeService.sample()
    with fake.serve() as served:
        runner.run(over_tcp(served.facts))
    assert stored(fake) == [CONTENT]


def test_an_interrupted_batch_goes_on_where_it_was(fake: FakeService) -> None:
    files = {"a.bin": CONTENT, "b.bin": CONTENT + b"b", "c.bin": CONTENT + b"c"}
    with connect(fake) as svc:
        with pytest.raises(Cancelled) as caught:
            svc.files.upload_many(files, DRIVE, workers=1, resumable=RANGE, cancel=Interrupting(after=8))
        found = caught.value.result
        assert [outcome.state for outcome in found] == ["ok", "failed", "not begun"]
        assert found[1].error.upload.offset == RANGE
        svc.files.upload_many(found)
    assert sorted(stored(fake)) == sorted(files.values())


def test_a_cancelled_upload_sends_nothing(on_fake: Face, fake: FakeService) -> None:
    cancel = threading.Event()
    cancel.set()
    before = len(fake.journal)
    error = broken(on_fake, CONTENT, Cancelled, cancel=cancel)
    assert (error.upload, len(fake.journal)) == (None, before)


def test_resuming_takes_the_same_content(on_fake: Face, fake: FakeService, tmp_path: Path) -> None:
    error = broken(on_fake, CONTENT, Cancelled, cancel=Cancelling(after=2))
    resume = error.upload
    other = tmp_path / "other.bin"
    other.write_bytes(CONTENT + b"x")
    with pytest.raises(InvalidInput, match="must have the size 10240; given 10241 bytes"):
        on_fake(lambda svc: svc.files.resume(resume, other))
    with pytest.raises(InvalidInput, match=r"files\.resume takes the upload of an error"):
        on_fake(lambda svc: svc.files.resume("up_1", other))
    assert stored(fake) == []


def test_the_upload_of_an_error_keeps_its_address_secret(on_fake: Face) -> None:
    upload = broken(on_fake, CONTENT, Cancelled, cancel=Cancelling(after=2)).upload
    assert repr(upload) == "<Upload of 'x.bin', in ranges of 4096 bytes: 4096 of 10240 bytes>"
    assert upload.url.reveal().rpartition("/")[2] not in f"{upload!r} {upload.url!r}"
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(upload)


def test_a_resumed_upload_is_listed_at_its_place(on_fake: Face) -> None:
    error = broken(on_fake, CONTENT, Cancelled, cancel=Cancelling(after=2))
    on_fake(lambda svc: svc.files.resume(error.upload, CONTENT))
    on_fake.session.fake = None
    assert [record["place"] for record in on_fake.session.records("files")] == ["drive/u-001"]


@pytest.mark.parametrize("resumable", [0, -1, 1.5, "8 MiB", None])
def test_a_range_has_a_byte_at_least(resumable: Any, on_fake: Face, fake: FakeService) -> None:
    before = len(fake.journal)
    error = broken(on_fake, CONTENT, InvalidInput, resumable=resumable)
    assert "resumable must be True, False, or the number of bytes of a range" in str(error)
    assert len(fake.journal) == before


def test_expired_upload_url_says_to_upload_again(svc: Session, fake: FakeService) -> None:
    fake.faults.connect_error(SEND, times=3)
    with pytest.raises(ServiceError) as broke:
        svc.files.upload(b"hello", to=DRIVE, name="hello.txt")
    fake.clock.advance(hours=25)
    with pytest.raises(ServiceError) as caught:
        svc.files.resume(broke.value.upload, b"hello")
    assert "upload the file again" in caught.value.__notes__[0]
