"""State files that are damaged, torn or of another kind: refused by name and left alone."""

import os
from random import Random

import pytest

from fakes import FakeService
from fakes.store.database import FORMAT
from fakes.store.state_file import StateFile

from ..caller import calling
from .state_files import BEGINNING, database, kept, opened, rows_in, rows_written


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda path: path.write_bytes(b"x" * 5000), "is not a state file"),
        (lambda path: database(path, "CREATE TABLE other (x)"), "another program's database"),
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


@pytest.mark.parametrize(
    ("version", "advice"),
    [
        (1, "name another one, to start again"),
        (FORMAT - 1, "delete the file"),
        (FORMAT + 1, "use a newer svckit"),
    ],
)
def test_another_format_is_refused_with_what_to_do(path, version, advice):
    with kept(path):
        pass
    database(path, f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(
        ValueError, match=f"has version {version}, and this fake reads version {FORMAT}.*{advice}"
    ):
        StateFile(path)
    assert path.read_bytes() == before


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
    ("DELETE FROM counts", "the number of files is not as it was written"),
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
