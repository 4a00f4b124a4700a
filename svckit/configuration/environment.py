"""Profiles in environment variables: ``SVCKIT_<KEY>``, and ``SVCKIT_<PROFILE>_<KEY>`` for one profile only."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from svckit.configuration.keys import KEYS, Entry, from_text
from svckit.models.secret import Secret

__all__ = ["Environment"]

PREFIX = "SVCKIT_"
CHOICE = "SVCKIT_PROFILE"
_OF_A_PROFILE = re.compile(r"SVCKIT_([A-Z0-9_]+)_BASE_URL")


@dataclass(frozen=True, slots=True)
class Environment:
    """Environment variables, read as those of profiles; an empty variable is one that was cleared.

    Examples:
        >>> environment = Environment({"SVCKIT_SCOPES": "user", "SVCKIT_WORK_SCOPES": "user,file"})
        >>> environment.entry("work", "scopes")
        Entry(value=('user', 'file'), source='environment variable SVCKIT_WORK_SCOPES')
        >>> environment.entry("school", "scopes").value
        ('user',)
    """

    variables: Mapping[str, str] = field(repr=False)

    @classmethod
    def of_process(cls) -> Self:
        """The variables of this process, as they are now."""
        return cls(dict(os.environ))

    @property
    def chosen(self) -> str | None:
        """The profile that ``SVCKIT_PROFILE`` names."""
        return self.variables.get(CHOICE, "").strip() or None

    @property
    def profiles(self) -> list[str]:
        """The profiles that have an address of their own here; by ``SVCKIT_BASE_URL`` the chosen one has."""
        found = {match[1].lower() for name in self.variables if (match := _OF_A_PROFILE.fullmatch(name))}
        if self.chosen and self.variables.get(f"{PREFIX}BASE_URL"):
            found.add(self.chosen)
        return sorted(name for name in found if self.has(name))

    def has(self, profile: str) -> bool:
        """Whether a profile can be made up from here, without a file."""
        if self.variables.get(self.variable(profile, "base_url")):
            return True
        return profile == self.chosen and bool(self.variables.get(f"{PREFIX}BASE_URL"))

    def entry(self, profile: str, key: str) -> Entry | None:
        """The value of a key.

        Raises:
            ValueError: the variable does not hold what the key takes; names the variable.
        """
        variable = self._set(profile, key)
        if variable is None:
            return None
        source = f"environment variable {variable}"
        try:
            return Entry(from_text(key, self.variables[variable]), source)
        except ValueError as wrong:
            raise ValueError(f"{source}: {key} {wrong}") from None

    def entries(self, profile: str) -> tuple[dict[str, Entry], dict[str, str]]:
        """All values of a profile, and by key what is wrong with those that cannot be read."""
        found, problems = {}, {}
        for key in KEYS:
            try:
                entry = self.entry(profile, key)
            except ValueError as wrong:
                problems[key] = str(wrong)
            else:
                if entry is not None:
                    found[key] = entry
        return found, problems

    def secret(self, profile: str, name: str) -> tuple[Secret, str] | None:
        """A secret and the variable that holds it."""
        variable = self._set(profile, name)
        return None if variable is None else (Secret(self.variables[variable].strip()), variable)

    def variable(self, profile: str, key: str) -> str:
        """The variable that holds a key of one profile only."""
        return f"{PREFIX}{_word(profile)}_{_word(key)}"

    def _set(self, profile: str, key: str) -> str | None:
        names = (self.variable(profile, key), f"{PREFIX}{_word(key)}")
        return next((name for name in names if self.variables.get(name, "").strip()), None)


def _word(name: str) -> str:
    return re.sub(r"[^A-Z0-9]", "_", name.upper())
