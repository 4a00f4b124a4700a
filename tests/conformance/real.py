"""A real service, of a profile: what can be asked of it, and what of its throw-away user is put back after a case."""

import json
import os
import secrets
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from urllib.parse import quote

import httpx
import pytest
from pydantic import ValidationError

from svckit.errors import ServiceError, Unauthorized, UnusableProfile
from svckit.models.token import TokenSet
from svckit.models.user import UserChange
from svckit.profiles.credentials import SessionTokens
from svckit.session.session import Session
from svckit.session.token_steps import acquire
from svckit.sign_in.account import Account

from .doors import WireDoor
from .target import Target, bearer


class Watching:
    """A door that notes the shapes of responses and what must not be shown, and keeps tokens that are renewed."""

    def __init__(self, door, recording, secrets, tokens):
        self._door = door
        self._recording = recording
        self._secrets = secrets
        self._tokens = tokens
        self._renewing = None  # the form of the last renewal
        self.spent = False  # whether the service has refused what it accepted before

    def send(self, method, url, chunks, **options):
        answer = self._door.send(method, url, chunks, **options)
        given = json_of(answer)
        secrets = (given.get(name) for name in ("access_token", "refresh_token", "uploadUrl"))
        self._secrets.update(filter(None, (*secrets, answer.headers.get("Location"))))
        form = options.get("data", {})
        if answer.is_success and given.get("access_token"):
            self._renewing = form
            # At once, as a service that returns another refresh token takes the one before no more.
            with suppress(ValidationError):
                self._tokens.keep(TokenSet.from_response(given), datetime.now(UTC))
        elif answer.is_client_error and form and form == self._renewing:
            self.spent = True
        return self._recording.add(method, url, answer, renewed=form.get("refresh_token"))


def json_of(answer):
    """The fields of a response, if it has any."""
    try:
        found = answer.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True)
class MayWrite:
    """What a run may change: a user by ID, and what a webhook of the profile posts to, by the webhook's name."""

    user: str
    webhook: str | None

    def allows(self, kind):
        """Whether cases that write to a kind may run."""
        return kind != "webhook" or self.webhook is not None

    def announcement(self, cases):
        """What will be written, in sentences, by the number of cases of each kind."""
        yield f"This run writes to a real service. Of the user {self.user}:"
        yield f"- {cases['user']} cases change fields; what they change is put back after each of them;"
        yield f"- {cases['status']} cases register a profile status, the last of which stays: none can be taken away;"
        yield f"- {cases['drive']} cases upload small files to the drive, which stay: none can be deleted."
        if self.webhook is None:
            yield "No message is posted, as no throw-away webhook is named."
        else:
            yield f"{cases['webhook']} cases post to the webhook {self.webhook!r}; the messages stay in its room."


class Real(Target):
    """A service of which only its description is known; time, settings and receivers are not ours to move."""

    is_fake = False

    def __init__(self, facts, door, profile, tokens, run, *, renews):
        super().__init__(facts, door)
        self.http.sent = run.sent
        self._run = run
        self._mark = secrets.token_hex(4)
        self._profile = profile
        self._tokens = tokens
        self._renews = renews  # whether the refresh token may be sent, after which it may work no more
        self._lock = None  # between the processes that share the tokens
        self._until_end = ExitStack()

    def close(self):
        """The next case goes on with the same connections."""

    @property
    def other(self):
        """The throw-away user; without one, the user who signs in, and no case changes anything."""
        return self.facts["users"][-1]

    def fresh(self, name):
        return f"{self._mark}-{name}"

    @contextmanager
    def kept(self, kinds):
        with self._until_end:
            if "user" not in kinds:
                yield
                return
            before = self._user()
            yield
            self._put_back(before)

    def _user(self, body=b"{}"):
        """The throw-away user's fields, as the response to an update shows them."""
        url = self.api(f"/users/{quote(self.other, safe='')}")
        headers = self.signed_in() | {"Content-Type": "application/json"}
        return self.http.patch(url, content=body, headers=headers).json()

    def _put_back(self, before):
        """Write the fields that have changed as they were; say which could not be."""
        try:
            left = changes(self._user(), before)
            if left:
                left = changes(self._user(json.dumps(left).encode()), before)
        except (AssertionError, httpx.TransportError) as failed:
            left = [f"what a case has changed ({failed})"]
        if left:
            self._run.left.append(f"Of the user {self.other} could not be put back: {', '.join(left)}")

    def authorization(self, **changes):
        own = {"scope": ",".join(self._profile.scopes), "domain": self._profile.domain}
        return super().authorization(**(own | changes))

    def tokens(self, **changes):
        """The tokens of the person who has signed in: another set would take the person again.

        Until the case ends, no other process renews them: each might use up the other's refresh token.
        """
        assert not changes, "the scope is the profile's"
        if not self._renews:
            if RENEWING_LEFT_OUT not in self._run.left:
                self._run.left.append(RENEWING_LEFT_OUT)
            pytest.skip(RENEWING_LEFT_OUT)
        if self._lock is None and (lock := self._tokens.make_lock()):
            self._lock = lock
            for wait in acquire(lock):
                time.sleep(wait.seconds)
            self._until_end.callback(lock.release)
            self._tokens.load_newer()
        current = self._tokens.current
        if current.refresh is None:
            pytest.skip("the tokens that were kept have no refresh token")
        return {"access_token": current.access.reveal(), "refresh_token": current.refresh.reveal()}

    def signed_in(self, **changes):
        return bearer(self._tokens.current.access.reveal())


def changes(now, before):
    """The writable fields that are not as they were, as they were; a field that was not there is empty."""
    now, before = (UserChange.from_response(each).to_wire() for each in (now, before))
    names = [name for name in sorted(now) if now[name] != before.get(name)]
    return {name: before.get(name, [] if isinstance(now[name], list) else None) for name in names}


def signed_in(account, user_id, own):
    """The tokens of an account, and whether a person has now signed in for them, as none were kept and still taken."""
    tokens = SessionTokens() if own else account.tokens()
    session = Session(
        replace(
            account.profile, renew_on=(*account.profile.renew_on, 403)
        ),  # it may be how the service says so
        account.credentials,
        tokens=tokens,
        visitor=account.visitor,
        signing_in=account.signing_in,
    )
    with session:
        is_new = not resumed(session, user_id)
        if is_new:
            session.sign_in()
    return tokens, is_new


def resumed(session, user_id):
    """Go on with the tokens that were kept, if there are any that have not ended, also not before their time."""
    try:
        if not session.resume():
            return False
        session.request("PATCH", f"/users/{quote(user_id, safe='')}", json={})
    except Unauthorized:
        return False
    except ServiceError:
        pass  # it is not the tokens that are refused; what else is wrong, the cases tell
    return True


@contextmanager
def real(profile, user_id, run, *, own=False):
    """Sign in, once, as a profile's session does; a function that makes a target of the service."""
    try:
        account = Account.find(profile, way="browser" if os.environ.get("BROWSER") else None)
        secret = account.credentials.client_secret or account.sources.client_secret()
        account = replace(account, credentials=replace(account.credentials, client_secret=secret))
        webhook = webhook_of(account, run.may_write)
        tokens, is_new = signed_in(account, user_id, own)
    except (ServiceError, UnusableProfile) as refused:  # then no case can be tried
        words = " ".join((str(refused), *getattr(refused, "__notes__", ())))
        pytest.exit(f"Nothing was tried: {words}", returncode=pytest.ExitCode.USAGE_ERROR)
    profile, may_write = account.profile, run.may_write
    facts = {name: getattr(profile, name) for name in ADDRESSES} | {
        "client_secret": account.credentials.client_secret.reveal(),
        "user_id": may_write.user if may_write else user_id,  # whose drive it is
        "users": [user_id, may_write.user] if may_write else [user_id],
        "bot_id": "bot-x",
        "webhooks": [webhook],
    }
    run.begin(facts)
    kept = (tokens.current.access, tokens.current.refresh, account.credentials.client_secret)
    run.secrets.update(secret.reveal() for secret in kept if secret is not None)
    run.secrets.update((webhook, webhook.rpartition("/")[2]))
    wire = WireDoor(httpx.HTTPTransport())
    door = Watching(wire, run.accepting, run.secrets, tokens)
    make = partial(Real, facts, door, profile, tokens, run, renews=is_new)
    look_for(make(), door)
    yield make
    wire.close()
    run.left.extend(lost(account, door, tokens.current) if not own else ())


def lost(account, door, tokens):
    """What the run has cost the sign-in that it was given, in sentences."""
    name, given = account.profile.name, account.given_token
    otherwise = "With --own-sign-in a run asks for a sign-in of its own, and leaves this one alone."
    if door.spent:
        yield (
            "The service takes a refresh token once and returns no other, so this sign-in ends at "
            f"{tokens.expires.isoformat(timespec='seconds')}: sign in again with `svckit login {name}`. {otherwise}"
        )
    elif given is not None and tokens.refresh != given[0]:
        yield (
            f"The service returned another refresh token in place of that in {given[1]}, as for any session, so that "
            f"one no longer works: get another with `svckit login {name} --store print`. {otherwise}"
        )


def look_for(target, door):
    """Read each user once: where there is none, cases would tell it as what the service does otherwise."""
    for user in target.facts["users"]:
        url = target.api(f"/users/{quote(user, safe='')}")
        try:
            answer = door.send("PATCH", url, None, json={}, headers=target.signed_in())
        except httpx.TransportError:
            return  # every case will say so
        if answer.status_code == 404:
            pytest.exit(
                f"Nothing was tried: there is no user {user!r}; the service answered 404 to an update of nothing",
                returncode=pytest.ExitCode.USAGE_ERROR,
            )


def webhook_of(account, may_write):
    """The URL to post to: the throw-away one, or one at which there is none, so that no room gets a message."""
    base = account.profile.webhook_url
    if may_write is None or may_write.webhook is None:
        return f"{base}/message/no-such-webhook"
    known = account.credentials.webhooks
    if may_write.webhook not in known:
        raise UnusableProfile(
            f"the profile {account.profile.name!r} has no webhook {may_write.webhook!r}; it has: "
            f"{', '.join(known) or 'none'}"
        )
    url = known[may_write.webhook].reveal()
    return f"{base}{url}" if url.startswith("/") else url


RENEWING_LEFT_OUT = (
    "The cases that renew tokens were left out: the saved refresh token might work only once. "
    "--own-sign-in runs them too."
)
ADDRESSES = ("base_url", "auth_url", "upload_url", "webhook_url", "client_id", "redirect_uri")
