"""Tokens that outlive a session: taken up, renewed, replaced, forgotten."""

from datetime import timedelta

import httpx
import pytest

from svckit.errors import SignInStopped, Unauthorized
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.profiles.credentials import Credentials, SessionTokens, Tokens
from svckit.profiles.profiles import Profile
from svckit.session.session import Session

from ..conftest import START, Scripted


class Drawer:
    """Keeps tokens where a test can look."""

    def __init__(self, tokens: Tokens | None = None) -> None:
        self.tokens = tokens

    def load(self) -> Tokens | None:
        return self.tokens

    def save(self, tokens: Tokens) -> None:
        self.tokens = tokens

    def forget(self) -> None:
        self.tokens = None

    def make_lock(self) -> None:
        return None


class Cancelling:
    """A person who does not sign in."""

    def visit(self, request: SignInRequest) -> Secret:
        raise SignInStopped("cancelled", "it was cancelled")

    async def visit_async(self, request: SignInRequest) -> Secret:
        return self.visit(request)


def kept(hours: float, refresh: str | None = "canary-refresh") -> Drawer:
    access = Secret("canary-token-0")
    return Drawer(Tokens(access, Secret(refresh) if refresh else None, START + timedelta(hours=hours)))


@pytest.fixture
def session(profile: Profile, credentials: Credentials, scripted: Scripted):
    def made(drawer: Drawer, person: Cancelling | None = None) -> Session:
        transport = httpx.MockTransport(scripted)
        tokens = SessionTokens(drawer)
        return Session(
            profile, credentials, transport=transport, clock=scripted.clock, tokens=tokens, visitor=person
        )

    return made


def test_tokens_that_are_valid_are_taken_up_without_a_call(session, scripted: Scripted) -> None:
    with session(kept(hours=1)) as svc:
        assert svc.resume()
        assert scripted.lines == []
        assert svc.users.read("u-001").user_id == "u-001"


def test_expired_access_token_is_renewed_and_kept(session, scripted: Scripted) -> None:
    drawer = kept(hours=-1)
    with session(drawer) as svc:
        assert svc.resume()
    assert scripted.lines == ["POST https://auth.work.test/oauth2/v2.0/token"]
    assert drawer.tokens == Tokens(
        Secret("canary-token-1"), Secret("canary-refresh"), START + timedelta(hours=24)
    )


def test_what_a_renewal_in_the_middle_of_a_call_brings_is_kept_too(session, scripted: Scripted) -> None:
    drawer = kept(hours=1)
    with session(drawer) as svc:
        svc.resume()
        scripted.valid = "canary-token-0-was-revoked"
        svc.users.read("u-001")
    assert drawer.tokens.access == Secret("canary-token-1")


def test_without_kept_tokens_there_is_nothing_to_resume(session) -> None:
    with session(Drawer()) as svc:
        assert not svc.resume()


@pytest.fixture
def refusing(scripted: Scripted) -> Scripted:
    """A service that takes neither the access nor the refresh token any more."""
    refused = httpx.Response(401, json={"error": "invalid_grant", "error_description": "it has expired"})
    scripted.renew = lambda: refused  # type: ignore[method-assign]
    scripted.valid = "canary-token-9"
    return scripted


@pytest.mark.parametrize("refresh", ["canary-refresh", None])
def test_tokens_that_cannot_be_renewed_are_forgotten(
    refresh: str | None, session, refusing: Scripted
) -> None:
    drawer = kept(hours=-1, refresh=refresh)
    with session(drawer) as svc, pytest.raises(Unauthorized, match=r"expired.*Sign in again") as caught:
        svc.resume()
    assert drawer.tokens is None
    assert "canary" not in str(caught.value)


def test_a_person_who_does_not_sign_in_leaves_everything_as_it_was(session) -> None:
    drawer = kept(hours=1)
    before = drawer.tokens
    with session(drawer, Cancelling()) as svc:
        with pytest.raises(SignInStopped, match="cancelled"):
            svc.sign_in()
        assert svc.users.read("u-001").user_id == "u-001"
    assert drawer.tokens is before


def test_dead_tokens_are_not_kept(session, refusing: Scripted) -> None:
    drawer = kept(hours=1)
    with session(drawer) as svc:
        assert svc.resume()
        for _ in range(2):
            with pytest.raises(Unauthorized, match="could not be renewed"):
                svc.users.read("u-001")
    assert drawer.tokens is None


def test_a_sign_in_elsewhere_helps_a_session_whose_tokens_are_dead(session, refusing: Scripted) -> None:
    """Such as `svckit login` in a terminal, beside a notebook."""
    drawer = kept(hours=1)
    with session(drawer) as svc:
        svc.resume()
        elsewhere = Tokens(Secret("canary-token-9"), Secret("canary-refresh-9"), START + timedelta(hours=24))
        drawer.tokens = elsewhere
        assert svc.users.read("u-001").user_id == "u-001"
    assert drawer.tokens is elsewhere
