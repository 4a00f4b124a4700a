"""Stored files: how they are found, whom their URLs serve, what replaces them, and messages that name them."""

from random import Random

import pytest

from fakes.http.errors import Refusal
from fakes.parts import outbox

from ..caller import DRIVE, calling, make

# The indexes of files by folder and of messages by bot are what a look at all of them finds, also after an
# undo.

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


# Whom a download URL serves, and how long, which the description does not show.


def location(me):
    return me.locate(me.upload()["fileId"]).headers["Location"]


def test_nothing_is_kept_of_who_asked_for_content_that_was_replaced():
    fake = make(assume={"file.overwrite": "replace"})
    with calling(fake) as me:
        url = location(me)
        me.upload(f"{DRIVE}/{fake.files.list_files()[-1].file_id}")
        assert url.rpartition("/")[2] not in str(fake.snapshot())


# Which file ``overwrite`` replaces where several have the name.

RULE = "file.overwrite-target"


def assumed(me):
    return RULE in list(me.fake.journal)[-1].assumed


def test_what_was_stored_last_is_a_matter_of_contents(me):
    first, second = me.upload()["fileId"], me.upload()["fileId"]
    me.upload(f"{DRIVE}/{first}")
    assert me.upload(overwrite=True)["fileId"] == first
    me.fake.rules.choose({RULE: "oldest"})
    assert me.upload(overwrite=True)["fileId"] == second


@pytest.mark.parametrize("path", [DRIVE, "/groups/g-1/folder/files", "/sharedrives/s-1/files"])
def test_single_file_rests_on_no_assumption(me, path):
    file_id = me.upload(path)["fileId"]
    assert me.upload(path, overwrite=True)["fileId"] == file_id
    assert not assumed(me)
    me.upload(path)
    assert not assumed(me)


# The file ID in a message to a bot: any text, or that of content which is stored for the bot.


@pytest.mark.parametrize("kind", ["image", "file"])
def test_a_message_may_be_held_to_the_content_of_the_bot(kind, me):
    rule = "callback.file-id"
    own = me.upload("/bots/bot-1/attachments")["fileId"]
    elsewhere = me.upload()["fileId"]
    assert rule in me.say({"type": kind, "fileId": elsewhere})[0].assumed
    assert rule not in me.say({"type": kind, "fileId": own})[0].assumed
    me.fake.rules.choose({rule: "checked"})
    assert me.say({"type": kind, "fileId": own})[0].delivered
    with pytest.raises(Refusal, match=r"content\.fileId is not the ID of content stored for bot-1"):
        me.say({"type": kind, "fileId": elsewhere})


def test_the_newest_of_a_place_is_another_once_it_is_put_elsewhere():
    fake = make()
    for file_id in ("f-1", "f-2", "f-3"):
        fake.files.put("/users/u-001/photo", "a.png", "x", file_id=file_id)
    fake.files.put("/users/u-002/photo", "a.png", "x", file_id="f-3")
    assert fake.files.find_file(("photo", "u-001"), None).file_id == "f-2"
