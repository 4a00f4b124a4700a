"""The headers that the fake adds to responses, and what its journal has of them."""

import re
from pathlib import Path

from fakes.http.own_headers import OWN_HEADERS

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
