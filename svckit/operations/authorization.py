"""The authorization request, which a person's browser opens, and the redirect that ends it.

The service's description, sections "Token endpoints" and "Authentication". It shows the redirect of a login that
succeeds. A redirect that refuses (``error`` and ``error_description``) is not shown; it is read as OAuth 2.0 has it.
"""

import secrets
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Self
from urllib.parse import parse_qs, quote, urlencode

from svckit.addresses import locate
from svckit.display.masking import mask
from svckit.errors import Reason, SignInStopped
from svckit.http.messages import Request, Response
from svckit.models.secret import Secret
from svckit.profiles.profiles import Profile

__all__ = ["SignInRequest", "Visitor"]

AUTHORIZE = "/oauth2/v2.0/authorize"
LONGEST_REFUSAL = 300


@dataclass(frozen=True, slots=True)
class SignInRequest:
    """One sign-in: its address, and the state that its redirect must bring back.

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
        svckit.errors.SignInStopped: the sign-in was stopped: the redirect's state is not the one of this sign-in, ...
    """

    profile: Profile
    state: Secret = field(repr=False)

    @classmethod
    def begin(cls, profile: Profile) -> Self:
        """A request with a new random state."""
        return cls(profile, Secret(secrets.token_urlsafe(32)))

    @property
    def call(self) -> Request:
        """The request as a program sends it."""
        return Request(
            operation="auth.authorize",
            method="GET",
            target=AUTHORIZE,
            area="auth",
            params={**self._build_params(), "state": self.state},
            bearer=False,
            repeatable=True,
        )

    @property
    def url(self) -> Secret:
        """The request as the address a browser opens; it holds the state, so it shows only what is masked."""
        query = urlencode({**self._build_params(), "state": self.state.reveal()}, quote_via=quote)
        return Secret(f"{self.profile.auth_url}{AUTHORIZE}?{query}")

    def _build_params(self) -> dict[str, str]:
        params = {
            "client_id": self.profile.client_id,
            "redirect_uri": self.profile.redirect_uri,
            "scope": ",".join(self.profile.scopes),
            "response_type": "code",
        }
        if self.profile.domain is not None:
            params["domain"] = self.profile.domain
        return params

    def extract_code(self, address: Secret, reply: Response | None = None) -> Secret:
        """Take the authorization code from the address that the service redirects to.

        Args:
            address: where the redirect leads, whole; it is read, not followed.
            reply: the answer that it came in, to be named in errors.

        Raises:
            SignInStopped: the redirect goes elsewhere, its state is another one (compared in constant time), it
                brings a refusal, or no code.
        """
        redirect = _parse_redirect(address)
        reason: Reason = "redirect"
        if redirect.place != _normalize_url(self.profile.redirect_uri):
            why = (
                f"the redirect does not go to the application's redirect address {self.profile.redirect_uri}"
            )
        elif redirect.state != self.state:  # in constant time, as secrets are compared
            reason, why = "state", "the redirect's state is not the one of this sign-in, so it may be forged"
        elif redirect.refusal:
            reason, why = "refused", f"the service refused it: {redirect.refusal}"
        elif len(redirect.codes) != 1:
            why = "the redirect brings no authorization code"
        else:
            return redirect.codes[0]
        raise SignInStopped(
            reason,
            why,
            status=reply.status if reply else None,
            operation=reply.operation if reply else "auth.authorize",
            request=reply.request if reply else None,
        )


class Visitor(Protocol):
    """Has a person sign in, and brings back the authorization code."""

    def visit(self, request: SignInRequest) -> Secret:
        """Wait, blocking, until the person has signed in; return the code.

        Raises:
            SignInStopped: it did not come to that.
        """

    async def visit_async(self, request: SignInRequest) -> Secret:
        """The same, leaving the event loop to others where that can be done."""


class _Redirect(NamedTuple):
    """What the address of a redirect says."""

    place: str
    state: Secret
    refusal: str
    codes: list[Secret]


def _parse_redirect(address: Secret) -> _Redirect:
    """Take the address apart in a frame that raises nothing, so that no traceback shows a code."""
    whole, _, query = address.reveal().partition("#")[0].partition("?")
    given = parse_qs(query)
    said = [given.get(name, [""])[0] for name in ("error", "error_description")]
    refusal = " ".join(mask(": ".join(filter(None, said))).split())[:LONGEST_REFUSAL] if said[0] else ""
    codes = [Secret(code) for code in given.get("code", [])]
    return _Redirect(_normalize_url(whole), Secret(given.get("state", [""])[0]), refusal, codes)


def _normalize_url(address: str) -> str:
    """An address without its query, in the one spelling that http(s) addresses have."""
    try:
        origin, path = locate(address)
    except ValueError:  # an application may be registered with a scheme of its own
        return address.partition("?")[0]
    return f"{origin}{path.partition('?')[0]}"
