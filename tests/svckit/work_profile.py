"""A profile of a real service, which nothing in a test reaches; and a served fake as the profile `class`."""

from collections.abc import Mapping
from typing import Any

import pytest

from svckit.profiles.profiles import Profile

PROFILE = Profile(
    name="work",
    base_url="https://api.work.test",
    auth_url="https://auth.work.test",
    upload_url="https://storage.work.test",
    webhook_url="https://hooks.work.test",
    client_id="client-1",
    redirect_uri="http://127.0.0.1:8731/callback",
    scopes=("user", "file"),
)

SETTINGS = (
    *("base_url", "auth_url", "upload_url", "webhook_url", "client_id", "client_secret", "redirect_uri"),
    *("login_id", "password", "admin_url", "admin_key"),
)


def choose_fake(
    monkeypatch: pytest.MonkeyPatch, facts: Mapping[str, Any], *without: str, **more: str
) -> None:
    """Set the variables of the profile `class`, as a hub does, and choose it."""
    settings = {key: facts[key] for key in SETTINGS if key not in without}
    for key, value in (settings | {"fake": "true", "scopes": "user,file"} | more).items():
        monkeypatch.setenv(f"SVCKIT_CLASS_{key.upper()}", value)
    monkeypatch.setenv("SVCKIT_PROFILE", "class")
