"""A service whose error repeats all that it was sent, in every spelling: no error shows a secret of the request.

The secrets look like nothing, as those of a real service do, and hold characters that forms and JSON escape.
"""

import asyncio
import json
import re
import secrets
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, unquote_plus

import httpx
import pytest

from fakes.clock import Clock
from svckit.errors import ServiceError
from svckit.models.secret import Secret
from svckit.profiles.credentials import Credentials, Tokens
from svckit.profiles.profiles import Profile
from svckit.session.aio import AsyncSession
from svckit.session.session import Session

from ..conftest import Face

SCREEN = '<form method="post"><input name="login_id"><input name="password"></form>'
NOW = datetime(2026, 6, 1, tzinfo=UTC)
LATER = timedelta(hours=25)


def secret() -> str:
    return f"{secrets.token_urlsafe(12)}+/={secrets.token_urlsafe(12)}"


@dataclass
class Known:
    """The secrets of a session, by name."""

    bearer: str = field(default_factory=lambda: secrets.token_urlsafe(30))
    refresh: str = field(default_factory=secret)
    client_secret: str = field(default_factory=secret)
    password: str = field(default_factory=secret)
    webhook: str = field(default_factory=lambda: secrets.token_urlsafe(30))


def alone(sent: str) -> str:
    """What is sent without the names that tell what it is: the words between them."""
    return " ".join(re.split(r"[&=/ ]|://", sent))


SAYS: dict[str, Callable[[str], dict[str, Any]]] = {
    "as it came": lambda sent: {"text": sent},
    "as text": lambda sent: {"text": unquote_plus(sent)},
    "in JSON": lambda sent: {"json": {"code": "INVALID", "description": unquote_plus(sent)}},
    "in JSON, as it came": lambda sent: {"json": {"error": {"message": sent}}},
    "quoted": lambda sent: {"text": quote(sent, safe="")},
    "without names": lambda sent: {"text": unquote_plus(alone(sent))},
    "without names, as it came": lambda sent: {"text": alone(sent)},
    "on a page": lambda sent: {"html": f"<p>{unquote_plus(sent)}</p>"},
    "in a header": lambda sent: {"headers": {"X-Fake-Reason": " ".join(sent.split())}},
}
CALLS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "bearer": ("/users/u-001", lambda svc: svc.users.read("u-001")),
    "password": ("/oauth2/v2.0/authorize", lambda svc: svc.sign_in()),
    "client_secret": ("/oauth2/v2.0/token", lambda svc: svc.users.read("u-001")),
    "refresh": ("/oauth2/v2.0/token", lambda svc: svc.users.read("u-001")),
    "webhook": ("/message/", lambda svc: svc.notify("hello")),
}
"""By the secret that goes along: where it goes, and the call that it goes with."""


class Echo:
    """A service that repeats requests to one place in its errors."""

    def __init__(self, place: str, says: Callable[[str], dict[str, Any]]) -> None:
        self._place = place
        self._says = says
        self.echoed = ""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, html=SCREEN)
        if self._place not in request.url.path:
            raise AssertionError(f"{request.url} is not where the secret goes")
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        self.echoed = f"{bearer}&{request.url}&{request.read().decode()}"
        return httpx.Response(400, **self._says(self.echoed))


def everything(error: BaseException | None) -> Iterator[str]:
    """All that can be shown of an error and of what led to it, but for the frames of tests, which know the secrets."""
    while error is not None:
        yield f"{error!r} {error} {vars(error)!r}"
        shown = traceback.TracebackException.from_exception(error, capture_locals=True)
        frames = [frame for frame in shown.stack if "/tests/" not in frame.filename]
        yield "".join(traceback.StackSummary.from_list(frames).format())
        yield from everything(error.__cause__)
        error = error.__context__


@pytest.mark.parametrize("says", SAYS)
@pytest.mark.parametrize("name", CALLS)
def test_no_error_shows_a_secret_that_the_service_repeats(
    name: str, says: str, way: str, runner: asyncio.Runner, profile: Profile
) -> None:
    known, (place, call) = Known(), CALLS[name]
    echo = Echo(place, SAYS[says])
    credentials = Credentials(
        client_secret=Secret(known.client_secret),
        login_id="mina@example.com",
        password=Secret(known.password),
        webhooks={"alerts": Secret(f"{profile.webhook_url}/message/{known.webhook}")},
    )
    session: Any = (Session if way == "sync" else AsyncSession)(
        profile, credentials, transport=httpx.MockTransport(echo), clock=Clock(NOW), retries=0
    )
    tokens = Tokens(Secret(known.bearer), Secret(known.refresh), NOW + LATER)
    renews = name in ("client_secret", "refresh")
    session._driver.tokens.current = replace(tokens, expires=NOW) if renews else tokens
    face = Face(session, runner)
    with face.session.trace() as trace, pytest.raises(ServiceError) as caught:
        face(call)
    face(lambda svc: svc.close())
    own = getattr(known, name)
    spellings = {own, quote(own, safe=""), quote(quote(own, safe=""), safe=""), json.dumps(own)[1:-1]}
    assert any(spelling in echo.echoed for spelling in spellings)
    shown = "".join(everything(caught.value)) + f"{trace} {trace!r} {trace.records()} {trace.curl()}"
    assert [spelling for spelling in spellings if spelling in shown] == []


@pytest.mark.parametrize(
    "told",
    [
        "{}",
        "Authorization: Bearer {}",
        '{{"access_token": "{}"}}',
        '{{"description": "{{\\"client_secret\\": \\"{}\\"}}"}}',
        "client_secret={}&code=1",
        "<p>https://mina:{}@app.example/</p>",
    ],
)
def test_no_error_shows_a_secret_of_another_request(told: str, profile: Profile) -> None:
    """Which is known by its name or its form alone."""
    other = f"at_{secrets.token_hex(20)}" if told == "{}" else secrets.token_urlsafe(30)
    response = httpx.Response(400, text=told.format(other))
    credentials = Credentials(client_secret=Secret("x"))
    with Session(profile, credentials, transport=httpx.MockTransport(lambda _: response)) as svc:
        svc._driver.tokens.current = Tokens(Secret("the bearer"), None, datetime.now(UTC) + LATER)
        with svc.trace() as trace, pytest.raises(ServiceError) as caught:
            svc.users.read("u-001")
    assert other not in "".join(everything(caught.value)) + f"{trace} {trace!r} {trace.records()}"
