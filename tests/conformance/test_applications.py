"""Two applications of one domain: each signs its users in, and neither can use what the other was issued."""

import pytest

from .cases import TOKEN_ERRORS, assumed, documented
from .target import bearer, query

REDIRECT = "https://other.example/callback"


@pytest.fixture
def other(target):
    """What a second application signs in with."""
    return target.register_application(REDIRECT)


def client(application):
    return {name: application[name] for name in ("client_id", "client_secret")}


def code_of(target, application):
    asked = {name: application[name] for name in ("client_id", "redirect_uri")}
    return query(target.log_in(**asked).headers["Location"])["code"]


@documented("token.parameters")
def test_each_application_signs_in_with_what_it_was_registered_with(target, other):
    first, second = target.facts, other
    assert first["client_id"] != second["client_id"]
    assert first["client_secret"] != second["client_secret"]
    for application in (first, second):
        form = target.exchange_form(code_of(target, application), **client(application))
        tokens = target.http.post(target.token_url, data=form).json()
        url = target.api("/users/u-001")
        assert target.http.patch(url, json={}, headers=bearer(tokens["access_token"])).status_code == 200
        form = target.refresh_form(tokens["refresh_token"], **client(application))
        assert target.http.post(target.token_url, data=form).status_code == 200


@documented("auth.redirect")
def test_the_redirect_goes_to_the_application_that_asked(target, other):
    asked = {name: other[name] for name in ("client_id", "redirect_uri")}
    assert target.log_in(**asked).headers["Location"].startswith(REDIRECT + "?code=")


@assumed("auth.request-refused")
def test_the_redirect_url_of_another_application_is_refused(target, other):
    parameters = target.authorization(client_id=other["client_id"])
    target.refuses("GET", target.authorize_url, 400, params=parameters)


@assumed(*TOKEN_ERRORS)
def test_the_secret_of_another_application_is_refused(target, other):
    form = target.exchange_form(target.code(), client_secret=other["client_secret"])
    assert target.refuses("POST", target.token_url, 401, data=form).json()["error"] == "invalid_client"


@assumed("token.client-bound", *TOKEN_ERRORS)
def test_a_code_is_refused_to_another_application_and_stays_good(target, other):
    code = target.code()
    form = target.exchange_form(code, **client(other))
    assert target.refuses("POST", target.token_url, 400, data=form).json()["error"] == "invalid_grant"
    assert target.http.post(target.token_url, data=target.exchange_form(code)).status_code == 200


@assumed("token.client-bound", *TOKEN_ERRORS)
def test_refresh_token_is_refused_to_other_applications(target, other):
    refresh_token = target.tokens()["refresh_token"]
    form = target.refresh_form(refresh_token, **client(other))
    assert target.refuses("POST", target.token_url, 400, data=form).json()["error"] == "invalid_grant"
    assert target.http.post(target.token_url, data=target.refresh_form(refresh_token)).status_code == 200
