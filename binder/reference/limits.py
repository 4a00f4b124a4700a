"""The page of limits: of the service, of its fields, and of the fake itself."""

import ast
import inspect
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import get_args

from binder.reference.markdown import code, page, prose, rule_link, table
from fakes.data import population
from fakes.http.content import SPOOL_LIMIT
from fakes.parts import deliveries, journal, journal_entry
from fakes.rulebook.rule import RULEBOOK
from svckit.models import (
    Notification,
    PropertyDefinition,
    StatusRegistration,
    UploadRequest,
    UserChange,
    limits,
)
from svckit.models.custom_properties import PropertyType, get_adapter
from svckit.models.fields import FieldSpec, list_fields

INTRO = """\
The session checks the limits of fields before it sends anything, and raises
[`InvalidInput`](errors.md#invalidinput); the fake checks them again.
"""
MODELS = {
    "Users": UserChange,
    "Profile statuses": StatusRegistration,
    "Notifications": Notification,
    "Uploads": UploadRequest,
    "Custom properties of a domain": PropertyDefinition,
}
RULES = (
    *("api.body-limit", "api.text-limit", "api.rate-limit"),
    *("user.limits", "user.array-limit"),
    *("file.size", "file.size-limit", "file.form-limit", "file.upload-lifetime", "file.download-validity"),
    *("status.limits", "status.one-each"),
    *("notification.rate", "notification.window", "notification.refused-calls", "notification.webhooks"),
    *(
        "code.lifetime",
        "token.access-lifetime",
        "token.refresh-lifetime",
        "token.last-instant",
        "token.assertion-issued-at",
        "token.assertion-expiry",
    ),
    *("notification.refused-headers", "callback.timeout"),
)
PARTLY_ASSUMED = {
    "user_name.phonetic_last_name": "user.katakana",
    "user_name.phonetic_first_name": "user.katakana",
    "telephone": "user.telephone",
    "cell_phone": "user.telephone",
    "birthday": "user.birthday",
    "time_zone": "user.time-zone",
}
"""The rules that fill a gap in the described limits of a field."""


def write() -> str:
    """Return the page."""
    service = [(code(name), show(getattr(limits, name)), prose(words)) for name, words in read_constants()]
    fake = [
        (f"{population.MOST_USERS:,}", "users of a sample"),
        (f"{journal.CAPACITY:,}", "requests that the journal keeps"),
        (f"{journal.SIZE // 1024**2} MiB", "size of the requests that the journal keeps"),
        (f"{journal_entry.BODY_LIMIT // 1024} KiB", "of each body that the journal keeps"),
        (f"{deliveries.CAPACITY:,}", "deliveries of events that the log keeps"),
        (f"{SPOOL_LIMIT // 1024**2} MiB", "of a file in memory; a larger one is kept in a temporary file"),
    ]
    rules = [
        (rule_link(rule.id), rule.provenance, prose(rule.text)) for rule in map(RULEBOOK.__getitem__, RULES)
    ]
    blocks = [
        INTRO,
        "## Limits of the service",
        "From the service's description, section “Limits”; `svckit.models` has them as constants.",
        table(("constant", "value", "meaning"), service),
        "## Rules about limits and lifetimes",
        table(("rule", "provenance", "text"), rules),
        "## Limits of fields",
        "Where the fake assumes part of a limit, the rule is linked.",
    ]
    for title, model in MODELS.items():
        rows = list(list_limits(list_fields(model)))
        if rows:
            blocks += [f"### {title}", table(("field", "limits", "meaning"), rows)]
    many = list_values(multi_valued=True)[0].limits
    blocks += [
        "### Values of custom properties",
        f"An array, if the property is `multi_valued`, has {many}. Each value has the limits of the property's type:",
        table(("type", "limits"), [row[:2] for row in list_limits(list_values(multi_valued=False))]),
        "A value of type STRING is one of the property's `options`, if it has any.",
        "## Limits of the fake itself",
        table(("value", "meaning"), fake),
    ]
    return page("Limits", *blocks)


def list_values(*, multi_valued: bool) -> tuple[FieldSpec, ...]:
    """Return a field for the values of each type of custom property."""
    schemas = {kind: get_adapter(kind, multi_valued).json_schema() for kind in get_args(PropertyType)}
    return tuple(
        FieldSpec.read(kind, schema, schema.get("$defs", {}), required=False)
        for kind, schema in schemas.items()
    )


def read_constants() -> Iterator[tuple[str, str]]:
    """Yield the name of each limit of the service, and the words below it in its module."""
    body = ast.parse(inspect.getsource(limits)).body
    for statement, below in pairwise(body):
        if isinstance(statement, ast.AnnAssign) and isinstance(below, ast.Expr):
            yield ast.unparse(statement.target), ast.literal_eval(below.value)


def show(value: int | timedelta) -> str:
    """Return a limit in words."""
    if not isinstance(value, timedelta):
        return str(value)
    units = {"days": timedelta(days=1), "hours": timedelta(hours=1), "minutes": timedelta(minutes=1)}
    unit = next(name for name, length in units.items() if value > length)
    return f"{value // units[unit]} {unit}"


def list_limits(fields: tuple[FieldSpec, ...], path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield the path, the limits and the meaning of each field that has limits, and of the fields within it."""
    for field in fields:
        name = path + field.name
        inner = field.item.fields if field.item else field.fields
        words = "; ".join(filter(None, (field.limits, ", ".join(field.choices))))
        if words:
            rule = PARTLY_ASSUMED.get(name)
            partly = f"; partly assumed: {rule_link(rule)}" if rule else ""
            yield code(name), prose(words) + partly, prose(field.help)
        if field.item and field.item.limits:
            yield code(f"{name}[]"), prose(field.item.limits), ""
        yield from list_limits(inner, f"{name}{'[]' if field.item else ''}.")
