"""Clients of the authorization server, and how they get their tokens."""

from .running import refuse
from .runs import (
    add_service_account,
    begin_sign_in,
    exchange,
    finish_sign_in,
    rename,
    work_as_service_account,
)

# Two base URLs


def test_absolute_paths_reach_origins(start):
    assert rename(start()) == "Mina"


def test_absolute_paths_lose_prefixes(serve):
    told = refuse(rename, serve(origins=False))
    assert "the request lost /auth" in told
    assert "--origins" in told


# A service account


def test_service_account_signs_in(start):
    running = start(assume={"token.jwt-bearer": "issued"})
    add_service_account(running)
    assert work_as_service_account(running) == "Reports"
    assert running.fake.journal[-1].user_id == "reports"


def test_service_account_is_told_the_setting(start):
    told = refuse(work_as_service_account, start())
    assert 'allowed with assume={"token.jwt-bearer": "issued"}' in told


def test_service_account_lacks_a_key(start):
    told = refuse(work_as_service_account, start(assume={"token.jwt-bearer": "issued"}))
    assert "fake.auth.register_key" in told
    assert "PUT /applications/client-1/key" in told


# Basic credentials


def test_basic_credentials(start):
    assert exchange(start(deviations={"token.client-auth": "form-or-basic"})) == "Bearer"


def test_basic_credentials_are_refused(start):
    told = refuse(exchange, start())
    assert "Basic" in told
    assert 'allowed with deviations={"token.client-auth": "form-or-basic"}' in told


# A code verifier


def test_app_proves_its_verifier(start):
    assert finish_sign_in(start(assume={"auth.pkce": "checked"})) == "Bearer"


def use_stolen_code(running):
    """Let an app use a code that another one asked for."""
    redirected = running.sign_in(begin_sign_in(running).get_url())
    return begin_sign_in(running).finish(redirected)["token_type"]


def test_verifier_of_another_app(start):
    assert "code_verifier does not fit" in refuse(use_stolen_code, start(assume={"auth.pkce": "checked"}))


def test_verifiers_are_not_checked(start):
    running = start()
    assert use_stolen_code(running) == "Bearer"
    assert "auth.pkce" in [rule.id for rule in running.fake.journal[-1].used]
