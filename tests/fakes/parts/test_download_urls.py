"""Whom a download URL serves, and how long, which the description does not show."""

import pytest

from ..caller import DRIVE, calling, make

RULE = "file.download-validity"


def assumed(answer):
    return RULE in answer.headers.get("X-Fake-Assumed", "").split(", ")


def become(me, user_id="u-001"):
    me.bearer = {"Authorization": f"Bearer {me.fake.access_token(user_id)}"}


def location(me):
    return me.locate(me.upload()["fileId"]).headers["Location"]


def test_a_download_by_who_asked_within_a_day_rests_on_no_such_assumption(me):
    url = location(me)
    me.fake.clock.advance(hours=23, minutes=59)
    assert not assumed(me.fetch(url))
    me.fake.clock.advance(minutes=1)
    become(me)
    assert not assumed(me.fetch(url))


@pytest.mark.parametrize(("alternative", "status"), [("unlimited", 200), ("same-user", 404), ("24h", 200)])
def test_another_user(alternative, status):
    with calling(make(assume={RULE: alternative})) as me:
        url = location(me)
        become(me, "u-002")
        answer = me.fetch(url)
        assert (answer.status_code, assumed(answer)) == (status, True)
        file_id = me.fake.files.list_files()[-1].file_id
        assert me.locate(file_id).headers["Location"] == url
        answer = me.fetch(url)
        assert (answer.status_code, assumed(answer)) == (200, False)


@pytest.mark.parametrize(("alternative", "status"), [("unlimited", 200), ("same-user", 200), ("24h", 404)])
def test_more_than_a_day_later(alternative, status):
    with calling(make(assume={RULE: alternative})) as me:
        url = location(me)
        me.fake.clock.advance(hours=24, seconds=1)
        become(me)
        answer = me.fetch(url)
        assert (answer.status_code, assumed(answer)) == (status, True)
        me.locate(me.fake.files.list_files()[-1].file_id)
        assert me.fetch(url).status_code == 200


def test_a_snapshot_keeps_who_asked_and_when():
    fake = make(assume={RULE: "same-user"})
    with calling(fake) as me:
        url = location(me)
        fake.restore(fake.snapshot())
        assert me.fetch(url).status_code == 200
        become(me, "u-002")
        assert me.fetch(url).status_code == 404


def test_nothing_is_kept_of_who_asked_for_content_that_was_replaced():
    fake = make(assume={"file.overwrite": "replace"})
    with calling(fake) as me:
        url = location(me)
        me.upload(f"{DRIVE}/{fake.files.list_files()[-1].file_id}")
        assert url.rpartition("/")[2] not in str(fake.snapshot())
