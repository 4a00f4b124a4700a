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

USER = Column("user_id", "string", "the user")
NUMBER = Column("number", "Int64", "number of the item in the list, from 1")

ORGANIZATIONS = (
    USER,
    NUMBER,
    Column("domain_id", "Int64", "domain ID of the post", "organizations.domainId"),
    Column("primary", "boolean", "primary post; the others are concurrent", "organizations.primary"),
    Column("organization_name", "string", "company", "organizations.organizationName"),
    Column("user_external_key", "string", "the customer's own key there", "organizations.userExternalKey"),
    Column("email", "string", "e-mail address there", "organizations.email"),
    Column("level_id", "string", "job level ID", "organizations.levelId"),
    Column("level_external_key", "string", "job level's external key", "organizations.levelExternalKey"),
    Column("level_name", "string", "job level", "organizations.levelName"),
    Column("executive", "boolean", "officer", "organizations.executive"),
    Column("org_unit_count", "Int64", "number of org units of the post", "organizations.orgUnits[count]"),
)

UNIT = "organizations.orgUnits"
ORG_UNITS = (
    USER,
    Column("organization_number", "Int64", "number of the user's post, from 1"),
    Column("number", "Int64", "number of the org unit in the post, from 1"),
    Column("domain_id", "Int64", "domain ID of the post", "organizations.domainId"),
    Column("organization_primary", "boolean", "true for the primary post", "organizations.primary"),
    Column("primary", "boolean", "primary org unit of the post", f"{UNIT}.primary"),
    Column("org_unit_id", "string", "org unit ID", f"{UNIT}.orgUnitId"),
    Column("org_unit_external_key", "string", "its external key", f"{UNIT}.orgUnitExternalKey"),
    Column("org_unit_name", "string", "its name", f"{UNIT}.orgUnitName"),
    Column("org_unit_email", "string", "its e-mail address", f"{UNIT}.orgUnitEmail"),
    Column("position_id", "string", "position ID there", f"{UNIT}.positionId"),
    Column("position_external_key", "string", "position's external key", f"{UNIT}.positionExternalKey"),
    Column("position_name", "string", "position there", f"{UNIT}.positionName"),
    Column("is_manager", "boolean", "manager there", f"{UNIT}.isManager"),
    Column("visible", "boolean", "shown to others there", f"{UNIT}.visible"),
    Column("use_team_feature", "boolean", "uses its chat-room feature", f"{UNIT}.useTeamFeature"),
)

CUSTOM_FIELDS = (
    USER,
    NUMBER,
    Column("custom_field_id", "string", "custom field ID", "customFields.customFieldId"),
    Column("external_key", "string", "its external key", "customFields.customFieldExternalKey"),
    Column("value", "string", "value for the user", "customFields.value"),
    Column("link", "string", "link for the user", "customFields.link"),
)

CUSTOM_PROPERTIES = (
    USER,
    Column("name", "string", "name of the property"),
    Column("number", "Int64", "number of the value, from 1; missing for a single value"),
    Column("text", "string", "text, option, date as YYYY-MM-DD, or label of a link"),
    Column("integer", "Int64", "whole number"),
    Column("link", "string", "URL of a link"),
)

ALIAS_EMAILS = (USER, NUMBER, Column("alias_email", "string", "sub e-mail address", "aliasEmails"))

I18N_NAMES = (
    USER,
    NUMBER,
    Column("language", "category", "language of the name", "i18nNames.language", LOCALES),
    Column("last_name", "string", "family name in it", "i18nNames.lastName"),
    Column("first_name", "string", "given name in it", "i18nNames.firstName"),
)

RELATIONS = (
    USER,
    NUMBER,
    Column("relation_user_id", "string", "the other user", "relations.relationUserId"),
    Column("relation_name", "string", "relation of the other user to this one", "relations.relationName"),
    Column("external_key", "string", "the customer's own key of the other user", "relations.externalKey"),
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
