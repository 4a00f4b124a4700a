"""Profiles in environment variables: ``SVCKIT_<KEY>``, and ``SVCKIT_<PROFILE>_<KEY>`` for one profile only."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from svckit.display.suggestions import did_you_mean
from svckit.models.secret import Secret
from svckit.profiles.keys import KEYS, Layer, Setting, from_text, variable_word
from svckit.profiles.variables import PREFIX

__all__ = ["Environment"]

CHOICE = "SVCKIT_PROFILE"
WEBHOOK = "WEBHOOK_"
SECRETS = ("client_secret", "refresh_token", "password", "bot_secret", "admin_key")
# For all profiles, these would be the server's own, as for `svckit serve`.
OF_ONE_PROFILE = ("admin_url", "admin_key")
KNOWN = tuple(map(variable_word, (*KEYS, *SECRETS)))
_OF_A_PROFILE = re.compile(r"SVCKIT_([A-Z0-9_]+)_BASE_URL")


@dataclass(frozen=True, slots=True)
class Environment:
    """The environment variables of profiles; an empty variable counts as not set.

    Examples:
        >>> environment = Environment({"SVCKIT_SCOPES": "user", "SVCKIT_WORK_SCOPES": "user,file"})
        >>> environment.layer("work").entries["scopes"]
        Setting(value=('user', 'file'), source='environment variable SVCKIT_WORK_SCOPES')
        >>> environment.layer("school").entries["scopes"].value
        ('user',)

    Attributes:
        variables: all environment variables by name; by default those of this process.
        scoped_secrets: whether only secrets that name the profile are read (see `svckit.profiles.mixtures`).
    """

    variables: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)
    scoped_secrets: bool = False

    @property
    def chosen(self) -> str | None:
        """The profile that ``SVCKIT_PROFILE`` names."""
        return self.variables.get(CHOICE, "").strip() or None

    @property
    def profiles(self) -> list[str]:
        """The profiles whose base URL is set here; ``SVCKIT_BASE_URL`` is that of the chosen one."""
        names = {match[1].lower() for name in self.variables if (match := _OF_A_PROFILE.fullmatch(name))}
        if self.chosen and self.variables.get(f"{PREFIX}BASE_URL"):
            names.add(self.chosen)
        return sorted(name for name in names if self.has(name))

    @property
    def webhooks(self) -> list[str]:
        """The names of the webhooks whose URLs are set for all profiles, as ``SVCKIT_WEBHOOK_<NAME>``."""
        prefix = f"{PREFIX}{WEBHOOK}"
        return [
            name.removeprefix(prefix).lower().replace("_", "-")
            for name, url in sorted(self.variables.items())
            if name.startswith(prefix) and url.strip() and name.removeprefix(PREFIX) not in KNOWN
        ]

    def has(self, profile: str) -> bool:
        """Return whether the environment alone can describe a profile, without a file."""
        if self.variables.get(self.variable(profile, "base_url")):
            return True
        return profile == self.chosen and bool(self.variables.get(f"{PREFIX}BASE_URL"))

    def layer(self, profile: str) -> Layer:
        """Return all values of a profile, each with the variable it comes from, and the problems of invalid ones."""
        layer = Layer("environment")
        for key in KEYS:
            variable = self._find_variable(profile, key)
            if variable is None:
                continue
            source, for_all = f"environment variable {variable}", variable != self.variable(profile, key)
            try:
                layer.entries[key] = Setting(from_text(key, self.variables[variable]), source, for_all)
            except ValueError as error:
                layer.refused.add(key)
                layer.problems.append(f"{source}: {key} {error}")
        return layer

    def secret(self, profile: str, name: str) -> tuple[Secret, str] | None:
        """Return a secret and the variable that holds it."""
        variable = self._find_variable(profile, name)
        if variable is None or variable == self.find_unused(profile, name):
            return None
        return Secret(self.variables[variable].strip()), variable

    def find_unused(self, profile: str, name: str) -> str | None:
        """Return the variable whose secret is for all profiles, if this profile must not use it."""
        variable = self._find_variable(profile, name)
        return variable if self.scoped_secrets and variable != self.variable(profile, name) else None

    def variable(self, profile: str, key: str) -> str:
        """Return the name of the variable that sets a key for one profile only."""
        return f"{PREFIX}{variable_word(profile)}_{variable_word(key)}"

    def _find_variable(self, profile: str, key: str) -> str | None:
        names = [self.variable(profile, key)]
        if key not in OF_ONE_PROFILE:
            names.append(f"{PREFIX}{variable_word(key)}")
        return next((name for name in names if self.variables.get(name, "").strip()), None)

    def find_unknown(
        self, profile: str, others: Iterable[str] = (), webhooks: Iterable[str] = ()
    ) -> list[str]:
        """Describe the variables of a profile that nothing reads, such as misspelled ones.

        Args:
            profile: the name of the profile.
            others: the names of other profiles, whose variables may start with the same words.
            webhooks: the names of the profile's webhook URLs.
        """
        prefix = self.variable(profile, "")
        # [work-2] has variables that start with SVCKIT_WORK_ too.
        longer = tuple(
            other for other in (self.variable(name, "") for name in others) if len(other) > len(prefix)
        )
        known = [*KNOWN, *(WEBHOOK + variable_word(name) for name in webhooks)]
        given = [name.removeprefix(prefix) for name in sorted(self.variables) if name.startswith(prefix)]
        return [
            f"environment variable {prefix}{key}: no such key{did_you_mean(key, known, prefix)}"
            for key in given
            if key not in known and not f"{prefix}{key}".startswith(longer)
        ]
