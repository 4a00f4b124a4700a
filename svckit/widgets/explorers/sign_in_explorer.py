"""Sign-in: the authorization-code flow, step by step, with its requests, responses and token lifetimes."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, ClassVar

from svckit.errors import InvalidInput, SignInStopped
from svckit.http.trace import TraceEntry
from svckit.models.secret import Secret
from svckit.operations import auth
from svckit.operations.authorization import SignInRequest
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_names
from svckit.widgets.base.callbacks import button, clear_error, showing_errors
from svckit.widgets.base.instants import format_span
from svckit.widgets.explorers.authorization_flow import STEPS, AuthorizationFlow, Lifetime
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.explorers.redirect_watch import RedirectWatch

__all__ = ["SignInExplorer"]

MEANINGS: Mapping[str, str] = {
    "client_id": "the application that asks",
    "redirect_uri": "where the browser is sent back to; must match the URI registered for the application",
    "scope": "the permissions requested for the tokens",
    "response_type": "always code: the redirect carries a code, not a token",
    "domain": "the domain to sign in to; required if it uses single sign-on",
    "state": "random, created for this one sign-in and echoed by the redirect; protects against forged redirects",
}


@dataclass(frozen=True, slots=True)
class SignInDraft:
    """The choices made so far."""

    user: str = ""
    wrong: bool = False
    tampered: bool = False


class SignInExplorer(Explorer[SignInDraft]):
    """A step-by-step sign-in, separate from the session's own: requests, responses, and when tokens expire.

    With an in-process fake, you log in here as any of its users. With any other service, a person logs in in the
    browser: open the link in a new tab; the redirect is received on this machine if it leads here, or else you paste
    it. Codes and tokens are held in memory until the explorer is closed. A real service issues nothing before
    :meth:`confirm`.

    Args:
        svc: a session.

    Attributes:
        draft: who logs in, and which errors to provoke.
        flow: the sign-in in progress.
        error: the error of the last request, or an empty string.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = SignInExplorer(svc)
        >>> explorer.request()
        >>> explorer.write(user="u-002")
        >>> explorer.log_in()
        >>> explorer.check()
        >>> explorer.exchange()
        >>> explorer
        Sign-in [FAKE]
        This sign-in is separate from the session’s: log in as any user of this fake.
        Steps
          1. Authorization request     done          GET /oauth2/v2.0/authorize → 200 OK
          2. Login                     done          POST /oauth2/v2.0/authorize → 302 Found
          3. Redirect and state check  done
          4. Code exchange             done          POST /oauth2/v2.0/token → 200 OK
          5. Access token renewal      not done yet
        Lifetimes
          code           used
          access token   24 h left     expires 2026-06-02T09:00:00+09:00
          refresh token  90 days left  expires 2026-08-30T09:00:00+09:00
        >>> explorer.move_past_expiry("access token")
        >>> explorer.renew()
        >>> explorer.request()
        >>> explorer.paste("https://app.example/callback?code=Qx7&state=Rk9")
        >>> explorer.close()
    """

    template = "widgets/explorers/sign_in.html"
    make_draft: ClassVar[type[SignInDraft]] = SignInDraft

    def __init__(self, svc: Session) -> None:
        self.flow: AuthorizationFlow = AuthorizationFlow(svc)
        self._watch = RedirectWatch(self._handle_redirect)
        self._links = 0  # the number of links so far, so that the browser asks again when there is a new one
        super().__init__(svc)

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Choose who logs in (``user``, an ID), and whether the password is ``wrong`` or the state ``tampered``.

        Args:
            **fields: the fields by name.

        Raises:
            InvalidInput: no such field.
        """
        check_names(fields, SignInDraft.__slots__)
        self._keep(replace(self.draft, **fields))

    @button
    def request(self) -> None:
        """Create the authorization request with a new state; with an in-process fake, also open the login screen.

        Raises:
            ServiceError: the service refused the request.
        """
        self._watch.stop()
        try:
            self.flow.begin(open_screen=self._has_form)
            if self.flow.request is not None and not self._has_form:
                self._links += 1
                self._watch.start(self.flow.request)
        finally:
            self._show()

    @button
    def log_in(self) -> None:
        """Log in to an in-process fake as the chosen user.

        Raises:
            InvalidInput: this is not an in-process fake, so a person logs in; or there is no login screen yet.
            Refused: no such user; the message names some who exist.
            Unauthorized: the login failed; the error screen says so.
        """
        if not self._has_form:
            raise InvalidInput(
                "a person has to log in, in the browser: open the link of the authorization request"
            )
        fake = self.svc.local_fake
        user = fake.state.users.resolve(self._user)
        email = str(fake.directory[user]["email"])
        password = Secret("wrong" if self.draft.wrong else fake.auth.password(user))
        self._take_step(lambda: self.flow.log_in(email, password))

    @button
    def paste(self, url: str | Secret) -> None:
        """Take the URL that the browser was redirected to after a person logged in.

        Args:
            url: the URL, with its ``code`` and ``state``.

        Raises:
            InvalidInput: it is empty, or no sign-in was started here.
        """
        pasted = Secret(url)
        if not pasted.reveal():
            raise InvalidInput("no URL was pasted: copy the one that the browser was redirected to")
        self._watch.stop()
        self.flow.receive_redirect(pasted)
        self._show()

    @button
    def check(self) -> None:
        """Compare the redirect's state with the request's, and read the code.

        Raises:
            SignInStopped: the states differ, for example because somebody tampered with the redirect.
        """
        self._take_step(lambda: self.flow.check(tampered=self.draft.tampered))

    @button
    def exchange(self) -> None:
        """Exchange the code for tokens; repeat it to see the response to a used code.

        Raises:
            InvalidInput: there is no code yet; nothing was sent.
            ServiceError: the service refused the code.
        """
        self.flow.require("exchange")
        self._ask_first("This exchanges the code for tokens", lambda: self._take_step(self.flow.exchange))

    @button
    def renew(self) -> None:
        """Renew the access token.

        Raises:
            InvalidInput: there is no refresh token yet; nothing was sent.
            Unauthorized: the refresh token has expired.
        """
        self.flow.require("renew")
        self._ask_first("This renews an access token", lambda: self._take_step(self.flow.renew))

    @button
    def move_past_expiry(self, credential: str) -> None:
        """Move the clock of an in-process fake to one second after a code or token expires.

        Args:
            credential: ``code``, ``access token`` or ``refresh token``.

        Raises:
            ValueError: there is no such clock, no such code or token, or it has already expired.
        """
        lifetime = next(
            (lifetime for lifetime in self.flow.lifetimes if lifetime.credential == credential), None
        )
        if lifetime is None or not self._has_form:
            raise ValueError(
                "only the clock of an in-process fake can be moved, and only past the expiry of a code or token "
                "issued here"
            )
        self.svc.local_fake.clock.to(lifetime.expires + timedelta(seconds=1))
        self._show()

    def _end(self) -> None:
        """Discard the codes and tokens, and stop listening."""
        self._watch.stop()
        self.flow = AuthorizationFlow(self.svc)
        super()._end()

    @property
    def _has_form(self) -> bool:
        """True if the login screen can be filled in here."""
        return self.svc.is_fake and self.svc.local_fake is not None

    @property
    def _user(self) -> str:
        return self.draft.user.strip() or self._people.first

    def _take_step(self, step: Callable[[], None]) -> None:
        """Take a step, and show what came of it, also if it failed."""
        try:
            step()
        finally:
            self._show()

    @clear_error
    def _handle_redirect(self, landing: "Future[Secret]") -> None:
        """Continue with the code of a redirect that was received here, in a thread."""
        with showing_errors(self):
            try:
                self.flow.accept(landing.result())
            except SignInStopped as stopped:
                step = self.flow.steps["redirect"]
                step.state, step.says = "failed", f"Stopped: {stopped.why}."
                raise
            finally:
                self._show()

    def _do_link(self) -> None:
        """Send the link, which contains the state, in a message, because notebooks do not store messages."""
        if self.flow.request is not None and not self._has_form:
            self.send({"link": self.flow.request.url.reveal(), "number": self._links})

    def _view(self) -> dict[str, Any]:
        """Return the data of the template."""
        flow = self.flow
        lifetimes = [self._build_lifetime(lifetime) for lifetime in flow.lifetimes]
        upcoming = next((name for name in STEPS if flow.steps[name].state != "done"), "renew")
        return {
            "about": self._describe(),
            "form": self._has_form,
            "params": self._list_params(),
            "steps": [self._build_step(name) | {"next": name == upcoming} for name in STEPS],
            "runs": flow.runs,
            "redirect": flow.redirect,
            "link": self._links if flow.request is not None and not self._has_form else 0,
            "pasting": flow.request is not None and not self._question,
            "listening": self._watch.words,
            "draft": replace(self.draft, user=self._user),
            "people": list(self._people.names.items()),
            "lifetimes": lifetimes,
            "own": [] if self._has_form else self._list_own_tokens(),
            "standing": self.clock.standing,
        }

    def _describe(self) -> str:
        if self._has_form:
            return "This sign-in is separate from the session’s: log in as any user of this fake."
        why = "this fake is not in this process" if self.svc.is_fake else "this is the real service"
        return (
            f"This sign-in is separate from the session’s. A person logs in in the browser, because {why}. "
            "Codes and tokens are held in memory and never shown."
        )

    def _list_params(self) -> list[tuple[str, str, str]]:
        """Return the names, values and meanings of the parameters of the authorization request."""
        params = {} if self.flow.request is None else self.flow.request.call.params
        return [(name, str(value), MEANINGS.get(name, "")) for name, value in params.items()]

    def _build_step(self, name: str) -> dict[str, Any]:
        flow, step = self.flow, self.flow.steps[name]
        requests = [wire_text(entry) for entry in step.requests]
        lines = "; ".join(request["line"] for request in requests)
        title = f"{list(STEPS).index(name) + 1}. {STEPS[name]}"
        if name == "request" and flow.request is not None and not self._has_form:
            requests = [self._explain_request(flow.request)]
        return {
            "name": name,
            "title": title,
            "state": step.state,
            "cells": (title, step.state, lines),
            "says": step.says,
            "able": flow.ready[name] and not self._question,
            "lines": lines,
            "requests": requests,
            "open": name == flow.latest,
        }

    def _explain_request(self, request: SignInRequest) -> dict[str, str]:
        """Return the request that the browser of a person sends."""
        opened = self.svc.explain(auth.authorize(request))
        return {
            "request": opened.requests[0].text,
            "response": "The browser shows the login screen; its content is not available here.",
            "curl": opened.requests[0].curl,
            "python": opened.python,
        }

    def _build_lifetime(self, lifetime: Lifetime) -> dict[str, Any]:
        now = self.clock.now()
        state, left = lifetime.state(now), max(lifetime.expires - now, timedelta())
        expires = lifetime.expires.isoformat(timespec="seconds")
        words = f"{format_span(left)} left" if state == "valid" else state
        when = {"valid": f"expires {expires}", "used": ""}.get(state, f"at {expires}")
        return {
            "credential": lifetime.credential,
            "cells": (lifetime.credential, words, when),
            "state": state,
            "expires": expires,
            "left": left.total_seconds() if state == "valid" else 0,
            "duration": (lifetime.expires - lifetime.issued).total_seconds(),
            "span": format_span(left),
            "words": words,
            "passes": state == "valid" and self._has_form,
        }

    def _list_own_tokens(self) -> list[tuple[Any, ...]]:
        """Return the session's own tokens: each with its state, and when it expires, as far as that is known."""
        unknown = "not said by the service"
        tokens = []
        for record in self.svc.records("credentials"):
            at = record.get("endTime")
            tokens.append((record["credential"], record["state"], {"at": at, "words": ""} if at else unknown))
        return tokens


def wire_text(entry: TraceEntry) -> dict[str, str]:
    """Format a request and its response: in a line, as HTTP text, as curl and as Python; masked.

    The macro `wire` of ``controls.html`` shows them.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> with svc.trace() as trace:
        ...     user = svc.users.read("u-001")
        >>> wire_text(trace[0])["line"]
        'PATCH /users/u-001 → 200 OK'
    """
    request = entry.request
    path = "/" + request.url.partition("://")[2].partition("/")[2].partition("?")[0]
    response = entry.response
    return {
        "line": f"{request.method} {path} → {entry.outcome}",
        "request": request.text,
        "response": entry.failure or "no response" if response is None else response.text,
        "curl": request.curl,
        "python": entry.python,
    }
