"""The state file: little is written for a little change, and what is no state file is left alone."""

import sqlite3
import stat
from contextlib import contextmanager

import pytest

from fakes import FakeService
from fakes.state_file import Beginning, StateFile

from .caller import NOW, Caller

BEGINNING = Beginning(users=20, seed=0, now=NOW)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "fake.db"


@contextmanager
def kept(path):
    file = StateFile(path)
    fake = FakeService.sample(*BEGINNING)
    file.attach(fake, BEGINNING)
    yield fake, file
    file.close()


def rows_written(file):
    """How many rows and chunks a commit writes or drops."""
    before = file._file.total_changes
    file.commit()
    return file._file.total_changes - before


def test_little_is_written_for_a_little_change(path):
    with kept(path) as (fake, file):
        me = Caller(fake)
        with me.http:
            for user in fake.directory.user_ids():
                me.patch(user, nickName="Mina")
                me.set_status(user)
                me.upload(content=b"x" * 100_000)
                me.notify()
                fake.callbacks.send("bot-1", user, {"type": "text", "text": "hello"})
            assert rows_written(file) > 100
            assert rows_written(file) == 0
            me.patch("u-007", nickName="Hana")
            assert rows_written(file) == 1
            me.notify()
            assert rows_written(file) == 2  # the message, and the rate
            fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})
            assert rows_written(file) == 1
            me.url()
            assert rows_written(file) == 2  # the address, and the counter of addresses


def test_resumable_upload_is_written_as_it_grows(path):
    with kept(path) as (fake, file):
        me = Caller(fake)
        with me.http:
            url = me.url(size=1_000_000)
            me.send(url, b"x" * 640_000, **{"Content-Range": "0-639999/1000000"})
            file.commit()
            me.send(url, b"x" * 1000, **{"Content-Range": "640000-640999/1000000"})
            assert rows_written(file) == 1


def test_old_deliveries_give_way(path):
    with kept(path) as (fake, file):
        fake.callbacks.deliveries._kept = type(fake.callbacks.deliveries._kept)(maxlen=3)
        for number in range(8):
            fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": str(number)})
            file.commit()
        expected = [delivery.event["content"]["text"] for delivery in fake.callbacks.deliveries]
    with kept(path) as (fake, file):
        assert (
            [delivery.event["content"]["text"] for delivery in fake.callbacks.deliveries]
            == expected
            == ["5", "6", "7"]
        )
        fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "8"})
        assert rows_written(file) == 1


def test_only_its_owner_may_read_it(path):
    with kept(path):
        assert {stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()} == {0o600}


def test_it_has_one_user_at_a_time(path):
    with kept(path), pytest.raises(BlockingIOError, match="in use by another process"):
        StateFile(path)
    with kept(path):
        pass


def test_failed_commit_is_made_up_for_by_the_next(path):
    with kept(path) as (fake, file):
        fake.webhooks.invite_bot("room-2")
        file._file.execute("PRAGMA query_only = ON")
        with pytest.raises(sqlite3.OperationalError):
            file.commit()
        file._file.execute("PRAGMA query_only = OFF")
        file.commit()
    with kept(path) as (fake, _):
        assert "room-2" in fake.webhooks.rooms()


def later(path):
    with kept(path):
        pass
    database(path, "PRAGMA user_version = 99")


def database(path, statement):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda path: path.write_bytes(b"x" * 5000), "is no state file"),
        (lambda path: database(path, "CREATE TABLE other (x)"), "another program's database"),
        (later, "version 99, and this fake reads up to 1"),
    ],
)
def test_other_files_are_left_as_they_are(path, made, said):
    made(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=said):
        StateFile(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM rows WHERE collection = 'rest' AND key = 'clock'",
        "UPDATE rows SET value = '{}' WHERE collection = 'rest' AND key = 'clock'",
        "UPDATE rows SET value = '{' WHERE collection = 'rest' AND key = 'clock'",
        "DELETE FROM rows WHERE collection = 'webhooks.rooms'",
        "INSERT INTO rows VALUES ('receivers', 'bot-9', CAST('http://127.0.0.1/' AS BLOB))",
    ],
)
def test_damaged_file_is_refused_whole_and_left_as_it_is(path, damage):
    with kept(path):
        pass
    database(path, damage)
    before = rows_in(path)
    file, fake = StateFile(path), FakeService.sample(*BEGINNING)
    with pytest.raises(ValueError, match="damaged"):
        file.attach(fake, BEGINNING)
    file.close()
    assert fake.snapshot() == FakeService.sample(*BEGINNING).snapshot()
    assert rows_in(path) == before


def rows_in(path):
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT * FROM rows ORDER BY rowid").fetchall()
    connection.close()
    return rows
