"""Users of the directory and their profile statuses (the service's description, section "Directory")."""

from collections.abc import Mapping
from datetime import date, datetime
from types import EllipsisType
from typing import Any, TypedDict, Unpack

from svckit.display.suggestions import did_you_mean
from svckit.http.messages import Operation, Request
from svckit.models.base import python_name
from svckit.models.problems import Problem
from svckit.models.status import (
    STATUS_ARGUMENTS,
    AutoReplyMail,
    ProfileStatusId,
    StatusRegistration,
    UserProfileStatus,
)
from svckit.models.user import User, UserChange
from svckit.models.user_parts import (
    BirthdayCalendarType,
    Language,
    Messenger,
    UserCustomFieldChange,
    UserI18nName,
    UserName,
    UserOrganizationChange,
    UserRelationChange,
)
from svckit.operations import checks

__all__ = ["WRITABLE", "UserChanges", "explain_unknown", "read", "set_status", "update"]

Fields = Mapping[str, Any]
WRITABLE = UserChange.model_fields
"""The fields that `update` can change, by their names."""


class UserChanges(TypedDict, total=False):
    """The keywords of `update`: every field of `svckit.models.UserChange`; ``None`` clears where it is allowed."""

    domain_id: int
    user_external_key: str | None
    email: str
    user_name: UserName | Fields
    i18n_names: list[UserI18nName] | list[Fields]
    nick_name: str | None
    private_email: str | None
    alias_emails: list[str]
    employment_type_id: str | None
    user_type_id: str | None
    searchable: bool
    organizations: list[UserOrganizationChange] | list[Fields]
    telephone: str | None
    cell_phone: str | None
    location: str | None
    task: str | None
    messenger: Messenger | Fields | None
    birthday_calendar_type: BirthdayCalendarType | None
    birthday: date | str | None
    locale: Language
    hired_date: date | str | None
    time_zone: str
    custom_fields: list[UserCustomFieldChange] | list[Fields]
    custom_properties: Fields
    relations: list[UserRelationChange] | list[Fields]
    activation_date: datetime | str | None
    employee_number: str | None


def update(user_id: str, **changes: Unpack[UserChanges]) -> Operation[User]:
    """Change a user: only the given fields are sent, and ``None`` clears a field.

    Requests for the same user must follow one another, not overlap (the service's description, section "Directory"),
    so a session sends one at a time for each user, across threads and tasks. Once it has read or changed a user, it
    recognizes the user's e-mail address and external key as well as the ID. Other sessions and ``svc.http`` are not
    coordinated. A nested object or a list is sent whole.

    Args:
        user_id: user ID. That a login e-mail or ``externalKey:<key>`` works too is assumed (rule ``user.addressing``).
        **changes: these fields, by name, such as ``nick_name="Mina"``; ``None`` only where it is named.
        domain_id: ID of the domain the user belongs to. Integer; -2147483648 to 2147483647.
        user_external_key: The company's own key for the user. Text or ``None``; at most 100 characters.
        email: E-mail address of the user, which is also the login ID. Text; at most 90 characters.
        user_name: The user's name and its phonetic form. Object with last_name, first_name, phonetic_last_name,
            phonetic_first_name.
        i18n_names: The user's name in further languages. List of objects with language, first_name, last_name.
        nick_name: Nickname of the user. Text or ``None``; at most 100 characters.
        private_email: The user's own e-mail address outside the company. Text or ``None``; at most 256 characters.
        alias_emails: Further e-mail addresses of the user. List; at most 10 items.
        employment_type_id: ID of the usage-permission type (employmentTypeId). Text or ``None``.
        user_type_id: ID of the usage-permission type (userTypeId). Text or ``None``.
        searchable: Whether the user is suggested to others; true unless set otherwise. ``True`` or ``False``.
        organizations: The domains the user belongs to, the main one and concurrent posts. List of objects with
            domain_id, primary, user_external_key, email, level_id, org_units.
        telephone: Telephone number at work. Text or ``None``; at most 100 characters; digits (at least one), + - * # P
            T p t, parentheses and the ideographic space (U+3000).
        cell_phone: Mobile telephone number. Text or ``None``; at most 100 characters; digits (at least one), + - * # P
            T p t, parentheses and the ideographic space (U+3000).
        location: Place where the user works. Text or ``None``; at most 100 characters.
        task: Responsibilities of the user. Text or ``None``; at most 100 characters.
        messenger: The user's account with another messenger. Object with protocol, custom_protocol, messenger_id or
            ``None``.
        birthday_calendar_type: Calendar of the birthday. ``SOLAR`` or ``LUNAR`` or ``None``.
        birthday: The user's birthday, in the calendar of birthday_calendar_type. Text or ``None``; at most 10
            characters; a day written YYYY-MM-DD.
        locale: Language of the service for the user. ``ja_JP``, ``ko_KR``, ``en_US``, ``zh_CN``, ``zh_TW``.
        hired_date: The day the user joined the company. Date or ``None``; YYYY-MM-DD.
        time_zone: The user's time zone, as Region/City. Text; the name of a time zone in the form Region/City, such as
            Asia/Tokyo.
        custom_fields: Values of the domain's custom fields. List of objects with custom_field_id, value, link; at most
            50 items.
        custom_properties: Values of the domain's custom properties by name; their types follow the definitions. Object.
        relations: Relations to other users. List of objects with relation_user_id, relation_name; at most 10 items.
        activation_date: When the user can start to use the service. Time or ``None``; YYYY-MM-DDThh:mm:ss and then Z or
            ±hh:mm.
        employee_number: The user's number in the company. Text or ``None``; 1 to 20 characters.

    Returns:
        The record after the change.

    Raises:
        InvalidInput: something breaks a limit; the message lists everything that does. Nothing was sent.
        NotFound: no such user (by the rule ``user.not-found``: the description lists 404 without a condition).
        Conflict: the e-mail address or the external key is taken (assumed too: ``user.conflict-condition``).

    Examples:
        >>> request = next(update("u-001", nick_name="Mina", task=None))
        >>> request.method, request.target, request.json
        ('PATCH', '/users/u-001', {'nickName': 'Mina', 'task': None})
    """
    return _patch("users.update", user_id, changes)


def read(user_id: str) -> Operation[User]:
    """Read a user with an empty update, which changes nothing and returns the record.

    The service's description has no operation that only reads.

    Args:
        user_id: user ID. That a login e-mail or ``externalKey:<key>`` works too is assumed (rule ``user.addressing``).

    Returns:
        The record.

    Raises:
        InvalidInput: the ID cannot be part of a URL. Nothing was sent.
        NotFound: no such user.

    Examples:
        >>> next(read("u-001")).json
        {}
    """
    return _patch("users.read", user_id, {})


def _patch(operation: str, user_id: str, changes: UserChanges) -> Operation[User]:
    body = checks.validate(
        UserChange,
        changes,
        operation=operation,
        problems=[explain_unknown(name) for name in changes if name not in WRITABLE],
    )
    response = yield Request(
        operation=operation,
        method="PATCH",
        target=f"/users/{checks.quote_id('user_id', user_id)}",
        json=body,
        repeatable=not changes,  # an empty update changes nothing, however often
        exclusive=f"/users/{user_id}",  # updates of a user must not overlap
    )
    return checks.read(User, response)


def set_status(
    user_id: str,
    profile_status_id: ProfileStatusId,
    message: str | EllipsisType | None = ...,
    *,
    start: datetime | str | EllipsisType | None = ...,
    end: datetime | str | EllipsisType | None = ...,
    auto_reply: AutoReplyMail | Fields | EllipsisType | None = ...,
) -> Operation[UserProfileStatus]:
    """Register a profile status: current, or reserved if `start` and `end` are in the future.

    Only the given arguments are sent (section "Directory"); ``None`` is sent as null.

    Args:
        user_id: user ID. That a login e-mail or ``externalKey:<key>`` works too is assumed (rule ``user.addressing``).
        profile_status_id: ``BUSY``, ``AWAY``, ``LEAVE_OFFICE``, ``ABSENCE``, or ``CUSTOM01`` to ``CUSTOM12``.
        message: text shown beside it, at most 50 characters.
        start: when it begins: an aware ``datetime`` or ``"2026-06-01T09:00:00+09:00"``.
        end: when it ends.
        auto_reply: automatic replies to mail during that time, each at most 300 characters:
            ``{"internal": {"content": "…"}, "external": {"content": "…", "sent_directly_to_me": True}}``.

    Returns:
        The status as the service registered it.

    Raises:
        InvalidInput: something breaks a limit. Nothing was sent.
        Refused: the status is not in use, or the domain's status setting is off.

    Examples:
        >>> next(set_status("u-001", "BUSY", "in a meeting")).json
        {'profileStatusId': 'BUSY', 'statusMessage': 'in a meeting'}
        >>> next(set_status("u-001", "BUSY", end=None)).json
        {'profileStatusId': 'BUSY', 'endTime': None}
    """
    given = {
        "profile_status_id": profile_status_id,
        "status_message": message,
        "start_time": start,
        "end_time": end,
        "auto_reply_mail": auto_reply,
    }
    body = checks.validate(
        StatusRegistration,
        {name: value for name, value in given.items() if value is not ...},
        operation="users.set_status",
        arguments=STATUS_ARGUMENTS,
    )
    response = yield Request(
        operation="users.set_status",
        method="POST",
        target=f"/users/{checks.quote_id('user_id', user_id)}/user-profile-statuses",
        json=body,
    )
    return checks.read(UserProfileStatus, response)


def explain_unknown(name: str) -> Problem:
    """Explain why a name is not a writable field; suggest the nearest one.

    Args:
        name: a name that is not in `WRITABLE`.

    Returns:
        The problem, to report with others.

    Examples:
        >>> explain_unknown("nickname").message
        'nickname is not a field of a user; did you mean nick_name?'
    """
    if python_name(name) in User.model_fields.keys() - WRITABLE:
        return Problem(name, f"{name} is read-only: only the service writes it")
    hint = did_you_mean(python_name(name), WRITABLE) or "; the fields are those of svckit.models.UserChange"
    return Problem(name, f"{name} is not a field of a user{hint}")
