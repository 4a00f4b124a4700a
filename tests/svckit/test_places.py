"""Every path of the table is reached by one place, and by no other way."""

import pytest

from svckit import places
from svckit.errors import InvalidInput
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES
from svckit.places import Place

ROOTS = {
    "bot": places.bot("botId"),
    "photo": places.photo("userId"),
    "contact_photo": places.contact_photo("contactId"),
    "post": places.post("boardId", "postId"),
    "comment": places.comment("boardId", "postId", "commentId"),
    "note": places.note("groupId", "postId"),
    "group_folder": places.group_folder("groupId"),
    "drive": places.drive("userId"),
    "shared_drive": places.shared_drive("sharedriveId"),
    "shared_folder": places.shared_folder("userId", "sharedFolderId"),
    "form_response": places.form_response("formId", "responseId"),
    "audit_logs": places.audit_logs(),
    "message_logs": places.message_logs(),
}


def reached(store: str, parameters: tuple[str, ...]) -> Place:
    place = ROOTS[store]
    for name in parameters[len(place.names) :]:
        place = place.revision(name) if name == "revisionId" else place.file(name)
    return place


@pytest.mark.parametrize("known", UPLOAD_PLACES, ids=lambda known: known.key)
def test_uploads(known: Place) -> None:
    assert reached(known.store, known.parameters).upload_path == known.template.replace("{", "").replace(
        "}", ""
    )


@pytest.mark.parametrize("known", DOWNLOAD_PLACES, ids=lambda known: known.key)
def test_downloads(known: Place) -> None:
    assert reached(known.store, known.parameters).download_path == known.template.replace("{", "").replace(
        "}", ""
    )


def test_every_store_has_a_function() -> None:
    assert set(ROOTS) == {known.store for known in (*UPLOAD_PLACES, *DOWNLOAD_PLACES)}
    assert set(ROOTS) == set(places.__all__) - {"Place"}


def test_equal_places_are_one_in_a_set() -> None:
    assert len({places.drive("u"), places.drive("u"), places.drive("u").file("f"), places.audit_logs()}) == 3


def test_ids_are_quoted_once() -> None:
    assert places.drive("a/b@c").upload_path == "/users/a%2Fb%40c/drive/files"


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: places.drive(".."), "user_id of drive"),
        (lambda: places.drive("u").file(""), "file_id of drive"),
        (lambda: places.drive(5), "user_id of drive"),
        (lambda: places.drive("\ud800"), "user_id of drive"),
        (lambda: places.drive("u").revision("1"), "name the file first"),
        (lambda: places.photo("u").file("f"), "does not take a file"),
        (lambda: places.drive("u").file("f").file("g"), "does not take a file"),
        (lambda: places.bot("b").file("f").revision("1"), "has no revisions"),
        (lambda: places.audit_logs().file("f"), "does not take a file"),
    ],
)
def test_places_that_cannot_be(make: object, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        (
            places.drive("u-001"),
            "places.drive('u-001'): upload to /users/u-001/drive/files; name a file with .file(…)",
        ),
        (
            places.drive("u").file("f").revision("2"),
            "places.drive('u').file('f').revision('2'): download from /users/u/drive/files/f/revisions/2/download",
        ),
        (
            places.photo("u"),
            "places.photo('u'): upload to /users/u/photo; download from /users/u/photo",
        ),
        (places.audit_logs(), "places.audit_logs(): download from /audits/logs/download"),
    ],
)
def test_a_place_shows_itself(place: Place, shown: str) -> None:
    assert repr(place) == shown


@pytest.mark.parametrize(
    ("place", "ways"),
    [
        (places.drive("u"), ["upload to", "name a file with"]),
        (places.drive("u").file("f"), ["upload to", "download from", "name a revision with"]),
        (places.drive("u").file("f").revision("2"), ["download from"]),
        (places.post("b", "p"), ["upload to", "name a file with"]),
        (places.post("b", "p").file("f"), ["download from"]),
        (places.photo("u"), ["upload to", "download from"]),
        (places.form_response("f", "r"), ["name a file with"]),
        (places.message_logs(), ["download from"]),
    ],
    ids=repr,
)
def test_a_place_offers_what_can_be_done_there(place: Place, ways: list[str]) -> None:
    assert [way for way, _ in place._list_ways()] == ways
    assert ("file" in dir(place)) is ("name a file with" in ways)
    assert ("revision" in dir(place)) is ("name a revision with" in ways)
    assert {"upload_path", "download_path", "store"} <= set(dir(place))
    html = place._repr_html_()
    assert all(f">{way}</th>" in html for way in ways)
    assert html.count("<tr>") == len(ways)


def test_a_place_is_escaped() -> None:
    assert "<img" not in places.drive("<img src=x>")._repr_html_()


def test_the_module_shows_its_places() -> None:
    assert "drive(user_id)" in repr(places)
    assert "<table>" in places._repr_html_()  # type: ignore[attr-defined]
    assert set(dir(places)) == {*ROOTS, "Place"}
