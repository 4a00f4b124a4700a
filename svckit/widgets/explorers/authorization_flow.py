"""The authorization-code flow one step at a time, beside a session, whose own tokens stay what they are."""

import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qsl, urlencode

from svckit.display.masking import mask
from svckit.errors import InvalidInput, ServiceError, SignInStopped
from svckit.http.messages import Operation, Response
from svckit.http.trace import TraceEntry
from svckit.models import limits
from svckit.models.secret import Secret
from svckit.models.token import TokenSet
from svckit.operations import auth
from svckit.operations.authorization import SignInRequest
from svckit.session.session import Session

__all__ = ["STEPS", "AuthorizationFlow", "Lifetime", "Step"]

T = TypeVar("T")

STEPS: Mapping[str, str] = {
    "request": "Authorization request",
    "login": "Login",
    "redirect": "Redirect, and the check of its state",
    "exchange": "Exchange of the code for tokens",
    "refresh": "Refresh of the access token",
}
FIRST: Mapping[str, str] = {
    "exchange": "there is no code yet, whose redirect was checked",
    "refresh": "there is no refresh token yet; exchange a code first",
}
"""What is missing where a step cannot be taken yet."""


@dataclass(slots=True)
class Step:
    """What came of a step.

    Attributes:
        state: ``open`` while nothing came of it, then ``done`` or ``failed``.
        says: that in words, masked.
        requests: its requests and responses, of the last attempt.
    """

    state: Literal["open", "done", "failed"] = "open"
    says: str = ""
    requests: list[TraceEntry] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long a code or a token of this sign-in is good for; it ends by time, or when it is used up."""

    credential: str
    issued: datetime
    ends: datetime
    is_used: bool = False

    def state(self, now: datetime) -> str:
        """``valid``, ``used`` or ``ended``; only of an access token its last instant is one too late."""
        too_late = now >= self.ends if self.credential == "access token" else now > self.ends
        return "used" if self.is_used else "ended" if too_late else "valid"


class AuthorizationFlow:
    """One sign-in in its steps: each is taken when it is asked for, and may be taken again.

    What a step needs is what the steps before it have brought; codes and tokens are held in memory and not shown.

    Args:
        svc: the session beside which it happens, which sends what is to be sent.

    Attributes:
        request: the authorization request, with its state.
        steps: what came of each step, by name.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> flow = AuthorizationFlow(svc)
        >>> flow.begin(open_screen=True)
        >>> flow.log_in(svc.credentials.login_id, svc.credentials.password)
        >>> flow.check(tampered=True)
        Traceback (most recent call last):
        ...
        svckit.errors.SignInStopped: the sign-in was stopped: the redirect's state is not the one of this sign-in, ...
        >>> flow.check()
        >>> flow.exchange()
        >>> [(each.credential, each.state(svc.clock.now())) for each in flow.lifetimes]
        [('code', 'used'), ('access token', 'valid'), ('refresh token', 'valid')]
    """

    def __init__(self, svc: Session) -> None:
        self._svc = svc
        self.request: SignInRequest | None = None
        self.steps: dict[str, Step] = {name: Step() for name in STEPS}
        self._screen: Response | None = None
        self._url: Secret | None = None
        self._code: Secret | None = None
        self._refresh_token: Secret | None = None
        self._lifetimes: dict[str, Lifetime] = {}

    @property
    def lifetimes(self) -> list[Lifetime]:
        """Of the code and the tokens that it has brought so far."""
        return list(self._lifetimes.values())

    @property
    def ready(self) -> dict[str, bool]:
        """Which steps have what they need."""
        return {
            "request": True,
            "login": self._screen is not None,
            "redirect": self._url is not None,
            "exchange": self._code is not None,
            "refresh": self._refresh_token is not None,
        }

    def require(self, step: Literal["exchange", "refresh"]) -> None:
        """Make sure that a step has what it needs.

        Raises:
            InvalidInput: it has not; says what comes first.
        """
        if not self.ready[step]:
            raise InvalidInput(FIRST[step])

    def begin(self, *, open_screen: bool) -> None:
        """Make the request, with a new state; what came of an earlier one is forgotten.

        Args:
            open_screen: whether to open the login screen, as a browser does.
        """
        AuthorizationFlow.__init__(self, self._svc)
        self.request = SignInRequest.begin(self._svc.profile)
        if open_screen:
            self._screen = self._run("request", auth.authorize(self.request))
        self._complete(
            "request", "The request is made, with a new random state, which is kept here and not shown."
        )

    def log_in(self, login_id: str, password: Secret) -> None:
        """Fill in the login screen of a fake; the redirect that is the answer is read, not followed."""
        if self.request is None or self._screen is None:
            raise InvalidInput("there is no login screen yet; make the authorization request first")
        redirect = self._run("login", auth.log_in(self.request, self._screen, login_id, password))
        self._complete(
            "login", f"{login_id} has logged in; the service redirects the browser to the application."
        )
        self.receive_redirect(Secret(redirect.headers.get("location", "")))

    def receive_redirect(self, address: Secret) -> None:
        """Take the address that the browser was redirected to, which is not checked yet."""
        if self.request is None:
            raise InvalidInput(
                "no sign-in was begun here, so none can come to an end; make the request first"
            )
        self._url, self._code = address, None
        self._complete_login()
        self.steps["redirect"] = Step()
        self._note_lifetime("code", limits.AUTHORIZATION_CODE_LIFETIME)

    @property
    def redirect(self) -> str:
        """The address of the redirect, its code and state masked; empty before there is one."""
        return "" if self._url is None else mask(self._url.reveal())

    def check(self, *, tampered: bool = False) -> None:
        """Take the code out of the redirect, if its state is the one of the request.

        Args:
            tampered: whether to look at the redirect as if somebody had put another state into it.

        Raises:
            SignInStopped: it is not, or the redirect brings no code.
        """
        if self.request is None or self._url is None:
            raise InvalidInput("there is no redirect yet; log in first")
        address = _replace_state(self._url) if tampered else self._url
        self._code = None
        try:
            code = self.request.extract_code(address)
        except SignInStopped as stopped:
            self.steps["redirect"] = Step("failed", f"Stopped: {stopped.why}. The code is not used.")
            raise
        self.accept(code)

    def accept(self, code: Secret) -> None:
        """Take the code of a redirect whose state was checked."""
        self._code = code
        self._complete_login()
        if "code" not in self._lifetimes:
            self._note_lifetime("code", limits.AUTHORIZATION_CODE_LIFETIME)
        self._complete(
            "redirect",
            "The state is the one of the request, compared in constant time, so the code belongs to this sign-in.",
        )

    def exchange(self) -> None:
        """Exchange the code for tokens, whether or not that was done before: the service says what it makes of it."""
        if self._code is None:
            raise InvalidInput(FIRST["exchange"])
        svc = self._svc
        issued = self._run("exchange", auth.exchange(svc.profile, svc.credentials, self._code))
        self._refresh_token = issued.refresh_token
        self._use_up("code")
        self._note_access_token(issued)
        if issued.refresh_token:
            self._note_lifetime("refresh token", limits.REFRESH_TOKEN_LIFETIME)
        self._complete(
            "exchange",
            "Tokens were issued. They are held here, beside the session’s own, and not shown. The code is used up now: "
            "exchange it again to see what the service says.",
        )

    def refresh(self) -> None:
        """Renew the access token; the refresh token stays."""
        if self._refresh_token is None:
            raise InvalidInput(FIRST["refresh"])
        svc = self._svc
        issued = self._run("refresh", auth.refresh(svc.profile, svc.credentials, self._refresh_token))
        self._note_access_token(issued)
        self._complete(
            "refresh", "A new access token was issued; no refresh token comes with it, the old one stays."
        )

    def records(self, kind: str) -> Iterable[Mapping[str, Any]]:
        """Its code and tokens, without what they are, in the form that `svckit.plots.credentials` draws.

        Raises:
            ValueError: another kind was asked for.
        """
        if kind != "credentials":
            raise ValueError(f"a sign-in has records of the kind 'credentials' only, not {kind!r}")
        now = self._svc.clock.now()
        return [
            {
                "credential": each.credential,
                "state": each.state(now),
                "issuedTime": each.issued.isoformat(),
                "endTime": each.ends.isoformat(),
                "asOf": now.isoformat(),
            }
            for each in self.lifetimes
        ]

    def _run(self, name: str, operation: Operation[T]) -> T:
        """Run an operation, and note what goes over the wire for it."""
        step = self.steps[name] = Step()
        with self._svc.trace() as trace:
            try:
                return self._svc.run(operation)
            except ServiceError as refused:
                outcome = f"{refused.status or 'no answer'}: {refused.description or refused}"
                step.state, step.says = (
                    "failed",
                    mask(f"The service refused it with {outcome}.".replace("..", ".")),
                )
                raise
            finally:
                step.requests = [each for each in trace if each.request.operation.startswith("auth.")]

    def _complete_login(self) -> None:
        """The browser is back from the login, wherever that was."""
        if self._screen is None:
            self._complete("login", "A person has logged in, in the browser.")

    def _complete(self, name: str, says: str) -> None:
        step = self.steps[name]
        step.state, step.says = "done", mask(says)

    def _note_access_token(self, issued: TokenSet) -> None:
        self._note_lifetime("access token", issued.lifetime)

    def _note_lifetime(self, credential: str, lasts: timedelta) -> None:
        now = self._svc.clock.now()
        ends = datetime.max.replace(tzinfo=now.tzinfo)
        with suppress(OverflowError):  # later than there are dates
            ends = now + lasts
        self._lifetimes[credential] = Lifetime(credential, now, ends)

    def _use_up(self, credential: str) -> None:
        held = self._lifetimes[credential]
        self._lifetimes[credential] = Lifetime(credential, held.issued, held.ends, is_used=True)


def _replace_state(address: Secret) -> Secret:
    place, _, query = address.reveal().partition("?")
    others = [(name, value) for name, value in parse_qsl(query) if name != "state"]
    return Secret(f"{place}?{urlencode([*others, ('state', secrets.token_urlsafe(32))])}")
