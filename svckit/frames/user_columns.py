"""The columns of the users frame (the service's description, section "Resources and their fields", User)."""

from svckit.frames.column import Column, Record
from svckit.models.user_columns import ORG_UNIT, ORGANIZATION
from svckit.models.user_parts import display_name

__all__ = ["LISTS", "USERS", "state"]

LOCALES = ("ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW")
STATES = ("active", "on leave", "pending", "awaiting", "suspended", "deleted")


def state(record: Record) -> str:
    """Summarize the user's flags in one word, by our reading of them.

    The result is the first that applies of deleted, suspended, awaiting, pending and on leave, else ``active``.

    Examples:
        >>> state({"isSuspended": True, "isPending": True})
        'suspended'
    """
    get = record.get
    if get("isDeleted"):
        return "deleted"
    if get("isSuspended"):
        return "suspended"
    if get("isAwaiting"):
        return "awaiting"
    if get("isPending"):
        return "pending"
    leave = get("leaveOfAbsence")
    return "on leave" if leave and leave.get("isLeaveOfAbsence") else "active"


def _org_unit_count(record: Record) -> int | None:
    organizations = record.get("organizations")
    if organizations is None:
        return None
    return sum([len(organization.get("orgUnits") or ()) for organization in organizations])


USERS = (
    Column("user_id", "string", "userId", "user ID"),
    Column("display_name", "string", "userName", "name in the locale's order", derive=display_name),
    Column("last_name", "string", "userName.lastName", "family name"),
    Column("first_name", "string", "userName.firstName", "given name"),
    Column("phonetic_last_name", "string", "userName.phoneticLastName", "family name in katakana"),
    Column("phonetic_first_name", "string", "userName.phoneticFirstName", "given name in katakana"),
    Column("nick_name", "string", "nickName", "nickname"),
    Column("email", "string", "email", "login ID, an e-mail address"),
    Column("private_email", "string", "privateEmail", "private e-mail address"),
    Column("alias_emails", "string", "aliasEmails[joined]", "sub e-mail addresses, separated by commas"),
    Column("state", "category", "is…, leaveOfAbsence", "the flags as one word", STATES, derive=state),
    Column("is_administrator", "boolean", "isAdministrator", "domain administrator"),
    Column("is_pending", "boolean", "isPending", "awaiting registration"),
    Column("is_awaiting", "boolean", "isAwaiting", "waiting"),
    Column("is_suspended", "boolean", "isSuspended", "suspended"),
    Column("is_deleted", "boolean", "isDeleted", "deleted"),
    Column("suspended_reason", "category", "suspendedReason", "why suspended", ("MASTER", "LOGIN_FAIL")),
    Column("is_leave_of_absence", "boolean", "leaveOfAbsence.isLeaveOfAbsence", "on leave"),
    Column("leave_start_time", "datetime64[us, UTC]", "leaveOfAbsence.startTime", "start of the leave"),
    Column("leave_end_time", "datetime64[us, UTC]", "leaveOfAbsence.endTime", "end of the leave"),
    Column("organization_name", "string", f"{ORGANIZATION}.organizationName", "company of the primary post"),
    Column("level_id", "string", f"{ORGANIZATION}.levelId", "job level ID"),
    Column("level_external_key", "string", f"{ORGANIZATION}.levelExternalKey", "job level's external key"),
    Column("level_name", "string", f"{ORGANIZATION}.levelName", "job level"),
    Column("executive", "boolean", f"{ORGANIZATION}.executive", "officer"),
    Column("org_unit_id", "string", f"{ORG_UNIT}.orgUnitId", "that org unit's ID"),
    Column(
        "org_unit_external_key", "string", f"{ORG_UNIT}.orgUnitExternalKey", "that org unit's external key"
    ),
    Column("org_unit_name", "string", f"{ORG_UNIT}.orgUnitName", "primary org unit"),
    Column("org_unit_email", "string", f"{ORG_UNIT}.orgUnitEmail", "that org unit's e-mail address"),
    Column("position_id", "string", f"{ORG_UNIT}.positionId", "position ID there"),
    Column("position_external_key", "string", f"{ORG_UNIT}.positionExternalKey", "position's external key"),
    Column("position_name", "string", f"{ORG_UNIT}.positionName", "position there"),
    Column("is_manager", "boolean", f"{ORG_UNIT}.isManager", "manager there"),
    Column(
        "organization_count", "Int64", "organizations[count]", "number of posts, including the primary one"
    ),
    Column(
        "org_unit_count",
        "Int64",
        "organizations.orgUnits",
        "number of org units of all posts",
        derive=_org_unit_count,
    ),
    Column("employee_number", "string", "employeeNumber", "employee number"),
    Column("task", "string", "task", "assigned duty"),
    Column("location", "string", "location", "workplace"),
    Column("telephone", "string", "telephone", "telephone"),
    Column("cell_phone", "string", "cellPhone", "mobile telephone"),
    Column(
        "messenger_protocol",
        "category",
        "messenger.protocol",
        "network of the other messenger",
        ("MSGR_A", "MSGR_B", "MSGR_C_OLD", "MSGR_C", "CUSTOM"),
    ),
    Column("messenger_custom_protocol", "string", "messenger.customProtocol", "its name if CUSTOM"),
    Column("messenger_id", "string", "messenger.messengerId", "ID there"),
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
