"""The authorization request, the login, and the one-time code that it issues."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import timedelta
from hashlib import blake2b
from hmac import compare_digest
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.changes import Stored
from fakes.parts.part import Shared
from fakes.parts.sign_in.assertions import DELEGATED_USER, check_claims, read_claims
from fakes.parts.sign_in.authorization_data import (
    AuthorizationData,
    AuthorizationParameters,
    Grant,
    RegisteredClient,
)
from fakes.parts.sign_in.clients import ClientRegistry
from fakes.parts.sign_in.pkce import check_challenge, check_verifier
from fakes.parts.tokens import has_expired, make_credential_record, require_active
from fakes.parts.users import Users
from fakes.rulebook.refusing import describe_choices
from svckit.display.tab import PublicNames
from svckit.models import limits
from svckit.models.problems import shorten

__all__ = ["AUTHORIZE", "AuthorizationServer"]

AUTHORIZE = "/oauth2/v2.0/authorize"
"""The path of the authorization request, below the URL of the authorization server."""

PENDING_LOGINS = 1000
SCREEN_LIFETIME = timedelta(minutes=10)
KNOWN_SCOPES = frozenset({"file", "user"})
"""The scopes that the alternatives of rules know."""
SEPARATORS = {"scope": ", "}
"""The characters that separate the values of a parameter, and are not a value."""


class AuthorizationServer(
    ClientRegistry,
    PublicNames,
    internal="accept_assertion begin check_client dump find_client forget_user handle_wrong_secret is_used load log_in "
    "log_in_at_once note_failure redeem require_domain service_account",
):
    """The authorization server, which accepts logins, and issues and redeems authorization codes.

    Attributes:
        application: the first application, which is one of the facts of every fake.
        auto_login: the user who is logged in by each authorization request, which then redirects at once, without a
            login screen; None, the default, for the login screen. Such a response has the header ``X-Fake-Auto-Login``.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample()
        >>> other = fake.auth.register("https://other.example/callback")
        >>> other
        RegisteredClient(client_id='client-2', redirect_uri='https://other.example/callback')
    """

    def __init__(self, application: RegisteredClient, users: Users, shared: Shared) -> None:
        super().__init__(application, shared)
        self.auto_login: str | None = None
        self._users, changes = users, shared.changes
        # By ticket, what a login screen was shown for; a login takes it out, and puts a code in.
        self._logins: Stored[str, AuthorizationParameters] = Stored(changes, "auth.logins")
        self._codes: Stored[str, Grant] = Stored(changes, "auth.codes")
        self._used_codes: Stored[str, None] = Stored(changes, "auth.used_codes")

    def begin(self, request: AuthorizationParameters) -> str:
        """Accept an authorization request, and return the ticket for its login.

        Raises:
            Refusal: a parameter is missing or wrong.
        """
        self._rules.follow(rulebook.auth.PARAMETERS)
        required = ("client_id", "redirect_uri", "scope", "response_type", "state")
        missing = [name for name in required if not getattr(request, name).strip(SEPARATORS.get(name, ""))]
        if missing:
            raise Refusal("missing", f"the authorization request lacks {', '.join(missing)}")
        if request.response_type != "code":
            raise Refusal("invalid", f"response_type must be code; given {request.response_type!r}")
        application = self.find_client(request.client_id)
        if application is None:
            raise Refusal("invalid", f"no application has the client_id {request.client_id!r}")
        if request.redirect_uri not in (application.redirect_uri, *application.redirect_uris):
            raise Refusal(
                "invalid",
                f"the redirect_uri {request.redirect_uri!r} is not the one registered for this application; register "
                'it with --redirect-uri, or data={"applications": [{"redirectUri": "..."}]}',
            )
        if " " in request.scope and self._rules.apply(rulebook.auth.SCOPE_SEPARATOR) == "comma-only":
            raise Refusal("invalid", "separate scopes with commas, not with spaces")
        unknown = {*request.scope.replace(",", " ").split()} - KNOWN_SCOPES
        if unknown and self._rules.apply(rulebook.auth.SCOPE_NAMES) == "user-and-file":
            raise Refusal("invalid", f"there is no scope {shorten(', '.join(sorted(unknown)))}")
        self.require_domain(request.domain)
        check_challenge(request, self._rules)
        ticket = self._ids.secret("login")
        self._logins[ticket] = replace(request, begun_at=self._clock.now())
        if len(self._logins) > PENDING_LOGINS:
            del self._logins[next(iter(self._logins))]
        return ticket

    def require_domain(self, domain: str) -> None:
        """Check the domain of a request: single sign-on requires it, and it must be this one."""
        if self._settings.single_sign_on:
            self._rules.follow(rulebook.auth.DOMAIN_UNDER_SSO)
            if not domain:
                raise Refusal("missing", "domain is required, because this domain uses single sign-on")
        wrong = bool(domain) and domain != self._settings.domain_name
        if wrong and self._rules.apply(rulebook.auth.DOMAIN_NAME) == "checked":
            raise Refusal("invalid", f"domain {domain!r} not found")

    def follow(self, authorize_url: str, user: str | None = None) -> str:
        """Sign a user in without the login screen, and return the URL that the service would redirect to.

        The journal does not record it. `FakeService.browser` fills in the login screen, as a person does.

        Args:
            authorize_url: the URL of an authorization request, as an application builds it for the user's browser.
            user: ID, login e-mail, or ``externalKey:<key>`` of the user; by default the one in the facts.

        Returns:
            The application's redirect URL with the code and the ``state``.

        Raises:
            Refusal: a parameter is missing or wrong, or no such user can log in.

        Examples:
            >>> from urllib.parse import parse_qs, urlencode, urlsplit
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> names = ("client_id", "redirect_uri")
            >>> query = {"scope": "user", "response_type": "code", "state": "s-1"}
            >>> query |= {name: fake.facts[name] for name in names}
            >>> url = fake.facts["auth_url"] + "/oauth2/v2.0/authorize?" + urlencode(query)
            >>> redirect = urlsplit(fake.auth.follow(url, user="u-002"))
            >>> redirect.netloc, parse_qs(redirect.query)["state"]
            ('127.0.0.1:8731', ['s-1'])
        """
        parts = urlsplit(authorize_url)
        if not parts.path.endswith(AUTHORIZE):
            raise Refusal(
                "invalid",
                f"the URL of an authorization request has the path {AUTHORIZE}; given {authorize_url!r}",
            )
        # Reversed, so that of a repeated parameter the first counts.
        given = dict(reversed(parse_qsl(parts.query, keep_blank_values=True)))
        return self.log_in_at_once(AuthorizationParameters.of(given), user or self._users.first)

    def log_in_at_once(self, request: AuthorizationParameters, user: str) -> str:
        """Accept an authorization request without a login, and return the URL to redirect to, with a code.

        Raises:
            Refusal: a parameter is missing or wrong, or no such user can log in.
        """
        user_id = self._users.resolve(user)
        self._check_account(user_id)
        return self._issue_code(self.begin(request), user_id)

    def log_in(self, ticket: str, login_id: str, password: str) -> str:
        """Check a login, issue an authorization code, and return the URL to redirect to.

        Raises:
            Refusal: the login screen is unknown or was used, or the login ID or password is wrong.
        """
        request = self._logins.get(ticket)
        if request is None:
            raise Refusal(
                "invalid", "this login screen was used or never existed; start again from the application"
            )
        self._check_screen(request)
        user_id = self._users.by_email(login_id)
        right = user_id is not None and compare_digest(password.encode(), self.password(user_id).encode())
        if user_id is None or not right or not self._is_login_id(login_id, user_id):
            raise Refusal("unauthorized", "the login ID or the password is wrong")
        self._check_account(user_id)
        return self._issue_code(ticket, user_id)

    def _check_account(self, user_id: str) -> None:
        """Check that a user's account is active, if that is assumed to matter."""
        inactive = self._users.is_inactive(user_id)
        if inactive and self._rules.apply(rulebook.auth.INACTIVE_USER) == "refused":
            login_id = self._users.record(user_id)["email"]
            raise Refusal("unauthorized", f"{login_id} cannot log in: the account is not active")

    def _issue_code(self, ticket: str, user_id: str) -> str:
        """Issue a code, and return the URL of the redirect to the application, which holds it."""
        request, code = self._logins.pop(ticket), self._ids.secret("code")
        self._codes[code] = Grant(
            user_id,
            request.client_id,
            request.scope,
            redirect_uri=request.redirect_uri,
            issued_at=self._clock.now(),
            code_challenge=request.code_challenge,
            code_challenge_method=request.code_challenge_method,
            nonce=request.nonce,
        )
        joint = "&" if urlsplit(request.redirect_uri).query else "?"
        return f"{request.redirect_uri}{joint}{urlencode({'code': code, 'state': request.state})}"

    def note_failure(self, ticket: str) -> None:
        """Note that a login failed, while its screen can still be used."""
        request = self._logins.get(ticket)
        if request is not None and not request.failed:
            self._logins[ticket] = replace(request, failed=True)

    def _check_screen(self, request: AuthorizationParameters) -> None:
        """Check that a login screen can still be used, if its use is assumed to be limited."""
        begun_at, failed = request.begun_at, request.failed
        old = begun_at is not None and self._clock.now() - begun_at > SCREEN_LIFETIME
        if not old and not failed:
            return
        chosen = self._rules.apply(rulebook.auth.SCREEN_REUSE)
        if (old and chosen == "10-minutes") or (failed and chosen == "one-attempt"):
            raise Refusal(
                "invalid",
                "this login screen is more than 10 minutes old, or a login with it has failed; start again from the "
                "application",
            )

    def _is_login_id(self, login_id: str, user_id: str) -> bool:
        """Return whether this is the user's login ID: the e-mail address, in any case if that is assumed."""
        if self._users.record(user_id)["email"] == login_id:
            return True
        return self._rules.apply(rulebook.auth.LOGIN_ID_CASE) == "any-case"

    def accept_assertion(
        self, assertion: str, client: RegisteredClient, audiences: Collection[str]
    ) -> tuple[str, list[str]]:
        """Check a client's assertion, whose ``aud`` may be one of some URLs.

        Returns:
            The ID of the user for whom it asks for a token, and the names of the claims that were ignored.

        Raises:
            Refusal: the client has no key, the assertion is not valid, or no such user can log in.
        """
        if not client.public_key:
            raise Refusal(
                "bad_grant",
                f"no key is registered for {client.client_id}; register its public key with "
                f"fake.auth.register_key, or the admin call PUT /applications/{client.client_id}/key",
            )
        rules = self._rules
        claims = read_claims(assertion, client.public_key, rules)
        ignored = check_claims(claims, client.client_id, audiences, self._clock.now(), rules)
        user_id = self._find_claimed("sub", claims["sub"])
        delegated = claims.get(DELEGATED_USER)
        if delegated is None:
            return user_id, ignored
        if rules.apply(rulebook.tokens.DELEGATED_USER) == "ignored":
            return user_id, sorted([*ignored, DELEGATED_USER])
        try:
            return self._find_claimed(DELEGATED_USER, delegated), ignored
        except Refusal as refusal:
            refusal.remedy = describe_choices({rulebook.tokens.DELEGATED_USER.id: "ignored"})
            raise

    def _find_claimed(self, claim: str, named: object) -> str:
        """Return the ID of the user whom a claim names.

        Raises:
            Refusal: no such user can log in.
        """
        name = str(named)
        is_id = name in self._users
        user_id = name if is_id else self._users.by_email(name)
        if user_id is None or not (is_id or self._is_login_id(name, user_id)):
            raise Refusal(
                "bad_grant",
                f"{claim} must be the login ID or the ID of a user; given {shorten(repr(named))}; the fake begins with "
                'such a user by --data, or data={"users": [{"userId": "...", "email": "..."}]}',
            )
        chosen = self._rules.apply(rulebook.tokens.ASSERTION_SUBJECT)
        if chosen == ("login-id" if is_id else "id"):
            wanted = "the login ID" if is_id else "the ID"
            remedy = describe_choices({rulebook.tokens.ASSERTION_SUBJECT.id: "login-id-or-id"})
            raise Refusal(
                "bad_grant", f"{claim} must be {wanted} of a user; given {shorten(name)!r}", remedy=remedy
            )
        try:
            self._check_account(user_id)
        except Refusal as inactive:
            raise Refusal("bad_grant", inactive.description) from None
        return user_id

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the unused authorization codes as data, without the codes.

        Examples:
            >>> from fakes import FakeService
            >>> list(FakeService.sample().auth.records())
            []
        """
        now = self._clock.now()
        for grant in tuple(self._codes.values()):
            ends_at = grant.issued_at + limits.AUTHORIZATION_CODE_LIFETIME
            state = "expired" if has_expired(now, ends_at, self._rules.look_up) else "valid"
            yield make_credential_record("code", state, grant, ends_at, now)

    def forget_user(self, user_id: str) -> None:
        """Forget the codes of a removed user."""
        self._codes.drop_if(lambda grant: grant.user_id == user_id)

    def dump(self) -> AuthorizationData:
        """Return the logins and codes for a snapshot, shared."""
        return AuthorizationData.model_construct(
            application=self.application,
            further=self._further,
            logins=self._logins,
            codes=self._codes,
            used_codes=self._used_codes,
        )

    def load(self, data: AuthorizationData) -> None:
        """Replace the logins and codes with saved ones."""
        self.application: RegisteredClient = data.application
        self._further.replace(data.further)
        self._logins.replace(data.logins)
        self._codes.replace(data.codes)
        self._used_codes.replace(data.used_codes)

    def password(self, user_id: str) -> str:
        """Return the password of a user, the same under the same seed.

        Args:
            user_id: the user's ID.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(seed=0, now="2026-06-01T09:00:00+09:00")
            >>> fake.auth.password("u-001") == fake.facts["password"]
            True
        """
        return "pw_" + blake2b(f"{self._ids.seed}:password:{user_id}".encode(), digest_size=10).hexdigest()

    def handle_wrong_secret(self, code: str) -> None:
        """Invalidate a code that came with a wrong client secret, if that is assumed."""
        if code not in self._codes:
            return
        # This response is the same either way; what comes of the code later rests on it.
        if self._decisions.apply(rulebook.tokens.WRONG_SECRET_KEEPS_CODE, f"code/{code}") == "burns-code":
            self._mark_used(code)

    def _mark_used(self, code: str) -> None:
        del self._codes[code]
        self._used_codes[code] = None

    def is_used(self, code: str) -> bool:
        """Return whether a code was used."""
        return code in self._used_codes

    def redeem(self, code: str, client_id: str, redirect_uri: str = "", verifier: str = "") -> Grant:
        """Redeem a code and return its grant; a refusal leaves the code valid.

        Raises:
            Refusal: the code is unknown, used, older than 10 minutes, or belongs to another client, redirect URL,
                verifier or an inactive user; assumptions decide some of these.
        """
        rules, grant = self._rules, self._codes.get(code)
        rules.follow(rulebook.tokens.CODE_SINGLE_USE)
        self._decisions.follow(f"code/{code}")
        if grant is None:
            used = code in self._used_codes
            raise Refusal(
                "bad_grant",
                "this authorization code has been used; it works once; sign in again"
                if used
                else "this is not an authorization code of this service; sign in again",
            )
        rules.follow(rulebook.tokens.CODE_LIFETIME)
        if has_expired(self._clock.now() - grant.issued_at, limits.AUTHORIZATION_CODE_LIFETIME, rules.apply):
            raise Refusal(
                "bad_grant",
                f"this authorization code was issued {grant.issued_at.isoformat()} and expired after 10 minutes; "
                "send the user through the authorization request again",
            )
        if client_id != grant.client_id and rules.apply(rulebook.tokens.CLIENT_BOUND) == "refused":
            raise Refusal("bad_grant", "this authorization code was issued to another client")
        if (
            redirect_uri
            and redirect_uri != grant.redirect_uri
            and rules.apply(rulebook.tokens.REDIRECT_URI) == "checked"
        ):
            raise Refusal(
                "bad_grant", f"redirect_uri {redirect_uri!r} does not match the authorization request"
            )
        check_verifier(grant, verifier, rules)
        require_active(grant.user_id, self._users, rules)
        self._mark_used(code)
        self._decisions.forget(f"code/{code}")  # whatever decided it before, it is used now
        return grant
