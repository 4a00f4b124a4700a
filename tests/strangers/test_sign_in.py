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


def test_absolute_paths_reach_an_origin_for_each_area(start):
    assert rename(start()) == "Mina"


def test_absolute_paths_lose_the_prefixes_of_a_single_origin_and_are_told(serve):
    told = refuse(rename, serve(origins=False))
    assert "the request lost /auth" in told
    assert "--origins" in told


# A service account


def test_a_service_account_signs_an_assertion(start):
    running = start(assume={"token.jwt-bearer": "issued"})
    add_service_account(running)
    assert work_as_service_account(running) == "Reports"
    assert running.fake.journal[-1].user_id == "reports"


def test_a_service_account_is_told_what_issues_it_a_token(start):
    told = refuse(work_as_service_account, start())
    assert 'allowed with assume={"token.jwt-bearer": "issued"}' in told


def test_a_service_account_without_a_key_is_told_how_to_register_one(start):
    told = refuse(work_as_service_account, start(assume={"token.jwt-bearer": "issued"}))
    assert "fake.auth.register_key" in told
    assert "PUT /applications/client-1/key" in told


# Basic credentials


def test_a_client_authenticates_with_basic_credentials(start):
    assert exchange(start(deviations={"token.client-auth": "form-or-basic"})) == "Bearer"


def test_basic_credentials_are_refused_by_name_as_the_description_wants_a_form(start):
    told = refuse(exchange, start())
    assert "Basic" in told
    assert 'allowed with deviations={"token.client-auth": "form-or-basic"}' in told


# A code verifier


def test_an_app_proves_that_it_asked_for_the_code(start):
    assert finish_sign_in(start(assume={"auth.pkce": "checked"})) == "Bearer"


def use_stolen_code(running):
    """Let an app use a code that another one asked for."""
    redirected = running.sign_in(begin_sign_in(running).get_url())
    return begin_sign_in(running).finish(redirected)["token_type"]


def test_another_app_cannot_use_the_code_if_verifiers_are_checked(start):
    assert "code_verifier does not fit" in refuse(use_stolen_code, start(assume={"auth.pkce": "checked"}))


def test_verifiers_prove_nothing_by_default(start):
    running = start()
    assert use_stolen_code(running) == "Bearer"
    assert "auth.pkce" in [rule.id for rule in running.fake.journal[-1].used]
