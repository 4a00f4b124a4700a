"""Custom properties of a user: what fits their definitions, and what does not."""

import pytest

from .cases import RESOURCE_ERRORS, assumed, writes
from .test_directory import refused, update

DEFINITIONS = [
    {"name": "text", "propertyType": "STRING", "multiValued": False},
    {"name": "texts", "propertyType": "STRING", "multiValued": True},
    {"name": "size", "propertyType": "STRING", "multiValued": False, "options": ["S", "M", "L"]},
    {"name": "sizes", "propertyType": "STRING", "multiValued": True, "options": ["S", "M", "L"]},
    {"name": "day", "propertyType": "DATE", "multiValued": False},
    {"name": "days", "propertyType": "DATE", "multiValued": True},
    {"name": "count", "propertyType": "INTEGER", "multiValued": False},
    {"name": "counts", "propertyType": "INTEGER", "multiValued": True},
    {"name": "page", "propertyType": "LINK", "multiValued": False},
    {"name": "pages", "propertyType": "LINK", "multiValued": True},
]
LINK = {"text": "home", "link": "https://example.com"}
VALID = (
    ("text", ""),
    ("text", "x" * 100),
    ("texts", []),
    ("texts", ["x" * 100] * 10),
    ("size", "M"),
    ("sizes", ["S", "L"]),
    ("sizes", ["S"] * 10),
    ("day", "2024-02-29"),
    ("days", ["2024-02-29"] * 10),
    ("count", 0),
    ("count", 2**40),
    ("counts", [0, 1] * 5),
    ("page", LINK),
    ("page", {"text": None, "link": "x" * 300}),
    ("page", {"text": "x" * 100, "link": ""}),
    ("pages", [LINK] * 10),
)
INVALID = (
    ("text", "x" * 101),
    ("text", 5),
    ("text", ["x"]),
    ("texts", "x"),
    ("texts", ["x"] * 11),
    ("texts", ["x" * 101]),
    ("texts", [5]),
    ("size", "XL"),
    ("size", ["M"]),
    ("sizes", ["S", "XL"]),
    ("sizes", ["S"] * 11),
    ("day", "2025-02-29"),
    ("day", "2025-02-28T00:00:00Z"),
    ("day", 20250228),
    ("days", ["2024-02-29"] * 11),
    ("days", ["tomorrow"]),
    ("count", -1),
    ("count", "5"),
    ("count", 1.5),
    ("count", True),
    ("counts", [1] * 11),
    ("counts", [-1]),
    ("counts", 1),
    ("page", "https://example.com"),
    ("page", {"text": "x" * 101, "link": "l"}),
    ("page", {"text": "x", "link": "l" * 301}),
    ("page", {"text": 5, "link": "l"}),
    ("pages", [LINK] * 11),
    ("pages", LINK),
    ("nowhere", "x"),
)


def shortened(value):
    return repr(value)[:40]


@assumed("user.custom-properties")
@pytest.mark.parametrize(("prop", "value"), VALID, ids=shortened)
def test_custom_property_that_fits_its_definition(target, me, prop, value):
    target.set_domain(customProperties=DEFINITIONS)
    assert update(target, me, {"customProperties": {prop: value}})["customProperties"][prop] == value


@writes("user")
@assumed("user.custom-properties", *RESOURCE_ERRORS)
def test_custom_property_without_a_definition(target, me):
    refused(target, me, {"customProperties": {"svckit-has-no-such-property": "x"}}, "svckit-has-no")


@assumed("user.custom-properties", *RESOURCE_ERRORS)
@pytest.mark.parametrize(("prop", "value"), INVALID, ids=shortened)
def test_custom_property_that_does_not_fit(target, me, prop, value):
    target.set_domain(customProperties=DEFINITIONS)
    refused(target, me, {"customProperties": {prop: value}}, prop)
