"""Downloads: whole or not at all, over nothing that is there, begun again where they broke."""

import asyncio
import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeService
from svckit import places
from svckit.errors import Cancelled, InvalidInput, NotFound, ServiceError, Unreachable
from svckit.operations import downloads
from svckit.places import Place
from svckit.session.connect import connect_async

from ..conftest import Face
from .ranges import DRIVE, Cancelling, Pipe
from .test_file_operations import FOUND, content
from .test_operations import drive

CONTENT = bytes(range(256)) * 1000
FETCH = "storage.send"


@pytest.fixture
def where(fake: FakeService) -> tuple[Any, dict[str, Any]]:
    """In process, where a timeout takes no time; `test_files_over_tcp` is about the network."""
    return fake.facts, {"transport": fake.transport()}


@pytest.fixture
def place(on_fake: Face) -> Place:
    stored = on_fake(lambda svc: svc.files.upload(CONTENT, to=DRIVE, name="x.png"))
    return DRIVE.file(stored.file_id)


def to_memory(face: Face, place: Place, _: Path, **options: Any) -> Any:
    return face(lambda svc: svc.files.download(place, **options))


def to_path(face: Face, place: Place, directory: Path, **options: Any) -> Any:
    return face(lambda svc: svc.files.download(place, directory / "x.png", **options)).read_bytes()


def to_directory(face: Face, place: Place, directory: Path, **options: Any) -> Any:
    return face(lambda svc: svc.files.download(place, str(directory), **options)).read_bytes()


def to_file(face: Face, place: Place, directory: Path, **options: Any) -> Any:
    with (directory / "open.bin").open("w+b") as file:
        file.write(b"before")
        try:
            size = face(lambda svc: svc.files.download(place, file, **options))
        except (ServiceError, Cancelled):
            file.seek(0)
            assert file.read() == b"before"
            Path(file.name).unlink()
            raise
        file.seek(len(b"before"))
        found = file.read()
        assert len(found) == size
        return found


TARGETS = (to_memory, to_path, to_directory, to_file)


@pytest.fixture(params=TARGETS)
def download(request: pytest.FixtureRequest) -> Callable[..., Any]:
    made: Callable[..., Any] = request.param
    return made


BREAKS: dict[str, Callable[[FakeService], object]] = {
    "no connection": lambda fake: fake.faults.connect_error(FETCH, times=2),
    "reset": lambda fake: fake.faults.reset(FETCH, times=2),
    "timeout": lambda fake: fake.faults.read_timeout(FETCH, applied=True),
    "truncated": lambda fake: fake.faults.truncate(FETCH, after=100_000, times=2),
    "truncated at once": lambda fake: fake.faults.truncate(FETCH, after=0),
    "busy": lambda fake: fake.faults.status(FETCH, 503, retry_after=7),
    "no address": lambda fake: fake.faults.reset("/users/*/download", times=2),
    "busy before": lambda fake: fake.faults.status("/users/*/download", 502),
}


@pytest.mark.parametrize("how", BREAKS)
def test_broken_download_starts_again(
    how: str, on_fake: Face, fake: FakeService, place: Place, download: Callable[..., Any], tmp_path: Path
) -> None:
    BREAKS[how](fake)
    assert download(on_fake, place, tmp_path) == CONTENT
    assert len(fake.faults) == 0


def test_single_use_address_is_requested_again(way: str, runner: Any, tmp_path: Path) -> None:
    fake = FakeService.sample(now="2026-06-01T09:00:00+09:00", assume={"file.download-reuse": "single-use"})
    with Face.opened(way, fake.facts, runner, transport=fake.transport(), clock=fake.clock) as face:
        stored = face(lambda svc: svc.files.upload(CONTENT, to=DRIVE, name="x"))
        fake.faults.truncate(FETCH, after=10)
        assert to_memory(face, DRIVE.file(stored.file_id), tmp_path) == CONTENT


def test_what_is_not_there_is_not_asked_for_twice(on_fake: Face, fake: FakeService, tmp_path: Path) -> None:
    before = len(fake.journal)
    with pytest.raises(NotFound):
        to_path(on_fake, DRIVE.file("file-99"), tmp_path)
    assert len(fake.journal) == before + 1
    assert list(tmp_path.iterdir()) == []


def test_a_cancelled_download_leaves_nothing(
    on_fake: Face, place: Place, download: Callable[..., Any], tmp_path: Path
) -> None:
    for after in (0, 1, 3):
        with pytest.raises(Cancelled, match="nothing was kept"):
            download(on_fake, place, tmp_path, cancel=Cancelling(after))
        assert list(tmp_path.iterdir()) == []


def test_into_a_pipe_it_is_sent_once(on_fake: Face, fake: FakeService, place: Place) -> None:
    pipe = Pipe()
    assert on_fake(lambda svc: svc.files.download(place, pipe)) == len(CONTENT)
    assert pipe.getvalue() == CONTENT
    fake.faults.truncate(FETCH, after=10)
    broken = Pipe()
    with pytest.raises(Unreachable):
        on_fake(lambda svc: svc.files.download(place, broken))
    assert broken.getvalue() == CONTENT[:10]


@pytest.mark.parametrize("target", [StringIO(), 5, b"x"])
def test_targets_that_cannot_be(target: Any, on_fake: Face, fake: FakeService, place: Place) -> None:
    before = len(fake.journal)
    with pytest.raises(InvalidInput, match="to must be a path, or a file that is open for writing bytes"):
        on_fake(lambda svc: svc.files.download(place, target))
    assert len(fake.journal) == before


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_a_file_that_appears_meanwhile_is_kept(
    links: bool, on_fake: Face, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "x.png"

    class Meanwhile:
        def is_set(self) -> bool:
            target.write_bytes(b"another's")
            return False

    if not links:
        monkeypatch.delattr(os, "link")
    with pytest.raises(FileExistsError, match="overwrite=True replaces it"):
        to_path(on_fake, place, tmp_path, cancel=Meanwhile())
    assert target.read_bytes() == b"another's"
    assert list(tmp_path.iterdir()) == [target]
    assert to_path(on_fake, place, tmp_path, overwrite=True) == CONTENT
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_to_nothing_is_there_too(on_fake: Face, place: Place, tmp_path: Path) -> None:
    link = tmp_path / "x.png"
    link.symlink_to(tmp_path / "nothing")
    with pytest.raises(FileExistsError, match="overwrite=True replaces it"):
        to_path(on_fake, place, tmp_path)
    assert (list(tmp_path.iterdir()), link.is_symlink()) == ([link], True)


def test_a_race_for_a_name_has_one_winner(
    on_fake: Face, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is taken between the last look and the move."""
    target = tmp_path / "x.png"
    link = os.link

    def late(source: Any, name: Any, **options: Any) -> None:
        target.write_bytes(b"another's")
        link(source, name, **options)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(FileExistsError):
        to_path(on_fake, place, tmp_path)
    assert target.read_bytes() == b"another's"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("file_id", "written"),
    [
        ("../../etc/passwd", "_.._etc_passwd.png"),
        ("NUL", "_NUL.png"),
        ("...", "drive.png"),
        ("x" * 400, "x" * 150 + ".png"),
        ("x.png", "x.png"),
    ],
)
def test_names_are_made_safe(file_id: str, written: str, tmp_path: Path) -> None:
    _, path = drive(downloads.save(DRIVE.file(file_id), tmp_path), FOUND, content(b"PNG"))
    assert path == tmp_path / written


def test_a_bar_follows_what_comes(
    on_fake: Face, fake: FakeService, place: Place, capfd: pytest.CaptureFixture[str]
) -> None:
    fake.faults.truncate(FETCH, after=100_000)
    on_fake(lambda svc: svc.files.download(place, progress=True))
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines()[-1].startswith("download file-1: 100%, ")
    on_fake(lambda svc: svc.files.download(places.form_response("form-1", "response-1").file("attachment-1")))
    assert capfd.readouterr() == ("", "")


def test_a_cancelled_task_leaves_no_half_file(tmp_path: Path) -> None:
    fake = FakeService.sample(users=1)  # its clock runs, so that a slow body really takes its time

    async def main() -> None:
        async with connect_async(fake) as svc:
            stored = await svc.files.upload(CONTENT, DRIVE, name="x")
            fake.faults.slow(FETCH, chunk=1000, seconds=1)
            task = asyncio.create_task(svc.files.download(DRIVE.file(stored.file_id), tmp_path))
            while not list(tmp_path.iterdir()):
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert list(tmp_path.iterdir()) == []


def test_a_download_asks_for_content_as_it_is(on_fake: Face, fake: FakeService, place: Place) -> None:
    """Otherwise Content-Length would not count what is written."""
    on_fake(lambda svc: svc.files.download(place))
    headers = {name.lower(): value for name, value in fake.journal[-1].request_headers}
    assert headers["accept-encoding"] == "identity"
