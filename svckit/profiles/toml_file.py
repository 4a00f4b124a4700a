"""``svckit.toml``: where it lies, and what its sections say."""

import os
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from svckit.display.suggestions import did_you_mean
from svckit.errors import UnusableProfile
from svckit.profiles.keys import (
    KEYS,
    Setting,
    from_file,
    holds_secret,
    variable_word,
)

__all__ = ["EXAMPLE", "FILE_NAME", "Section", "project_file", "read", "search_paths", "user_file"]

FILE_NAME = "svckit.toml"
LARGEST = 1_000_000
EXAMPLE = """\
[work]
base_url = "https://api.example.com/v1"
auth_url = "https://auth.example.com"
upload_url = "https://files.example.com"
webhook_url = "https://hooks.example.com"
client_id = "…"
redirect_uri = "http://127.0.0.1:8731/callback"
scopes = ["…"]"""
"""A section, as one writes it."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(slots=True)
class Section:
    """One profile in one file: its values, what is wrong with the others, and which keys those are.

    Attributes:
        is_projects: whether it is in the project's file, which somebody else may have written.
    """

    entries: dict[str, Setting] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    is_projects: bool = False


def project_file(folder: Path, home: Path) -> Path | None:
    """The nearest file, in a folder or in one above it."""
    return next((path for path in search_paths(folder, home) if path.exists()), None)


def search_paths(folder: Path, home: Path) -> list[Path]:
    """Where the project's file is looked for, the nearest first: in a folder and in those above it.

    Above it only as far as the root of the repository, or else the home folder: beyond those, whoever may write
    into a shared folder could say where tokens go.
    """
    folder = folder.resolve()
    above = [folder, *folder.parents]
    last = next((each for each in above if (each / ".git").exists()), None)
    if last is None:
        last = home.resolve() if home.resolve() in above else folder
    return [each / FILE_NAME for each in above[: above.index(last) + 1]]


def user_file() -> Path:
    """The file in the platform's folder for configuration; it may not be there."""
    from platformdirs import user_config_path

    return user_config_path("svckit", appauthor=False) / FILE_NAME


def read(path: Path, *, is_projects: bool = False) -> dict[str, Section]:
    """Read the sections of a file.

    Args:
        path: where it is.
        is_projects: whether it is the project's; then it must belong to whoever the folder belongs to, or to the user:
            in a shared folder anybody could put one.

    Raises:
        UnusableProfile: it cannot be read, is no TOML, has keys outside of sections, or belongs to somebody else.
    """
    sections, problem = _read_sections(path)
    if is_projects and owner(path) not in (owner(path.parent), os.getuid() if hasattr(os, "getuid") else 0):
        problem = (
            " belongs to another user, who could say where your secrets go; work in a folder of your own"
        )
    if problem:  # raised here, where no local variable holds what the file says
        raise UnusableProfile(f"{path}{problem}", [f"{path}{problem}"])
    for section in sections.values():
        section.is_projects = is_projects
    return sections


def owner(path: Path) -> int | None:
    """The user ID of whom a file belongs to; ``None`` where that cannot be told."""
    try:
        return path.stat().st_uid
    except OSError:
        return None


def _read_sections(path: Path) -> tuple[dict[str, Section], str]:
    """The sections, and what is wrong with the file as a whole."""
    if path.exists() and not path.is_file():  # a pipe might never open
        kind = "a folder" if path.is_dir() else "a pipe, a socket or a device"
        return {}, f" is {kind}, not a file with profiles; rename or remove it"
    try:
        parsed = _parse(path)
    except (OSError, ValueError) as unreadable:
        why = unreadable.strerror if isinstance(unreadable, OSError) else str(unreadable)
        return {}, f" cannot be read: {why}"
    for name, content in parsed.items():
        if not isinstance(content, dict):
            if holds_secret(name, content):
                return {}, f": {name}: a file is no place for a secret; {_advise(name, '<PROFILE>')}"
            return {}, f": {name} stands outside of a section; put it below a line such as [work]"
    return {name: _read_section(f"{path}: [{name}]", name, content) for name, content in parsed.items()}, ""


def _parse(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError("it is larger than a megabyte")
    return tomllib.loads(content.decode("utf-8-sig"))


def _read_section(where: str, profile: str, content: dict[str, Any]) -> Section:
    section = Section()
    if not _NAME.fullmatch(profile) or profile == "fake":
        taken = "fake is the name of the fake in process" if profile == "fake" else "not a name for a profile"
        section.problems.append(f"{where}: {taken}; take letters, digits, - and _, such as [work]")
    for key, value in content.items():
        if holds_secret(key, value):
            section.problems.append(
                f"{where} {key}: a file is no place for a secret; {_advise(key, profile)}"
            )
        elif key not in KEYS:
            near = did_you_mean(key, KEYS) or f"; known are {', '.join(KEYS)}"
            section.problems.append(f"{where} {key}: there is no such key{near}")
        else:
            try:
                section.entries[key] = Setting(from_file(key, value), where)
            except ValueError as wrong:
                section.refused.add(key)
                section.problems.append(f"{where} {key}: {wrong}")
    return section


def _advise(key: str, profile: str) -> str:
    """Where a secret belongs, that of a profile or, where that is not known, of any."""
    own = f"SVCKIT_{profile if profile[0] == '<' else variable_word(profile)}_"
    if "webhook" in key.lower():
        return (
            'list names only, webhooks = ["alerts"], and put each URL into the environment variable '
            f"{own}WEBHOOK_<NAME> or the keyring"
        )
    if "token" in key.lower():
        return "take the line out; `svckit login` gets tokens and keeps them in the keyring"
    return (
        "take the line out and put it into the environment variable "
        f"{own}{variable_word(key)}, or let `svckit login` ask for it"
    )
