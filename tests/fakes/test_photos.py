"""A second photo is stored beside the first, or refused."""

import pytest

from .caller import calling, make

RULE = "file.photo"
PHOTO = "/users/u-001/photo"


def told(response):
    return response.status_code, RULE in response.headers.get("X-Fake-Assumed", "").split(", ")


@pytest.mark.parametrize("place", [PHOTO, "/contacts/contact-1/photo"])
@pytest.mark.parametrize(("alternative", "status"), [("newest", 201), ("refused", 409)])
def test_second_photo(place, alternative, status):
    with calling(make(assume={RULE: alternative})) as me:
        assert told(me.send(me.url(place))) == (201, False)
        assert told(me.send(me.url(place))) == (status, True)
        assert told(me.send(me.url(place, name="b.png"))) == (status, True)


def test_places_of_other_users_and_files_have_their_own():
    with calling(make(assume={RULE: "refused"})) as me:
        me.upload(PHOTO)
        for place in ("/users/u-002/photo", "/bots/bot-1/attachments", "/bots/bot-1/attachments"):
            assert told(me.send(me.url(place))) == (201, False)


def test_photo_can_be_overwritten():
    with calling(make(assume={RULE: "refused"})) as me:
        me.upload(PHOTO)
        assert told(me.send(me.url(PHOTO, overwrite=True), b"newer")) == (201, False)
        assert me.fetch(me.api("GET", PHOTO).headers["Location"]).content == b"newer"
