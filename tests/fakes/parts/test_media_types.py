"""Media types: of a JSON body, and of content that is stored with one."""

import pytest

from ..caller import DRIVE, calling, make, raw_form

MULTIPART = "multipart/form-data; boundary=boundary-7"
PART = b'Content-Disposition: form-data; name="Filedata"; filename="a.txt"\r\nContent-Type: '


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ("application/json", 200),
        ("Application/JSON;charset=utf-8", 200),
        ("application/json ; charset=UTF-8", 200),
        ("application/jsonp", 400),
        ("application/json-patch+json", 400),
        ("application/json, text/plain", 400),
        ("text/plain", 400),
        ("", 400),
    ],
)
def test_a_json_body_is_sent_as_such(me, sent, status):
    response = me.api("PATCH", "/users/u-001", content=b"{}", headers={"Content-Type": sent})
    assert response.status_code == status


@pytest.mark.parametrize("kept", ["text/plain", 'text/plain;\tname="x y"', "font/x-odd+a.b; q=~!"])
def test_a_media_type_is_kept_to_the_letter(me, kept):
    file_id = me.upload(content_type=kept)["fileId"]
    assert me.download(file_id).headers["Content-Type"] == kept


@pytest.mark.parametrize(
    "type_", ['text/plain; name="é"'.encode(), b"text/\xff", b"text/a\x7fb", "текст".encode()]
)
@pytest.mark.parametrize("headers", [{}, {"Content-Range": "0-1/5"}])
def test_a_media_type_that_no_header_can_carry_is_refused(me, type_, headers):
    url, before = me.url(), me.fake.snapshot()["files"]
    response = me.http.post(
        url,
        content=raw_form((PART + type_, b"hello"[: 2 if headers else 5])),
        headers=me.bearer | {"Content-Type": MULTIPART} | headers,
    )
    assert response.status_code == 400
    assert "media type" in response.json()["description"]
    assert me.fake.snapshot()["files"] == before
    assert me.send(url).status_code == 201


def test_a_media_type_of_raw_content_is_held_to_the_same():
    with calling(make(assume={"file.raw": "accepted"})) as me:
        headers = me.bearer | {"Content-Type": b"text/\xe9"}
        assert me.http.put(me.url(DRIVE), content=b"hello", headers=headers).status_code == 400
