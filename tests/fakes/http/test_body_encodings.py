"""A body in another encoding is refused as such, with what to send."""

import codecs

import pytest

BODY = '{"nickName": "佐藤美奈"}'


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (BODY.encode("cp932"), "; it is not UTF-8, but would be JSON in cp932 or "),
        (BODY.encode("euc_jp"), "; it is not UTF-8, but would be JSON in euc_jp or "),
        ('{"nickName": "김철수"}'.encode("cp949"), " cp949 or "),
        (b'{"nickName": "\x81\x20"}', "; it is not UTF-8: send UTF-8"),
        (BODY.encode("utf-8-sig"), "; it begins with the byte-order mark of UTF-8: send UTF-8 without one"),
        (codecs.BOM_UTF16_LE + BODY.encode("utf-16-le"), "; it begins with the byte-order mark of UTF-16"),
    ],
)
def test_another_encoding_is_named(me, body, said):
    response = me.api("PATCH", "/users/u-001", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 400
    assert response.json()["description"].startswith("the body is not JSON: ")
    assert said in response.json()["description"]


def test_json_that_is_broken_is_told_as_before(me):
    body = '{"nickName": "佐藤'.encode()
    response = me.api("PATCH", "/users/u-001", content=body, headers={"Content-Type": "application/json"})
    assert response.json()["description"] == (
        "the body is not JSON: EOF while parsing a string at line 1 column 20"
    )
