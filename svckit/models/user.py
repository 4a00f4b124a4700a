"""Users of the directory, as they are changed and as they are read.

A ``…Change`` class is what a request may write. The class without that ending is what a response shows: it
has the same fields and those that only the service writes. Everything here is in the service's description,
section "User (request body of the partial update and response body)".
"""

import json
import re
from datetime import date
from typing import Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    JsonValue,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    field_validator,
)
from pydantic_core import PydanticSerializationError

from svckit.models.base import FROM_JSON, Flag, Int32, OrAbsent, WireModel, absent
from svckit.models.patterns import DAY, TIME_ZONE
from svckit.models.record_card import Groups, ServiceRecord
from svckit.models.text_lengths import AtMost
from svckit.models.times import WireDate, WireDateTime, parse_date, time_zones
from svckit.models.user_parts import (
    BirthdayCalendarType,
    Email,
    Language,
    LeaveOfAbsence,
    Messenger,
    Telephone,
    Text50,
    Text100,
    UserCustomField,
    UserCustomFieldChange,
    UserI18nName,
    UserName,
    UserOrganization,
    UserOrganizationChange,
    UserRelation,
    UserRelationChange,
)

__all__ = ["Birthday", "TimeZone", "User", "UserChange", "parse_birthday"]

_LUNAR = re.compile(r"(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|30)")

TimeZone = Annotated[str, Field(pattern=TIME_ZONE)]


def parse_birthday(value: str | date) -> date | str:
    """Read a birthday, ``YYYY-MM-DD``.

    Any month of a lunar calendar has 29 or 30 days. So ``1990-02-30`` is a valid day there. It stays text,
    because ``datetime.date`` only knows the solar calendar.

    Raises:
        ValueError: the text has another shape, or neither calendar has such a day.

    Examples:
        >>> parse_birthday("1990-02-28"), parse_birthday("1990-02-30")
        (datetime.date(1990, 2, 28), '1990-02-30')
        >>> parse_birthday("1990-02-31")
        Traceback (most recent call last):
        ...
        ValueError: must be a date written YYYY-MM-DD, such as 2026-06-01; given '1990-02-31', which does not exist
    """
    try:
        return parse_date(value)
    except ValueError:
        if isinstance(value, str) and _LUNAR.fullmatch(value):
            return value
        raise


Birthday = Annotated[
    date | str,
    PlainValidator(parse_birthday),
    PlainSerializer(str, when_used="json"),
    WithJsonSchema({"type": "string", "pattern": DAY, "maxLength": 10}),
]
"""A birthday, ``YYYY-MM-DD``: a ``date``, or text for a day that only a lunar calendar has."""


def _check_time_zone(name: str) -> str:
    """Refuse a name that the time zone database does not have."""
    if name not in time_zones():
        raise ValueError(
            f"must be a name of the time zone database (package tzdata), such as Asia/Tokyo; given {name[:40]!r}"
        )
    return name


# By default NaN would be written as null; kept, it is refused below.
_ANY: TypeAdapter[Any] = TypeAdapter(Any, config=ConfigDict(ser_json_inf_nan="constants", defer_build=True))


def _convert_to_json(value: Any, validate: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    """Convert dates and links from Python to their wire form; keep an object from JSON text as it is."""
    if info.context is FROM_JSON and isinstance(value, dict):
        return value
    try:
        written = _ANY.dump_python(value, mode="json", by_alias=True, exclude_unset=True)
        json.dumps(written, allow_nan=False)
    except (PydanticSerializationError, ValueError) as error:
        raise ValueError(f"must contain only JSON values, dates and links: {error}") from None
    return validate(written)


class UserChange(WireModel):
    """The body of a partial update: every field that can be written, none required.

    Only the given fields are sent. ``None`` clears a nullable field; other fields refuse it. A time zone's name
    must be in the time zone database of the package ``tzdata`` (a reading: the description does not show which names
    the service knows). A birthday may be a day that only a lunar calendar has, such as 1990-02-30, unless the same
    change says SOLAR (also a reading: only the form YYYY-MM-DD is shown).

    Examples:
        >>> UserChange(nick_name="Mina", task=None).to_wire()
        {'nickName': 'Mina', 'task': None}
    """

    domain_id: OrAbsent[Int32] = absent("ID of the domain the user belongs to.")
    user_external_key: Text100 | None = absent("The company's own key for the user.")
    email: OrAbsent[Email] = absent("E-mail address of the user, which is also the login ID.")
    user_name: OrAbsent[UserName] = absent("The user's name and its phonetic form.")
    i18n_names: OrAbsent[list[UserI18nName]] = absent("The user's name in further languages.")
    nick_name: Text100 | None = absent("Nickname of the user.")
    private_email: Annotated[str, AtMost(256)] | None = absent(
        "The user's own e-mail address outside the company."
    )
    alias_emails: OrAbsent[Annotated[list[str], Field(max_length=10)]] = absent(
        "Further e-mail addresses of the user."
    )
    employment_type_id: str | None = absent("ID of the usage-permission type (employmentTypeId).")
    user_type_id: str | None = absent("ID of the usage-permission type (userTypeId).")
    searchable: OrAbsent[Flag] = Field(
        default=None,
        description="Whether the user is suggested to others; true unless set otherwise.",
        json_schema_extra={"default": True},
    )
    organizations: OrAbsent[list[UserOrganizationChange]] = absent(
        "The domains the user belongs to, the main one and concurrent posts."
    )
    telephone: Telephone | None = absent("Telephone number at work.")
    cell_phone: Telephone | None = absent("Mobile telephone number.")
    location: Text100 | None = absent("Place where the user works.")
    task: Text100 | None = absent("Responsibilities of the user.")
    messenger: Messenger | None = absent("The user's account with another messenger.")
    birthday_calendar_type: BirthdayCalendarType | None = absent("Calendar of the birthday.")
    birthday: Birthday | None = absent("The user's birthday, in the calendar of birthday_calendar_type.")
    locale: OrAbsent[Language] = absent("Language of the service for the user.")
    hired_date: WireDate | None = absent("The day the user joined the company.")
    time_zone: OrAbsent[Annotated[TimeZone, AfterValidator(_check_time_zone)]] = absent(
        "The user's time zone, as Region/City."
    )
    custom_fields: OrAbsent[Annotated[list[UserCustomFieldChange], Field(max_length=50)]] = absent(
        "Values of the domain's custom fields."
    )
    custom_properties: OrAbsent[Annotated[dict[str, JsonValue], WrapValidator(_convert_to_json)]] = absent(
        "Values of the domain's custom properties by name; their types follow the definitions."
    )
    relations: OrAbsent[Annotated[list[UserRelationChange], Field(max_length=10)]] = absent(
        "Relations to other users."
    )
    activation_date: WireDateTime | None = absent("When the user can start to use the service.")
    employee_number: Annotated[str, Field(min_length=1), AtMost(20)] | None = absent(
        "The user's number in the company."
    )

    @field_validator("birthday")
    @classmethod
    def _check_calendar(cls, birthday: date | str | None, info: ValidationInfo) -> date | str | None:
        if isinstance(birthday, str) and info.data.get("birthday_calendar_type") == "SOLAR":
            raise ValueError(
                f"must be a day of the solar calendar, because birthdayCalendarType is SOLAR; given {birthday!r}, "
                "which only a lunar calendar has"
            )
        return birthday


def _get_description(field: str) -> str | None:
    return UserChange.model_fields[field].description


class User(UserChange, ServiceRecord):
    """A user, as a response shows it.

    ``suspendedReason`` is any text: the description names two values and says there may be others. Values in a
    response may exceed the other limits too, such as a nickname that is older than its limit.

    Examples:
        >>> User.from_wire('{"domainId": 1, "email": "mina@example.com", "userName": {}, "nickName": null}')
        User
          email      mina@example.com
          domain_id  1
          empty      user_name, nick_name
    """

    id_field: ClassVar[str] = "user_id"
    first_fields: ClassVar[tuple[str, ...]] = ("userName", "nickName", "email")
    field_groups: ClassVar[Groups] = (
        "userName",
        (
            "Contact",
            ("email", "telephone", "cellPhone", "location", "privateEmail", "aliasEmails", "messenger"),
        ),
        ("Personal", ("nickName", "birthdayCalendarType", "birthday", "locale", "timeZone", "i18nNames")),
        (
            "Work",
            (
                *("employeeNumber", "hiredDate", "task"),
                *("employmentTypeId", "employmentTypeExternalKey", "employmentTypeName"),
                *("userTypeId", "userTypeExternalKey", "userTypeName", "userTypeCode"),
            ),
        ),
        ("Organizations", ("organizations", "relations")),
        (
            "Account",
            (
                *("userId", "userExternalKey", "domainId", "isAdministrator", "isPending", "isAwaiting"),
                *("isSuspended", "suspendedReason", "isDeleted", "activationDate"),
                *("searchable", "leaveOfAbsence"),
            ),
        ),
        ("Further", ("customFields", "customProperties")),
    )

    domain_id: Int32 = Field(description=_get_description("domain_id"))
    email: Email = Field(description=_get_description("email"))
    user_name: UserName = Field(description=_get_description("user_name"))
    # Type parameters for these would have pydantic build the whole model when it is imported.
    organizations: OrAbsent[list[UserOrganization]] = absent(  # type: ignore[assignment]
        _get_description("organizations")
    )
    custom_fields: OrAbsent[Annotated[list[UserCustomField], Field(max_length=50)]] = absent(  # type: ignore[assignment]
        _get_description("custom_fields")
    )
    relations: OrAbsent[Annotated[list[UserRelation], Field(max_length=10)]] = absent(  # type: ignore[assignment]
        _get_description("relations")
    )
    # A record must be readable whatever version of the time zone database the service has.
    time_zone: OrAbsent[TimeZone] = absent(_get_description("time_zone"))

    user_id: OrAbsent[str] = absent("ID of the user.")
    is_administrator: OrAbsent[Flag] = absent("Whether the user administers the domain.")
    is_pending: OrAbsent[Flag] = absent("Whether the user has yet to register.")
    is_suspended: OrAbsent[Flag] = absent("Whether the user is suspended.")
    is_deleted: OrAbsent[Flag] = absent("Whether the user is deleted.")
    is_awaiting: OrAbsent[Flag] = absent("Whether the user is waiting.")
    leave_of_absence: OrAbsent[LeaveOfAbsence] = absent("The user's leave.")
    suspended_reason: str | None = Field(
        default=None, description="Why the user is suspended.", examples=["MASTER", "LOGIN_FAIL"]
    )
    employment_type_external_key: Text100 | None = absent(
        "The company's own key for the usage-permission type (employmentTypeId)."
    )
    employment_type_name: str | None = absent("Name of the usage-permission type (employmentTypeId).")
    user_type_external_key: Text100 | None = absent(
        "The company's own key for the usage-permission type (userTypeId)."
    )
    user_type_name: str | None = absent("Name of the usage-permission type (userTypeId).")
    user_type_code: Text50 | None = absent("Code of the usage-permission type (userTypeId).")

    @field_validator("birthday")
    @classmethod
    def _check_calendar(cls, birthday: date | str | None, info: ValidationInfo) -> date | str | None:
        return birthday
