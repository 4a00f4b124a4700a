"""The keyring, or a file, as a cache of tokens from one session to the next."""

import json
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from svckit.models.secret import Secret
from svckit.models.token import check_bearer
from svckit.profiles.credentials import Tokens
from svckit.profiles.file_store import FileStore, ProcessLock, find_path
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.profiles import Profile

__all__ = ["SecretStore", "StoredTokens", "choose_store", "keyring_prefix"]


SecretStore: TypeAlias = KeyringStore | FileStore
"""A place that keeps secrets by name."""


def choose_store(tokens: str, keyring: SecretStore) -> SecretStore:
    """Return the store that a profile's key ``tokens`` names."""
    return FileStore() if tokens == "file" else keyring


def keyring_prefix(profile: Profile) -> str:
    """Return the prefix of the keyring names of an application's secrets.

    It includes the authorization server, so a file that gives a profile's name to another server does not get them.

    Examples:
        >>> keyring_prefix(Profile(name="work", base_url="https://api.example.com", auth_url="https://auth.example.com",
        ...     upload_url="https://files.example.com", webhook_url="https://hooks.example.com",
        ...     client_id="client-1", redirect_uri="http://127.0.0.1:8731/callback", scopes=("user",)))
        'work/client-1@https://auth.example.com'
    """
    return f"{profile.name}/{profile.client_id}@{profile.auth_url}"


class StoredTokens:
    """The tokens of a profile and its application, only for the URLs they were issued for."""

    def __init__(self, profile: Profile, store: SecretStore) -> None:
        self._name = f"{keyring_prefix(profile)}/tokens"
        self._urls = [profile.base_url, profile.auth_url, profile.upload_url]
        self._store = store

    def load(self) -> Tokens | None:
        """Return the saved tokens; ``None`` if they cannot be read or are for other URLs.

        Raises:
            UnusableProfile: somebody else may have written them.
        """
        saved = self._store.read(self._name)
        return None if saved is None else _parse(saved, self._urls)

    @property
    def path(self) -> Path:
        """The path of the file with the tokens, if they are saved in one."""
        return find_path(self._name)

    @property
    def exist(self) -> bool:
        """True if tokens are saved, even if they cannot be read."""
        return self._store.read(self._name) is not None

    def save(self, tokens: Tokens) -> None:
        """Save tokens in place of those saved before."""
        self._store.write(self._name, _dump(tokens, self._urls))

    def forget(self) -> bool:
        """Delete the saved tokens and return whether there were any."""
        return self._store.forget(self._name)

    def make_lock(self) -> ProcessLock | None:
        """Return the lock to hold while the tokens are renewed; ``None`` if they are not saved."""
        return None if self._store.absence else ProcessLock(find_path(self._name, ".lock"))


def _dump(tokens: Tokens, urls: list[str]) -> Secret:
    refresh = tokens.refresh.reveal() if tokens.refresh else None
    content = {"access": tokens.access.reveal(), "refresh": refresh, "ends": tokens.expires.isoformat()}
    return Secret(json.dumps(content | {"addresses": urls}))


def _parse(saved: Secret, urls: list[str]) -> Tokens | None:
    """Parse tokens in a frame that raises nothing, so that no traceback shows a token."""
    try:
        content = json.loads(saved.reveal())
        access, refresh = content["access"], content["refresh"]
        expires = datetime.fromisoformat(content["ends"])
        if content["addresses"] != urls or not isinstance(access, str) or expires.tzinfo is None:
            return None
        return Tokens(
            check_bearer(Secret(access)), Secret(refresh) if isinstance(refresh, str) else None, expires
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
