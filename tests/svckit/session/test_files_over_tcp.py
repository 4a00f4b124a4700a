"""The same transfers over real connections on loopback: streamed, broken, continued."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeService
from svckit.errors import Cancelled, Unreachable
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.aio import AsyncSession
from svckit.session.session import Session

from ..conftest import Face
from ..operations.test_resumable_uploads import DRIVE, SEND, Cancelling, stored

CONTENT = bytes(range(256)) * 12_000  # 3,072,000 bytes
RANGE = 1_000_000


@pytest.fixture
def over_tcp(way: str, fake: FakeService, runner: asyncio.Runner) -> Iterator[Face]:
    """A session, both ways, signed in to a fake that is served on loopback; it does not wait in vain."""
    with fake.serve() as served:
        kind = Session if way == "sync" else AsyncSession
        credentials = Credentials.from_facts(served.facts)
        session: Any = kind(Profile.from_facts(served.facts), credentials, clock=fake.clock)
        face = Face(session, runner)
        face(lambda svc: svc.sign_in())
        yield face
        face(lambda svc: svc.close())


def pieces() -> Iterator[bytes]:
    return (CONTENT[start : start + 70_000] for start in range(0, len(CONTENT), 70_000))


def upload(face: Face, source: Any, **options: Any) -> Any:
    options = {"name": "x.bin", "size": len(CONTENT)} | options
    return face(lambda svc: svc.files.upload(source, to=DRIVE, **options))


@pytest.mark.parametrize("resumable", [False, RANGE])
def test_they_go_up_and_come_down(resumable: int, over_tcp: Face, fake: FakeService, tmp_path: Path) -> None:
    result = upload(over_tcp, pieces(), resumable=resumable)
    path = over_tcp(lambda svc: svc.files.download(DRIVE.file(result.file_id), tmp_path))
    assert path.read_bytes() == CONTENT
    assert stored(fake) == [CONTENT]


@pytest.mark.parametrize("applied", [False, True])
def test_ranges_that_broke_are_sent_again(applied: bool, over_tcp: Face, fake: FakeService) -> None:
    fake.faults.reset(SEND, applied=applied)
    upload(over_tcp, pieces(), resumable=RANGE)
    assert stored(fake) == [CONTENT]


def test_an_upload_that_broke_is_resumed(over_tcp: Face, fake: FakeService) -> None:
    fake.faults.reset(SEND, times=3)
    with pytest.raises(Unreachable) as caught:
        upload(over_tcp, CONTENT, resumable=RANGE)
    over_tcp(lambda svc: svc.files.resume(caught.value.upload, pieces()))
    assert stored(fake) == [CONTENT]


@pytest.mark.parametrize("resumable", [False, RANGE])
def test_a_cancelled_upload_leaves_nothing_and_is_resumed(
    resumable: int, over_tcp: Face, fake: FakeService
) -> None:
    with pytest.raises(Cancelled) as caught:
        upload(over_tcp, CONTENT, resumable=resumable, cancel=Cancelling(after=30))
    assert stored(fake) == []
    over_tcp(lambda svc: svc.files.resume(caught.value.upload, CONTENT))
    assert stored(fake) == [CONTENT]


def test_a_download_that_broke_begins_anew(over_tcp: Face, fake: FakeService, tmp_path: Path) -> None:
    place = DRIVE.file(upload(over_tcp, CONTENT).file_id)
    fake.faults.truncate("storage.send", after=100_000)
    assert over_tcp(lambda svc: svc.files.download(place, tmp_path / "x")).read_bytes() == CONTENT
    with pytest.raises(Cancelled):
        over_tcp(lambda svc: svc.files.download(place, tmp_path / "y", cancel=Cancelling(after=5)))
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_many_side_by_side(over_tcp: Face, fake: FakeService) -> None:
    files = {f"{number}.bin": bytes([number]) * 1000 for number in range(40)}
    up = over_tcp(lambda svc: svc.files.upload_many(files, to=DRIVE, workers=8))
    down = over_tcp(lambda svc: svc.files.download_many([DRIVE.file(each.value.file_id) for each in up]))
    assert [each.value for each in down] == list(files.values())
