"""A profile: which service a session talks to, and as which application. Nothing in it is secret."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from svckit.addresses import Area, is_token, locate
from svckit.models.signature import ALGORITHMS, SignedBy, check_signed_by

__all__ = ["HEADER_WORD", "HasProfile", "Profile"]

HEADER_WORD = "SERVICE"  # what the service's description writes for it
FAKE_SCOPES = ("user", "file")  # the service's description names no scopes; a fake accepts any


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The addresses of a service and the application that signs in to it.

    Attributes:
        name: what the profile is called.
        base_url: address of the resource API.
        auth_url: address of the authorization server.
        upload_url: address of the file storage.
        webhook_url: address of the notification endpoint.
        client_id: ID of the registered application.
        redirect_uri: the redirect address it is registered with.
        scopes: what the application asks for; the service's description does not name the scopes.
        domain: name of the domain; required where the domain uses single sign-on.
        header_word: the product word in header names, ``SERVICE`` in ``X-SERVICE-Signature``.
        signature: how callback events are signed, which the service's description does not show: ``hmac-sha256``,
            ``hmac-sha1``, or a verifying function (`svckit.models.signature`).
        webhooks: names of notification URLs; the URLs are secret, so they are among the credentials.
        is_fake: whether the service is a fake, where nothing that is done is for real.

    Raises:
        ValueError: an address is not an absolute http(s) address without a query, the header word is none, or events
            cannot be verified that way.
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
    is_fake: bool = False

    def __post_init__(self) -> None:
        if not is_token(self.header_word):
            raise ValueError(
                f"header_word of profile {self.name!r} is the product word in header names, such as {HEADER_WORD} in "
                f"X-{HEADER_WORD}-Signature; given {self.header_word!r}"
            )
        check_signed_by(self.signature, f"signature of profile {self.name!r}")
        for field in ("base_url", "auth_url", "upload_url", "webhook_url"):
            address = getattr(self, field)
            try:
                origin, path = locate(address)
            except ValueError as unreadable:
                raise ValueError(f"{field} of profile {self.name!r}: {unreadable}") from None
            if "?" in path:
                raise ValueError(f"{field} of profile {self.name!r}: an address of a service has no query")
            object.__setattr__(self, field, f"{origin}{path.rstrip('/')}")

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any], name: str = "fake") -> Self:
        """The profile of a fake, from its facts (or from the ready line of a served one)."""
        addresses = {key: facts[key] for key in ("base_url", "auth_url", "upload_url", "webhook_url")}
        application = {key: facts[key] for key in ("client_id", "redirect_uri")}
        return cls(name=name, scopes=FAKE_SCOPES, is_fake=True, **addresses, **application)

    def address(self, area: Area) -> str:
        """The address of one area, without a slash at the end."""
        match area:
            case "api":
                return self.base_url
            case "auth":
                return self.auth_url
            case "storage":
                return self.upload_url
            case "hooks":
                return self.webhook_url


class HasProfile(Protocol):
    """A session, as far as its profile matters."""

    @property
    def profile(self) -> Profile:
        """Whom it talks to."""
