"""The sample users: each is a pure function of seed and number, so a million of them cost nothing until used."""

import re
from struct import Struct
from typing import Any

from fakes.data.sample_user import One, describe_user, draw_bytes

__all__ = ["MOST_USERS", "Population"]

MOST_USERS = 1_000_000
WORDS = Struct("<16H")

USER_ID = re.compile(r"u-(\d{3,15})")
EMAIL = re.compile(r"[a-z.'-]+\.(\d{3,15})@example\.com")
ALIAS = re.compile(r"[a-z.'-]+(\d{1,15})@example\.com")
EXTERNAL_KEY = re.compile(r"emp-(\d{5,15})")


class Population:
    """The sample users of one seed, numbered from 1.

    Examples:
        >>> people = Population(size=20, seed=0)
        >>> people.user_id(3), people.number("u-003"), people.number("u-021")
        ('u-003', 3, None)
        >>> people.number_by_email(people.record(3)["email"])
        3
    """

    def __init__(self, size: int, seed: int = 0) -> None:
        if not 0 <= size <= MOST_USERS:
            raise ValueError(f"a domain must have 1 to {MOST_USERS} users; given {size}")
        self.size = size
        self.seed = seed

    def user_id(self, number: int) -> str:
        """Return the ID of the user with a number."""
        return f"u-{number:03d}"

    def number(self, user_id: str) -> int | None:
        """Return the number of the user with an ID, or None."""
        match = USER_ID.fullmatch(user_id)
        number = int(match[1]) if match else 0
        return number if 0 < number <= self.size and f"u-{number:03d}" == user_id else None

    def lacks(self, user_id: str) -> bool:
        """Return whether an ID is empty, or has the form of a sample user's whom this sample does not have."""
        return not user_id or (USER_ID.fullmatch(user_id) is not None and self.number(user_id) is None)

    def number_by_email(self, email: str) -> int | None:
        """Return the number of the user with this original e-mail, in any case."""
        number = self._number(EMAIL, email.lower())
        return number if number and self.record(number)["email"] == email.lower() else None

    def number_by_alias(self, email: str) -> int | None:
        """Return the number of the user with this original sub e-mail address, in any case."""
        number = self._number(ALIAS, email.lower())
        return number if number and email.lower() in self.record(number)["aliasEmails"] else None

    def number_by_external_key(self, key: str) -> int | None:
        """Return the number of the user with this original external key."""
        number = self._number(EXTERNAL_KEY, key)
        return number if number and f"emp-{number:05d}" == key else None

    def _number(self, pattern: re.Pattern[str], text: str) -> int | None:
        match = pattern.fullmatch(text)
        number = int(match[1]) if match else 0
        return number if 0 < number <= self.size else None

    def record(self, number: int) -> dict[str, Any]:
        """Return a user as the service returns it: with every field, null if it has no value."""
        return describe_user(number, WORDS.unpack(draw_bytes(self.seed, number)), One)
