"""Find a profile by its name: for each key, in the environment, then the project's file, then the user's.

`svckit.profiles.mixtures` says which sources must not be mixed.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from svckit.addresses import is_loopback, locate
from svckit.display.suggestions import did_you_mean
from svckit.errors import UnusableProfile
from svckit.profiles.environment import Environment
from svckit.profiles.keys import KEYS, URLS, Layer, Setting, variable_word
from svckit.profiles.mixtures import find_mixtures, is_fake, is_projects
from svckit.profiles.profiles import NEEDED_TO_SIGN_IN, Profile
from svckit.profiles.toml_file import EXAMPLE, find_project_file, read, search_paths, user_file
from svckit.profiles.variables import TAKEN

__all__ = ["FAKE", "Configuration"]

FAKE = "fake"
ADMIN_URL = "admin_url"


@dataclass(frozen=True, eq=False, repr=False)
class Configuration:
    """All profiles that are described, and the problems of each.

    Attributes:
        files: the sections of each file, the nearest file first.
        environment: the environment variables.
        searched: the paths where files were looked for.
        unread: existing files that were not read because there is a nearer one.

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

    files: Sequence[Mapping[str, Layer]]
    environment: Environment
    searched: Sequence[Path] = ()
    unread: Sequence[Path] = ()

    @classmethod
    def load(cls) -> Self:
        """Read the project's file, in the current folder or above, the user's file and the environment.

        Raises:
            UnusableProfile: a file cannot be read.
        """
        try:
            home = Path.home()
        except RuntimeError:  # no home folder
            home = Path(os.sep)
        folder, own = Path.cwd(), user_file()
        nearest = find_project_file(folder, home)
        paths = [path for path in dict.fromkeys((nearest, own)) if path is not None and path.exists()]
        places = search_paths(folder, home)
        return cls(
            [read(path, "user" if path == own else "project") for path in paths],
            Environment(os.environ),
            searched=tuple(dict.fromkeys([*places, own])),
            unread=tuple(path for path in places if path not in paths and path.exists()),
        )

    @property
    def chosen(self) -> str:
        """The profile to use when none is named: that of ``SVCKIT_PROFILE``, else the fake."""
        return self.environment.chosen or FAKE

    @property
    def names(self) -> list[str]:
        """The names of all described profiles, sorted."""
        described = {name for sections in self.files for name in sections}
        words = {variable_word(name) for name in described}
        others = {name for name in self.environment.profiles if variable_word(name) not in words}
        return sorted((described | others) - {FAKE})

    def entries(self, name: str) -> dict[str, Setting]:
        """Return the effective value of each key of a profile, and its source."""
        merged: dict[str, Setting] = {}
        for layer in reversed(self._list_layers(name)):
            merged |= layer.entries
        return {key: merged[key] for key in KEYS if key in merged}

    def problems(self, name: str, *, missing: bool = True) -> list[str]:
        """List everything that is wrong with a profile; empty if it can be used.

        Args:
            name: the name of the profile.
            missing: whether to list required keys that are missing.
        """
        environment, *sections = layers = self._list_layers(name)
        problems = [problem for section in sections for problem in section.problems]
        if variable_word(name) == TAKEN:
            problems.append(
                f"the name {name!r} is taken: variables that start with SVCKIT_{TAKEN}_ set the options of "
                "`svckit serve`; give the profile another name"
            )
        problems += environment.problems
        entries = self.entries(name)
        webhooks = entries["webhooks"].value if "webhooks" in entries else None
        listed = webhooks if isinstance(webhooks, tuple) else ()
        problems += self.environment.find_unknown(name, self.names, listed)
        present = {*entries}.union(*(layer.refused for layer in layers))
        variable = self.environment.variable
        absent = [
            f"{key} is missing ({about.about}); set it in svckit.toml under [{name}], or as {variable(name, key)}"
            for key, about in KEYS.items()
            if missing and about.required and key not in present
        ]
        problems += [*absent, self._hidden] if absent and self.unread else absent
        problems += self._find_namesakes(name) + find_mixtures(name, layers)
        return problems + _find_unsafe_urls(entries, variable(name, "fake"), is_fake(layers))

    def list_fake_problems(self) -> list[str]:
        """List problems of a section ``[fake]``; it has no effect, as the in-process fake needs no description."""
        return [section.problems[0] for section in self._find_sections(FAKE)]

    def check_known(self, name: str) -> None:
        """Check that a profile with a name is described.

        Raises:
            UnusableProfile: no such profile; names the nearest.
        """
        if name != FAKE and not self._find_sections(name) and not self.environment.has(name):
            names = [FAKE, *self.names]
            listing = f"there {'is' if len(names) == 1 else 'are'}: {', '.join(names)}"
            # The suggestion, if any, ends as a question.
            problem = f"no profile {name!r}{did_you_mean(name, names)}; {listing}".replace("?;", "?")
            hidden = f" {self._hidden}." if self.unread else ""
            raise UnusableProfile(f"{problem.rstrip('.')}.{hidden} {self.where}", [problem])

    @property
    def _hidden(self) -> str:
        """A sentence that names the files that were not read."""
        files = ", ".join(map(str, self.unread))
        return f"Not read, because only the nearest svckit.toml of a project is: {files}"

    @property
    def where(self) -> str:
        """The places where profiles are described, with an example."""
        paths = "".join(f"\n  {path}" for path in self.searched)
        looked_for = f"svckit.toml, which svckit looks for at{paths}\n" if paths else "svckit.toml "
        return f"Profiles are sections of {looked_for}such as\n\n{EXAMPLE}"

    def profile(self, name: str) -> Profile:
        """Return the profile with a name. If it has ``webhook_url``, what only a sign-in needs may be missing.

        Raises:
            UnusableProfile: no such profile, or it cannot be used; lists all problems.
        """
        self.check_known(name)
        values = {key: entry.value for key, entry in self.entries(name).items()}
        if self.problems(name, missing="webhook_url" not in values):
            problems = self.problems(name)
            listed = (
                f" {problems[0]}" if len(problems) == 1 else "".join(f"\n  {problem}" for problem in problems)
            )
            raise UnusableProfile(f"the profile {name!r} cannot be used:{listed}", problems)
        values.pop("login_id", None)
        statuses = values.pop("renew_on", None)
        numbers = {"renew_on": tuple(map(int, statuses))} if isinstance(statuses, tuple) else {}
        missing = {key: () if key == "scopes" else "" for key in NEEDED_TO_SIGN_IN if key not in values}
        return Profile(name=name, is_fake=bool(values.pop("fake", False)), **values, **missing, **numbers)  # type: ignore[arg-type]  # by kind

    def environment_of(self, name: str) -> Environment:
        """Return the environment that a profile may use.

        If only a project's file sets the profile's URLs, it may not use secrets that are set for all profiles.
        """
        return replace(self.environment, scoped_secrets=is_projects(self._list_layers(name)))

    def _find_namesakes(self, name: str) -> list[str]:
        """List the problem of each other profile with the same variables, and so the same secrets."""
        variables = self.environment.variable(name, "")
        return [
            f"[{name}] and [{other}] are two profiles, but the variables of both start with {variables}, so a secret "
            "that is set for one would go to the other: rename one of them"
            for other in self.names
            if other != name and variable_word(other) == variable_word(name) and self._find_sections(name)
        ]

    def _find_sections(self, name: str) -> list[Layer]:
        return [sections[name] for sections in self.files if name in sections]

    def _list_layers(self, name: str) -> list[Layer]:
        """Return the keys of a profile in each source, the nearest first."""
        return [self.environment.layer(name), *self._find_sections(name)]


def _find_unsafe_urls(entries: Mapping[str, Setting], variable: str, has_fake: bool) -> list[str]:
    """List URLs that are invalid or to which secrets would be sent unencrypted."""
    problems = []
    if ADMIN_URL in entries and not has_fake:
        problems.append(
            f"{entries[ADMIN_URL].source} {ADMIN_URL}: only a fake has admin calls; remove it (or, for a fake of "
            f"yours, set {variable}=true)"
        )
    for key in (*URLS, ADMIN_URL):
        if key not in entries:
            continue
        entry = entries[key]
        try:
            origin, path = locate(str(entry.value))
        except ValueError as error:
            problems.append(f"{entry.source} {key}: {error}")
            continue
        if "?" in path:
            problems.append(f"{entry.source} {key}: a URL of a profile has no query")
        if origin.scheme == "http" and not has_fake and not is_loopback(origin.host):
            problems.append(
                f"{entry.source} {key}: secrets would be sent unencrypted; use https (or, for a fake of yours, set "
                f"{variable}=true)"
            )
    return problems
