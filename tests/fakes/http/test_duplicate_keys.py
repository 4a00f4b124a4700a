"""A key that stands twice in one JSON object: the last one counts, and only then it is said to."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.http.json_text import find_repeated_key, has_repeated_key

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
