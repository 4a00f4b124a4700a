"""The columns of the users frame (the service's description, section "Resources and their fields", User)."""

from svckit.frames import arrow
from svckit.frames.column import Column, Dtype, Record
from svckit.models.user_columns import USER_COLUMNS
from svckit.models.user_parts import STATES, display_name, find_state

__all__ = ["LISTS", "USERS"]

LOCALES = ("ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW")


def _org_unit_count(record: Record) -> int | None:
    organizations = record.get("organizations")
    if organizations is None:
        return None
    return sum([len(organization.get("orgUnits") or ()) for organization in organizations if organization])


def _nested(name: str, dtype: Dtype, meaning: str, categories: tuple[str, ...] = ()) -> Column:
    """Return a column of a part of an object, with the path that tables of users have for it."""
    return Column(name, dtype, USER_COLUMNS[name], meaning, categories)


USERS = (
    Column("user_id", "string", "userId", "user ID"),
    Column(
        "display_name",
        "string",
        "userName",
        "name in the locale's order",
        derive=display_name,
        combine=arrow.join_names,
    ),
    _nested("last_name", "string", "family name"),
    _nested("first_name", "string", "given name"),
    _nested("phonetic_last_name", "string", "family name in katakana"),
    _nested("phonetic_first_name", "string", "given name in katakana"),
    Column("nick_name", "string", "nickName", "nickname"),
    Column("email", "string", "email", "login ID, an e-mail address"),
    Column("private_email", "string", "privateEmail", "private e-mail address"),
    Column("alias_emails", "string", "aliasEmails[joined]", "sub e-mail addresses, separated by commas"),
    Column(
        "state",
        "category",
        "is…, leaveOfAbsence",
        "the flags as one word",
        tuple(STATES),
        derive=find_state,
        combine=arrow.name_states,
    ),
    Column("is_administrator", "boolean", "isAdministrator", "domain administrator"),
    Column("is_pending", "boolean", "isPending", "awaiting registration"),
    Column("is_awaiting", "boolean", "isAwaiting", "waiting"),
    Column("is_suspended", "boolean", "isSuspended", "suspended"),
    Column("is_deleted", "boolean", "isDeleted", "deleted"),
    Column("suspended_reason", "category", "suspendedReason", "why suspended", ("MASTER", "LOGIN_FAIL")),
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
        "organization_count", "Int64", "organizations[count]", "number of posts, including the primary one"
    ),
    Column(
        "org_unit_count",
        "Int64",
        "organizations.orgUnits",
        "number of org units of all posts",
        derive=_org_unit_count,
        combine=arrow.count_units,
    ),
    Column("employee_number", "string", "employeeNumber", "employee number"),
    Column("task", "string", "task", "assigned duty"),
    Column("location", "string", "location", "workplace"),
    Column("telephone", "string", "telephone", "telephone"),
    Column("cell_phone", "string", "cellPhone", "mobile telephone"),
    _nested(
        "messenger_protocol",
        "category",
        "network of the other messenger",
        ("MSGR_A", "MSGR_B", "MSGR_C_OLD", "MSGR_C", "CUSTOM"),
    ),
    _nested("messenger_custom_protocol", "string", "its name if CUSTOM"),
    _nested("messenger_id", "string", "ID there"),
    Column("locale", "category", "locale", "language and country", LOCALES),
    Column("time_zone", "string", "timeZone", "time zone name"),
    Column("birthday_calendar_type", "category", "birthdayCalendarType", "calendar", ("SOLAR", "LUNAR")),
    # A lunar February may have 30 days, which is not a date for pandas.
    Column("birthday", "string", "birthday", "YYYY-MM-DD in that calendar"),
    Column("hired_date", "datetime64[us]", "hiredDate", "date of hiring"),
    Column("activation_date", "datetime64[us, UTC]", "activationDate", "when the account becomes active"),
    Column("searchable", "boolean", "searchable", "appears in suggestions"),
    Column("domain_id", "Int64", "domainId", "domain ID"),
    Column("user_external_key", "string", "userExternalKey", "the customer's own key"),
    Column("employment_type_id", "string", "employmentTypeId", "usage-permission type ID (employment)"),
    Column("employment_type_external_key", "string", "employmentTypeExternalKey", "its external key"),
    Column("employment_type_name", "string", "employmentTypeName", "its name"),
    Column("user_type_id", "string", "userTypeId", "usage-permission type ID (user)"),
    Column("user_type_external_key", "string", "userTypeExternalKey", "its external key"),
    Column("user_type_name", "string", "userTypeName", "its name"),
    Column("user_type_code", "string", "userTypeCode", "its code"),
    Column("i18n_name_count", "Int64", "i18nNames[count]", "number of names in other languages"),
    Column("alias_email_count", "Int64", "aliasEmails[count]", "number of sub e-mail addresses"),
    Column("custom_field_count", "Int64", "customFields[count]", "number of custom fields"),
    Column("custom_property_count", "Int64", "customProperties[count]", "number of custom properties"),
    Column("relation_count", "Int64", "relations[count]", "number of related users"),
)

LISTS = (
    Column("i18n_names", "string", "i18nNames[json]", "names in other languages, as JSON"),
    Column("organizations", "string", "organizations[json]", "posts and their org units, as JSON"),
    Column("custom_fields", "string", "customFields[json]", "custom fields, as JSON"),
    Column("custom_properties", "string", "customProperties[json]", "custom properties by name, as JSON"),
    Column("relations", "string", "relations[json]", "related users, as JSON"),
)
"""The additional columns with ``lists=True``; the others only count the lists, or show a part of them."""
