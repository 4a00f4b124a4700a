"""Tokens that outlive the session, in the keyring."""

import json
from datetime import datetime

from svckit.models.secret import Secret
from svckit.models.token import check_bearer
from svckit.profiles.credentials import Tokens
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.profiles import Profile

__all__ = ["KeyringTokenCache", "keyring_prefix"]


def keyring_prefix(profile: Profile) -> str:
    """What the secrets of an application go by in the keyring.

    The authorization server is part of it: a file that gives a profile's name to another server does not get them.

    Examples:
        >>> keyring_prefix(Profile(name="work", base_url="https://api.example.com", auth_url="https://auth.example.com",
        ...     upload_url="https://files.example.com", webhook_url="https://hooks.example.com",
        ...     client_id="client-1", redirect_uri="http://127.0.0.1:8731/callback", scopes=("user",)))
        'work/client-1@https://auth.example.com'
    """
    return f"{profile.name}/{profile.client_id}@{profile.auth_url}"


class KeyringTokenCache:
    """The tokens of a profile and its application, for the addresses they were issued for and no others."""

    def __init__(self, profile: Profile, store: KeyringStore) -> None:
        self._name = f"{keyring_prefix(profile)}/tokens"
        self._addresses = [profile.base_url, profile.auth_url, profile.upload_url]
        self._store = store

    def load(self) -> Tokens | None:
        """The tokens that are there; none, where they cannot be read or are for other addresses."""
        kept = self._store.read(self._name)
        return None if kept is None else _parse(kept, self._addresses)

    def save(self, tokens: Tokens) -> None:
        """Replace what is there."""
        self._store.write(self._name, _dump(tokens, self._addresses))

    def forget(self) -> bool:
        """Have none any more; says whether there were any."""
        return self._store.forget(self._name)


def _dump(tokens: Tokens, addresses: list[str]) -> Secret:
    refresh = tokens.refresh.reveal() if tokens.refresh else None
    content = {"access": tokens.access.reveal(), "refresh": refresh, "ends": tokens.ends.isoformat()}
    return Secret(json.dumps(content | {"addresses": addresses}))


def _parse(kept: Secret, addresses: list[str]) -> Tokens | None:
    """Read in a frame that raises nothing, so that no traceback shows a token."""
    try:
        content = json.loads(kept.reveal())
        access, refresh = content["access"], content["refresh"]
        ends = datetime.fromisoformat(content["ends"])
        if content["addresses"] != addresses or not isinstance(access, str) or ends.tzinfo is None:
            return None
        return Tokens(
            check_bearer(Secret(access)), Secret(refresh) if isinstance(refresh, str) else None, ends
        )
    except (ValueError, KeyError, TypeError):
        return None
