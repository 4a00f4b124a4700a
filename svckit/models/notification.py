"""Incoming notifications: messages that a POST to an issued URL puts into a chat room."""

import re
from collections.abc import Mapping
from typing import NamedTuple, Self

from pydantic import Field

from svckit.models.base import Integer, OrAbsent, WireModel, absent
from svckit.models.header_values import LONGEST_WAIT, parse_whole_number

__all__ = [
    "MENTION",
    "RATE_HEADERS",
    "Button",
    "Notification",
    "NotificationBody",
    "NotificationReply",
    "RateLimit",
    "mention",
    "mentions",
]

MENTION = re.compile(r'<m userId="([^"<>]+)">')
"""Matches a mention in a text; its group is the user ID."""
_UNMENTIONABLE = re.compile(r'["<>\x00-\x1f\x7f]')


class NotificationBody(WireModel):
    """The body of a notification."""

    text: str = Field(description='Text of the message; mentions people with <m userId="…">.')


class Button(WireModel):
    """A link shown below a notification."""

    label: str = Field(description="Text of the button.")
    url: str = Field(description="URL the button opens.")


class Notification(WireModel):
    """A message for a chat room (the service's description, section "Incoming notification endpoint").

    Examples:
        >>> Notification(title="CI", body=NotificationBody(text="Build is green")).to_wire()
        {'title': 'CI', 'body': {'text': 'Build is green'}}
    """

    title: OrAbsent[str] = absent("Title of the message; if left out, the title in the webhook list.")
    body: NotificationBody = Field(description="Content of the message.")
    button: OrAbsent[Button] = absent("Link shown below the message; if left out, no link is shown.")


class NotificationReply(WireModel):
    """The response of the notification endpoint, on success and on error."""

    fills_missing = True

    code: Integer = Field(description="200 on success, otherwise the number of the error.")
    description: str = Field(description='"success", or what was wrong.')


class RateLimit(NamedTuple):
    """The usage of the notification rate (the service's description, section "Limits").

    Attributes:
        used: calls since the reference time.
        limit: calls allowed until the reset.
        remaining: calls left until the reset.
        reset: seconds until the reset.
    """

    used: int
    limit: int
    remaining: int
    reset: int

    @classmethod
    def from_headers(cls, headers: Mapping[str, str]) -> Self | None:
        """Return the usage that the four headers give; ``None`` unless all are present and whole numbers.

        A number of more than nine digits is ignored: such a reset is a timestamp, not a duration in seconds.

        Args:
            headers: the headers of a response, with names in any case.

        Examples:
            >>> RateLimit.from_headers(RateLimit(used=1, limit=120, remaining=119, reset=60).to_headers())
            RateLimit(used=1, limit=120, remaining=119, reset=60)
            >>> RateLimit.from_headers({"content-type": "application/json"}) is None
            True
        """
        lowered = {name.lower(): value for name, value in headers.items()}
        used, limit, remaining, reset = [
            parse_whole_number(lowered.get(name.lower()), LONGEST_WAIT) for name in RATE_HEADERS
        ]
        if used is None or limit is None or remaining is None or reset is None:
            return None
        return cls(used, limit, remaining, reset)

    def to_headers(self) -> dict[str, str]:
        """Return the four headers.

        Examples:
            >>> RateLimit(used=1, limit=120, remaining=119, reset=60).to_headers()["RateLimit-Reset"]
            '60'
        """
        values = (self.used, self.limit, self.remaining, self.reset)
        return dict(zip(RATE_HEADERS, map(str, values), strict=True))


RATE_HEADERS: Mapping[str, str] = {
    "RateLimit-Used": "Calls since the reference time.",
    "RateLimit-Limit": "Calls allowed until the reset.",
    "RateLimit-Remaining": "Calls left until the reset.",
    "RateLimit-Reset": "Seconds until the reset.",
}
"""What each of the four headers says."""


def mention(user_id: str) -> str:
    """Return the markup that mentions a user in the text of a notification (section "Incoming notification endpoint").

    Args:
        user_id: the user's ID.

    Raises:
        ValueError: the ID is empty or holds a quote, an angle bracket or a control character; the service's
            description shows no way to write those inside the markup.

    Examples:
        >>> mention("u-001") + " please review"
        '<m userId="u-001"> please review'
    """
    if not user_id or _UNMENTIONABLE.search(user_id):
        raise ValueError(
            f"cannot mention {user_id!r}: a user ID in a mention may not be empty or hold "
            '", <, > or control characters; give the ID as the directory shows it'
        )
    return f'<m userId="{user_id}">'


def mentions(text: str) -> list[str]:
    """Return the user IDs that a text mentions, in order, repeated as often as they occur.

    Args:
        text: the text of a notification.

    Examples:
        >>> mentions(f"{mention('u-002')} and {mention('u-001')}: the build is red")
        ['u-002', 'u-001']
    """
    return MENTION.findall(text)
