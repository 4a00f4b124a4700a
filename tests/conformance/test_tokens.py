"""Issuing and refreshing tokens, and how long each credential lives."""

import pytest

from .cases import RESOURCE_ERRORS, TOKEN_ERRORS, assumed, case, documented, every_door, safe
from .target import Unshown, bearer

MINUTE, HOUR, DAY = 60, 3600, 86400


def works(target, access_token):
    """Whether a resource call with the token succeeds; a call without effect."""
    url = target.api(f"/users/{target.facts['user_id']}")
    return target.http.patch(url, json={}, headers=bearer(access_token)).status_code == 200


def rejected(target, access_token):
    url = target.api(f"/users/{target.facts['user_id']}")
    return target.refuses("PATCH", url, Unshown(401, (400, 401, 403)), json={}, headers=bearer(access_token))


def issue(target, code, **changes):
    return target.http.post(target.token_url, data=target.exchange_form(code, **changes))


def refresh(target, refresh_token, **changes):
    return target.http.post(target.token_url, data=target.refresh_form(refresh_token, **changes))


# -- the token set ----------------------------------------------------------------------------------------------


@every_door
@documented("token.issued")
def test_issuance_answers_the_token_set_as_json(target):
    response = issue(target, target.code())
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("application/json")
    assert set(response.json()) == {"access_token", "refresh_token", "scope", "expires_in", "token_type"}
    assert all(isinstance(value, str) and value for value in response.json().values())


@documented("token.issued")
def test_token_type_is_bearer(target):
    assert target.tokens()["token_type"] == "Bearer"


@documented("token.issued")
@assumed("expires_in")
def test_expires_in_is_24_hours_in_seconds_as_a_string(target):
    assert target.tokens()["expires_in"] == "86400"


@safe
@documented("token.refreshed")
def test_refresh_answers_no_refresh_token(target):
    response = refresh(target, target.tokens()["refresh_token"])
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("application/json")
    assert set(response.json()) == {"access_token", "scope", "expires_in", "token_type"}
    assert (response.json()["token_type"], response.json()["expires_in"]) == ("Bearer", "86400")


@every_door
@safe
@documented("token.refreshed")
def test_refresh_answers_a_new_access_token_that_works(target):
    tokens = target.tokens()
    renewed = refresh(target, tokens["refresh_token"]).json()["access_token"]
    assert renewed != tokens["access_token"]
    assert works(target, renewed)


@documented("token.issued")
def test_content_type_may_name_a_character_set(target):
    response = target.http.post(
        target.token_url,
        data=target.exchange_form(target.code()),
        headers={"Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"},
    )
    assert response.status_code == 200


# -- what is refused --------------------------------------------------------------------------------------------

ISSUANCE = (
    case({"code": None}, 400, "invalid_request", id="no code"),
    case({"code": ""}, 400, "invalid_request", id="empty code"),
    case({"code": "no-such-code"}, 400, "invalid_grant", id="unknown code"),
    case({"grant_type": None}, 400, "invalid_request", id="no grant_type"),
    case({"grant_type": "password"}, 400, "unsupported_grant_type", id="unsupported grant_type"),
    case({"grant_type": "refresh_token"}, 400, "invalid_request", id="grant_type of the refresh"),
    case({"client_id": None}, 400, "invalid_request", id="no client_id"),
    case({"client_id": "client-none"}, 401, "invalid_client", id="unknown client_id"),
    case({"client_secret": None}, 400, "invalid_request", id="no client_secret"),
    case(
        {"client_secret": "wrong"},
        401,
        "invalid_client",
        id="wrong client_secret",
        marks=assumed("token.wrong-secret"),
    ),
    case({"client_secret": "é"}, 401, "invalid_client", id="non-ASCII client_secret"),
    case(
        {"redirect_uri": "https://other.example"},
        400,
        "invalid_grant",
        id="other redirect_uri",
        marks=assumed("token.redirect-uri"),
    ),
)


@documented("token.parameters")
@assumed(*TOKEN_ERRORS)
@pytest.mark.parametrize(("changes", "status", "error"), ISSUANCE)
def test_refused_issuance_leaves_the_code_good(target, changes, status, error):
    code = target.code()
    response = target.refuses("POST", target.token_url, status, data=target.exchange_form(code) | changes)
    assert set(response.json()) == {"error", "error_description"}
    assert response.json()["error"] == error
    assert issue(target, code).status_code == 200


REFRESH = (
    case({"refresh_token": None}, 400, "invalid_request", id="no refresh_token", marks=safe),
    case({"refresh_token": ""}, 400, "invalid_request", id="empty refresh_token"),
    case({"refresh_token": "no-such-token"}, 400, "invalid_grant", id="unknown refresh_token", marks=safe),
    case({"grant_type": None}, 400, "invalid_request", id="no grant_type", marks=safe),
    case({"grant_type": "client_credentials"}, 400, "unsupported_grant_type", id="unsupported grant_type"),
    case({"grant_type": "authorization_code"}, 400, "invalid_request", id="grant_type of the issuance"),
    case({"client_id": None}, 400, "invalid_request", id="no client_id"),
    case({"client_id": "client-none"}, 401, "invalid_client", id="unknown client_id"),
    case({"client_secret": None}, 400, "invalid_request", id="no client_secret"),
    case({"client_secret": "wrong"}, 401, "invalid_client", id="wrong client_secret"),
)


@documented("token.parameters")
@assumed(*TOKEN_ERRORS)
@pytest.mark.parametrize(("changes", "status", "error"), REFRESH)
def test_refused_refresh_leaves_the_refresh_token_good(target, changes, status, error):
    refresh_token = target.tokens()["refresh_token"]
    response = target.refuses(
        "POST", target.token_url, status, data=target.refresh_form(refresh_token) | changes
    )
    assert set(response.json()) == {"error", "error_description"}
    assert response.json()["error"] == error
    assert refresh(target, refresh_token).status_code == 200


@documented("token.parameters")
@assumed(*TOKEN_ERRORS)
def test_body_that_is_not_form_encoded_is_refused(target):
    code = target.code()
    target.refuses("POST", target.token_url, 400, json=target.exchange_form(code))
    assert issue(target, code).status_code == 200


@every_door
@documented("token.parameters")
@assumed(*TOKEN_ERRORS)
def test_parameters_are_read_from_the_body_not_the_address(target):
    code = target.code()
    target.refuses("POST", target.token_url, 400, params=target.exchange_form(code))
    assert issue(target, code).status_code == 200


@assumed(*TOKEN_ERRORS)
@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
def test_a_token_is_no_code(target, kind):
    target.refuses("POST", target.token_url, 400, data=target.exchange_form(target.tokens()[kind]))


@assumed(*TOKEN_ERRORS)
def test_neither_code_nor_access_token_is_a_refresh_token(target):
    code = target.code()
    target.refuses("POST", target.token_url, 400, data=target.refresh_form(code))
    access_token = issue(target, code).json()["access_token"]
    target.refuses("POST", target.token_url, 400, data=target.refresh_form(access_token))


@documented("api.bearer")
@assumed(*RESOURCE_ERRORS)
def test_neither_refresh_token_nor_code_is_a_bearer(target):
    code = target.code()
    for wrong in (code, issue(target, code).json()["refresh_token"]):
        assert rejected(target, wrong).status_code == 401


@assumed("token.redirect-uri")
def test_redirect_uri_may_be_sent_with_the_code(target):
    assert issue(target, target.code(), redirect_uri=target.facts["redirect_uri"]).status_code == 200


@assumed("auth.repeated-parameter")
def test_first_of_a_repeated_parameter_counts(target):
    form = target.exchange_form(target.code())
    response = target.http.post(target.token_url, data=form | {"code": [form["code"], "another"]})
    assert response.status_code == 200


@assumed("api.unmatched")
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_tokens_are_had_by_post_only(target, method):
    target.refuses(method, target.token_url, Unshown(404), params=target.exchange_form(target.code()))


@assumed(*TOKEN_ERRORS)
def test_refusal_does_not_repeat_secrets(target):
    code = target.code()
    secret = "not-the-client-secret"
    form = target.exchange_form(code, client_secret=secret)
    response = target.refuses("POST", target.token_url, Unshown(401, (400, 401)), data=form)
    assert secret not in response.text
    assert code not in response.text


# -- once, and how long -----------------------------------------------------------------------------------------


@documented("code.single-use")
@assumed(*TOKEN_ERRORS)
def test_code_works_once(target):
    code = target.code()
    issue(target, code)
    response = target.refuses("POST", target.token_url, 400, data=target.exchange_form(code))
    assert response.json()["error"] == "invalid_grant"


@documented("code.lifetime")
@pytest.mark.parametrize(
    "seconds", [0, 10 * MINUTE - 1, case(10 * MINUTE, id="600", marks=assumed("token.last-instant"))]
)
def test_code_is_good_within_10_minutes(target, seconds):
    code = target.code()
    target.advance(seconds)
    assert issue(target, code).status_code == 200


@documented("code.lifetime")
@assumed(*TOKEN_ERRORS)
@pytest.mark.parametrize("seconds", [10 * MINUTE + 1, HOUR, 91 * DAY])
def test_code_is_not_good_after_10_minutes(target, seconds):
    code = target.code()
    target.advance(seconds)
    response = target.refuses("POST", target.token_url, 400, data=target.exchange_form(code))
    assert response.json()["error"] == "invalid_grant"


@documented("token.access-lifetime")
@pytest.mark.parametrize("seconds", [0, 24 * HOUR - 1])
def test_access_token_is_good_for_24_hours(target, seconds):
    access_token = target.tokens()["access_token"]
    target.advance(seconds)
    assert works(target, access_token)


@documented("token.access-lifetime")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("seconds", [24 * HOUR, 24 * HOUR + 1, 100 * DAY])
def test_access_token_has_expired_when_24_hours_elapsed(target, seconds):
    access_token = target.tokens()["access_token"]
    target.advance(seconds)
    response = rejected(target, access_token)
    assert (response.status_code, response.json()["code"]) == (401, "UNAUTHORIZED")


@documented("token.refreshed")
def test_refresh_token_renews_an_expired_access_token(target):
    tokens = target.tokens()
    target.advance(24 * HOUR)
    rejected(target, tokens["access_token"])
    renewed = refresh(target, tokens["refresh_token"]).json()["access_token"]
    assert works(target, renewed)
    rejected(target, tokens["access_token"])


@documented("token.refresh-lifetime")
@pytest.mark.parametrize(
    "seconds", [0, 90 * DAY - 1, case(90 * DAY, id="7776000", marks=assumed("token.last-instant"))]
)
def test_refresh_token_is_good_within_90_days(target, seconds):
    refresh_token = target.tokens()["refresh_token"]
    target.advance(seconds)
    assert refresh(target, refresh_token).status_code == 200


@documented("token.refresh-lifetime")
@assumed(*TOKEN_ERRORS)
@pytest.mark.parametrize("seconds", [90 * DAY + 1, 365 * DAY])
def test_refresh_token_is_not_good_after_90_days(target, seconds):
    refresh_token = target.tokens()["refresh_token"]
    target.advance(seconds)
    response = target.refuses("POST", target.token_url, 400, data=target.refresh_form(refresh_token))
    assert response.json()["error"] == "invalid_grant"


@assumed("token.refresh-reuse", "token.refresh-scope", "token.earlier-access")
def test_refresh_token_works_again_until_its_end(target):
    refresh_token = target.tokens()["refresh_token"]
    for _ in range(3):
        assert refresh(target, refresh_token).status_code == 200
        target.advance(30 * DAY)
    target.advance(1)
    target.refuses("POST", target.token_url, 400, data=target.refresh_form(refresh_token))


@assumed("token.refresh-reuse", "token.refresh-scope", "token.earlier-access")
def test_refresh_keeps_the_scope(target):
    tokens = target.tokens(scope="user,file")
    assert refresh(target, tokens["refresh_token"]).json()["scope"] == tokens["scope"]


@safe
@assumed("token.refresh-reuse", "token.refresh-scope", "token.earlier-access")
def test_refresh_does_not_end_earlier_access_tokens(target):
    tokens = target.tokens()
    refresh(target, tokens["refresh_token"])
    assert works(target, tokens["access_token"])


@documented("token.access-lifetime")
def test_renewed_access_token_has_its_own_24_hours(target):
    tokens = target.tokens()
    target.advance(12 * HOUR)
    renewed = refresh(target, tokens["refresh_token"]).json()["access_token"]
    target.advance(24 * HOUR - 1)
    assert works(target, renewed)
    target.advance(1)
    rejected(target, renewed)


@documented("token.issued")
def test_access_tokens_belong_to_who_logged_in(target):
    """Two users sign in; each may go on while the other does."""
    first, second = target.signed_in(), target.signed_in_as("u-002")
    assert first != second
    url = target.api("/users/u-003")
    assert target.http.patch(url, json={}, headers=first).json() == (
        target.http.patch(url, json={}, headers=second).json()
    )
