"""Which file ``overwrite`` replaces where several have the name."""

import pytest

from ..caller import DRIVE

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
def test_a_single_file_of_a_drive_or_folder_rests_on_no_such_assumption(me, path):
    file_id = me.upload(path)["fileId"]
    assert me.upload(path, overwrite=True)["fileId"] == file_id
    assert not assumed(me)
    me.upload(path)
    assert not assumed(me)
