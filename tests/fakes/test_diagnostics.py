"""A request that is no operation, or is refused, is told what was wrong."""

import pytest

from .caller import calling, make


@pytest.mark.parametrize(
    ("method", "path", "nearest"),
    [
        ("GET", "/users/u-001", "PATCH /users/{userId}: the method is PATCH, not GET"),
        ("PATCH", "/user/u-001", "PATCH /users/{userId}: 'users' stands where 'user' was sent"),
        (
            "POST",
            "/users/u-001/user-profile-status",
            "'user-profile-statuses' stands where 'user-profile-status'",
        ),
        ("POST", "/users/u-001/drive/file", "POST /users/{userId}/drive/files: 'files' stands where 'file'"),
        ("GET", "/users/u-001/drive/files/f-1/revisions/1", "it goes on with /download"),
        ("PATCH", "/users/", "{userId} is empty"),
    ],
)
def test_nearest_operation_is_named(method, path, nearest):
    with calling(make()) as me:
        answer = me.api(method, path)
    assert answer.status_code == 404
    assert nearest in answer.json()["description"]
    assert "of the service's description" in answer.json()["description"]
    assert answer.headers["X-Fake-Reason"]


@pytest.mark.parametrize("area", ["base_url", "auth_url", "upload_url", "webhook_url"])
def test_each_area_answers_in_its_own_words(area):
    with calling(make()) as me:
        answer = me.http.get(me.facts[area] + "/no/such/thing")
    assert answer.status_code in (400, 404)
    assert "GET /no/such/thing is no operation of the service" in answer.headers["X-Fake-Reason"]


def test_all_fields_at_fault_are_named_with_the_section():
    with calling(make()) as me:
        answer = me.patch(nickName="x" * 101, locale="fr_FR", organizations=[{"primary": "yes"}])
    for path in ("nickName", "locale", "organizations[0].domainId", "organizations[0].primary"):
        assert path in answer.json()["description"]
    assert answer.headers["X-Fake-Section"] == "Endpoints > Directory"


@pytest.mark.parametrize(
    ("send", "reason"),
    [
        (
            lambda me, url: me.http.post(url, content=b"hello", headers=me.bearer),
            "multipart/form-data with a boundary",
        ),
        (
            lambda me, url: me.http.post(url, data={"Filedata": "hello"}, headers=me.bearer),
            "multipart/form-data",
        ),
        (
            lambda me, url: me.http.post(url, files={"note": (None, b"x")}, headers=me.bearer),
            "0 file parts came",
        ),
        (lambda me, url: me.http.post(url, files=two_files(), headers=me.bearer), "2 file parts came"),
        (lambda me, url: me.send(url, b"hell"), "announced as 5 bytes, and 4 bytes of content came"),
        (lambda me, url: me.send(url, b"he", **{"Content-Range": "2-3/5"}), "the next starts at 0"),
        (lambda me, url: me.http.post(url, files=two_files()), "Authorization: Bearer"),
    ],
)
def test_refused_upload_says_what_is_wrong_with_it(send, reason):
    with calling(make()) as me:
        answer = send(me, me.url())
    assert answer.status_code in (400, 401)
    assert reason in answer.json()["description"]
    assert answer.headers["X-Fake-Section"] == "Endpoints > File transfer"


def two_files():
    return [("Filedata", ("a.txt", b"a")), ("Filedata", ("b.txt", b"b"))]


def test_reason_is_one_short_line_of_ascii():
    with calling(make()) as me:
        answer = me.patch(customFields=[{"customFieldId": 7, "value": "世\r\n界" * 200}] * 50)
    reason = answer.headers["X-Fake-Reason"]
    assert reason.isascii()
    assert reason.isprintable()
    assert len(reason) <= 1000
