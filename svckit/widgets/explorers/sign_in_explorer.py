"""Sign-in: the authorization-code flow, step by step, with each request and answer and what has how long to live."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any

from svckit import plots
from svckit.errors import InvalidInput, SignInStopped
from svckit.models.secret import Secret
from svckit.operations import auth
from svckit.session.session import Session
from svckit.widgets.base import plain
from svckit.widgets.base.assets import script, style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.base.wire_text import wire_text
from svckit.widgets.explorers.authorization_flow import STEPS, AuthorizationFlow, Lifetime
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.explorers.people import People
from svckit.widgets.explorers.redirect_watch import RedirectWatch
from svckit.widgets.explorers.time_spans import span_words
from svckit.widgets.form.field_names import check_names

__all__ = ["SignInExplorer"]

MEANINGS: Mapping[str, str] = {
    "client_id": "which application asks",
    "redirect_uri": "where the browser is sent back to; the one the application is registered with",
    "scope": "what the tokens are asked to be good for",
    "response_type": "always code: the redirect brings a code, not a token",
    "domain": "the domain that signs in; required where it uses single sign-on",
    "state": "random, made for this one sign-in and echoed by the redirect: protection against forged redirects",
}


@dataclass(frozen=True, slots=True)
class SignInDraft:
    """What was chosen."""

    user: str = ""
    wrong: bool = False
    tampered: bool = False


class SignInExplorer(Explorer[SignInDraft]):
    """Sign in step by step, beside the session, whose own tokens stay: each request, its answer, and what ends when.

    With a fake in process one logs in here, as any of its users. With another service a person does, in the browser:
    the link is opened in a new tab, and the redirect is caught on this machine, where it leads there, or pasted. What
    is issued is held in memory until the explorer is closed. A service that is no fake issues nothing before
    :meth:`confirm`.

    Args:
        svc: a session.

    Attributes:
        draft: as whom to log in, and what is to be wrong.
        flow: the sign-in under way.
        error: what the last request failed with, or empty text.

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
          1  Authorization request                 done  GET /oauth2/v2.0/authorize -> 200 OK
          2  Login                                 done  POST /oauth2/v2.0/authorize -> 302 Found
          3  Redirect, and the check of its state  done
          4  Exchange of the code for tokens       done  POST /oauth2/v2.0/token -> 200 OK
          5  Refresh of the access token           open
          code           used
          access token   24 h left
          refresh token  90 days left
        >>> explorer.close()
    """

    _esm = script(
        "base/entries.js",
        "base/succession.js",
        "explorers/explorer.js",
        "base/countdown.js",
        "base/wire.js",
        "explorers/sign_in_explorer.js",
    )
    _css = style("explorers/explorer.css", "base/wire.css", "explorers/sign_in_explorer.css")
    template = "widgets/explorers/sign_in_steps.html"
    begin = SignInDraft

    def __init__(self, svc: Session) -> None:
        self.flow = AuthorizationFlow(svc)
        self._people = People(svc)
        self._watch = RedirectWatch(self._handle_redirect)
        self._links = 0
        super().__init__(svc)
        if self._has_form:
            self._people.look()
        self._show()

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Choose as whom to log in (``user``, an ID), and whether the password is ``wrong`` or the state ``tampered``.

        Raises:
            InvalidInput: there is no such field.
        """
        check_names(fields, SignInDraft.__slots__)
        self._keep(replace(self.draft, **fields))

    @clear_error
    def request(self) -> None:
        """Make the authorization request, with a new state; with a fake in process, open the login screen too.

        Raises:
            ServiceError: the service refuses it.
        """
        self._watch.stop()
        try:
            self.flow.begin(open_screen=self._has_form)
            if self.flow.request is not None and not self._has_form:
                self._links += 1
                self._watch.start(self.flow.request)
        finally:
            self._show()

    @clear_error
    def log_in(self) -> None:
        """Log in as the user who is chosen, to a fake in process.

        Raises:
            InvalidInput: the service is another one, where a person logs in; or there is no login screen yet.
            Refused: there is no such user; names who there is.
            Unauthorized: the login failed; the error screen says so.
        """
        if not self._has_form:
            raise InvalidInput(
                "a person logs in here, in the browser, by the link of the authorization request"
            )
        fake = self.svc.fake
        user = fake.directory.find(self._user)
        email = str(fake.directory.record(user)["email"])
        password = Secret("wrong" if self.draft.wrong else fake.auth.password(user))
        try:
            self.flow.log_in(email, password)
        finally:
            self._show()

    @clear_error
    def paste(self, address: str | Secret) -> None:
        """Take the address that the browser ended at after a person had logged in."""
        self._watch.stop()
        self.flow.receive_redirect(Secret(address))
        self._show()

    @clear_error
    def check(self) -> None:
        """Compare the redirect's state with that of the request, and take the code.

        Raises:
            SignInStopped: it is another one, such as where it was tampered with.
        """
        try:
            self.flow.check(tampered=self.draft.tampered)
        finally:
            self._show()

    @clear_error
    def exchange(self) -> None:
        """Exchange the code for tokens; once more to see what the service says to a code that was used.

        Raises:
            InvalidInput: there is no code yet; nothing is asked and sent.
            ServiceError: it refuses the code.
        """
        self.flow.require("exchange")
        self._ask_first("This exchanges the code for tokens", lambda: self._issue(self.flow.exchange))

    @clear_error
    def refresh(self) -> None:
        """Renew the access token.

        Raises:
            InvalidInput: there is no refresh token yet; nothing is asked and sent.
            Unauthorized: the refresh token has ended.
        """
        self.flow.require("refresh")
        self._ask_first("This renews an access token", lambda: self._issue(self.flow.refresh))

    @clear_error
    def move_past_expiry(self, credential: str) -> None:
        """Move the clock of a fake in process one second past the end of a code or token.

        Raises:
            ValueError: there is no such clock, or it has passed the end.
        """
        held = next((each for each in self.flow.lifetimes if each.credential == credential), None)
        if held is None or not self._has_form:
            raise ValueError(
                "only the clock of a fake in process is moved, and only past an end that is known"
            )
        self.svc.fake.clock.to(held.ends + timedelta(seconds=1))
        self._show()

    def _end(self) -> None:
        """Forget the codes and tokens, and listen no more."""
        self._watch.stop()
        self.flow = AuthorizationFlow(self.svc)
        super()._end()

    @property
    def _has_form(self) -> bool:
        """Whether the login screen can be filled in here."""
        return self.svc.is_fake and self.svc.fake is not None

    @property
    def _user(self) -> str:
        return self.draft.user.strip() or self._people.first

    def _issue(self, step: Callable[[], None]) -> None:
        try:
            step()
        finally:
            self._show()

    @show_errors
    def _handle_redirect(self, landing: "Future[Secret]") -> None:
        """Go on with what a redirect has brought that was caught."""
        try:
            self.flow.accept(landing.result())
        except SignInStopped as stopped:
            step = self.flow.steps["redirect"]
            step.state, step.says = "failed", f"Stopped: {stopped.why}."
            raise
        finally:
            self._show()

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Do what the browser asks for."""
        match content:
            case {"do": "write", "field": "user", "text": str(user)}:
                self.write(user=user)
            case {"do": "write", "field": "wrong" | "tampered" as field, "text": bool(chosen)}:
                self.write(**{field: chosen})
            case {"do": "paste", "address": str(address)}:
                self.paste(address)
            case {"do": "move_past_expiry", "credential": str(credential)}:
                self.move_past_expiry(credential)
            case {"do": "link"}:
                self._send_link()
            case {
                "do": "request" | "log_in" | "check" | "exchange" | "refresh" | "confirm" | "cancel" as step
            }:
                getattr(self, step)()
            case _:
                raise ValueError("a sign-in explorer does not understand what the browser asks for")

    def _send_link(self) -> None:
        """Tell the browser the link, which holds the state: in a message, which no notebook keeps."""
        if self.flow.request is not None and not self._has_form:
            self.send({"link": self.flow.request.url.reveal()})

    def _view(self) -> dict[str, Any]:
        """All three faces are made from this."""
        flow, clock = self.flow, self.clock
        held = [self._lifetime(each) for each in flow.lifetimes]
        return {
            "badge": self.badge,
            "about": self._about(),
            "form": self._has_form,
            "params": self._params(),
            "steps": [self._step(name, title) for name, title in STEPS.items()],
            "ready": flow.ready,
            "redirect": flow.redirect,
            "link": self._links,
            "listening": self._watch.words,
            "draft": {**asdict(self.draft), "user": self._user},
            "people": self._people.view,
            "held": held,
            "own": [] if self._has_form else self._own(),
            "standing": clock.standing,
            "picture": plots.credentials(flow).svg if held else "",
            "asking": self._question,
        }

    def _about(self) -> str:
        if self._has_form:
            return "A sign-in of its own, beside the session’s: log in as any user of this fake."
        where = "this fake is not in this process" if self.svc.is_fake else "this is the real service"
        return (
            f"A sign-in of its own, beside the session’s. A person logs in, in the browser, since {where}; "
            "codes and tokens are held in memory and never shown."
        )

    def _params(self) -> list[dict[str, str]]:
        """Every parameter of the authorization request, with its meaning."""
        if self.flow.request is None:
            return []
        params = self.flow.request.call.params
        return [
            {"name": name, "value": str(value), "meaning": MEANINGS.get(name, "")}
            for name, value in params.items()
        ]

    def _step(self, name: str, title: str) -> dict[str, Any]:
        step = self.flow.steps[name]
        requests = [wire_text(each) for each in step.requests]
        if name == "request" and self.flow.request is not None and not self._has_form:
            opened = self.svc.explain(auth.authorize(self.flow.request)).requests[0]
            answer = "The browser shows the login screen; nothing of it passes through here."
            requests = [{"line": "", "request": opened.text, "response": answer, "curl": opened.curl}]
        return {"name": name, "title": title, "state": step.state, "says": step.says, "requests": requests}

    def _lifetime(self, held: Lifetime) -> dict[str, Any]:
        now = self.clock.now()
        state, left = held.state(now), held.ends - now
        return {
            "credential": held.credential,
            "state": state,
            "ends": held.ends.isoformat(timespec="seconds"),
            "left": max(0.0, left.total_seconds()),
            "lasts": (held.ends - held.issued).total_seconds(),
            "words": f"{span_words(left)} left" if state == "valid" else state,
            "passes": state == "valid" and self._has_form,
        }

    def _own(self) -> list[dict[str, str]]:
        """How long the session's own tokens are good for, as far as that is known."""
        known = []
        for each in self.svc.records("credentials"):
            ends = each.get("endTime")
            words = (
                f"{each['state']}, until {ends}"
                if ends
                else f"{each['state']}; the service did not say until when"
            )
            known.append({"credential": str(each["credential"]), "words": words})
        return known

    def _text(self) -> str:
        view = self.view
        rows = [
            (str(number), step["title"], step["state"], "; ".join(each["line"] for each in step["requests"]))
            for number, step in enumerate(view["steps"], 1)
        ]
        lines = [f"Sign-in [{view['badge']}]", *(f"  {line}" for line in plain.columns(rows, widest=60))]
        lines += [f"? {view['asking']}"] if view["asking"] else []
        held = [(each["credential"], each["words"]) for each in view["held"]]
        return "\n".join([*lines, *(f"  {line}" for line in plain.columns(held))] if held else lines)
