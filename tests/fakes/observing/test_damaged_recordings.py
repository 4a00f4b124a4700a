"""Recordings that are damaged, or of other tools: what cannot be read is left out, and no error escapes."""

import json
from base64 import b64decode
from copy import copy

import pytest

from fakes import observe

from ..caller import Caller
from .traffic import Recorder

KEPT = ("authorization", "content-type", "location")
OTHERS = (
    None,
    "",
    "x",
    "\ud800",
    "[[[",
    "http://[",
    "500",
    -1,
    10**400,
    1.5,
    True,
    [],
    [None],
    {},
    {"": None},
)


@pytest.fixture(scope="module")
def har():
    """A small recording with each kind of call; its bodies are text, as browsers write them."""
    recorder = Recorder()
    me = recorder.caller()
    me.patch("u-002"), me.exchange(), me.notify(), me.download(me.upload()["fileId"])
    for entry in recorder.entries:
        for message in (entry["request"], entry["response"]):
            message["headers"] = [each for each in message["headers"] if each["name"].lower() in KEPT]
        for sent in (entry["request"]["postData"], entry["response"]["content"]):
            sent["text"] = b64decode(sent["text"]).decode()
            del sent["encoding"]
    return recorder.har


def list_places(value, *path):
    """Yield the path of each part of JSON."""
    yield path
    for name in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from list_places(value[name], *path, name)


def replace(value, path, other):
    """Return a copy with another value at a path."""
    if not path:
        return other
    copied = copy(value)
    copied[path[0]] = replace(value[path[0]], path[1:], other)
    return copied


def damage(entry, path, other):
    """Observe a recording of one request with another value at a path; it can be read, or is rejected as a whole."""
    try:
        observe({"log": {"entries": [replace(entry, path, other)]}})
    except ValueError as error:
        if not str(error).startswith("the traffic is not a HAR archive: "):
            raise


def test_each_field_of_an_update_with_another_value(har):
    update = har["log"]["entries"][0]
    for number, path in enumerate(list_places(update)):
        damage(update, path, OTHERS[number % len(OTHERS)])


@pytest.mark.long
def test_each_field_of_each_request_with_any_other_value(har):
    for entry in har["log"]["entries"]:
        for path in list_places(entry):
            for other in OTHERS:
                damage(entry, path, other)


@pytest.mark.parametrize("names", [("userId", "email"), ("userName", "userExternalKey", "nickName")])
def test_fields_of_a_user_with_other_values(har, names):
    update = har["log"]["entries"][0]
    user = json.loads(update["response"]["content"]["text"])
    for other in OTHERS:
        damage(update, ("response", "content", "text"), json.dumps(user | dict.fromkeys(names, other)))


def test_damaged_entries_are_left_out_and_counted(har):
    for path, other in [
        (("response", "status"), "none"),
        (("startedDateTime",), "yesterday"),
        (("request", "url"), "http://["),
        (("request", "headers"), None),
    ]:
        first, *rest = har["log"]["entries"]
        observation = observe({"log": {"entries": [replace(first, path, other), *rest]}})
        assert observation.requests == len(rest)
        assert "left out: 1 request without a readable request, response or time" in repr(observation)


def test_status_as_text_and_null_header_are_read(har):
    first = har["log"]["entries"][0]
    changed = replace(first, ("response", "status"), "200")
    changed["response"]["headers"] = [*first["response"]["headers"], {"name": "X-Empty", "value": None}]
    observation = observe({"log": {"entries": [changed]}})
    assert (observation.requests, observation.unexplained, observation.left_out) == (1, 0, {})


NO_ARCHIVES = ["[]", "{}", '{"log": {}}', '{"log": {"entries": {}}}', '{"log": {"entries": [{}]}}', "\x00"]


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 100_000 + "]" * 100_000, *NO_ARCHIVES])
def test_text_that_is_not_an_archive_is_rejected(text, tmp_path):
    (tmp_path / "traffic.har").write_text(text)
    with pytest.raises(ValueError, match="not a HAR archive"):
        observe(tmp_path / "traffic.har")


@pytest.mark.parametrize("text", ["", "\n"])
def test_an_empty_file_is_named_as_such(text, tmp_path):
    (tmp_path / "traffic.har").write_text(text)
    with pytest.raises(ValueError, match=r"the file is empty: it needs log\.entries"):
        observe(tmp_path / "traffic.har")


def test_traffic_without_requests_has_no_newest():
    nothing = observe({"log": {"entries": []}})
    assert repr(nothing).startswith("<Observation: HAR, 0 requests, 0 assumptions and")


def test_two_users_who_had_the_same_address_one_after_the_other(har):
    recorder = Recorder()
    me = recorder.caller()
    email = me.patch("u-002").json()["email"]
    somebody = Caller(recorder.fake)
    somebody.patch("u-002", email="second@example.com"), somebody.patch("u-003", email=email)
    me.patch("u-003")
    assert observe(recorder.har).requests == 2
