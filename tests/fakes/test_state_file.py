"""The state file: little is written for a little change, and what is no state file is left alone."""

import os
import sqlite3
import stat
from contextlib import contextmanager
from random import Random

import pytest

from fakes import FakeService
from fakes.store.database import FORMAT
from fakes.store.group_commit import NotSaved
from fakes.store.state_file import Beginning, StateFile

from .caller import NOW, Caller, calling

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
    """How many rows and chunks are written or dropped for a response; with each, two counts change."""
    before = file._database._file.total_changes
    file.settle()
    return (file._database._file.total_changes - before) // 3


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
        fake.callbacks.deliveries._kept.capacity = 3
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
        file._database._file.execute("PRAGMA query_only = ON")
        with pytest.raises(NotSaved):
            file.commit()
        file._database._file.execute("PRAGMA query_only = OFF")
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
        (lambda path: path.write_bytes(b"x" * 5000), "is not a state file"),
        (lambda path: database(path, "CREATE TABLE other (x)"), "another program's database"),
        (later, f"version 99, but this fake reads versions up to {FORMAT}"),
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
        "INSERT INTO rows VALUES ('receivers', 'bot-9', CAST('http://127.0.0.1/' AS BLOB), 0)",
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


def test_a_commit_that_fails_half_way_leaves_nothing_and_the_next_works(path):
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


def test_a_full_disk_is_said_and_nothing_is_lost(path):
    with kept(path) as (fake, file):
        connection = file._database._file
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        fake.files.seed(("drive", "u-001"), "file-9", "a.txt", "text/plain", b"x" * 200_000)
        for _ in range(2):
            with pytest.raises(NotSaved, match=r"disk of the state file .* is full.* free some space on it"):
                file.commit()
        connection.execute("PRAGMA max_page_count = 1000000")
        file.commit()
        expected = fake.snapshot()
    with kept(path) as (fake, _):
        assert fake.snapshot() == expected


def test_the_very_next_format_is_refused(path):
    with kept(path):
        pass
    database(path, f"PRAGMA user_version = {FORMAT + 1}")
    before = path.read_bytes()
    with pytest.raises(
        ValueError, match=f"has version {FORMAT + 1}, but this fake reads versions up to {FORMAT}"
    ):
        StateFile(path)
    assert path.read_bytes() == before


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


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (os.mkfifo, "is a named pipe, and a state file must be a regular file"),
        (os.mkdir, "is a folder"),
        (lambda path: path.symlink_to("/dev/null"), "is a device"),
    ],
)
def test_what_is_no_regular_file_is_refused_without_opening_it(path, make, said):
    make(path)
    with pytest.raises(ValueError, match=said):
        StateFile(path)


def test_a_file_that_lost_how_it_began_is_not_overwritten(path):
    with kept(path):
        pass
    database(path, "DELETE FROM beginning")
    before = path.read_bytes()
    file = StateFile(path)
    with pytest.raises(
        ValueError, match="damaged: the beginning of its fake is missing; replace it with a copy"
    ):
        file.attach(FakeService.sample(*BEGINNING), BEGINNING)
    file.close()
    assert path.read_bytes() == before


DAMAGES = [
    (
        "UPDATE rows SET value = CAST(replace(CAST(value AS TEXT), 'Mina', 'Nina') AS BLOB)",
        "u-001 of directory",
    ),
    ("UPDATE rows SET key = 'u-009' WHERE key = 'u-001'", "u-009 of directory"),
    (
        "UPDATE contents SET chunk = CAST('jello' AS BLOB) WHERE length(chunk) = 5",
        "content of 'a.txt' .file-1, rev",
    ),
    ("UPDATE beginning SET seed = 1", "the beginning of its fake is not as it was written"),
    ("PRAGMA user_version = 0", "its version is missing"),
    ("DROP TABLE beginning", "no such table: beginning"),
    (
        "DELETE FROM contents",
        "content of 'a.txt' .file-1, revision 1. is not as it was written, from byte 0 on",
    ),
    ("DELETE FROM contents WHERE number = 1", "of 'b.txt' .file-2, revision 1. .*, from byte 65536 on"),
    ("DELETE FROM contents WHERE number = 2", "of 'b.txt' .file-2, revision 1. .*, from byte 131072 on"),
    ("DELETE FROM rows WHERE collection LIKE 'directory.users.%'", "directory.users.changed does not have"),
    ("DELETE FROM rows WHERE collection = 'statuses.by_user'", "by_user .*: 1 were written, 0 were found"),
    ("DELETE FROM rows WHERE collection LIKE 'tokens.%'", "tokens.access does not have the rows"),
    (
        "DELETE FROM rows WHERE collection = 'files.uploads.uploads'",
        "uploads .*: 2 were written, 0 were found",
    ),
    ("DELETE FROM rows WHERE collection LIKE 'webhooks.rooms/%'", "rooms.channel-1 does not have"),
    ("DELETE FROM rows WHERE collection = 'rest' AND key = 'clock'", "rest does not have the rows"),
    ("DELETE FROM rows WHERE rowid = (SELECT max(rowid) FROM rows)", "does not have the rows"),
    ("DELETE FROM counts WHERE name = 'statuses.by_user'", "the number of rows is not as it was written"),
    (
        "UPDATE counts SET entries = 9 WHERE of_table = 'contents' AND name = ''",
        "the number of contents is not",
    ),
    ("DELETE FROM counts", "the number of contents is not as it was written"),
    ("DROP TABLE counts", "no such table: counts"),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGES)
def test_what_was_changed_behind_its_back_is_noticed_and_named(path, damage, said):
    with kept(path) as (fake, file):
        with calling(fake) as me:
            me.patch(nickName="Mina")
            me.set_status()
            me.notify()
            me.upload()
            me.upload(content=b"x" * 150_000, name="b.txt")
        assert rows_written(file)
    database(path, damage)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=f"damaged: .*{said}.*replace it with a copy, or name another file"):
        opened(path)
    assert path.read_bytes() == before


def opened(path):
    """The state that a file holds; the file is not used on."""
    file, fake = StateFile(path), FakeService.sample(*BEGINNING)
    try:
        file.attach(fake, BEGINNING)
        return fake.snapshot()
    finally:
        file._database.close()


def test_a_flipped_byte_anywhere_is_noticed_or_does_no_harm(path):
    with kept(path) as (fake, file):
        with calling(fake) as me:
            me.patch(nickName="Mina")
            me.upload(content=b"y" * 100_000)
        file.commit()
        expected = fake.snapshot()
    whole, chance, noticed = path.read_bytes(), Random(0), 0
    for _ in range(150):
        at = chance.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :])
        try:
            assert opened(path) == expected
        except (ValueError, OSError):
            noticed += 1
        for beside in path.parent.iterdir():
            beside.unlink()
    assert noticed > 75


def test_a_torn_log_leaves_what_was_committed_first(path, tmp_path):
    """As after a loss of power: whatever of the log is on the disk, a whole number of commits is there."""
    copy, held = tmp_path / "copy.db", []
    with kept(path) as (fake, file):
        log = path.with_name(path.name + "-wal")
        with calling(fake) as me:
            for number in range(6):
                me.patch(nickName=f"Mina {number}")
                file.commit()
                held.append((log.stat().st_size, fake.snapshot()))
        base, whole = path.read_bytes(), log.read_bytes()
    reached = 0
    for end in range(held[0][0], len(whole) + 1, 1500):
        copy.write_bytes(base)
        copy.with_name("copy.db-wal").write_bytes(whole[:end] + bytes(700))
        there = [at for at, (_, snapshot) in enumerate(held) if snapshot == opened(copy)]
        (at,) = there
        assert at == max(place for place, (size, _) in enumerate(held) if size <= end)
        assert at >= reached
        reached = at
        for beside in tmp_path.glob("copy*"):
            beside.unlink()


def test_what_is_written_and_dropped_is_counted_whatever_becomes_of_it(path):
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


def test_a_file_from_before_there_were_counts_is_read_and_counted(path):
    with kept(path) as (fake, _), calling(fake) as me:
        me.upload()
        expected = fake.snapshot()
    database(path, "DROP TABLE counts")
    database(path, "PRAGMA user_version = 2")
    with kept(path) as (fake, _):
        assert fake.snapshot() == expected
    database(path, "DELETE FROM contents")
    with pytest.raises(ValueError, match="from byte 0 on"):
        opened(path)


def test_a_seed_that_a_file_cannot_hold_is_refused_by_name(path):
    seed = 1 << 63
    file, beginning = StateFile(path), Beginning(users=1, seed=seed, now=NOW)
    fake = FakeService.sample(*beginning)
    with pytest.raises(ValueError, match=f"seed must be from -{seed} to {seed - 1} .*; given {seed}; choose"):
        file.attach(fake, beginning)
    file.close()
    with kept(path):
        pass


def test_a_file_whose_first_commit_fails_says_so_once_and_is_left_empty(path):
    file = StateFile(path)
    file._database._file.execute("PRAGMA query_only = ON")
    with pytest.raises(NotSaved, match="could not be written"):
        file.attach(FakeService.sample(*BEGINNING), BEGINNING)
    file.close()
    with kept(path):
        pass
