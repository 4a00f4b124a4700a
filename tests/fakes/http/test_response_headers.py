"""Every header of every response is one that a server can send (RFC 9110), and those of the fake are described."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fakes.handlers.error_formats import escape_text, join_names
from fakes.http.content import StoredContent
from fakes.http.errors import Refusal
from fakes.http.own_headers import OWN_HEADERS

from ...conformance.header_fields import malformed
from ..admin import Admin
from ..caller import calling, make

# Every header of every response is one that a server can send, whatever texts it is made of (RFC 9110).

EIGHT = {f"f{number:07}": 1 for number in range(101)}
"""Their names, with what separates them, have a blank exactly where the header is cut."""


@pytest.mark.parametrize(
    "headers",
    [
        [("X", " a")],
        [("X", "a\t")],
        [("X", "a\r\nY: b")],
        [("X", "a\0b")],
        [("X", "a\x7fb")],
        [("X Y", "a")],
        [("", "a")],
    ],
)
def test_what_is_not_a_header_is_found(headers):
    assert malformed([("Content-Type", 'text/plain;\tname="é"'), ("Empty", ""), *headers]) == [
        (name.encode(), value.encode()) for name, value in headers
    ]


TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)
LONG = st.builds(lambda word, times: word * times, st.text(min_size=1, max_size=12), st.integers(1, 300))


@given(TEXTS | LONG)
@example("a" * 999 + " b")
@example("00\x1b\x08" * 100)
@example("a\r\nSet-Cookie: b")
@example(" \t\x1c\x85\u2028")
def test_any_text_becomes_a_header_and_says_where_it_was_cut(text):
    shown = escape_text(text)
    assert malformed([("X", shown)]) == []
    assert len(shown) <= 1000
    whole = " ".join(text.encode("ascii", "backslashreplace").decode().split())
    assert shown.endswith("...") or len(whole) <= len(shown)


@given(st.lists(TEXTS | LONG, max_size=200))
@example([""])
@example(["a", ""])
@example(list(EIGHT))
def test_header_keeps_whole_names_and_counts_the_rest(names):
    shown = join_names(names)
    assert malformed([("X", shown)]) == []
    assert len(shown) <= 2100
    more = re.search(r"and (\d+) more$", shown)
    if more is None:
        assert shown == ", ".join(escape_text(name) or '""' for name in names)
    else:
        left_off = int(more[1])
        assert 0 < left_off < len(names)
        assert shown.startswith(", ".join(escape_text(name) or '""' for name in names[:-left_off]))


@settings(max_examples=10, deadline=None)
@given(LONG)
def test_every_dialect_words_long_refusals_in_headers(text):
    fake = make()
    fake.faults.status(status=503, retry_after=10**20, times=None)
    with calling(fake) as me:
        responses = [me.api("GET", f"/nowhere/{len(text)}"), me.authorize(), me.refresh("x"), me.notify()]
    fake.faults.clear()
    with calling(fake) as me:
        responses += [
            me.patch(locale=text),
            me.authorize(client_id=text),
            me.token(grant_type=text),
            me.http.post(me.facts["webhooks"][0], json={"body": {"text": 1}, text: text}),
            Admin(fake)("PATCH", "/domain", {text: text}),
        ]
    assert [malformed(response.headers.raw) for response in responses] == [[]] * len(responses)


NO_REDIRECTS = ["", "/callback", "other.example/cb", "https:///cb", "https://a.example/#x"]
REDIRECTS = [
    "https://app.example/\r\nX-Injected: 1",
    "https://app.example/\n",
    " https://app.example/",
    "https://app.example/a b",
    "https://app.example/カ",
    "https://app.example/caf\u00e9",
    "https://[app.example/",
    "https://app.example/\x7f",
]


@pytest.mark.parametrize("uri", [*REDIRECTS, *NO_REDIRECTS])
def test_a_redirect_url_is_one_that_the_location_can_carry(fake, uri):
    with pytest.raises(Refusal, match="a redirect URL"):
        fake.auth.register(uri)
    assert "a redirect URL" in Admin(fake).refused("POST", "/applications", {"redirectUri": uri})


@pytest.mark.parametrize("uri", REDIRECTS[:3])
def test_a_snapshot_is_held_to_it_too(uri):
    snapshot = make().snapshot()
    snapshot["auth"]["application"]["redirect_uri"] = uri
    with pytest.raises(ValueError, match=r"auth\.application\.redirect_uri: .*visible ASCII"):
        make().restore(snapshot)


WRONG_TYPES = ["text/plain ", " text/plain", "text/plain\n", "text/é", "text/a\0b"]


@pytest.mark.parametrize("content_type", WRONG_TYPES)
def test_files_need_a_sendable_media_type(fake, content_type):
    before = fake.snapshot()
    with pytest.raises(ValueError, match="visible ASCII characters"):
        fake.files.seed(("drive", "u-001"), "file-1", "a.txt", content_type, b"hello")
    with pytest.raises(ValueError, match="visible ASCII characters"):
        fake.files.offer(("audit-logs",), content_type, StoredContent)
    assert fake.snapshot() == before


@pytest.mark.parametrize("content_type", WRONG_TYPES)
def test_a_media_type_from_a_snapshot_is_held_to_it_too(me, content_type):
    me.upload()
    snapshot = me.fake.snapshot()
    snapshot["files"]["files"][-1]["revisions"][0]["content_type"] = content_type
    with pytest.raises(ValueError, match=r"content_type: .*visible ASCII"):
        make().restore(snapshot)


def test_media_type_of_raw_content_is_stripped():
    with calling(make(assume={"file.raw": "accepted"})) as me:
        headers = me.bearer | {"Content-Type": "\t text/plain "}
        stored = me.http.put(me.url(), content=b"hello", headers=headers).json()
        response = me.download(stored["fileId"])
    assert response.headers.raw.count((b"Content-Type", b"text/plain")) == 1


# The headers that the fake adds to responses, and what its journal has of them.

PACKAGE = Path(__file__).parents[3] / "fakes"


def test_each_header_is_described():
    written = {
        name
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(r"X-Fake-[A-Z][A-Za-z-]*", path.read_text(encoding="utf-8"))
    }
    assert written == set(OWN_HEADERS)


def test_the_journal_has_what_they_say(me):
    refused = me.api("PATCH", "/users/u-999", json={"task": "x"})
    entry = me.fake.journal[-1]
    assert refused.headers["X-Fake-Reason"] == entry.reason
    recorded = {name for own in OWN_HEADERS.values() for name in own.recorded}
    assert recorded <= entry.record().keys()
    assert all(hasattr(entry, name) for name in recorded)
