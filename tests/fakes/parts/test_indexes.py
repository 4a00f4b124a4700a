"""The indexes of files by folder and of messages by bot are what a look at all of them finds, also after an undo."""

from random import Random

import pytest

from fakes.parts import outbox

from ..caller import make

TEXT = {"content": {"type": "text", "text": "hello"}}
PLACES = ("/users/u-001/drive/files", "/users/u-001/drive/files/f-1", "/users/u-002/drive/files")


def check_indexes(fake):
    files = fake.files.list_files()
    for folder in {(stored.place, stored.parent_id) for stored in files} | {(("drive", "u-002"), None)}:
        there = [stored.file_id for stored in files if (stored.place, stored.parent_id) == folder]
        listed = fake.files.list_folder(folder)
        assert [listed.at(position) for position in range(len(listed))] == there
    newest = fake.state.files.dump().newest
    assert newest.keys() == {stored.place for stored in files}
    assert all(fake.files.find_file(place, None).file_id == file_id for place, file_id in newest.items())
    for bot in fake.callbacks.bots:
        assert fake.bots.sent(bot) == [message for message in fake.bots if message.bot_id == bot]


@pytest.mark.parametrize("seed", range(10))
def test_indexes_follow_what_is_stored(seed, monkeypatch):
    monkeypatch.setattr(outbox, "CAPACITY", 5)
    chance, fake = Random(seed), make()
    bots = [fake.callbacks.add_bot().bot_id for _ in range(2)]
    changes, saved = fake.state.changes, fake.snapshot()
    for _ in range(60):
        is_undone = chance.random() < 0.3
        if is_undone:
            changes.begin()
        for _ in range(3):
            fake.state.outbox.add(chance.choice(bots), "u-001", None, TEXT)
            fake.files.put(chance.choice(PLACES), "a.txt", "x", file_id=f"f-{chance.randrange(6)}")
        if is_undone:
            changes.undo()
        check_indexes(fake)
        if chance.random() < 0.1:
            saved = fake.snapshot()
        elif chance.random() < 0.1:
            fake.restore(saved)
            check_indexes(fake)
    fork = fake.fork()
    check_indexes(fork)
    assert fork.files.list_files() == fake.files.list_files()
