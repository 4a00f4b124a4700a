"""Whom a download URL serves, and how long, which the description does not show."""

from ..caller import DRIVE, calling, make

RULE = "file.download-validity"


def location(me):
    return me.locate(me.upload()["fileId"]).headers["Location"]


def test_nothing_is_kept_of_who_asked_for_content_that_was_replaced():
    fake = make(assume={"file.overwrite": "replace"})
    with calling(fake) as me:
        url = location(me)
        me.upload(f"{DRIVE}/{fake.files.list_files()[-1].file_id}")
        assert url.rpartition("/")[2] not in str(fake.snapshot())
