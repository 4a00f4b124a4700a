"""Access and refresh tokens: issued, renewed, checked, and ended by time."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from fakes import rulebook
from fakes.clock import Clock
from fakes.ids import Ids
from fakes.refusals import Refused
from fakes.rules import Rules
from svckit.models import limits

__all__ = ["Issued", "Token", "TokenStore"]

KEPT_AFTER_END = timedelta(days=1)
"""So long a token that has ended is still known as such, and not as one that never was."""


@dataclass(frozen=True, slots=True)
class Token:
    """What an access or refresh token stands for."""

    user_id: str
    client_id: str
    scope: str
    issued_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Issued:
    """The outcome of an exchange or a refresh; a refresh gives no refresh token."""

    access_token: str
    refresh_token: str | None
    scope: str
    expires_in: int


class TokenStore:
    """Keeps the tokens of one domain; what has ended is forgotten when the next is issued."""

    def __init__(self, *, clock: Clock, ids: Ids, rules: Rules) -> None:
        self._clock = clock
        self._ids = ids
        self._rules = rules
        self._access: dict[str, Token] = {}
        self._refresh: dict[str, Token] = {}
        self._renewed: set[str] = set()

    def issue(self, user_id: str, client_id: str, scope: str) -> Issued:
        """Issue an access token (24 hours) and a refresh token (90 days)."""
        self._rules.follow(rulebook.tokens.ISSUED)
        token = self._token(user_id, client_id, scope, limits.REFRESH_TOKEN_LIFETIME)
        refresh_token = self._ids.secret("rt")
        self._keep(self._refresh, refresh_token, token)
        return self._issue_access(token, refresh_token)

    def refresh(self, refresh_token: str, client_id: str) -> Issued:
        """Issue a new access token, and no new refresh token.

        Raises:
            Refused: the refresh token is unknown, older than 90 days, or another client's.
        """
        rules, token = self._rules, self._refresh.get(refresh_token)
        rules.follow(rulebook.tokens.REFRESH_LIFETIME)
        if token is None:
            raise Refused("bad_grant", "this is no refresh token of this service")
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
        self._renewed.add(refresh_token)
        rules.follow(rulebook.tokens.REFRESHED)
        return self._issue_access(token, None)

    def authenticate(self, access_token: str) -> Token:
        """The token behind a bearer credential.

        Raises:
            Refused: it is unknown, or 24 hours have passed.
        """
        token = self._access.get(access_token)
        if token is None:
            raise Refused("unauthorized", "the access token is not one of this service's")
        if self._clock.now() >= token.ends_at:
            self._rules.follow(rulebook.tokens.ACCESS_LIFETIME)
            raise Refused(
                "unauthorized",
                f"the access token was issued {token.issued_at.isoformat()} and ended 24 hours later; refresh it",
            )
        return token

    def _issue_access(self, grant: Token, refresh_token: str | None) -> Issued:
        token = self._token(grant.user_id, grant.client_id, grant.scope, limits.ACCESS_TOKEN_LIFETIME)
        access_token = self._ids.secret("at")
        self._keep(self._access, access_token, token)
        return Issued(
            access_token, refresh_token, token.scope, int(limits.ACCESS_TOKEN_LIFETIME.total_seconds())
        )

    def _token(self, user_id: str, client_id: str, scope: str, lifetime: timedelta) -> Token:
        now = self._clock.now()
        return Token(user_id, client_id, scope, now, now + lifetime)

    def _keep(self, tokens: dict[str, Token], secret: str, token: Token) -> None:
        """Keep a token, and drop the oldest that ended a while ago; dicts keep the order of issue."""
        tokens[secret] = token
        horizon = self._clock.now() - KEPT_AFTER_END
        while tokens[oldest := next(iter(tokens))].ends_at < horizon:
            del tokens[oldest]
