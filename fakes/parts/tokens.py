"""Access and refresh tokens: issued, renewed, checked, and ended by time."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from fakes import rulebook
from fakes.clock import Clock
from fakes.ids import Ids
from fakes.refusals import Refused
from fakes.rules import Rules
from fakes.saved import Instant, Saved
from fakes.unpicklable import Unpicklable
from svckit.models import limits
from svckit.models.times import format_date_time

__all__ = ["Issued", "Token", "TokenStore", "TokensData", "credential_record"]

KEPT_AFTER_END = timedelta(days=1)
"""So long a token that has ended is still known as such, and not as one that never was."""


@dataclass(frozen=True, slots=True)
class Token(Unpicklable):
    """What an access or refresh token stands for; ``refresh_token`` is the one it came from, or is."""

    user_id: str
    client_id: str
    scope: str
    issued_at: Instant
    ends_at: Instant
    refresh_token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Issued(Unpicklable):
    """The outcome of an exchange or a refresh; a refresh gives no refresh token."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    scope: str
    expires_in: int


class TokensData(Saved):
    """Tokens as a snapshot has them."""

    access: dict[str, Token]
    refresh: dict[str, Token]
    renewed: dict[str, str]


class Holder(Protocol):
    """What a credential stands for: a user and a scope."""

    @property
    def user_id(self) -> str:
        """Who signed in."""

    @property
    def scope(self) -> str:
        """What it is for."""


def credential_record(
    credential: str, state: str, held: Holder, issued_at: datetime, ends_at: datetime, now: datetime
) -> dict[str, Any]:
    """A credential as plain data, without the credential: what a frame shows."""
    return {
        "credential": credential,
        "userId": held.user_id,
        "scope": held.scope,
        "state": state,
        "issuedTime": format_date_time(issued_at),
        "endTime": format_date_time(ends_at),
        "asOf": format_date_time(now),
    }


class TokenStore:
    """Keeps the tokens of one domain; what has ended is forgotten when the next is issued."""

    def __init__(self, *, clock: Clock, ids: Ids, rules: Rules) -> None:
        self._clock = clock
        self._ids = ids
        self._rules = rules
        self._access: dict[str, Token] = {}
        self._refresh: dict[str, Token] = {}
        self._renewed: dict[str, str] = {}
        """The newest access token of each refresh token that was used."""

    def issue(self, user_id: str, client_id: str, scope: str) -> Issued:
        """Issue an access token (24 hours) and a refresh token (90 days)."""
        self._rules.follow(rulebook.tokens.ISSUED)
        now, refresh_token = self._clock.now(), self._ids.secret("rt")
        token = Token(user_id, client_id, scope, now, now + limits.REFRESH_TOKEN_LIFETIME, refresh_token)
        self._keep(self._refresh, refresh_token, token)
        return self._issue_access(token, refresh_token)

    def issue_to_client(self, client_id: str, user_id: str, scope: str) -> Issued:
        """Issue an access token alone (24 hours), to a client that acts for a user who has not signed in."""
        now = self._clock.now()
        return self._issue_access(Token(user_id, client_id, scope, now, now, ""), None)

    def refresh(self, refresh_token: str, client_id: str, scope: str = "") -> Issued:
        """Issue a new access token, and no new refresh token.

        Args:
            refresh_token: the credential to renew with.
            client_id: who asks; the secret is checked elsewhere.
            scope: a scope that was sent along; empty where none was, which is how it is described.

        Raises:
            Refused: the refresh token is unknown, older than 90 days, or another client's.
        """
        rules, token = self._rules, self._refresh.get(refresh_token)
        rules.follow(rulebook.tokens.REFRESH_LIFETIME)
        if token is None:
            raise Refused(
                "bad_grant",
                "this service does not know this refresh token: it was never issued, or was forgotten when the "
                "service was reset; sign in anew",
            )
        if self._clock.now() > token.ends_at:
            raise Refused(
                "bad_grant",
                f"this refresh token was issued {token.issued_at.isoformat()} and was valid for 90 days; "
                "the user must log in again",
            )
        if client_id != token.client_id and rules.choice(rulebook.tokens.CLIENT_BOUND) == "refused":
            raise Refused("bad_grant", "this refresh token was issued to another client")
        if refresh_token in self._renewed and rules.choice(rulebook.tokens.REFRESH_REUSE) == "single-use":
            raise Refused(
                "bad_grant", "this refresh token has been used; under this assumption it works once"
            )
        if scope and rules.choice(rulebook.tokens.REFRESH_SCOPE) == "as-sent":
            token = replace(token, scope=scope)
        rules.follow(rulebook.tokens.REFRESHED)
        issued = self._issue_access(token, None)
        self._renewed[refresh_token] = issued.access_token
        return issued

    def authenticate(self, access_token: str) -> Token:
        """The token behind a bearer credential.

        Raises:
            Refused: it is unknown, or 24 hours have passed.
        """
        token = self._access.get(access_token)
        if token is None:
            raise Refused(
                "unauthorized",
                "this service does not know this access token: it was never issued, ended long ago, or was "
                "forgotten when the service was reset; sign in anew",
            )
        if self._clock.now() >= token.ends_at:
            self._rules.follow(rulebook.tokens.ACCESS_LIFETIME)
            raise Refused(
                "unauthorized",
                f"the access token was issued {token.issued_at.isoformat()} and ended 24 hours later; refresh it",
            )
        newest = self._renewed.get(token.refresh_token, access_token)
        if newest != access_token and self._rules.choice(rulebook.tokens.EARLIER_ACCESS) == "ended":
            raise Refused("unauthorized", "the access token ended when it was refreshed; use the newer one")
        return token

    def is_valid(self, access_token: str) -> bool:
        """Whether a bearer credential is accepted now; only a look, which no answer rests on."""
        token = self._access.get(access_token)
        if token is None or self._clock.now() >= token.ends_at:
            return False
        newest = self._renewed.get(token.refresh_token, access_token)
        return newest == access_token or self._rules[rulebook.tokens.EARLIER_ACCESS.id].chosen != "ended"

    def records(self) -> Iterator[dict[str, Any]]:
        """What is known of the tokens, without the tokens: the access tokens, then the refresh tokens."""
        now = self._clock.now()
        for secret, token in tuple(self._access.items()):
            state = "valid" if self.is_valid(secret) else "ended"
            yield credential_record("access token", state, token, token.issued_at, token.ends_at, now)
        single_use = self._rules[rulebook.tokens.REFRESH_REUSE.id].chosen == "single-use"
        for secret, token in tuple(self._refresh.items()):
            state = "used" if single_use and secret in self._renewed else "valid"
            state = "ended" if now > token.ends_at else state
            yield credential_record("refresh token", state, token, token.issued_at, token.ends_at, now)

    def dump(self) -> TokensData:
        """The tokens as a snapshot has them."""
        return TokensData(access=self._access, refresh=self._refresh, renewed=self._renewed)

    def load(self, data: TokensData) -> None:
        """Replace the tokens by saved ones."""
        self._access, self._refresh, self._renewed = data.access, data.refresh, data.renewed

    def _issue_access(self, grant: Token, refresh_token: str | None) -> Issued:
        now, access_token = self._clock.now(), self._ids.secret("at")
        token = replace(grant, issued_at=now, ends_at=now + limits.ACCESS_TOKEN_LIFETIME)
        self._keep(self._access, access_token, token)
        return Issued(
            access_token, refresh_token, token.scope, int(limits.ACCESS_TOKEN_LIFETIME.total_seconds())
        )

    def _keep(self, tokens: dict[str, Token], secret: str, token: Token) -> None:
        """Keep a token, and drop the oldest that ended a while ago; dicts keep the order of issue."""
        tokens[secret] = token
        horizon = self._clock.now() - KEPT_AFTER_END
        while tokens[oldest := next(iter(tokens))].ends_at < horizon:
            del tokens[oldest]
