"""A real service, of a profile: what can be asked of it without leaving anything changed."""

from contextlib import contextmanager

import httpx
import pytest

from svckit.account import Account
from svckit.credentials import TokenStore
from svckit.errors import ServiceError, UnusableProfile
from svckit.session import Session

from .doors import WireDoor
from .target import Target, bearer


class Watching:
    """A door that notes the shapes of answers, the tokens that are renewed, and what must not be shown."""

    def __init__(self, door, recording, secrets):
        self._door = door
        self._recording = recording
        self._secrets = secrets
        self.renewed = None

    def send(self, method, url, chunks, **options):
        answer = self._door.send(method, url, chunks, **options)
        self._recording.add(method, url, answer)
        given = json_of(answer)
        self.renewed = given.get("access_token", self.renewed)
        secrets = (given.get(name) for name in ("access_token", "refresh_token", "uploadUrl"))
        self._secrets.update(filter(None, (*secrets, answer.headers.get("Location"))))
        return answer


def json_of(answer):
    """The fields of an answer, if it has any."""
    try:
        found = answer.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


class Real(Target):
    """A service of which only its description is known; time, settings and receivers are not ours to move."""

    def __init__(self, facts, door, profile, tokens):
        super().__init__(facts, door)
        self._watching = door
        self._profile = profile
        self._tokens = tokens

    def close(self):
        """The next case goes on with the same connections."""

    def authorization(self, **changes):
        own = {"scope": ",".join(self._profile.scopes), "domain": self._profile.domain}
        return super().authorization(**(own | changes))

    def tokens(self, **changes):
        """The tokens of the person who has signed in: another set would take the person again."""
        assert not changes, "the scope is the profile's"
        if self._tokens.refresh is None:
            pytest.skip("the tokens that were kept have no refresh token")
        access = self._watching.renewed or self._tokens.access.reveal()
        return {"access_token": access, "refresh_token": self._tokens.refresh.reveal()}

    def signed_in(self, **changes):
        return bearer(self._watching.renewed or self._tokens.access.reveal())

    def digest(self):
        return None


def signed_in(profile):
    """The account of a profile, and the tokens that were kept or that a person now signs in for."""
    account = Account.find(profile)
    tokens = account.tokens() or TokenStore()
    session = Session(account.profile, account.credentials, tokens=tokens, visitor=account.visitor)
    with session, account.correcting():
        if not session.resume():
            session.sign_in()
            account.sources.keep_what_worked()
    return account, tokens.current


@contextmanager
def real(profile, user_id, run):
    """Sign in, once, as a profile's session does; a function that makes a target of the service."""
    try:
        account, tokens = signed_in(profile)
    except (ServiceError, UnusableProfile) as refused:  # then no case can be tried
        words = " ".join((str(refused), *getattr(refused, "__notes__", ())))
        pytest.exit(f"Nothing was tried: {words}", returncode=pytest.ExitCode.USAGE_ERROR)
    profile = account.profile
    facts = {name: getattr(profile, name) for name in ADDRESSES} | {
        "client_secret": account.credentials.client_secret.reveal(),
        "user_id": user_id,
        "users": [user_id],
        "bot_id": "bot-x",
        "webhooks": [f"{profile.webhook_url}/message/no-such-webhook"],  # no room gets a message
    }
    run.begin(facts)
    kept = (tokens.access, tokens.refresh, account.credentials.client_secret)
    run.secrets.update(secret.reveal() for secret in kept if secret is not None)
    wire = WireDoor(httpx.HTTPTransport())
    door = Watching(wire, run.recording, run.secrets)
    yield lambda: Real(facts, door, profile, tokens)
    wire.close()


ADDRESSES = ("base_url", "auth_url", "upload_url", "webhook_url", "client_id", "redirect_uri")
