"""The registered clients of the authorization server: their IDs, secrets, redirect URLs and keys."""

import re
from dataclasses import replace
from hmac import compare_digest
from urllib.parse import urlsplit

from fakes.http.errors import Refusal
from fakes.parts.changes import Stored
from fakes.parts.part import Part, Shared
from fakes.parts.sign_in.assertions import read_public_key
from fakes.parts.sign_in.authorization_data import RegisteredClient
from svckit.models.phrases import describe_given

__all__ = ["ClientRegistry"]

URL_CHARACTERS = re.compile(r"[!-~]*")


class ClientRegistry(Part):
    """The clients of one domain.

    Attributes:
        application: the first application, which is one of the facts of every fake.
    """

    def __init__(self, application: RegisteredClient, shared: Shared) -> None:
        super().__init__(shared)
        self.application: RegisteredClient = application
        self._further: Stored[str, RegisteredClient] = Stored(shared.changes, "auth.further")

    def register(self, redirect_uri: str) -> RegisteredClient:
        """Register another application, and issue its client ID and client secret.

        Args:
            redirect_uri: the URL its users are redirected to: an absolute URL without a fragment.

        Returns:
            The application: its ``client_id``, ``client_secret`` and ``redirect_uri``.

        Raises:
            Refusal: the redirect URL is not valid.
        """
        if not URL_CHARACTERS.fullmatch(redirect_uri):
            raise Refusal(
                "invalid",
                "a redirect URL may have visible ASCII characters only; percent-encode all others; "
                f"given {redirect_uri!r}",
            )
        try:
            parts = urlsplit(redirect_uri)
        except ValueError as wrong:
            raise Refusal(
                "invalid", f"a redirect URL must be a URL; given {redirect_uri!r}: {wrong}"
            ) from None
        if not parts.scheme or not parts.netloc or parts.fragment:
            raise Refusal(
                "invalid",
                f"a redirect URL must be an absolute URL without a fragment; given {redirect_uri!r}",
            )
        client_id = f"client-{len(self._further) + 2}"
        registered = RegisteredClient(client_id, self._ids.secret("cs"), redirect_uri)
        self._further[client_id] = registered
        return registered

    def register_key(self, pem: str | bytes, client_id: str | None = None) -> None:
        """Register the public key that checks the assertions of a client, in place of an earlier one.

        Assertions are JWTs signed with RS256, for the alternative ``issued`` of the rule ``token.jwt-bearer``.

        Args:
            pem: an RSA public key of at least 2048 bits, as PEM.
            client_id: the client; by default, the first application.

        Raises:
            TypeError: ``pem`` is neither text nor bytes.
            Refusal: this is not such a key, or no such client is registered.
            ModuleNotFoundError: PyJWT is not installed; it comes with the extra ``jwt``.

        Examples:
            >>> from cryptography.hazmat.primitives.asymmetric import rsa
            >>> from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
            >>> from fakes import FakeService
            >>> key = rsa.generate_private_key(65537, 2048).public_key()
            >>> pem = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
            >>> fake = FakeService.sample(assume={"token.jwt-bearer": "issued"})
            >>> fake.auth.register_key(pem)
        """
        if not isinstance(pem, str | bytes):
            raise TypeError(f"pem must be a public key as PEM, text or bytes; given {describe_given(pem)}")
        client_id = self.application.client_id if client_id is None else client_id
        client = self.find_client(client_id)
        if client is None:
            known = ", ".join((self.application.client_id, *self._further))
            raise Refusal("not_found", f"client {client_id!r} not found; the clients are {known}")
        with_key = replace(client, public_key=read_public_key(pem))
        if client is self.application:
            self.application = with_key
        else:
            self._further[client_id] = with_key

    def find_client(self, client_id: str) -> RegisteredClient | None:
        """Return the client with an ID, or None."""
        return self.application if client_id == self.application.client_id else self._further.get(client_id)

    def check_client(self, client_id: str, client_secret: str) -> RegisteredClient:
        """Check a client's ID and secret, and return the client.

        Raises:
            Refusal: either is wrong.
        """
        client = self.find_client(client_id)
        if client is None or not compare_digest(client_secret.encode(), client.client_secret.encode()):
            raise Refusal("bad_client", "the client_id or the client_secret is wrong")
        return client
