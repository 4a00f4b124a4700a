"""``svckit.toml``: finding it and reading its sections."""

import os
import tomllib
from pathlib import Path
from typing import Any, Literal

from svckit.display.suggestions import did_you_mean
from svckit.errors import UnusableProfile
from svckit.profiles.keys import KEYS, NAME, Layer, Setting, from_file, holds_secret, variable_word

__all__ = ["EXAMPLE", "FILE_NAME", "find_project_file", "read", "search_paths", "user_file"]

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
"""An example of a section."""


def find_project_file(folder: Path, home: Path) -> Path | None:
    """Return the nearest file, in a folder or above it."""
    return next((path for path in search_paths(folder, home) if path.exists()), None)


def search_paths(folder: Path, home: Path) -> list[Path]:
    """Return the paths where the project's file may be, in a folder and above it, the nearest first.

    The search stops at the root of the repository, or else at the home folder. Beyond those, anybody who can write to
    a shared folder could decide where tokens are sent.
    """
    folder = folder.resolve()
    above = [folder, *folder.parents]
    last = next((directory for directory in above if (directory / ".git").exists()), None)
    if last is None:
        last = home.resolve() if home.resolve() in above else folder
    return [directory / FILE_NAME for directory in above[: above.index(last) + 1]]


def user_file() -> Path:
    """Return the path of the user's file, in the platform's configuration folder; it may not exist."""
    from platformdirs import user_config_path

    try:
        return user_config_path("svckit", appauthor=False) / FILE_NAME
    except RuntimeError:  # no home folder, as in a container: then as if it were the root
        return Path(os.sep, ".config", "svckit", FILE_NAME)


def read(path: Path, kind: Literal["project", "user"]) -> dict[str, Layer]:
    """Read the sections of a file.

    Args:
        path: the path of the file.
        kind: whose file it is. The project's must belong to the user or the owner of its folder, because anybody
            could put one into a shared folder.

    Raises:
        UnusableProfile: it cannot be read, is not TOML, has keys outside sections, or belongs to somebody else.
    """
    sections, problem = _read_sections(path, kind)
    trusted = (owner(path.parent), os.getuid() if hasattr(os, "getuid") else 0)
    if kind == "project" and owner(path) not in trusted:
        problem = " belongs to another user, who could decide where your secrets are sent; work in a folder of your own"
    if problem:  # raised here, where no local variable holds the content of the file
        raise UnusableProfile(f"{path}{problem}", [f"{path}{problem}"])
    return sections


def owner(path: Path) -> int | None:
    """Return the user ID of a file's owner; ``None`` if it is unknown."""
    try:
        return path.stat().st_uid
    except OSError:
        return None


def _read_sections(path: Path, kind: Literal["project", "user"]) -> tuple[dict[str, Layer], str]:
    """Return the sections, and what is wrong with the file as a whole."""
    if path.exists() and not path.is_file():  # a pipe might never open
        what = "a folder" if path.is_dir() else "a pipe, a socket or a device"
        return {}, f" is {what}, not a file with profiles; rename or remove it"
    try:
        parsed = _parse(path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return {}, f" cannot be read: {reason}"
    for name, content in parsed.items():
        if not isinstance(content, dict):
            if holds_secret(name, content):
                return {}, f": {name}: do not put secrets in a file; {_advise(name, '<PROFILE>')}"
            return {}, f": {name} is outside a section; put it below a line such as [work]"
    sections = {name: Layer(kind) for name in parsed}
    for name, section in sections.items():
        _fill(section, f"{path}: [{name}]", name, parsed[name])
    return sections, ""


def _parse(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError("it is larger than a megabyte")
    return tomllib.loads(content.decode("utf-8-sig"))


def _fill(section: Layer, where: str, profile: str, content: dict[str, Any]) -> None:
    if not NAME.fullmatch(profile) or profile == "fake":
        reason = (
            "fake is the name of the in-process fake" if profile == "fake" else "not a valid profile name"
        )
        section.problems.append(f"{where}: {reason}; use letters, digits, - and _, such as [work]")
    for key, value in content.items():
        if holds_secret(key, value):
            section.problems.append(f"{where} {key}: do not put secrets in a file; {_advise(key, profile)}")
        elif key not in KEYS:
            suggestion = did_you_mean(key, KEYS) or f"; the keys are {', '.join(KEYS)}"
            section.problems.append(f"{where} {key}: no such key{suggestion}")
        else:
            try:
                section.entries[key] = Setting(from_file(key, value), where)
            except ValueError as error:
                section.refused.add(key)
                section.problems.append(f"{where} {key}: {error}")


def _advise(key: str, profile: str) -> str:
    """Say where to put a secret instead; without a known profile, ``profile`` is a placeholder."""
    own = f"SVCKIT_{profile if profile[0] == '<' else variable_word(profile)}_"
    if "webhook" in key.lower():
        return (
            'list names only, webhooks = ["alerts"], and put each URL into the environment variable '
            f"{own}WEBHOOK_<NAME> or the keyring"
        )
    if "token" in key.lower():
        return (
            "remove the line; `svckit login` gets tokens and saves them in the keyring or a file of its own"
        )
    return (
        "remove the line and put the secret into the environment variable "
        f"{own}{variable_word(key)}, or let `svckit login` ask for it"
    )
