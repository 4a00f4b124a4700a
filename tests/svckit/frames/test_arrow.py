"""A frame is the same, and so is what it refuses, whether Arrow is there to make it or not."""

import importlib
import json

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from fakes import FakeService
from svckit import frames

arrow = importlib.import_module("svckit.frames.arrow")

text = st.none() | st.text(max_size=5)
flag = st.none() | st.booleans()
OUTSIDE = "9999-12-31T23:59:59-09:00"  # in UTC, of what pandas can show
instant = st.sampled_from(
    [None, "2026-06-01T09:00:00+09:00", "2026-06-01T00:00:00Z", "2026-06-01", OUTSIDE, "soon", ""]
)
day = st.sampled_from([None, "2020-04-01", "1990-02-30", "2020-04-01T00:00:00", ""])


def some(**fields):
    """Objects that have some of the fields, or none at all."""
    return st.none() | st.fixed_dictionaries({}, optional=fields)


UNITS = some(orgUnitId=text, primary=flag, orgUnitName=text, isManager=flag)
ORGANIZATIONS = some(
    primary=flag,
    levelName=text,
    organizationName=text,
    orgUnits=st.none() | st.lists(UNITS.map(lambda u: u or {}), max_size=3),
)
USER = some(
    userId=text,
    email=text,
    locale=st.sampled_from(["ja_JP", "en_US", "xx_XX", None]),
    isSuspended=flag,
    suspendedReason=st.sampled_from(["LOGIN_FAIL", "NEW", None]),
    leaveOfAbsence=some(startTime=instant, isLeaveOfAbsence=flag),
    userName=some(lastName=text, firstName=text),
    organizations=st.none() | st.lists(ORGANIZATIONS.map(lambda o: o or {}), max_size=3),
    aliasEmails=st.none() | st.lists(st.text(max_size=3), max_size=3),
    customProperties=st.none() | st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
    messenger=some(protocol=text, messengerId=text),
    hiredDate=day,
    domainId=st.none() | st.integers(-(2**31), 2**31 - 1),
)


def without_arrow(records):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrow, "pa", None)
        for name in ("pc", "json"):  # not there either
            patch.delattr(arrow, name)
        return frames.users(records)


@settings(deadline=None, max_examples=30)  # a frame of so many columns takes a while, five times
@given(st.lists(USER.map(lambda user: user or {}), max_size=8))
def test_all_ways_make_the_same_frame_of_users(records):
    expected = without_arrow(records)
    bodies = [to_json(record) for record in records]
    pd.testing.assert_frame_equal(frames.users(records), expected)
    pd.testing.assert_frame_equal(frames.users(bodies), expected)
    pd.testing.assert_frame_equal(frames.users(b"\n".join(bodies)), expected)
    pd.testing.assert_frame_equal(without_arrow(bodies), expected)


def test_both_ways_make_the_same_frame_over_chunks(monkeypatch):
    monkeypatch.setattr(importlib.import_module("svckit.frames.column"), "CHUNK", 7)
    records = list(FakeService.sample(users=50).records("users"))
    pd.testing.assert_frame_equal(frames.users(records), without_arrow(records))


ODD = {
    "post that is null": {"organizations": [None, {"levelName": "Lead"}]},
    "a number where text is due": {"nickName": 7},
    "text where a number is due": {"domainId": "seven"},
    "a fraction where a whole number is due": {"domainId": 1.5},
    "a huge number": {"domainId": 2**70},
    "text where a flag is due": {"isDeleted": "yes"},
    "a list where text is due": {"nickName": ["Mina"]},
}


def outcome(make, records):
    """The frame as text with its dtypes, or the words of the refusal."""
    try:
        made = make(records)
    except ValueError as refused:
        return str(refused)
    return made.to_json(date_format="iso"), [str(dtype) for dtype in made.dtypes]


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_both_ways_make_the_same_of_odd_values(odd):
    records = [{"userId": "u-001"}, odd]
    assert outcome(frames.users, records) == outcome(without_arrow, records)
    bodies = [to_json(record) for record in records]
    assert outcome(frames.users, bodies) == outcome(without_arrow, records)


# Where Arrow's reader of JSON accepts, counts or forgives something else than Python's, or crashes.
BODIES = {
    "no object": [b"[1]"],
    "null": [b"null"],
    "two in one": [b"{}{}"],
    "null after an object": [b'{"userId": "u-001"} null'],
    "two in one, and one in two": [b"{}\n{}", b'{"leaveOfAbsence":', b'{"isLeaveOfAbsence": true}}'],
    "nothing": [b"{}", b""],
    "cut short": [b'{"userId": "u-001"'],
    "a byte order mark": [b"\xef\xbb\xbf{}"],
    "not UTF-8": [b'{"extra": "\xff"}'],
    "half a character": [b'{"nickName": "\\ud800"}'],
    "a field twice": [b'{"nickName": "Mina", "nickName": "Emi"}'],
    "line ends and blanks": [b' {\r\n"nickName": "Mina"}\n'],
    "braces in a text": [b'{"nickName": "} {", "task": "}null"}'],
    "a number of another kind": [b'{"domainId": 1.0, "extra": NaN}'],
    "null among texts": [b'{"aliasEmails": ["a@example.com", null]}'],
    "null among posts": [b'{"organizations": [{"orgUnits": [{}, {}]}, {"primary": true, "orgUnits": null}]}'],
    "unknown fields": [b'{"userId": "u-001", "extra": {"userId": 3}, "relations": [{"extra": []}]}'],
    "a property called so": [b'{"customProperties": {"customProperties": {}}}'],
    "no properties, with spaces": [b'{"customProperties": { } }', b'{"customProperties" :null}'],
    "properties by an escaped name": [b'{"custom\\u0050roperties": {"customProperties": {}}}'],
}


@pytest.mark.parametrize("bodies", BODIES.values(), ids=BODIES)
def test_both_ways_make_the_same_of_odd_bodies(bodies):
    assert outcome(frames.users, bodies) == outcome(without_arrow, bodies)


def test_bodies_are_read_over_batches(monkeypatch):
    monkeypatch.setattr(importlib.import_module("svckit.frames.source"), "BATCH", 7)
    records = list(FakeService.sample(users=50).records("users"))
    lines = "\n".join(json.dumps(record) for record in records) + "\n\n"  # with other spaces and escapes
    pd.testing.assert_frame_equal(frames.users(lines.encode()), without_arrow(records))
    with pytest.raises(ValueError, match="line or body 9 of the users is not JSON: "):
        frames.users([b"{}"] * 8 + [b"{"])
    with pytest.raises(ValueError, match="line or body 1 of the users is not a JSON object; given a list"):
        frames.users([b"[]"])


def test_a_frame_of_bodies_knows_its_edits():
    frame = frames.users([to_json({"userId": f"u-{number}", "task": "Hiring"}) for number in range(3)])
    frame.loc[1, "task"] = "Sales"
    assert [edit.user_id for edit in frame.svc.changes()] == ["u-1"]
    assert len(frames.alias_emails(frame)) == 0


def test_all_lists_come_from_bodies():
    records = list(FakeService.sample(users=20).records("users"))
    made = frames.users([to_json(record) for record in records], lists=True)
    pd.testing.assert_frame_equal(made, frames.users(records, lists=True))


def test_a_whole_chunk_of_odd_records_does_not_spoil_the_others(monkeypatch):
    monkeypatch.setattr(importlib.import_module("svckit.frames.column"), "CHUNK", 2)
    records = [{"suspendedReason": "NEW", "hiredDate": "2020-04-01"}] * 2 + [{"hiredDate": "soon"}] * 2
    pd.testing.assert_frame_equal(frames.users(records), without_arrow(records))
