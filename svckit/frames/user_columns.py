"""The columns of the users frame (the service's description, section "Resources and their fields", User).

What a derived column computes is here twice: for one record, and with Arrow for all records at once, without which
each user would become an object.
"""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from svckit.frames.arrow import UNITS, pa, pc
from svckit.frames.column import DAY, TIME, Column, Dtype, Record
from svckit.models.column_paths import USER_COLUMNS
from svckit.models.user_parts import (
    GIVEN_NAME_FIRST,
    HAN_OR_HANGUL,
    STATES,
    WITHOUT_BLANK,
    display_name,
    find_state,
)

__all__ = ["COLUMNS", "LISTS", "USERS"]

LOCALES = ("ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW")


def _org_unit_count(record: Record) -> int | None:
    organizations = record.get("organizations")
    if organizations is None:
        return None
    return sum([len(organization.get("orgUnits") or ()) for organization in organizations if organization])


def _join_names(read: Mapping[str, Any]) -> Any:
    """Return the display names of users, as `display_name` does for one."""
    last, first = (
        pc.if_else(pc.equal(read[path], ""), None, read[path])
        for path in ("userName.lastName", "userName.firstName")
    )
    given_first = pc.is_in(read["locale"], pa.array(GIVEN_NAME_FIRST))
    paired = pc.if_else(given_first, _pair(first, last), _pair(last, first))
    joined = pc.is_in(read["locale"], pa.array(WITHOUT_BLANK))
    for name in (last, first):
        joined = pc.and_(joined, pc.fill_null(pc.match_substring_regex(name, HAN_OR_HANGUL), False))
    paired = pc.if_else(joined, _pair(last, first, ""), paired)
    return pc.coalesce(paired, last, first)


def _pair(one: Any, other: Any, between: str = " ") -> Any:
    return pc.binary_join_element_wise(one, other, between)


def _name_states(read: Mapping[str, Any]) -> Any:
    """Return the states of users, as `find_state` does for one."""
    flags = "isDeleted", "isSuspended", "isAwaiting", "isPending", "leaveOfAbsence.isLeaveOfAbsence"
    return pc.case_when(pc.make_struct(*[read[flag] for flag in flags]), *list(STATES)[::-1])


def _nested(name: str, dtype: Dtype, meaning: str, categories: tuple[str, ...] = ()) -> Column:
    """Return a column of a part of an object, with the path that tables of users have for it."""
    return Column(name, dtype, meaning, USER_COLUMNS[name], categories)


USERS = (
    Column("user_id", "string", "user ID"),
    Column(
        "display_name",
        "string",
        "name in the locale's order",
        "userName",
        derive=display_name,
        combine=_join_names,
    ),
    _nested("last_name", "string", "family name"),
    _nested("first_name", "string", "given name"),
    _nested("phonetic_last_name", "string", "family name in katakana"),
    _nested("phonetic_first_name", "string", "given name in katakana"),
    Column("nick_name", "string", "nickname"),
    Column("email", "string", "login ID, an e-mail address"),
    Column("private_email", "string", "private e-mail address"),
    Column("alias_emails", "string", "sub e-mail addresses, separated by commas", "aliasEmails[joined]"),
    Column(
        "state",
        "category",
        "the flags as one word",
        "is…, leaveOfAbsence",
        tuple(STATES),
        derive=find_state,
        combine=_name_states,
    ),
    Column("is_administrator", "boolean", "domain administrator"),
    Column("is_pending", "boolean", "awaiting registration"),
    Column("is_awaiting", "boolean", "waiting"),
    Column("is_suspended", "boolean", "suspended"),
    Column("is_deleted", "boolean", "deleted"),
    Column("suspended_reason", "category", "why suspended", categories=("MASTER", "LOGIN_FAIL")),
    _nested("is_leave_of_absence", "boolean", "on leave"),
    _nested("leave_start_time", "datetime64[us, UTC]", "start of the leave"),
    _nested("leave_end_time", "datetime64[us, UTC]", "end of the leave"),
    _nested("organization_name", "string", "company of the primary post"),
    _nested("level_id", "string", "job level ID"),
    _nested("level_external_key", "string", "job level's external key"),
    _nested("level_name", "string", "job level"),
    _nested("executive", "boolean", "officer"),
    _nested("org_unit_id", "string", "that org unit's ID"),
    _nested("org_unit_external_key", "string", "that org unit's external key"),
    _nested("org_unit_name", "string", "primary org unit"),
    _nested("org_unit_email", "string", "that org unit's e-mail address"),
    _nested("position_id", "string", "position ID there"),
    _nested("position_external_key", "string", "position's external key"),
    _nested("position_name", "string", "position there"),
    _nested("is_manager", "boolean", "manager there"),
    Column(
        "organization_count", "Int64", "number of posts, including the primary one", "organizations[count]"
    ),
    Column(
        "org_unit_count",
        "Int64",
        "number of org units of all posts",
        "organizations.orgUnits",
        derive=_org_unit_count,
        combine=itemgetter(UNITS),
    ),
    Column("employee_number", "string", "employee number"),
    Column("task", "string", "assigned duty"),
    Column("location", "string", "workplace"),
    Column("telephone", "string", "telephone"),
    Column("cell_phone", "string", "mobile telephone"),
    _nested(
        "messenger_protocol",
        "category",
        "network of the other messenger",
        ("MSGR_A", "MSGR_B", "MSGR_C_OLD", "MSGR_C", "CUSTOM"),
    ),
    _nested("messenger_custom_protocol", "string", "its name if CUSTOM"),
    _nested("messenger_id", "string", "ID there"),
    Column("locale", "category", "language and country", categories=LOCALES),
    Column("time_zone", "string", "time zone name"),
    Column("birthday_calendar_type", "category", "calendar", categories=("SOLAR", "LUNAR")),
    # A lunar February may have 30 days, which is not a date for pandas.
    Column("birthday", "string", "YYYY-MM-DD in that calendar"),
    Column("hired_date", DAY, "date of hiring"),
    Column("activation_date", TIME, "when the account becomes active"),
    Column("searchable", "boolean", "appears in suggestions"),
    Column("domain_id", "Int64", "domain ID"),
    Column("user_external_key", "string", "the customer's own key"),
    Column("employment_type_id", "string", "usage-permission type ID (employment)"),
    Column("employment_type_external_key", "string", "its external key"),
    Column("employment_type_name", "string", "its name"),
    Column("user_type_id", "string", "usage-permission type ID (user)"),
    Column("user_type_external_key", "string", "its external key"),
    Column("user_type_name", "string", "its name"),
    Column("user_type_code", "string", "its code"),
    Column("i18n_name_count", "Int64", "number of names in other languages", "i18nNames[count]"),
    Column("alias_email_count", "Int64", "number of sub e-mail addresses", "aliasEmails[count]"),
    Column("custom_field_count", "Int64", "number of custom fields", "customFields[count]"),
    Column("custom_property_count", "Int64", "number of custom properties", "customProperties[count]"),
    Column("relation_count", "Int64", "number of related users", "relations[count]"),
)

LISTS = (
    Column("i18n_names", "string", "names in other languages, as JSON", "i18nNames[json]"),
    Column("organizations", "string", "posts and their org units, as JSON", "organizations[json]"),
    Column("custom_fields", "string", "custom fields, as JSON", "customFields[json]"),
    Column("custom_properties", "string", "custom properties by name, as JSON", "customProperties[json]"),
    Column("relations", "string", "related users, as JSON", "relations[json]"),
)
"""The additional columns with ``lists=True``; the others only count the lists, or show a part of them."""

COLUMNS = {column.name: column for column in (*USERS, *LISTS)}
"""All columns of users, by name."""
