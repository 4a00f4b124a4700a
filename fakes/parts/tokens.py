"""Access and refresh tokens: their issue, renewal, checks and expiry."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.http.unpicklable import Unpicklable
from fakes.parts.changes import Stored
from fakes.parts.part import Part, Shared
from fakes.parts.sign_in.authorization_data import Grant
from fakes.parts.users import Users
from fakes.persistence import Instant, Names, Saved
from fakes.rulebook import deviations
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules
from svckit.models import limits
from svckit.models.times import format_date_time

__all__ = [
    "IssuedTokens",
    "Token",
    "TokenStore",
    "TokensData",
    "has_expired",
    "make_credential_record",
    "require_active",
]

Time = TypeVar("Time", datetime, timedelta)
KEPT_AFTER_EXPIRY = timedelta(days=1)
"""How long an expired token is still reported as expired, and not as unknown."""


@dataclass(frozen=True, slots=True)
class Token(Unpicklable):
    """The grant behind an access or refresh token.

    Attributes:
        refresh_token: its refresh token, or the token itself; empty if it was issued without one.
        code: the authorization code that it was issued for; empty without a code.
    """

    user_id: str
    client_id: str
    scope: str
    issued_at: Instant
    ends_at: Instant
    refresh_token: str = field(repr=False)
    code: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class IssuedTokens(Unpicklable):
    """The result of a code exchange or a refresh; a refresh issues no refresh token, unless tokens rotate."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    scope: str
    expires_in: int
    user_id: str
    nonce: str = field(default="", repr=False)
    """The nonce of the authorization request, which an ``id_token`` repeats; empty without one."""

    def to_wire(self) -> dict[str, object]:
        """Return what the token endpoint responds with (the service's description, section "Token set")."""
        return {
            "access_token": self.access_token,
            "scope": self.scope,
            "expires_in": str(self.expires_in),
            "token_type": "Bearer",
            **({} if self.refresh_token is None else {"refresh_token": self.refresh_token}),
        }


class TokensData(Saved):
    """The tokens in a snapshot."""

    access: dict[str, Token]
    refresh: dict[str, Token]
    renewed: dict[str, str]
    reused_codes: Names
    rotated: Names


def has_expired(now: Time, end: Time, choose: Callable[[Rule], str]) -> bool:
    """Return whether a lifetime has expired; at its exact end an assumption decides.

    Args:
        now: the time, or the age.
        end: the end, or the lifetime.
        choose: returns the chosen alternative of a rule.
    """
    return now > end or (now == end and choose(rulebook.tokens.LAST_INSTANT) == "excluded")


def make_credential_record(
    credential: str, state: str, held: Token | Grant, ends_at: datetime, now: datetime
) -> dict[str, Any]:
    """Return a credential as data without its secret, as frames show it."""
    return {
        "credential": credential,
        "userId": held.user_id,
        "scope": held.scope,
        "state": state,
        "issuedTime": format_date_time(held.issued_at),
        "endTime": format_date_time(ends_at),
        "asOf": format_date_time(now),
    }


def require_active(user_id: str, users: Users, rules: Rules) -> None:
    """Check that the user of a code or refresh token is active.

    Raises:
        Refusal: the user is suspended, deleted, pending or awaiting, and that is assumed to matter.
    """
    if not users.is_active(user_id) and rules.apply(rulebook.tokens.INACTIVE_USER) != "valid":
        raise Refusal("bad_grant", f"{user_id} is not active; activate the user and sign in again")


class TokenStore(Part):
    """The store of one domain's tokens; it forgets long expired ones when it issues the next."""

    def __init__(self, users: Users, shared: Shared) -> None:
        super().__init__(shared)
        self._users, changes = users, shared.changes
        self._access: Stored[str, Token] = Stored(changes, "tokens.access")
        self._refresh: Stored[str, Token] = Stored(changes, "tokens.refresh")
        self._renewed: Stored[str, str] = Stored(changes, "tokens.renewed")
        """The newest access token of each used refresh token."""
        self._reused_codes: Stored[str, None] = Stored(changes, "tokens.reused_codes")
        """The codes that were sent again after they were used."""
        self._rotated: Stored[str, None] = Stored(changes, "tokens.rotated")
        """The refresh tokens that were used up, each by a refresh that issued another."""

    def issue(self, user_id: str, client_id: str, scope: str, code: str = "") -> IssuedTokens:
        """Issue an access token (24 hours) and a refresh token (90 days), for a code if there was one."""
        self._rules.follow(rulebook.tokens.ISSUED)
        return self.issue_to_client(client_id, user_id, scope, code, with_refresh=True)

    def _issue_pair(self, grant: Token) -> IssuedTokens:
        """Issue both tokens for a grant, whose own times and refresh token do not count."""
        now, refresh_token = self._clock.now(), self._ids.secret("rt")
        ends_at = now + limits.REFRESH_TOKEN_LIFETIME
        token = replace(grant, issued_at=now, ends_at=ends_at, refresh_token=refresh_token)
        self._keep(self._refresh, refresh_token, token)
        return self._issue_access(token, refresh_token)

    def issue_to_client(
        self, client_id: str, user_id: str, scope: str, code: str = "", *, with_refresh: bool = False
    ) -> IssuedTokens:
        """Issue an access token (24 hours), also for a client that acts for a user who has not signed in."""
        # The times are placeholders: each token gets its own when it is issued.
        now = self._clock.now()
        grant = Token(user_id, client_id, scope, issued_at=now, ends_at=now, refresh_token="", code=code)
        return self._issue_pair(grant) if with_refresh else self._issue_access(grant, None)

    def note_reuse(self, code: str) -> None:
        """Note that a used code was sent again, on which the responses to its tokens may rest."""
        self._reused_codes[code] = None

    def refresh(self, refresh_token: str, client_id: str, scope: str = "") -> IssuedTokens:
        """Issue a new access token, and no new refresh token unless refresh tokens rotate.

        Args:
            refresh_token: the refresh token.
            client_id: the client; its secret is checked elsewhere.
            scope: the scope sent; empty if none was, as described.

        Raises:
            Refusal: the refresh token is unknown, expired, used up, or another client's.
        """
        rules, token = self._rules, self._refresh.get(refresh_token)
        rules.follow(rulebook.tokens.REFRESH_LIFETIME)
        if token is None:
            raise Refusal(
                "bad_grant",
                "this refresh token is unknown: it was never issued, was revoked, or was forgotten when the service "
                "was reset; sign in again",
            )
        if has_expired(self._clock.now(), token.ends_at, rules.apply):
            raise Refusal(
                "bad_grant",
                f"this refresh token was issued {token.issued_at.isoformat()} and expired after 90 days; "
                "the user must sign in again",
            )
        if self._is_ended(token, rules.apply):
            raise Refusal("bad_grant", "the authorization code of this refresh token was used again")
        if client_id != token.client_id and rules.apply(rulebook.tokens.CLIENT_BOUND) == "refused":
            raise Refusal("bad_grant", "this refresh token was issued to another client")
        require_active(token.user_id, self._users, rules)
        if refresh_token in self._rotated and rules.deviate(deviations.REFRESH_ROTATION):
            raise Refusal(
                "bad_grant",
                "this refresh token was used up by a refresh, whose response has the next one; store that, or sign in "
                "again",
            )
        if refresh_token in self._renewed and rules.apply(rulebook.tokens.REFRESH_REUSE) == "single-use":
            raise Refusal(
                "bad_grant", "this refresh token has been used; by the chosen alternative it works once"
            )
        if scope and rules.apply(rulebook.tokens.REFRESH_SCOPE) == "as-sent":
            token = replace(token, scope=scope)
        rules.follow(rulebook.tokens.REFRESHED)
        if rules.deviate(deviations.REFRESH_ROTATION):
            issued = self._issue_pair(token)
            self._rotated[refresh_token] = None
        else:
            issued = self._issue_access(token, None)
        self._renewed[refresh_token] = issued.access_token
        return issued

    def authenticate(self, access_token: str) -> Token:
        """Return the token of a bearer credential.

        Raises:
            Refusal: it is unknown or expired, or its user is not active and that is assumed to matter.
        """
        token = self._access.get(access_token)
        if token is None:
            raise Refusal(
                "unauthorized",
                "this access token is unknown: it was never issued, was revoked, expired long ago, or was forgotten "
                "when the service was reset; sign in again",
            )
        if self._clock.now() >= token.ends_at:
            self._rules.follow(rulebook.tokens.ACCESS_LIFETIME)
            raise Refusal(
                "unauthorized",
                f"the access token was issued {token.issued_at.isoformat()} and expired 24 hours later; refresh it",
            )
        # Every API call comes through here, so a check is skipped when it cannot fail: no code was used again, nothing
        # was refreshed, the user is known to be active.
        if self._reused_codes and self._is_ended(token, self._rules.apply):
            raise Refusal("unauthorized", "the authorization code of the access token was used again")
        if (
            self._renewed
            and self._renewed.get(token.refresh_token, access_token) != access_token
            and self._rules.apply(rulebook.tokens.EARLIER_ACCESS) == "ended"
        ):
            raise Refusal("unauthorized", "the access token expired when it was refreshed; use the newer one")
        if (
            token.user_id not in self._users.known_active
            and not self._users.is_active(token.user_id)
            and self._rules.apply(rulebook.tokens.INACTIVE_USER) == "refused"
        ):
            raise Refusal("unauthorized", f"{token.user_id} is not active, so the access token is not valid")
        return token

    def is_valid(self, access_token: str) -> bool:
        """Return whether a bearer credential is accepted now; this does not count as use of a rule."""
        token, chosen = self._access.get(access_token), self._rules.look_up
        if token is None or self._clock.now() >= token.ends_at or self._is_ended(token, chosen):
            return False
        if not self._users.is_active(token.user_id) and chosen(rulebook.tokens.INACTIVE_USER) == "refused":
            return False
        newest = self._renewed.get(token.refresh_token, access_token)
        return newest == access_token or chosen(rulebook.tokens.EARLIER_ACCESS) != "ended"

    def get_user(self, access_token: str) -> str | None:
        """Return the ID of the user of an access token, expired or not; None if it is unknown."""
        token = self._access.get(access_token)
        return None if token is None else token.user_id

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the access tokens, then the refresh tokens, as data without their secrets."""
        now = self._clock.now()
        # Copies, as tokens may be issued before the next record is asked for.
        for secret, token in tuple(self._access.items()):
            state = "valid" if self.is_valid(secret) else "expired"
            yield make_credential_record("access token", state, token, token.ends_at, now)
        chosen = self._rules.look_up
        single_use = chosen(rulebook.tokens.REFRESH_REUSE) == "single-use"
        rotate = self._rules.deviations.get(deviations.REFRESH_ROTATION) is not None
        inactive_too = chosen(rulebook.tokens.INACTIVE_USER) == "valid"
        for secret, token in tuple(self._refresh.items()):
            used = (single_use and secret in self._renewed) or (rotate and secret in self._rotated)
            is_refused = not inactive_too and not self._users.is_active(token.user_id)
            is_over = is_refused or self._is_ended(token, chosen) or has_expired(now, token.ends_at, chosen)
            state = "used" if used else "valid"
            if is_over:
                state = "expired"
            yield make_credential_record("refresh token", state, token, token.ends_at, now)

    def _is_ended(self, token: Token, choose: Callable[[Rule], str]) -> bool:
        """Return whether a token is invalid because its code was sent again, if that is assumed to revoke it."""
        return token.code in self._reused_codes and choose(rulebook.tokens.CODE_REUSE) == "ends-tokens"

    def revoke(self, secret: str, client_id: str) -> None:
        """Revoke a token of a client, a refresh token with its access tokens; nothing happens if it is unknown."""
        for tokens in (self._access, self._refresh):
            if secret in tokens and tokens[secret].client_id == client_id:
                del tokens[secret]
                if tokens is self._refresh:
                    self._access.drop_if(lambda token: token.refresh_token == secret)

    def forget_user(self, user_id: str) -> None:
        """Forget the tokens of a removed user."""
        for tokens in (self._access, self._refresh):
            tokens.drop_if(lambda token: token.user_id == user_id)

    def dump(self) -> TokensData:
        """Return the tokens for a snapshot, shared."""
        return TokensData.model_construct(
            access=self._access,
            refresh=self._refresh,
            renewed=self._renewed,
            reused_codes=self._reused_codes,
            rotated=self._rotated,
        )

    def load(self, data: TokensData) -> None:
        """Replace the tokens with saved ones."""
        self._access.replace(data.access)
        self._refresh.replace(data.refresh)
        self._renewed.replace(data.renewed)
        self._reused_codes.replace(data.reused_codes)
        self._rotated.replace(data.rotated)

    def _issue_access(self, grant: Token, refresh_token: str | None) -> IssuedTokens:
        now, access_token = self._clock.now(), self._ids.secret("at")
        token = replace(grant, issued_at=now, ends_at=now + limits.ACCESS_TOKEN_LIFETIME)
        self._keep(self._access, access_token, token)
        return IssuedTokens(
            access_token,
            refresh_token,
            token.scope,
            expires_in=int(limits.ACCESS_TOKEN_LIFETIME.total_seconds()),
            user_id=token.user_id,
        )

    def _keep(self, tokens: Stored[str, Token], secret: str, token: Token) -> None:
        """Keep a token, and drop the oldest ones that expired long ago; dicts keep the order of issue."""
        tokens[secret] = token
        horizon = self._clock.now() - KEPT_AFTER_EXPIRY
        tokens.drop_oldest(lambda kept: kept.ends_at < horizon)
