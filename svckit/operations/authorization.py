"""The authorization request, which a person's browser opens, and the redirect that completes it.

The service's description, sections "Token endpoints" and "Authentication". It shows the redirect of a successful
login, but not of a refused one (``error`` and ``error_description``), which is read according to OAuth 2.0.
"""

import secrets
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Self
from urllib.parse import parse_qs

from svckit.addresses import locate
from svckit.display.masking import mask
from svckit.errors import Reason, SignInStopped
from svckit.http.messages import Request, Response
from svckit.http.prepare import prepare_request
from svckit.models.secret import Secret
from svckit.profiles.profiles import Profile

__all__ = ["SignInRequest", "Visitor", "has_outcome"]

AUTHORIZE = "/oauth2/v2.0/authorize"
LONGEST_REFUSAL = 300


@dataclass(frozen=True, slots=True)
class SignInRequest:
    """One sign-in: its URL, and the state that its redirect must return.

    Examples:
        >>> profile = Profile(name="work", base_url="https://api.work.test", auth_url="https://auth.work.test",
        ...     upload_url="https://files.work.test", webhook_url="https://hooks.work.test", client_id="client-1",
        ...     redirect_uri="http://127.0.0.1:8731/callback", scopes=("user",))
        >>> request = SignInRequest(profile, Secret("s-1"))
        >>> request.extract_code(Secret("http://127.0.0.1:8731/callback?code=c-1&state=s-1")).reveal()
        'c-1'
        >>> request.extract_code(Secret("http://127.0.0.1:8731/callback?code=c-1&state=forged"))
        Traceback (most recent call last):
        ...
        svckit.errors.SignInStopped: the sign-in was stopped: the redirect's state is not that of this sign-in, ...
    """

    profile: Profile
    state: Secret = field(repr=False)

    @classmethod
    def begin(cls, profile: Profile) -> Self:
        """Create a request with a new random state."""
        return cls(profile, Secret(secrets.token_urlsafe(32)))

    @property
    def call(self) -> Request:
        """The request as a program sends it."""
        params = {
            "client_id": self.profile.client_id,
            "redirect_uri": self.profile.redirect_uri,
            "scope": ",".join(self.profile.scopes),
            "response_type": "code",
        }
        if self.profile.domain is not None:
            params["domain"] = self.profile.domain
        return Request(
            operation="auth.authorize",
            method="GET",
            target=AUTHORIZE,
            area="auth",
            params={**params, "state": self.state},
            bearer=False,
            repeatable=True,
            expects=(200, 302, 303),
        )

    @property
    def url(self) -> Secret:
        """The URL for a browser; it holds the state, so it is a secret."""
        return Secret(prepare_request(self.call, self.profile, None).url)

    def extract_code(self, url: Secret, response: Response | None = None) -> Secret:
        """Extract the authorization code from the URL that the service redirects to.

        Args:
            url: the whole URL of the redirect; it is read, not followed.
            response: the response it came in, for error messages.

        Raises:
            SignInStopped: the redirect goes elsewhere, has a different state (compared in constant time), reports a
                refusal, or has no code.
        """
        redirect = _parse_redirect(url)
        reason: Reason = "redirect"
        if redirect.place != _normalize_url(self.profile.redirect_uri):
            why = f"the redirect does not go to the application's redirect URL {self.profile.redirect_uri}"
        elif redirect.has_outcome and redirect.state != self.state:  # in constant time, as for all secrets
            reason, why = "state", "the redirect's state is not that of this sign-in, so it may be forged"
        elif redirect.refusal:
            reason, why = "refused", f"the service refused it: {redirect.refusal}"
        elif len(redirect.codes) != 1:
            why = "the redirect has no authorization code"
        else:
            return redirect.codes[0]
        raise SignInStopped(
            reason, why, **(response.context if response else {"operation": "auth.authorize"})
        )


class Visitor(Protocol):
    """A way to have a person sign in and get the authorization code."""

    def visit(self, request: SignInRequest) -> Secret:
        """Block until the person has signed in, and return the code.

        Raises:
            SignInStopped: the sign-in was not completed.
        """

    async def visit_async(self, request: SignInRequest) -> Secret:
        """Wait until the person has signed in, without blocking the event loop if possible; return the code."""


class _Redirect(NamedTuple):
    """The parts of a redirect's URL."""

    place: str
    has_outcome: bool
    state: Secret
    refusal: str
    codes: list[Secret]


def _parse_redirect(url: Secret) -> _Redirect:
    """Parse the URL in a frame that raises nothing, so that no traceback shows a code."""
    whole, _, query = url.reveal().partition("#")[0].partition("?")
    given = parse_qs(query)
    error, why, state = (given.get(name, [""])[0] for name in ("error", "error_description", "state"))
    refusal = " ".join(mask(": ".join(filter(None, (error, why)))).split())[:LONGEST_REFUSAL] if error else ""
    codes = [Secret(code) for code in given.get("code", [])]
    return _Redirect(_normalize_url(whole), has_outcome(query), Secret(state), refusal, codes)


def has_outcome(query: str) -> bool:
    """Return whether the query of a URL is that of a redirect which ends some sign-in, with a code or an error.

    Args:
        query: the query.

    Examples:
        >>> has_outcome("app=1&state=s-1"), has_outcome("app=1")
        (True, False)
    """
    return not parse_qs(query).keys().isdisjoint(("code", "error", "state"))


def _normalize_url(url: str) -> str:
    """Return a URL without its query, in the normalized spelling of http(s) URLs."""
    try:
        origin, path = locate(url)
    except ValueError:  # an application may be registered with a scheme of its own
        return url.partition("?")[0]
    return f"{origin}{path.partition('?')[0]}"
