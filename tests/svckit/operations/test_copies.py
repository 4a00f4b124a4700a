"""Copies between places: the content arrives, compared, and nothing is left behind."""

from typing import Any

import pytest

from fakes import FakeService
from svckit import places
from svckit.errors import InvalidInput, NotFound, ServiceError
from svckit.places import Place
from svckit.session.connect import connect
from svckit.session.session import Session

from ..conftest import IN_PROCESS, Face
from .ranges import CONTENT, DRIVE

OTHER = places.drive("u-002")


@pytest.fixture
def original(fake: FakeService) -> Place:
    return DRIVE.file(fake.files.put("/users/u-001/drive/files", "x.png", CONTENT).file_id)


def copy(face: Face, original: Place, to: Place = OTHER, **options: Any) -> Any:
    return face(lambda svc: svc.files.copy(original, to, **options))


@IN_PROCESS
@pytest.mark.parametrize("broken", ["download", "upload"])
def test_a_copy_is_the_same(broken: str, on_fake: Face, fake: FakeService, original: Place) -> None:
    if broken == "download":
        fake.faults.truncate("storage.send", after=100)
    else:
        fake.faults.connect_error("storage.receive")
    stored = copy(on_fake, original, name="copy.png")
    assert (stored.file_name, stored.file_size) == ("copy.png", len(CONTENT))
    assert on_fake(lambda svc: svc.files.download(OTHER.file(stored.file_id))) == CONTENT
    assert list(on_fake.session._driver.seen.files) == [("drive/u-002", stored.file_id)]


def test_a_copy_is_named_after_the_file_and_has_its_type(fake: FakeService) -> None:
    original = fake.files.put("/users/u-001/drive/files", "x", CONTENT, content_type="image/png").file_id
    with connect(fake) as svc:
        stored = svc.files.copy(DRIVE.file(original), places.bot(fake.facts["bot_id"]))
        downloaded = svc.http.get(
            f"/bots/{fake.facts['bot_id']}/attachments/{stored.file_id}", follow_redirects=True
        )
    assert stored.file_name == f"{original}.png"
    assert downloaded.headers["Content-Type"] == "image/png"


def test_a_place_without_downloads_is_not_compared(svc: Session, original: Place) -> None:
    assert svc.files.copy(original, places.note("g-1", "p-1")).file_size == len(CONTENT)
    assert svc.files.copy(original, places.photo("u-001")).file_size == len(CONTENT)


class Replacing:
    """Replaces the copy as soon as it is stored; never cancels."""

    def __init__(self, fake: FakeService) -> None:
        self._fake = fake

    def is_set(self) -> bool:
        for record in list(self._fake.records("files")):
            if record["place"] == "drive/u-002":
                self._fake.files.put("/users/u-002/drive/files", "x", b"other", file_id=record["fileId"])
        return False


@IN_PROCESS
def test_a_copy_that_differs_is_reported_and_named(on_fake: Face, fake: FakeService, original: Place) -> None:
    with pytest.raises(ServiceError, match=r"the copy is stored, places.drive\('u-002'\).file\('.*'\), but"):
        copy(on_fake, original, cancel=Replacing(fake))


@IN_PROCESS
def test_a_copy_that_cannot_be_compared_says_that_it_is_stored(
    on_fake: Face, fake: FakeService, original: Place
) -> None:
    fake.faults.status("download.*", 403, skip=1)
    with pytest.raises(ServiceError) as caught:
        copy(on_fake, original)
    assert "The copy is stored, places.drive('u-002').file(" in str(caught.value.__notes__)


@pytest.mark.parametrize(
    ("source", "to", "error"),
    [
        (DRIVE, OTHER, InvalidInput),
        (DRIVE.file("f"), places.audit_logs(), InvalidInput),
        ("x.png", OTHER, InvalidInput),
        (DRIVE.file("f"), "u-002", InvalidInput),
        (DRIVE.file("f"), OTHER, NotFound),
    ],
)
def test_copies_that_cannot_be(source: Any, to: Any, error: type[Exception], fake: FakeService) -> None:
    with connect(fake) as svc, pytest.raises(error):
        svc.files.copy(source, to)
    assert not fake.journal.where(operation="storage.receive")
