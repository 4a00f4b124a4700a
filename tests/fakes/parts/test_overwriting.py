"""Which file ``overwrite`` replaces where several have the name, and what it does outside drives and folders."""

import pytest

from ..caller import DRIVE, calling, make

RULE = "file.overwrite-target"
BOT = "/bots/bot-1/attachments"


def assumed(me):
    return RULE in list(me.fake.journal)[-1].assumed


def revisions(me):
    return {
        stored.file_id: len(stored.revisions)
        for stored in me.fake.files.list_files()
        if stored.name == "a.txt"
    }


@pytest.mark.parametrize(("alternative", "replaced"), [("newest", 2), ("oldest", 0), ("file-resources", 2)])
def test_one_of_several(alternative, replaced):
    with calling(make(assume={RULE: alternative})) as me:
        ids = [me.upload()["fileId"] for _ in range(3)]
        assert me.upload(overwrite=True)["fileId"] == ids[replaced]
        assert assumed(me)
        assert revisions(me) == {each: 2 if at == replaced else 1 for at, each in enumerate(ids)}


def test_what_was_stored_last_is_a_matter_of_contents(me):
    first, second = me.upload()["fileId"], me.upload()["fileId"]
    me.upload(f"{DRIVE}/{first}")
    assert me.upload(overwrite=True)["fileId"] == first
    me.fake.rules.choose({RULE: "oldest"})
    assert me.upload(overwrite=True)["fileId"] == second


@pytest.mark.parametrize(("alternative", "files"), [("newest", 1), ("oldest", 1), ("file-resources", 2)])
def test_outside_drives_and_folders(alternative, files):
    with calling(make(assume={RULE: alternative})) as me:
        me.upload(BOT)
        assert me.upload(BOT, overwrite=True)["fileName"] == "a.txt"
        assert (len(revisions(me)), assumed(me)) == (files, True)


@pytest.mark.parametrize("path", [DRIVE, "/groups/g-1/folder/files", "/sharedrives/s-1/files"])
def test_a_single_file_of_a_drive_or_folder_rests_on_no_such_assumption(me, path):
    file_id = me.upload(path)["fileId"]
    assert me.upload(path, overwrite=True)["fileId"] == file_id
    assert not assumed(me)
    me.upload(path)
    assert not assumed(me)
