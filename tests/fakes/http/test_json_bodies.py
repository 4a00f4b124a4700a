"""Bodies of JSON: invalid JSON, repeated keys, and the problems of a flat one."""

import codecs
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.http.json_text import find_repeated_key, has_repeated_key
from svckit.models.user import UserChange

from ..admin import Admin

# Bodies that are flat are read at a glance, and what is wrong with one is seen as with any other.

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("number", "said"),
    [("1e309", "a number beyond"), ("-1e309", "a number beyond"), ("NaN", "the body is not JSON")],
)
def test_a_number_that_json_cannot_write_fits_no_field(me, number, said):
    for field in UserChange.wire_names():
        response = me.api("PATCH", "/users/u-001", content=f'{{"{field}":{number}}}', headers=JSON)
        assert response.status_code == 400, field
        assert said in response.json()["description"], field


@pytest.mark.parametrize(
    ("body", "ignored", "rests_on"),
    [
        ('{"nickName":"Mina"}', None, None),
        (' { "nickName" : "Mina" } ', None, None),
        ('{"nickName":"Mina","task":"a: {b"}', None, None),
        ('{"nickName":"Mina","shoeSize":38}', "shoeSize", "api.extra-fields"),
        ('{"nickName":"Mina","shoeSize":[38]}', "shoeSize", "api.extra-fields"),
        ('{"nickName":"Nami","nickName":"Mina"}', None, "api.duplicate-key"),
        ('{"nickName":"Nami: x","nickName":"Mina"}', None, "api.duplicate-key"),
        ('{"nickName":"Mina","shoeSize":"a\\\\\\": b"}', "shoeSize", "api.extra-fields"),
        ('{"nickName":"Nami","nick\\u004eame":"Mina"}', None, "api.duplicate-key"),
    ],
)
def test_other_keys_and_double_ones_are_seen(me, body, ignored, rests_on):
    response = me.api("PATCH", "/users/u-001", content=body, headers=JSON)
    assert (response.status_code, response.json()["nickName"]) == (200, "Mina")
    assert response.headers.get("X-Fake-Ignored") == ignored
    assert response.headers.get("X-Fake-Assumed") == rests_on


# Half a character in a body, an escape of a surrogate without its other half, is told as that.

TOLD = "half a character, a \\uD800 to \\uDFFF without its other half, at line 1 column "


@pytest.mark.parametrize(
    "body", [rb'{"task": "\ud800"}', rb'{"\udc00": 1}', rb'{"relations": [{"x": "\ud800\u0041"}]}']
)
def test_half_a_character_is_told_as_that(me, body):
    response = me.api("PATCH", "/users/u-001", content=body, headers=JSON)
    assert response.status_code == 400
    assert response.json()["description"].startswith(f"the body is not JSON: {TOLD}")


def test_both_halves_are_a_character(me):
    response = me.api("PATCH", "/users/u-001", content=rb'{"task": "\ud83d\ude42"}', headers=JSON)
    assert response.json()["task"] == "🙂"


def test_an_admin_call_tells_it_too(fake):
    assert TOLD in Admin(fake).refused("PATCH", "/domain", content=rb'{"domainName": "\ud800"}')


# A body in another encoding is refused as such, with what to send.

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
    response = me.api("PATCH", "/users/u-001", content=body, headers=JSON)
    assert response.status_code == 400
    assert response.json()["description"].startswith("the body is not JSON: ")
    assert said in response.json()["description"]


def test_json_that_is_broken_is_told_as_before(me):
    body = '{"nickName": "佐藤'.encode()
    response = me.api("PATCH", "/users/u-001", content=body, headers=JSON)
    assert response.json()["description"] == (
        "the body is not JSON: EOF while parsing a string at line 1 column 20"
    )


# A key that stands twice in one JSON object: the last one counts, and only then it is said to.

KEYS = st.text(st.sampled_from('ab":\\é'), max_size=2)  # few, so that objects inside and beside have the same
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | KEYS
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_no_object_that_is_written_has_a_key_twice(value):
    body = json.dumps(value).encode()
    assert find_repeated_key(body) is None
    assert not has_repeated_key(body, value)


def test_numbers_of_any_length_are_no_obstacle():
    assert find_repeated_key(b'{"a": ' + b"1" * 5000 + b', "a": 1}') == "a"


@given(st.lists(st.text(st.sampled_from('a":\\'), max_size=4), min_size=2, max_size=5, unique=True))
def test_a_key_that_stands_twice_is_noticed_whatever_signs_are_in_it(texts):
    key, *others = map(json.dumps, texts)
    members = [f"{one}: {other}" for one, other in zip([key, *others], others, strict=False)]
    for count in (1, 2):
        body = f"[{{{', '.join([*members, f'{key}: [{key}]'][-count:])}, {json.dumps('z')}: {key}}}]"
        doubled = f"[{{{key}: 1, {key}: {others[0]}}}, {body}]"
        assert has_repeated_key(doubled.encode(), json.loads(doubled))
        assert has_repeated_key(body.encode(), json.loads(body)) is (
            find_repeated_key(body.encode()) is not None
        )
