"""Signing in: the steps, and what stops them."""

import json
from dataclasses import replace

import httpx
import pytest

from svckit.errors import ForeignOrigin, ServiceError, Unauthorized
from svckit.http.messages import Request, Response
from svckit.models.secret import Secret
from svckit.operations import auth
from svckit.operations.authorization import SignInRequest
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.session import Session

LOGIN = b"""<form method="post" action="/login"><input type=hidden name=ticket value="t&amp;1">
<input name=login_id><input name="password" type="password"><button>Log in</button></form>"""


def page(body: bytes = LOGIN) -> Response:
    return Response(
        200, {"content-type": "text/html"}, body, "auth.authorize", "GET https://auth.work.test/…"
    )


def redirect(location: str) -> Response:
    return Response(302, {"location": location}, b"", "auth.login", "POST https://auth.work.test/login")


ERROR_SCREEN = b"<html><body><h1>This did not work</h1><p>the password is wrong</p></body></html>"


def state_of(call: Request) -> str:
    return call.params["state"].reveal()


def test_where_somebody_is_logged_in_no_form_is_filled_in(profile: Profile, credentials: Credentials) -> None:
    operation = auth.sign_in(profile, credentials)
    state = state_of(next(operation))
    call = operation.send(redirect(f"{profile.redirect_uri}?code=c-1&state={state}"))
    assert call.operation == "auth.exchange"


def test_the_four_steps(profile: Profile, credentials: Credentials) -> None:
    operation = auth.sign_in(profile, credentials)
    first = next(operation)
    assert (first.method, first.target, first.area) == ("GET", "/oauth2/v2.0/authorize", "auth")
    state = state_of(first)
    assert len(state) >= 32
    assert dict(first.params) == {
        "client_id": "client-1",
        "redirect_uri": "http://127.0.0.1:8731/callback",
        "scope": "user,file",
        "response_type": "code",
        "state": Secret(state),
    }
    login = operation.send(page())
    assert (login.method, login.target) == ("POST", "https://auth.work.test/login")
    assert login.form == {
        "ticket": Secret("t&1"),
        "login_id": "mina@example.com",
        "password": Secret("canary-password"),
    }
    exchange = operation.send(redirect(f"http://127.0.0.1:8731/callback?code=c-1&state={state}"))
    assert exchange.form == {
        "code": Secret("c-1"),
        "grant_type": "authorization_code",
        "client_id": "client-1",
        "client_secret": Secret("canary-client-secret"),
    }
    assert "canary" not in repr([first, login, exchange])
    issued = {
        "access_token": "a",
        "refresh_token": "r",
        "scope": "user",
        "expires_in": "86400",
        "token_type": "Bearer",
    }
    with pytest.raises(StopIteration) as done:
        operation.send(Response(200, {}, json.dumps(issued).encode()))
    assert done.value.value.access_token == Secret("a")


def test_the_state_is_new_each_time(profile: Profile, credentials: Credentials) -> None:
    states = {state_of(next(auth.sign_in(profile, credentials))) for _ in range(5)}
    assert len(states) == 5


@pytest.mark.parametrize(
    ("location", "why"),
    [
        ("http://127.0.0.1:8731/callback?code=c-1&state=forged", "may be forged"),
        ("https://evil.test/callback?code=c-1&state={state}", "does not go to the application's"),
    ],
)
def test_a_redirect_that_is_not_ours(
    location: str, why: str, profile: Profile, credentials: Credentials
) -> None:
    operation = auth.sign_in(profile, credentials)
    state = state_of(next(operation))
    operation.send(page())
    with pytest.raises(Unauthorized, match=why) as caught:
        operation.send(redirect(location.format(state=state)))
    assert "c-1" not in str(caught.value)


def test_a_login_screen_for_people(profile: Profile, credentials: Credentials) -> None:
    operation = auth.sign_in(profile, credentials)
    next(operation)
    with pytest.raises(ServiceError, match="sign in with a browser"):
        operation.send(page(b"<form><input name=user></form>"))


def test_an_error_screen_is_read(profile: Profile, credentials: Credentials) -> None:
    operation = auth.sign_in(profile, credentials)
    next(operation)
    with pytest.raises(Unauthorized, match="no such application"):
        operation.send(page(b"<h1>Sorry</h1><p>no such application</p>"))


def test_a_login_form_that_leads_elsewhere_gets_nothing(profile: Profile, credentials: Credentials) -> None:
    asked = []

    def service(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.host)
        return httpx.Response(200, content=LOGIN.replace(b"/login", b"https://evil.test/login"))

    session = Session(profile, credentials, transport=httpx.MockTransport(service))
    with session, pytest.raises(ForeignOrigin, match=r"https://evil\.test"):
        session.sign_in()
    assert asked == ["auth.work.test"]


def test_the_domain_is_sent_where_there_is_one(profile: Profile, credentials: Credentials) -> None:
    single_sign_on = replace(profile, domain="example")
    assert SignInRequest(single_sign_on, Secret("s")).call.params["domain"] == "example"
    exchange = next(auth.exchange(single_sign_on, credentials, Secret("c-1")))
    assert exchange.form is not None
    assert exchange.form["domain"] == "example"


@pytest.mark.parametrize("screen", ["authorize", "login"])
def test_an_error_screen_with_the_status_of_a_success_is_a_refusal(
    screen: str, profile: Profile, credentials: Credentials
) -> None:
    operation = auth.sign_in(profile, credentials)
    next(operation)
    if screen == "login":
        operation.send(page())
    with pytest.raises(Unauthorized, match=r"This did not work\. the password is wrong \(200;") as refused:
        operation.send(replace(page(ERROR_SCREEN), operation=f"auth.{screen}"))
    assert refused.value.status == 200  # as it was sent, not made up
    assert refused.value.operation == f"auth.{screen}"
