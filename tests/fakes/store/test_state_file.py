"""The state file: little is written for a little change, and what is no state file is left alone."""

import pytest

from fakes import FakeService
from fakes.parts.domain import Beginning
from fakes.persistence import NotSaved
from fakes.store.state_file import StateFile

from ..caller import NOW, Caller, calling
from .state_files import BEGINNING, kept, opened, rows_written


def test_little_is_written_for_a_little_change(path):
    with kept(path) as (fake, file):
        me = Caller(fake)
        with me.http:
            for user in fake.directory:
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
        fake.callbacks.deliveries.kept.capacity = 3
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


def test_it_has_one_user_at_a_time(path):
    with kept(path), pytest.raises(BlockingIOError, match="in use by another process"):
        StateFile(path)
    with kept(path):
        pass


def test_failed_commit_leaves_no_trace(path):
    with kept(path) as (fake, file):
        connection = file._database._file
        before = rows_of(connection)
        fake.webhooks.invite_bot("room-2")
        fake.files.seed(("drive", "u-001"), "file-9", "a.txt", "text/plain", b"hello")
        connection.execute(
            "CREATE TEMP TRIGGER full BEFORE INSERT ON contents BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        with pytest.raises(NotSaved, match="could not be written"):
            file.commit()
        assert not connection.in_transaction
        assert rows_of(connection) == before
        connection.execute("DROP TRIGGER full")
        file.commit()
        expected = fake.snapshot()
    with kept(path) as (fake, _):
        assert fake.snapshot() == expected


def rows_of(connection):
    return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in ("rows", "contents")]


def test_nothing_remains_of_content_that_is_gone(path):
    with kept(path) as (fake, file):
        before = rows_of(file._database._file)[1]
        taken = fake.snapshot()
        with calling(fake) as me:
            me.upload(content=b"x" * 200_000)
            me.send(me.url(size=9), b"1234", **{"Content-Range": "0-3/9"})
        file.commit()
        assert len(rows_of(file._database._file)[1]) == len(before) + 5
        fake.restore(taken)
        file.commit()
        assert rows_of(file._database._file)[1] == before


def test_replaced_content_is_gone_from_the_file(path):
    with kept(path) as (fake, file):
        fake.rules.choose({"file.overwrite": "replace"})
        with calling(fake) as me:
            for size in (200_000, 5):
                me.upload(content=b"x" * size, overwrite=True)
                file.commit()
        assert len(rows_of(file._database._file)[1]) == 2  # and that of the sample's form


def test_written_and_dropped_content_is_counted(path):
    for number in range(3):
        with kept(path) as (fake, file):
            fake.rules.choose({"file.overwrite": "replace"})
            with calling(fake) as me:
                me.exchange()
                me.upload(content=b"x" * 70_000 * number, overwrite=True)
                file.commit()
                me.send(me.url(size=9), b"1234", **{"Content-Range": "0-3/9"})
                fake.clock.advance(days=100)
                fake.access_token()
                file.commit()
            expected = fake.snapshot()
        assert opened(path) == expected
    with kept(path) as (fake, file):
        fake.reset()
        expected = fake.snapshot()
    assert opened(path) == expected


def test_a_seed_that_a_file_cannot_hold_is_refused_by_name(path):
    seed = 1 << 63
    file, beginning = StateFile(path), Beginning(users=1, seed=seed, now=NOW)
    fake = FakeService.sample(*beginning)
    with pytest.raises(ValueError, match=f"seed must be from -{seed} to {seed - 1} .*; given {seed}; choose"):
        file.attach(fake, beginning)
    file.close()
    with kept(path):
        pass


def test_failed_first_commit_leaves_an_empty_file(path):
    file = StateFile(path)
    file._database._file.execute("PRAGMA query_only = ON")
    with pytest.raises(NotSaved, match="could not be written"):
        file.attach(FakeService.sample(*BEGINNING), BEGINNING)
    file.close()
    with kept(path):
        pass
