"""From a profile's name to the profile: environment before project file before user file, key by key.

What must not be mixed is in `svckit.profiles.mixtures`.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from svckit.addresses import is_loopback, locate
from svckit.display.suggestions import did_you_mean
from svckit.errors import UnusableProfile
from svckit.profiles.environment import Environment
from svckit.profiles.keys import KEYS, Setting, variable_word
from svckit.profiles.mixtures import (
    URLS,
    Layer,
    find_mixtures,
    is_fake,
    is_projects,
)
from svckit.profiles.profiles import Profile
from svckit.profiles.toml_file import (
    EXAMPLE,
    Section,
    project_file,
    read,
    search_paths,
    user_file,
)

__all__ = ["FAKE", "Configuration"]

FAKE = "fake"


class Configuration:
    """All profiles that are described, and what is wrong with each.

    Args:
        files: the sections of each file, the nearest file first.
        environment: the environment variables.
        searched: where files were looked for.
        unread: files that are there and were not read, because a nearer one is.

    Examples:
        >>> configuration = Configuration([], Environment({
        ...     "SVCKIT_PROFILE": "ci", "SVCKIT_BASE_URL": "https://api.example.com/v1"}))
        >>> configuration.names
        ['ci']
        >>> configuration.profile("ci")
        Traceback (most recent call last):
        ...
        svckit.errors.UnusableProfile: the profile 'ci' cannot be used:
          auth_url is missing ...
    """

    def __init__(
        self,
        files: Sequence[Mapping[str, Section]],
        environment: Environment,
        searched: Sequence[Path] = (),
        unread: Sequence[Path] = (),
    ) -> None:
        self._files = files
        self._unread = tuple(unread)
        self._searched = tuple(searched)
        self.environment = environment

    @classmethod
    def load(cls, folder: Path | None = None, variables: Mapping[str, str] | None = None) -> Self:
        """Read the files that are there, of a project's folder and of the user, and the environment.

        Args:
            folder: where to look for the project's file, and above; left out, the current folder.
            variables: environment variables; left out, those of this process.

        Raises:
            UnusableProfile: a file cannot be read.
        """
        try:
            home = Path.home()
        except RuntimeError:  # there is none
            home = Path(os.sep)
        folder, own = folder or Path.cwd(), user_file()
        nearest = project_file(folder, home)
        paths = [path for path in dict.fromkeys((nearest, own)) if path is not None and path.exists()]
        places = search_paths(folder, home)
        return cls(
            [read(path, is_projects=path != own) for path in paths],
            Environment(os.environ if variables is None else variables),
            tuple(dict.fromkeys([*places, own])),
            tuple(path for path in places if path not in paths and path.exists()),
        )

    @property
    def chosen(self) -> str:
        """The profile to take where none is named: that of ``SVCKIT_PROFILE``, else the fake."""
        return self.environment.chosen or FAKE

    @property
    def names(self) -> list[str]:
        """The profiles that are described somewhere, sorted."""
        described = {name for sections in self._files for name in sections}
        words = {variable_word(name) for name in described}
        others = {name for name in self.environment.profiles if variable_word(name) not in words}
        return sorted((described | others) - {FAKE})

    def entries(self, name: str) -> dict[str, Setting]:
        """What is said about a profile: by key, the value that counts, and where it comes from."""
        found: dict[str, Setting] = {}
        for layer in reversed(self._list_layers(name)):
            found |= layer.entries
        return {key: found[key] for key in KEYS if key in found}

    def problems(self, name: str) -> list[str]:
        """All that is wrong with a profile; empty where it can be used."""
        found = [problem for section in self._find_sections(name) for problem in section.problems]
        refused = self.environment.entries(name)[1]
        found += refused.values()
        entries = self.entries(name)
        webhooks = entries["webhooks"].value if "webhooks" in entries else ()
        found += self.environment.find_unknown(
            name, self.names, webhooks if isinstance(webhooks, tuple) else ()
        )
        there = {*entries, *refused}.union(*(section.refused for section in self._find_sections(name)))
        own = self.environment.variable
        missing = [
            f"{key} is missing ({about.about}); set it in svckit.toml below [{name}], or as {own(name, key)}"
            for key, about in KEYS.items()
            if about.required and key not in there
        ]
        layers = self._list_layers(name)
        found += [*missing, self._hidden] if missing and self._unread else missing
        found += self._find_namesakes(name) + find_mixtures(name, layers)
        return found + _find_unsafe_urls(entries, self.environment.variable(name, "fake"), is_fake(layers))

    def list_fake_problems(self) -> list[str]:
        """What is wrong with a section ``[fake]``: the fake in process is described nowhere, so it has no effect."""
        return [section.problems[0] for section in self._find_sections(FAKE)]

    def check_known(self, name: str) -> None:
        """Hold a name to those that are described.

        Raises:
            UnusableProfile: it is none of them; tells the nearest.
        """
        if name != FAKE and not self._find_sections(name) and not self.environment.has(name):
            known = [FAKE, *self.names]
            there = f"there {'is' if len(known) == 1 else 'are'}: {', '.join(known)}"
            problem = f"there is no profile {name!r}{did_you_mean(name, known)}; {there}".replace("?;", "?")
            hidden = f" {self._hidden}." if self._unread else ""
            raise UnusableProfile(f"{problem.rstrip('.')}.{hidden} {self.where}", [problem])

    @property
    def _hidden(self) -> str:
        """Name the files that were not read."""
        files = ", ".join(map(str, self._unread))
        return f"Not read, because only the nearest svckit.toml of a project is: {files}"

    @property
    def where(self) -> str:
        """Where profiles are described, with an example."""
        paths = "".join(f"\n  {path}" for path in self._searched)
        looked_for = f"svckit.toml, which is looked for at{paths}\n" if paths else "svckit.toml "
        return f"Profiles are sections of {looked_for}such as\n\n{EXAMPLE}"

    def profile(self, name: str) -> Profile:
        """The profile of a name.

        Raises:
            UnusableProfile: there is none, or it is not whole; says all that is wrong.
        """
        self.check_known(name)
        problems = self.problems(name)
        if problems:
            listed = f" {problems[0]}" if len(problems) == 1 else "".join(f"\n  {each}" for each in problems)
            raise UnusableProfile(f"the profile {name!r} cannot be used:{listed}", problems)
        given = {key: entry.value for key, entry in self.entries(name).items()}
        given.pop("login_id", None)
        return Profile(name=name, is_fake=bool(given.pop("fake", False)), **given)  # type: ignore[arg-type]  # by kind

    def login_id(self, name: str) -> str | None:
        """Whom a program signs in to a fake of this name."""
        entry = self.entries(name).get("login_id")
        return None if entry is None else str(entry.value)

    def environment_of(self, name: str) -> Environment:
        """Return the environment as far as a profile may have it.

        Where a project's file alone says where the profile is, secrets that are set for all profiles are not for it.
        """
        return replace(self.environment, scoped_secrets=is_projects(self._list_layers(name)))

    def _find_namesakes(self, name: str) -> list[str]:
        """List the other profiles whose variables, and so whose secrets, are those of this one."""
        variables = self.environment.variable(name, "")
        return [
            f"[{name}] and [{other}] are two profiles, and the variables of both begin with {variables}, so a secret "
            "that is set for one would go to the other: give one of them another name"
            for other in self.names
            if other != name and variable_word(other) == variable_word(name) and self._find_sections(name)
        ]

    def _find_sections(self, name: str) -> list[Section]:
        return [sections[name] for sections in self._files if name in sections]

    def _list_layers(self, name: str) -> list[Layer]:
        """What each source says of a profile, the nearest first."""
        files = [
            Layer("project" if section.is_projects else "user", section.entries)
            for section in self._find_sections(name)
        ]
        return [Layer("environment", self.environment.entries(name)[0]), *files]


def _find_unsafe_urls(entries: Mapping[str, Setting], variable: str, has_fake: bool) -> list[str]:
    """List URLs that cannot be, or to which secrets would travel in the clear."""
    found = []
    for key in URLS:
        if key not in entries:
            continue
        entry = entries[key]
        try:
            origin, path = locate(str(entry.value))
        except ValueError as unreadable:
            found.append(f"{entry.source} {key}: {unreadable}")
            continue
        if "?" in path:
            found.append(f"{entry.source} {key}: an address of a service has no query")
        if origin.scheme == "http" and not has_fake and not is_loopback(origin.host):
            found.append(
                f"{entry.source} {key}: secrets would travel in the clear; take https (or, for a fake of yours, set "
                f"{variable}=true)"
            )
    return found
