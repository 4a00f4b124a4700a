"""Large uploads are files beside the state file: written once, as they arrive, and gone with what they belong to."""

import errno
import tempfile

import pytest

from fakes.http.content import SPOOL_LIMIT, StoredContent
from fakes.store.group_commit import NotSaved

from ...loopback import local_client
from ..caller import calling
from .state_files import database, kept, opened

LARGE = bytes(range(256)) * (SPOOL_LIMIT // 128)


@pytest.fixture
def folder(path):
    return path.with_name("fake.db.files")


def names(folder):
    return sorted(each.name for each in folder.glob("*"))


def upload(path, content=LARGE):
    """Upload a file to a new or existing state file, and return the state."""
    with kept(path) as (fake, file), calling(fake) as me:
        me.upload(content=content)
        file.settle()
        return fake.snapshot()


def test_content_is_written_once_and_found_after_a_restart(path, folder, monkeypatch):
    monkeypatch.setattr(tempfile, "TemporaryFile", None)
    expected = upload(path)
    (name,) = names(folder)
    assert (folder / name).read_bytes() == LARGE
    assert path.stat().st_size < len(LARGE) / 4
    assert opened(path) == expected
    assert names(folder) == [name]


def test_small_content_needs_no_file(path, folder):
    upload(path, b"small")
    assert not folder.exists()


def test_file_is_gone_with_its_content(path, folder):
    with kept(path) as (fake, file), calling(fake) as me:
        before = fake.snapshot()
        me.upload(content=LARGE)
        file.settle()
        assert len(names(folder)) == 1
        fake.restore(before)
        file.settle()
    del me, fake, file
    assert names(folder) == []


def test_upload_that_is_refused_leaves_no_file(path, folder):
    with kept(path) as (fake, file), calling(fake) as me:
        me.send(me.url(size=len(LARGE) + 1), LARGE, **{"Content-Range": f"1-{len(LARGE)}/{len(LARGE) + 1}"})
        file.settle()
        fake.journal.clear()
    assert names(folder) == []


def test_ranges_grow_one_file_also_after_a_restart(path, folder):
    half = len(LARGE) // 2
    with kept(path) as (fake, file), calling(fake) as me:
        url = me.url(size=2 * len(LARGE))
        me.send(url, LARGE, **{"Content-Range": f"0-{len(LARGE) - 1}/{2 * len(LARGE)}"})
        file.settle()
        (name,) = names(folder)
    with (folder / name).open("ab") as left:
        left.write(b"never acknowledged")
    with kept(path) as (fake, file), calling(fake) as me:
        for start in (len(LARGE), len(LARGE) + half):
            sent = {"Content-Range": f"{start}-{start + half - 1}/{2 * len(LARGE)}"}
            me.send(url, LARGE[:half], **sent)
            file.settle()
        expected = fake.snapshot()
        assert [(folder / each).read_bytes() for each in names(folder)] == [LARGE + LARGE[:half] * 2]
    assert opened(path) == expected


def test_files_of_no_content_are_deleted_at_the_start(path, folder):
    expected = upload(path)
    (folder / f"{0:032x}").write_bytes(b"left by a process that was killed")
    assert opened(path) == expected
    assert len(names(folder)) == 1


def test_files_of_others_stay(path, folder):
    expected = upload(path)
    (folder / "notes").mkdir()
    (folder / "notes.txt").write_text("mine")
    assert opened(path) == expected
    assert {"notes", "notes.txt"} < set(names(folder))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda file: file.write_bytes(LARGE[:-1] + b"x"), "is not as it was written"),
        (lambda file: file.write_bytes(LARGE[:-1]), "is not as it was written"),
        (lambda file: file.unlink(), "is missing"),
    ],
)
def test_damaged_file_is_reported_and_nothing_is_changed(path, folder, damage, words):
    upload(path)
    (name,) = names(folder)
    damage(folder / name)
    left = names(folder)
    with pytest.raises(ValueError, match=f"{name} {words}"):
        opened(path)
    assert names(folder) == left


def test_a_file_that_cannot_be_opened_is_not_called_damaged(path, monkeypatch):
    upload(path)

    def open_one_too_many(*_):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(StoredContent, "open", open_one_too_many)
    with pytest.raises(NotSaved, match="cannot be opened: Too many open files, so the fake was not started"):
        opened(path)


@pytest.mark.parametrize(
    "statement", ["DELETE FROM files", "UPDATE files SET size = 5", "UPDATE files SET name = 'other'"]
)
def test_damaged_name_is_reported(path, statement):
    upload(path)
    database(path, statement)
    with pytest.raises(ValueError, match="the name of the file of a content is"):
        opened(path)


def test_content_that_cannot_be_written_as_it_arrives_is_refused(path, folder):
    folder.write_text("no folder")
    with kept(path) as (fake, _), fake.serve() as served, local_client() as http:
        bearer = {"Authorization": f"Bearer {fake.access_token()}"}
        drive, asked = f"{served.url}/api/users/u-001/drive/files", {"fileName": "a", "fileSize": len(LARGE)}
        url = http.post(drive, json=asked, headers=bearer).json()["uploadUrl"]
        response = http.post(url, files={"Filedata": ("a", LARGE)}, headers=bearer)
        assert (response.status_code, response.json()["code"]) == (507, "NOT_SAVED")
        assert "send it again" in response.json()["description"]
        folder.unlink()
        assert http.post(url, files={"Filedata": ("a", LARGE)}, headers=bearer).status_code == 201


def test_failure_to_write_the_file_is_reported_and_tried_again(path, monkeypatch):
    def fail(content):
        raise OSError("no space is left")

    with kept(path) as (fake, file), calling(fake) as me:
        with monkeypatch.context() as full:
            full.setattr(StoredContent, "save", fail)
            me.upload(content=LARGE)
            with pytest.raises(NotSaved, match=r"could not be written .no space is left.*check its disk"):
                file.settle()
        file.settle()
        expected = fake.snapshot()
    assert opened(path) == expected
