"""Signing in: the authorization request, the login, and tokens, each with its lifetime."""

import re
from datetime import datetime, timedelta
from typing import Any

from .expecting import Expected, Matching, Naming, Outcome, screen

State = dict[str, Any]

CODE, ACCESS, REFRESH = timedelta(minutes=10), timedelta(hours=24), timedelta(days=90)
NO_STORE = {"cache-control": "no-store"}
TICKET = r'(?s).*name="login_ticket" value="(?P<ticket>[^"]+)".*'
DOMAIN = "example"
STATUSES = {"invalid_client": 401}
ACCESS_TOKEN = Matching(r"(?P<token>[\w-]+)")
REFRESH_TOKEN = Matching(r"(?P<refresh>[\w-]+)")


def domain_fits(state: State, domain: str) -> bool:
    return domain == DOMAIN if domain else not state["settings"]["singleSignOn"]


def authorize(state: State, op: dict[str, Any]) -> Outcome:
    sent = {name: value for name, value in op["query"].items() if value is not None}
    right = {"client_id": state["client_id"], "redirect_uri": state["redirect_uri"], "response_type": "code"}
    fits = all(sent.get(name) == value for name, value in right.items()) and sent.get("state")
    if not fits or not sent.get("scope", "").strip(", ") or not domain_fits(state, sent.get("domain", "")):
        return screen(400)

    def learn(learned: dict[str, str], _: Any) -> None:
        assert learned["ticket"] not in state["tickets"], "a login screen is not new"
        state["tickets"][learned["ticket"]] = {"scope": sent["scope"], "state": sent["state"]}

    expected = screen(200, TICKET)
    expected.headers, expected.learn = NO_STORE, learn
    return expected


def log_in(state: State, op: dict[str, Any]) -> Outcome:
    ticket, login_id = op["ticket"], op["login_id"]
    if ticket not in state["tickets"]:
        return screen(400)
    user_id = next(
        (each for each, user in state["users"].items() if user["email"].lower() == login_id.lower()), None
    )
    if user_id is None or op["password"] != state["passwords"][user_id]:
        return screen(401)
    asked = state["tickets"].pop(ticket)
    grant = {"user": user_id, "scope": asked["scope"], "at": state["now"], "used": False}

    def learn(learned: dict[str, str], _: Any) -> None:
        assert learned["code"] not in state["codes"], "a code is not new"
        state["codes"][learned["code"]] = grant

    location = rf"{re.escape(state['redirect_uri'])}\?code=(?P<code>[\w-]+)&state={re.escape(asked['state'])}"
    return Expected(302, None, NO_STORE | {"location": Matching(location)}, learn=learn)


def exchange(state: State, op: dict[str, Any]) -> Outcome:
    form = {name: value for name, value in op["form"].items() if value}
    errors = find_errors(state, form, "code")
    grant = state["codes"].get(form.get("code"))
    if not domain_fits(state, form.get("domain", "")):
        errors.add("invalid_request")
    if grant is None or grant["used"] or state["now"] - grant["at"] > CODE:
        errors.add("invalid_grant")
    if form.get("redirect_uri", state["redirect_uri"]) != state["redirect_uri"]:
        errors.add("invalid_grant")
    if errors:
        return [refuse(error) for error in errors]
    grant["used"] = True
    now = state["now"]

    body = token_set(grant["scope"]) | {"refresh_token": REFRESH_TOKEN}
    return Expected(200, body, NO_STORE, learn=lambda learned, _: keep_both(state, learned, grant, now))


def refresh(state: State, op: dict[str, Any]) -> Outcome:
    form = {name: value for name, value in op["form"].items() if value}
    errors = find_errors(state, form, "refresh_token")
    grant = state["refresh"].get(form.get("refresh_token"))
    if grant is None or state["now"] > grant["ends"]:
        errors.add("invalid_grant")
    if errors:
        return [refuse(error) for error in errors]
    now = state["now"]
    return Expected(
        200,
        token_set(grant["scope"]),
        NO_STORE,
        learn=lambda learned, _: keep_access(state, learned["token"], grant, now),
    )


def find_errors(state: State, form: dict[str, str], credential: str) -> set[str]:
    """What is wrong with a token request, except for the credential itself."""
    errors = set()
    if any(name not in form for name in ("grant_type", "client_id", "client_secret", credential)):
        errors.add("invalid_request")
    if form.get("grant_type") not in ("authorization_code", "refresh_token", None):
        errors.add("unsupported_grant_type")
    for name in ("client_id", "client_secret"):
        if form.get(name, state[name]) != state[name]:
            errors.add("invalid_client")
    return errors


def refuse(error: str) -> Expected:
    return Expected(STATUSES.get(error, 400), {"error": error, "error_description": Naming()})


def token_set(scope: str) -> dict[str, Any]:
    return {
        "access_token": ACCESS_TOKEN,
        "scope": scope,
        "expires_in": "86400",
        "token_type": "Bearer",
    }


def keep_both(state: State, learned: dict[str, str], grant: dict[str, Any], now: datetime) -> None:
    keep_access(state, learned["token"], grant, now)
    assert learned["refresh"] not in state["refresh"], "a refresh token is not new"
    state["refresh"][learned["refresh"]] = {
        "user": grant["user"],
        "scope": grant["scope"],
        "ends": now + REFRESH,
    }


def keep_access(state: State, token: str, grant: dict[str, Any], now: datetime) -> None:
    assert token not in state["access"], "an access token is not new"
    state["access"][token] = {"user": grant["user"], "ends": now + ACCESS}


def issue(state: State, op: dict[str, Any]) -> Outcome:
    """Tokens without signing in, from the administrator."""
    grant, now = {"user": op["user"], "scope": "user,file"}, state["now"]
    return Expected(
        201,
        {"accessToken": ACCESS_TOKEN, "refreshToken": REFRESH_TOKEN, "expiresIn": 86400},
        learn=lambda learned, _: keep_both(state, learned, grant, now),
    )
