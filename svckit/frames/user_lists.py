"""The columns of the long frames of users: one row per item of a list, the keys first.

Each row comes from a record in which the lists on its path are replaced by one item each, so that the paths stay those
of the service's description, section "Resources and their fields". Numbers count the items of a list from 1, in the
service's order; they are the key within a user, because a list may hold the same item twice.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from svckit.frames.column import Column, Record
from svckit.frames.user_columns import LOCALES

__all__ = ["LONG_FRAMES"]

USER = Column("user_id", "string", "userId", "the user")
NUMBER = Column("number", "Int64", "number", "number of the item in the list, from 1")

ORGANIZATIONS = (
    USER,
    NUMBER,
    Column("domain_id", "Int64", "organizations.domainId", "domain ID of the post"),
    Column("primary", "boolean", "organizations.primary", "primary post; the others are concurrent"),
    Column("organization_name", "string", "organizations.organizationName", "company"),
    Column("user_external_key", "string", "organizations.userExternalKey", "the customer's own key there"),
    Column("email", "string", "organizations.email", "e-mail address there"),
    Column("level_id", "string", "organizations.levelId", "job level ID"),
    Column("level_external_key", "string", "organizations.levelExternalKey", "job level's external key"),
    Column("level_name", "string", "organizations.levelName", "job level"),
    Column("executive", "boolean", "organizations.executive", "officer"),
    Column("org_unit_count", "Int64", "organizations.orgUnits[count]", "number of org units of the post"),
)

UNIT = "organizations.orgUnits"
ORG_UNITS = (
    USER,
    Column("organization_number", "Int64", "organizationNumber", "number of the user's post, from 1"),
    Column("number", "Int64", "number", "number of the org unit in the post, from 1"),
    Column("domain_id", "Int64", "organizations.domainId", "domain ID of the post"),
    Column("organization_primary", "boolean", "organizations.primary", "true for the primary post"),
    Column("primary", "boolean", f"{UNIT}.primary", "primary org unit of the post"),
    Column("org_unit_id", "string", f"{UNIT}.orgUnitId", "org unit ID"),
    Column("org_unit_external_key", "string", f"{UNIT}.orgUnitExternalKey", "its external key"),
    Column("org_unit_name", "string", f"{UNIT}.orgUnitName", "its name"),
    Column("org_unit_email", "string", f"{UNIT}.orgUnitEmail", "its e-mail address"),
    Column("position_id", "string", f"{UNIT}.positionId", "position ID there"),
    Column("position_external_key", "string", f"{UNIT}.positionExternalKey", "position's external key"),
    Column("position_name", "string", f"{UNIT}.positionName", "position there"),
    Column("is_manager", "boolean", f"{UNIT}.isManager", "manager there"),
    Column("visible", "boolean", f"{UNIT}.visible", "shown to others there"),
    Column("use_team_feature", "boolean", f"{UNIT}.useTeamFeature", "uses its chat-room feature"),
)

CUSTOM_FIELDS = (
    USER,
    NUMBER,
    Column("custom_field_id", "string", "customFields.customFieldId", "custom field ID"),
    Column("external_key", "string", "customFields.customFieldExternalKey", "its external key"),
    Column("value", "string", "customFields.value", "value for the user"),
    Column("link", "string", "customFields.link", "link for the user"),
)

CUSTOM_PROPERTIES = (
    USER,
    Column("name", "string", "name", "name of the property"),
    Column("number", "Int64", "number", "number of the value, from 1; missing for a single value"),
    Column("text", "string", "text", "text, option, date as YYYY-MM-DD, or label of a link"),
    Column("integer", "Int64", "integer", "whole number"),
    Column("link", "string", "link", "URL of a link"),
)

ALIAS_EMAILS = (USER, NUMBER, Column("alias_email", "string", "aliasEmails", "sub e-mail address"))

I18N_NAMES = (
    USER,
    NUMBER,
    Column("language", "category", "i18nNames.language", "language of the name", LOCALES),
    Column("last_name", "string", "i18nNames.lastName", "family name in it"),
    Column("first_name", "string", "i18nNames.firstName", "given name in it"),
)

RELATIONS = (
    USER,
    NUMBER,
    Column("relation_user_id", "string", "relations.relationUserId", "the other user"),
    Column("relation_name", "string", "relations.relationName", "relation of the other user to this one"),
    Column("external_key", "string", "relations.externalKey", "the customer's own key of the other user"),
)


def items(users: Iterable[Record], field: str) -> Iterator[Record]:
    """Yield the items of a list, each with its user and number.

    Examples:
        >>> list(items([{"userId": "u-001", "aliasEmails": ["a@example.com"]}, {"userId": "u-002"}], "aliasEmails"))
        [{'userId': 'u-001', 'number': 1, 'aliasEmails': 'a@example.com'}]
    """
    for user in users:
        for number, item in enumerate(user.get(field) or (), 1):
            yield {"userId": user.get("userId"), "number": number, field: item}


def org_units(users: Iterable[Record]) -> Iterator[Record]:
    """Yield the org units of all posts, each with its user, post and number."""
    for post in items(users, "organizations"):
        organization = post["organizations"] or {}
        for number, unit in enumerate(organization.get("orgUnits") or (), 1):
            yield {
                **post,
                "organizationNumber": post["number"],
                "number": number,
                "organizations": organization | {"orgUnits": unit},
            }


def properties(users: Iterable[Record]) -> Iterator[Record]:
    """Yield the values of all custom properties, each in the column of its type.

    Examples:
        >>> for row in properties([{"userId": "u-001", "customProperties": {"floor": 3, "tags": ["a", "b"]}}]):
        ...     print(row)
        {'userId': 'u-001', 'name': 'floor', 'number': None, 'integer': 3}
        {'userId': 'u-001', 'name': 'tags', 'number': 1, 'text': 'a'}
        {'userId': 'u-001', 'name': 'tags', 'number': 2, 'text': 'b'}
    """
    for user in users:
        for name, held in (user.get("customProperties") or {}).items():
            values = enumerate(held, 1) if isinstance(held, list) else ((None, held),)
            for number, value in values:
                yield {"userId": user.get("userId"), "name": name, "number": number, **value_cells(value)}


def value_cells(value: object) -> Record:
    """Return the cells for one value of a custom property."""
    if isinstance(value, dict):
        return {"text": value.get("text"), "link": value.get("link")}
    if isinstance(value, int) and not isinstance(value, bool):
        return {"integer": value}
    return {} if value is None else {"text": str(value)}


LONG_FRAMES: Mapping[str, tuple[Sequence[Column], Callable[[Iterable[Record]], Iterator[Record]]]] = {
    "organizations": (ORGANIZATIONS, partial(items, field="organizations")),
    "org_units": (ORG_UNITS, org_units),
    "custom_fields": (CUSTOM_FIELDS, partial(items, field="customFields")),
    "custom_properties": (CUSTOM_PROPERTIES, properties),
    "alias_emails": (ALIAS_EMAILS, partial(items, field="aliasEmails")),
    "i18n_names": (I18N_NAMES, partial(items, field="i18nNames")),
    "relations": (RELATIONS, partial(items, field="relations")),
}
"""The columns of each long frame, and the function from records of users to its records."""
