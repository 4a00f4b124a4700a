"""Large uploads are files beside the state file: written once, as they arrive, and gone with what they belong to."""

import asyncio
import errno
import gc
import os
import stat
import tempfile
from urllib.parse import urlsplit

import pytest

from fakes.doors.asgi import AsgiDoor
from fakes.http.content import SPOOL_LIMIT, StoredContent
from fakes.persistence import NotSaved

from ...loopback import local_client
from ..caller import BOUNDARY, calling
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


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are listed only on Linux")
def test_files_are_open_only_while_they_are_used(path):
    def count_open():
        return len(os.listdir("/proc/self/fd"))

    with kept(path) as (fake, file), calling(fake) as me:
        before = count_open()
        for _ in range(3):
            me.upload(content=LARGE)
        assert count_open() == before
        file.settle()
        fake.snapshot()
        assert count_open() == before


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
    (folder / f"content-{0:032x}").write_bytes(b"left by a process that was killed")
    assert opened(path) == expected
    assert len(names(folder)) == 1


def test_files_of_others_stay(path, folder):
    expected = upload(path)
    (folder / "notes").mkdir()
    (folder / "notes.txt").write_text("mine")
    (folder / f"{0:032x}").write_text("a checksum of mine")
    assert opened(path) == expected
    assert {"notes", "notes.txt", f"{0:032x}"} < set(names(folder))


@pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")
def test_files_are_the_owners(path, folder):
    name = upload_and_name(path, folder)
    assert stat.S_IMODE(name.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")
def test_a_copy_that_is_open_to_others_is_closed_to_them(path, folder):
    name = upload_and_name(path, folder)
    name.chmod(0o644)
    opened(path)
    assert stat.S_IMODE(name.stat().st_mode) == 0o600


def upload_and_name(path, folder):
    upload(path)
    (name,) = names(folder)
    return folder / name


def begin(sent):
    """The first half of a form with a large file."""
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="Filedata"; filename="a"\r\n\r\n'
    yield head.encode() + LARGE
    sent()


@pytest.mark.parametrize("raw", [False, True])
def test_a_body_that_breaks_off_leaves_no_file(path, folder, raw):
    with kept(path) as (fake, _), calling(fake) as me:
        seen = []

        def break_off():
            seen.extend(names(folder))
            raise ConnectionResetError

        if raw:
            fake.rules.choose({"file.raw": "accepted"})
        kind = {} if raw else {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        request = {"content": begin(break_off), "headers": me.bearer | kind}
        with pytest.raises(ConnectionResetError) as kept_alive:
            me.http.request("PUT" if raw else "POST", me.url(size=3 * len(LARGE)), **request)
        assert len(seen) == 1
        assert names(folder) == []
        assert kept_alive.value.__traceback__ is not None


def test_a_client_that_disconnects_leaves_no_file(path, folder):
    with kept(path) as (fake, _), calling(fake) as me:
        target = urlsplit(me.url(size=3 * len(LARGE))).path
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        headers = [(b"authorization", me.bearer["Authorization"].encode()), (b"content-type", kind.encode())]
        scope = {"type": "http", "method": "POST", "path": "/storage" + target, "query_string": b""}
        scope |= {"headers": headers, "server": ("127.0.0.1", 8000)}
        events = [{"type": "http.request", "body": next(begin(None)), "more_body": True}]
        found = []

        async def receive():
            if events:
                return events.pop()
            found.extend(names(folder))
            return {"type": "http.disconnect"}

        door = AsgiDoor(fake)
        gc.disable()
        try:
            asyncio.run(door(scope, receive, None))
        finally:
            gc.enable()
        assert len(found) == 1
        assert names(folder) == []


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
