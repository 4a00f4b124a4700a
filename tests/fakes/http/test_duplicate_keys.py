"""A key that stands twice in one JSON object: the last one counts, and only then it is said to."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.http.json_text import find_repeated_key, has_repeated_key

from ..caller import calling, make

TWICE = {
    b'{"nickName": "a", "nickName": "b"}': "nickName",
    b'{"userName": {"lastName": "a", "lastName": "b"}}': "lastName",
    b'{"i18nNames": [{"language": "ja_JP", "language": "ko_KR"}]}': "language",
    b'{"nickName": "a", "nick\\u004eame": "b"}': "nickName",
}
ONCE = (
    b'{"nickName": "a: b: c", "task": "nickName: x"}',
    b'{"userName": {"lastName": "a"}, "i18nNames": [{"lastName": "b"}, {"lastName": "c"}]}',
    b'{"birthday": "1990-01-01", "nickName": "\\ud83d\\ude00: "}',
)


def send(me, body):
    return me.api("PATCH", "/users/u-001", content=body, headers={"Content-Type": "application/json"})


@pytest.mark.parametrize(("body", "key"), TWICE.items())
def test_a_key_sent_twice_is_told(body, key):
    with calling(make()) as me:
        assert "api.duplicate-key" in send(me, body).headers["X-Fake-Assumed"]
    with calling(make(assume={"api.duplicate-key": "refused"})) as me:
        response = send(me, body)
        assert response.status_code == 400
        assert f"the key {key} occurs twice" in response.json()["description"]


@pytest.mark.parametrize("body", ONCE)
def test_keys_sent_once_rest_on_nothing(body):
    with calling(make(assume={"api.duplicate-key": "refused"})) as me:
        response = send(me, body)
    assert "api.duplicate-key" not in response.headers.get("X-Fake-Assumed", "")
    assert "twice" not in response.text


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
