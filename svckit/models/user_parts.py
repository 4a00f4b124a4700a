"""The objects a user record is made of, as they are changed and as they are read.

A ``…Change`` class is what a request may write; the class without that ending is what a response shows. The
service's description, section "User (request body of the partial update and response body)".
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from svckit.models.base import Flag, Int32, OrAbsent, WireModel, absent
from svckit.models.patterns import KATAKANA, TELEPHONE
from svckit.models.text_lengths import AtMost
from svckit.models.times import WireDateTime

__all__ = [
    "GIVEN_NAME_FIRST",
    "HAN_OR_HANGUL",
    "STATES",
    "WITHOUT_BLANK",
    "BirthdayCalendarType",
    "CustomPropertyLink",
    "Email",
    "Language",
    "LeaveOfAbsence",
    "Messenger",
    "MessengerProtocol",
    "OrgUnit",
    "OrgUnitChange",
    "Telephone",
    "Text50",
    "Text100",
    "UserCustomField",
    "UserCustomFieldChange",
    "UserI18nName",
    "UserName",
    "UserOrganization",
    "UserOrganizationChange",
    "UserRelation",
    "UserRelationChange",
    "display_name",
    "find_state",
]

GIVEN_NAME_FIRST: Final = ("en_US",)
"""The locales whose names begin with the given name."""

WITHOUT_BLANK: Final = ("ko_KR", "zh_CN", "zh_TW")
"""The locales whose names have no blank where they are written in `HAN_OR_HANGUL`."""

HAN_OR_HANGUL: Final = "^[\u3007\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+$"
"""The pattern of a name in Chinese characters or Hangul, for Python and Arrow."""

STATES: Final[Mapping[str, Mapping[str, object]]] = {
    "active": {},
    "on leave": {"leaveOfAbsence": {"isLeaveOfAbsence": True}},
    "pending": {"isPending": True},
    "awaiting": {"isAwaiting": True},
    "suspended": {"isSuspended": True, "suspendedReason": "MASTER"},
    "deleted": {"isDeleted": True},
}
"""The states of users as `find_state` names them, each with the fields that put a user into it."""

Language = Literal["ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW"]
"""The languages the service speaks."""

MessengerProtocol = Literal["MSGR_A", "MSGR_B", "MSGR_C_OLD", "MSGR_C", "CUSTOM"]
"""The messenger networks; ``MSGR_C_OLD`` and ``MSGR_C`` are the same network."""

BirthdayCalendarType = Literal["SOLAR", "LUNAR"]
"""The calendars of birthdays."""

Text50 = Annotated[str, AtMost(50)]
Text80 = Annotated[str, AtMost(80)]
Text100 = Annotated[str, AtMost(100)]
Email = Annotated[str, AtMost(90)]
Katakana = Annotated[str, Field(pattern=KATAKANA), AtMost(100)]
Telephone = Annotated[str, Field(pattern=TELEPHONE), AtMost(100)]


class LeaveOfAbsence(WireModel):
    """A user's leave; only the service writes it."""

    start_time: WireDateTime | None = absent("When the leave begins.")
    end_time: WireDateTime | None = absent("When the leave ends.")
    is_leave_of_absence: OrAbsent[Flag] = absent("Whether the user is on leave.")


class UserName(WireModel):
    """A user's name and its phonetic form."""

    last_name: Text80 | None = absent("Family name.")
    first_name: Text80 | None = absent("Given name.")
    phonetic_last_name: Katakana | None = absent("Family name in katakana.")
    phonetic_first_name: Katakana | None = absent("Given name in katakana.")


class UserI18nName(WireModel):
    """A user's name in a further language."""

    language: OrAbsent[Language] = absent("Language this name is written in.")
    first_name: Text100 | None = absent("Given name in this language.")
    last_name: Text100 | None = absent("Family name in this language.")


class OrgUnitChange(WireModel):
    """A user's place in an organization unit, as a request writes it."""

    org_unit_id: str = Field(description="ID of the organization unit.")
    primary: Flag = Field(description="Whether this is the user's main organization unit.")
    position_id: str | None = absent("ID of the user's position there.")
    is_manager: Flag = Field(default=False, description="Whether the user leads the unit.")
    visible: Flag = Field(default=True, description="Whether the user is shown to others in the unit.")
    use_team_feature: Flag = Field(
        default=True, description="Whether the user takes part in the unit's chat room."
    )


class OrgUnit(OrgUnitChange):
    """A user's place in an organization unit, as a response shows it."""

    org_unit_external_key: Text100 | None = absent("The company's own key for the organization unit.")
    org_unit_name: OrAbsent[str] = absent("Name of the organization unit.")
    org_unit_email: OrAbsent[str] = absent("E-mail address of the organization unit.")
    position_external_key: Text100 | None = absent("The company's own key for the position.")
    position_name: str | None = absent("Name of the position.")


class UserOrganizationChange(WireModel):
    """A domain the user belongs to, as a request writes it."""

    domain_id: Int32 = Field(description="ID of the domain.")
    primary: Flag = Field(description="Whether this is the user's main domain.")
    user_external_key: Text100 | None = absent("The company's own key for the user in this domain.")
    email: OrAbsent[Email] = absent("The user's e-mail address in this domain.")
    level_id: str | None = absent("ID of the user's job level.")
    org_units: OrAbsent[Annotated[list[OrgUnitChange], Field(max_length=30)]] = absent(
        "The organization units the user belongs to in this domain."
    )


class UserOrganization(UserOrganizationChange):
    """A domain the user belongs to, as a response shows it."""

    # A type parameter for it would have pydantic build the whole model when it is imported.
    org_units: OrAbsent[Annotated[list[OrgUnit], Field(max_length=30)]] = absent(  # type: ignore[assignment]
        UserOrganizationChange.model_fields["org_units"].description
    )
    level_external_key: Text100 | None = absent("The company's own key for the job level.")
    level_name: str | None = absent("Name of the job level.")
    executive: OrAbsent[Flag] = absent("Whether the user is an officer.")
    organization_name: OrAbsent[str] = absent("Name of the company.")


class Messenger(WireModel):
    """A user's account with another messenger."""

    protocol: MessengerProtocol = Field(description="Network of the messenger.")
    custom_protocol: OrAbsent[Text100] = absent("Name of the network if the protocol is CUSTOM.")
    messenger_id: Annotated[str, Field(min_length=1), AtMost(100)] = Field(
        description="The user's ID in that network."
    )


class UserCustomFieldChange(WireModel):
    """The value of a custom field, as a request writes it."""

    custom_field_id: str = Field(description="ID of the custom field.")
    value: Text100 | None = absent("Value of the field for this user.")
    link: Annotated[str, AtMost(300)] | None = absent("URL the value links to.")


class UserCustomField(UserCustomFieldChange):
    """The value of a custom field, as a response shows it."""

    custom_field_external_key: Text100 | None = absent("The company's own key for the custom field.")


class CustomPropertyLink(WireModel):
    """The value of a custom property of type LINK."""

    text: Text100 | None = absent("Text shown for the link.")
    link: OrAbsent[Annotated[str, AtMost(300)]] = absent("URL of the link.")


class UserRelationChange(WireModel):
    """A relation to another user, as a request writes it."""

    relation_user_id: OrAbsent[str] = absent("ID of the other user.")
    relation_name: OrAbsent[Text50] = absent("Relation of the other user to this one.")


class UserRelation(UserRelationChange):
    """A relation to another user, as a response shows it."""

    external_key: Text100 | None = absent("The company's own key for the other user.")


def display_name(record: Mapping[str, Any]) -> str | None:
    """Return the display name: family name first, but given name first if the locale is ``en_US``.

    Chinese and Korean names in their own script have no blank, as they are written there.

    Examples:
        >>> display_name({"userName": {"lastName": "Sato", "firstName": "Mina"}, "locale": "ja_JP"})
        'Sato Mina'
        >>> display_name({"userName": {"lastName": "김", "firstName": "철수"}, "locale": "ko_KR"})
        '김철수'
    """
    name = record.get("userName")
    if not name:
        return None
    last, first = name.get("lastName"), name.get("firstName")
    if not (last and first):
        return last or first or None
    locale = record.get("locale")
    if locale in WITHOUT_BLANK and re.match(HAN_OR_HANGUL, last) and re.match(HAN_OR_HANGUL, first):
        return f"{last}{first}"
    return f"{first} {last}" if locale in GIVEN_NAME_FIRST else f"{last} {first}"


def find_state(record: Mapping[str, Any]) -> str:
    """Summarize the user's flags in one word, by our reading of them.

    The result is the first that applies of deleted, suspended, awaiting, pending and on leave, else ``active``.

    Examples:
        >>> find_state({"isSuspended": True, "isPending": True})
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
