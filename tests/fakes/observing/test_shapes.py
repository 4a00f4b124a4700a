"""What is compared of a response's head: each header that follows from the request, with its value or its presence."""

import pytest

from fakes.observing.shapes import describe_head


@pytest.mark.parametrize(
    ("name", "value", "shape"),
    [
        ("Content-Type", "application/json; charset=UTF-8", "application/json;charset=utf-8"),
        ("Allow", "GET, PATCH", "get,patch"),
        ("RateLimit-Limit", "6000", "6000"),
        ("RateLimit-Remaining", "5999", "5999"),
        ("RateLimit-Reset", "7", "sent"),
        ("Retry-After", "7", "sent"),
        ("Content-Disposition", "attachment", "sent"),
        ("Content-Range", "bytes 0-1/2", "sent"),
        ("Accept-Ranges", "bytes", "sent"),
        ("Sunset", "Sat, 05 Dec 2026 00:00:00 GMT", "sent"),
        ("Deprecation", "@1", "sent"),
        ("WWW-Authenticate", 'Bearer error="invalid_token"', "bearer"),
    ],
)
def test_a_header_is_compared_by_value_or_presence(name: str, value: str, shape: str) -> None:
    assert describe_head(200, [(name, value), ("Date", "today")]) == {"status": 200, name.lower(): shape}
