"""A profile: the service that a session talks to, and the application. It holds no secrets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from svckit.addresses import Area, locate
from svckit.display.card import render_fields
from svckit.errors import InvalidInput, UnusableProfile
from svckit.models.phrases import describe_given
from svckit.models.signature import (
    ALGORITHMS,
    HEADER_WORD,
    SignedBy,
    check_signed_by,
    describe_bad_word,
    is_header_word,
)
from svckit.profiles.keys import URL_KEYS, URLS, check_renew_on, check_tokens, read_time_zone

__all__ = ["HasProfile", "Profile", "find_profile"]

_CHECKS = {"tokens": check_tokens, "renew_on": check_renew_on, "time_zone": read_time_zone}
NEEDED_TO_SIGN_IN = ("base_url", "auth_url", "upload_url", "client_id", "redirect_uri", "scopes")
FAKE_SCOPES = ("user", "file")  # the service's description names no scopes; a fake accepts any


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The URLs of a service and the application that signs in to it.

    A profile that only notifies needs nothing but a name and ``webhook_url``: the other texts can be empty.

    Attributes:
        name: the name of the profile.
        base_url: the URL of the resource API.
        auth_url: the URL of the authorization server.
        upload_url: the URL of the file storage.
        webhook_url: the URL of the notification endpoint.
        client_id: the ID of the registered application.
        redirect_uri: the redirect URL it is registered with.
        scopes: the scopes that the application asks for; the service's description does not name them.
        domain: the name of the domain; required if the domain uses single sign-on.
        header_word: the product word in header names, ``SERVICE`` in ``X-SERVICE-Signature``.
        signature: how callback events are signed, which the service's description does not show: ``hmac-sha256``,
            ``hmac-sha1``, or a verifying function (`svckit.models.signature`). A session on a fake keeps the way
            that was chosen when it connected, as with a service; after another choice, connect again.
        webhooks: the names of webhook URLs; the URLs themselves are secret and belong to the credentials.
        tokens: where tokens are saved: ``keyring`` or ``file``.
        renew_on: the statuses that mean that the access token is no longer valid, which the service's description does
            not show: the session renews it, and sends the request once more. ``(401, 403)`` for a service that refuses
            such a token with 403.
        time_zone: the time zone in which a session shows times and counts days; a fake's clock has its own.
        is_fake: whether the service is a fake, so that nothing has real effects.
        admin_url: the URL of the admin calls of a fake, for ``svc.fake``; empty if they cannot be reached. Nothing is
            sent there unless the service is a fake.

    Raises:
        ValueError: a URL is not an absolute http(s) URL without a query, the header word is not valid in a header
            name, events cannot be verified that way, tokens cannot be saved there, a status in ``renew_on`` is not
            from 400 to 499, or there is no such time zone.
    """

    name: str
    base_url: str
    auth_url: str
    upload_url: str
    webhook_url: str
    client_id: str
    redirect_uri: str
    scopes: tuple[str, ...]
    domain: str | None = None
    header_word: str = HEADER_WORD
    signature: SignedBy = ALGORITHMS[0]
    webhooks: tuple[str, ...] = ()
    tokens: str = "keyring"
    renew_on: tuple[int, ...] = (401,)
    time_zone: str = "UTC"
    is_fake: bool = False
    admin_url: str = ""

    def __post_init__(self) -> None:
        if not is_header_word(self.header_word):
            raise ValueError(f"header_word of profile {self.name!r} {describe_bad_word(self.header_word)}")
        given = self.is_fake
        if not isinstance(given, bool | None):  # any text would be true
            raise InvalidInput(f"profile {self.name!r}: is_fake must be True or False; given {given!r}")
        check_signed_by(self.signature, f"signature of profile {self.name!r}")
        for key, check in _CHECKS.items():
            try:
                check(getattr(self, key))
            except ValueError as error:
                raise ValueError(f"{key} of profile {self.name!r} {error}") from None
        for field in (*URLS, "admin_url"):
            url = getattr(self, field)
            if not url and field in (*NEEDED_TO_SIGN_IN, "admin_url"):
                continue
            try:
                origin, path = locate(url)
            except ValueError as error:
                raise ValueError(f"{field} of profile {self.name!r}: {error}") from None
            if "?" in path:
                raise ValueError(f"{field} of profile {self.name!r}: a URL of a profile has no query")
            object.__setattr__(self, field, f"{origin}{path.rstrip('/')}")

    def _repr_html_(self) -> str:
        return render_fields(self, self.__dataclass_fields__)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any], name: str = "fake") -> Self:
        """Return the profile of a fake from its facts (or from the ready line of a served one).

        Events are verified as the facts say, also as to the product word in their headers; if the fake later signs in
        another way, make a new profile.

        Args:
            facts: ``fake.facts``, or the parsed ready line of ``svckit serve``.
            name: the name of the profile.

        Raises:
            KeyError: a fact is missing.

        Examples:
            >>> from fakes import FakeService
            >>> Profile.from_facts(FakeService.sample().facts).base_url
            'https://api.fake.test'
        """
        needed = {key: facts[key] for key in (*URLS, "client_id", "redirect_uri")}
        events = {key: facts[key] for key in ("header_word", "signature") if key in facts}
        admin_url = facts.get("admin_url", "")
        return cls(name=name, scopes=FAKE_SCOPES, is_fake=True, admin_url=admin_url, **needed, **events)

    @property
    def missing(self) -> list[str]:
        """The names of the fields without which nobody can sign in; empty if all are set.

        Examples:
            >>> import svckit
            >>> svckit.connect(now="2026-06-01T09:00:00+09:00").profile.missing
            []
        """
        return [name for name in NEEDED_TO_SIGN_IN if not getattr(self, name)]

    def check_complete(self) -> None:
        """Check that everything is set that a sign-in needs.

        Raises:
            UnusableProfile: something is missing, as in a profile that only notifies.

        Examples:
            >>> Profile(name="work", base_url="", auth_url="https://auth.example.com", upload_url="https://f.example.com",
            ...     webhook_url="https://hooks.example.com", client_id="", redirect_uri="http://127.0.0.1:8731/callback",
            ...     scopes=("user",)).check_complete()
            Traceback (most recent call last):
            ...
            svckit.errors.UnusableProfile: the profile 'work' can post notifications only: base_url, client_id missing;
            `svckit profiles work` says how to set them
        """
        if self.missing:
            problem = (
                f"the profile {self.name!r} can post notifications only: {', '.join(self.missing)} missing"
            )
            raise UnusableProfile(f"{problem}; `svckit profiles {self.name}` says how to set them", [problem])

    def url_for(self, area: Area) -> str:
        """Return the URL of one area, without a trailing slash.

        Args:
            area: ``api``, ``auth``, ``storage`` or ``hooks``.

        Examples:
            >>> import svckit
            >>> svckit.connect(now="2026-06-01T09:00:00+09:00").profile.url_for("storage")
            'https://storage.fake.test'
        """
        url: str = getattr(self, URL_KEYS[area])
        return url


def find_profile(on: "HasProfile | Profile | None") -> Profile | None:
    """Return a profile, or that of a session.

    Raises:
        TypeError: it is something else.
    """
    found = on if on is None or isinstance(on, Profile) else getattr(on, "profile", on)
    if found is not None and not isinstance(found, Profile):
        raise TypeError(f"on must be a session or a profile; given {describe_given(on)}")
    return found


class HasProfile(Protocol):
    """An object with a profile, such as a session."""

    @property
    def profile(self) -> Profile:
        """The profile."""
