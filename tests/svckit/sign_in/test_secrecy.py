"""No secret of a sign-in shows: in a traceback with local variables, or in a repr; `test_paste` has what is pasted."""

from dataclasses import replace
from typing import Any

import pytest

from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.profiles.environment import Environment
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.profiles import Profile
from svckit.profiles.resolution import Configuration
from svckit.profiles.secret_sources import SecretSources
from svckit.sign_in.account import Account
from svckit.sign_in.browser import BrowserVisitor

from ..bare_machine import MemoryKeyring
from ..canaries import shown
from .conftest import Told, led_back, visit


@pytest.mark.parametrize(
    "query",
    ["error=access_denied&code=CANARY&state={state}", "code=CANARY&code=CANARY&state={state}"],
)
def test_a_redirect_that_ends_badly(way: str, query: str, sign_in_request: SignInRequest, told: Told) -> None:
    browser = led_back(sign_in_request.profile.redirect_uri, query)
    visitor = BrowserVisitor(open_browser=browser)
    with pytest.raises(SignInStopped) as caught:
        visit(visitor, sign_in_request, way)
    assert "CANARY" not in shown(caught.value)


def holders(profile: Profile) -> list[Any]:
    """Everything that a sign-in is made of, with all secrets set."""
    environment = Environment(
        {
            "SVCKIT_CLIENT_SECRET": "CANARY",
            "SVCKIT_BOT_SECRET": "CANARY",
            "SVCKIT_WEBHOOK_ALERTS": "https://hooks.work.test/message/CANARY",
        }
    )
    named = replace(profile, webhooks=("alerts",))
    account = Account.find(named, configuration=Configuration([], environment), way="paste")
    assert account.credentials.client_secret.reveal() == "CANARY"
    assert account.credentials.bot_secret == Secret("CANARY")
    assert account.credentials.webhooks["alerts"].reveal().endswith("CANARY")
    sources = SecretSources(named, environment, KeyringStore(), lambda _: Secret("CANARY"))
    return [environment, account, sources, sources.client_secret(), account.tokens()]


def test_nothing_that_holds_a_secret_shows_it(profile: Profile, memory_keyring: MemoryKeyring) -> None:
    assert "CANARY" not in repr(holders(profile))
