"""No secret of a sign-in shows: in tracebacks with local variables, reprs, logs, and what is printed."""

import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from svckit.errors import SignInStopped, UnusableProfile
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.profiles.environment import Environment
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.profiles import Profile
from svckit.profiles.resolution import Configuration
from svckit.profiles.secret_sources import SecretSources
from svckit.sign_in.account import Account
from svckit.sign_in.browser import BrowserVisitor
from svckit.sign_in.paste import PasteVisitor

from ..bare_machine import MemoryKeyring
from ..canaries import shown
from .conftest import Told, led_back, visit

QUERIES = [
    "code=CANARY&state=forged",
    "error=access_denied&code=CANARY&state={state}",
    "code=CANARY&code=CANARY&state={state}",
]


@pytest.mark.parametrize("query", QUERIES[1:])  # a forged state does not end it
def test_a_redirect_that_ends_badly(way: str, query: str, sign_in_request: SignInRequest, told: Told) -> None:
    browser = led_back(sign_in_request.profile.redirect_uri, query)
    visitor = BrowserVisitor(open_browser=browser)
    with pytest.raises(SignInStopped) as caught:
        visit(visitor, sign_in_request, way)
    assert "CANARY" not in shown(caught.value)


@pytest.mark.parametrize("query", QUERIES)
def test_a_pasted_address_that_ends_badly(query: str, sign_in_request: SignInRequest, told: Told) -> None:
    state = sign_in_request.state.reveal()
    address = Secret(f"{sign_in_request.profile.redirect_uri}?{query.format(state=state)}")
    responses = [address]

    def prompt(question: str) -> Secret:
        if not responses:
            raise SignInStopped("cancelled", "it was cancelled")
        return responses.pop()

    with pytest.raises(SignInStopped) as caught:
        PasteVisitor(prompt=prompt).visit(sign_in_request)
    assert "CANARY" not in shown(caught.value) + "".join(told)


@pytest.mark.parametrize(
    "text",
    [
        '[work]\nclient_secret = "CANARY"',
        'client_secret = "CANARY"',
        '[work]\nclient_secret = "CANARY',
        '[work]\nwebhooks = {a = "https://hooks.work.test/message/CANARY"}',
        '[work]\nwebhook_url = "https://hooks.work.test/message/CANARY"',
    ],
)
def test_a_file_with_a_secret(text: str) -> None:
    Path("svckit.toml").write_text(text)

    def load() -> Profile:
        return Configuration.load().profile("work")

    with pytest.raises(UnusableProfile) as caught:
        load()
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


def test_a_keyring_that_refuses(memory_keyring: MemoryKeyring) -> None:
    memory_keyring.refuses = True

    def write() -> None:
        store = KeyringStore()
        if not store.write("name", Secret("CANARY")):
            raise RuntimeError(store.absence)

    with pytest.raises(RuntimeError) as caught:
        write()
    trace = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    assert "CANARY" not in "".join(trace.format())
    assert "canary-from-the-backend" not in str(caught.value)
