"""Transfers of some MB over real connections on loopback; `tests/svckit/operations` has all others."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeService
from svckit.errors import Cancelled

from ..conftest import Face
from ..operations.ranges import DRIVE, Cancelling, stored

CONTENT = bytes(range(256)) * 12_000  # 3,072,000 bytes
RANGE = 1_000_000

pytestmark = pytest.mark.parametrize("where", ["tcp"], indirect=True)


def pieces() -> Iterator[bytes]:
    return (CONTENT[start : start + 70_000] for start in range(0, len(CONTENT), 70_000))


def upload(face: Face, source: Any, **options: Any) -> Any:
    options = {"name": "x.bin", "size": len(CONTENT)} | options
    return face(lambda svc: svc.files.upload(source, to=DRIVE, **options))


@pytest.mark.parametrize("resumable", [False, RANGE])
def test_they_go_up_and_come_down(resumable: int, on_fake: Face, fake: FakeService, tmp_path: Path) -> None:
    result = upload(on_fake, pieces(), resumable=resumable)
    path = on_fake(lambda svc: svc.files.download(DRIVE.file(result.file_id), tmp_path))
    assert path.read_bytes() == CONTENT
    assert stored(fake) == [CONTENT]


def test_broken_download_starts_again(on_fake: Face, fake: FakeService, tmp_path: Path) -> None:
    place = DRIVE.file(upload(on_fake, CONTENT).file_id)
    fake.faults.truncate("storage.send", after=100_000)
    assert on_fake(lambda svc: svc.files.download(place, tmp_path / "x")).read_bytes() == CONTENT
    with pytest.raises(Cancelled):
        on_fake(lambda svc: svc.files.download(place, tmp_path / "y", cancel=Cancelling(after=5)))
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
