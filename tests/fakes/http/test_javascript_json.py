"""Events are written as JavaScript writes JSON, so that a receiver that reads and writes one again gets its bytes."""

import json
import shutil
import struct
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.http.errors import Refusal
from fakes.http.javascript_json import write

from ..caller import calling, make

NODE = shutil.which("node")
AGAIN = (
    "const text = require('fs').readFileSync(0, 'utf8');"
    "process.stdout.write(text.split('\\n').map(line => JSON.stringify(JSON.parse(line))).join('\\n'))"
)
"""A program that reads JSON lines and writes them again."""


def rewrite(*texts):
    """What Node makes of JSON texts."""
    told = subprocess.run(
        [NODE, "-e", AGAIN], input="\n".join(texts).encode(), capture_output=True, check=True
    )
    return tuple(told.stdout.decode().split("\n"))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (35.0, "35"),
        (-35.0, "-35"),
        (0.0, "0"),
        (-0.0, "0"),
        (139.7671, "139.7671"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e20, "100000000000000000000"),
        (1.2345678901234567e20, "123456789012345670000"),
        (1e21, "1e+21"),
        (-1.5e300, "-1.5e+300"),
        (0.000001, "0.000001"),
        (0.00000123, "0.00000123"),
        (1e-7, "1e-7"),
        (1.25e-7, "1.25e-7"),
        (5e-324, "5e-324"),
        (2**53 - 1, "9007199254740991"),
        (2**53 + 1, "9007199254740992"),
        (123456789012345678, "123456789012345680"),
        (10**30, "1e+30"),
    ],
)
def test_a_number_is_written_as_javascript_writes_it(number, text):
    assert write(number) == write([number])[1:-1] == text


def test_everything_else_is_compact_json():
    value = {"a": [None, True, False, 'é "\\\n\x01\x7f\u2028'], "b": {}, "c": [], "": ()}
    assert write(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


BITS = st.integers(0, 2**64 - 1).map(lambda bits: struct.unpack("d", struct.pack("Q", bits))[0])
NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    BITS.filter(lambda number: number - number == 0),
    st.integers(-(10**25), 10**25),
    st.builds(lambda digits, power: float(f"{digits}e{power}"), st.integers(-999, 999), st.integers(-25, 25)),
)
VALUES = st.recursive(
    NUMBERS | st.text() | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.from_regex("[a-z]+", fullmatch=True), inner)
    ),
    max_leaves=20,
)


@given(NUMBERS)
def test_a_number_is_read_again_as_the_same_double(number):
    assert float(write(number)) == float(number)


@pytest.mark.skipif(NODE is None, reason="compares with Node")
@settings(max_examples=20, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=100), VALUES)
def test_node_writes_the_same(numbers, value):
    texts = *map(write, numbers), write(value)
    assert rewrite(*texts) == texts


@pytest.mark.parametrize("alternative", ["utf-8", "ascii"])
@pytest.mark.parametrize("latitude", [35.0, -0.0, 1e21, 1e-7, 10**17])
def test_the_body_of_an_event_survives_being_read_and_written(latitude, alternative):
    with calling(make(assume={"callback.body": alternative})) as me:
        place = {"type": "location", "address": "東京 𝄞", "latitude": latitude, "longitude": 139}
        delivery, ((_, body),) = me.say(place)
    assert delivery.outcome == "delivered"
    assert json.loads(body)["content"] == place
    assert f'"latitude":{write(latitude)},"longitude":139}}' in body.decode()
    assert body.isascii() == (alternative == "ascii")


def test_a_number_beyond_the_largest_double_is_refused():
    with calling(make()) as me, pytest.raises(Refusal, match=r"latitude|cannot be written as JSON"):
        me.say({"type": "location", "address": "x", "latitude": 10**400, "longitude": 0})
