"""The registered clients of the authorization server: their IDs, secrets, redirect URLs and keys."""

import re
from dataclasses import replace
from hmac import compare_digest
from itertools import count
from urllib.parse import urlsplit

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.changes import Stored
from fakes.parts.part import Part, Shared
from fakes.parts.sign_in.assertions import read_public_key
from fakes.parts.sign_in.authorization_data import RegisteredClient
from svckit.models.phrases import describe_given
from svckit.models.problems import shorten

__all__ = ["ClientRegistry", "find_url_problem"]

SERVICE_ACCOUNT = "service-account-1"
"""The client ID of the service account."""
URL_CHARACTERS = re.compile(r"[!-~]*")


def find_url_problem(redirect_uri: str) -> str:
    """Return why a text is not a redirect URL, or an empty text.

    Examples:
        >>> find_url_problem("https://app.example/callback"), find_url_problem("/callback")
        ('', "must be a redirect URL, which is absolute and has no fragment; given '/callback'")
    """
    given = f"given {shorten(redirect_uri)!r}"
    if not URL_CHARACTERS.fullmatch(redirect_uri):
        return f"must be a redirect URL of visible ASCII characters; percent-encode all others; {given}"
    try:
        parts = urlsplit(redirect_uri)
    except ValueError as wrong:
        return f"must be a redirect URL; {given}: {wrong}"
    if not parts.scheme or not parts.netloc or parts.fragment:
        return f"must be a redirect URL, which is absolute and has no fragment; {given}"
    return ""


class ClientRegistry(Part):
    """The clients of one domain.

    Attributes:
        application: the first application, which is one of the facts of every fake.
    """

    def __init__(self, application: RegisteredClient, shared: Shared) -> None:
        super().__init__(shared)
        self.application: RegisteredClient = application
        self._further: Stored[str, RegisteredClient] = Stored(shared.changes, "auth.further")

    def register(
        self,
        redirect_uri: str,
        *further: str,
        client_id: str | None = None,
        client_secret: str | None = None,
        public_key: str = "",
    ) -> RegisteredClient:
        """Register another application.

        Args:
            redirect_uri: the URL its users are redirected to: an absolute URL without a fragment.
            further: more such URLs.
            client_id: the client ID; by default ``client-2``, ``client-3`` and so on.
            client_secret: the client secret; if omitted, one is issued.
            public_key: the key that checks its assertions, as for `register_key`.

        Returns:
            The application: its ``client_id``, ``client_secret`` and ``redirect_uri``.

        Raises:
            Refusal: a redirect URL or the key is not valid, or the client ID is taken.
            ModuleNotFoundError: there is a key, and PyJWT is not installed; it comes with the extra ``jwt``.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample()
            >>> fake.auth.register("https://a.example/cb", "https://b.example/cb", client_id="my-app").client_id
            'my-app'
        """
        for url in (redirect_uri, *further):
            if problem := find_url_problem(url):
                raise Refusal("invalid", f"redirect_uri {problem}")
        if client_id is None:
            numbered = (f"client-{number}" for number in count(len(self._further) + 2))
            client_id = next(name for name in numbered if self.find_client(name) is None)
        elif self.find_client(client_id) is not None:
            raise Refusal("conflict", f"the application {client_id!r} already exists")
        registered = RegisteredClient(
            client_id,
            client_secret or self._ids.secret("cs"),
            redirect_uri,
            public_key=read_public_key(public_key) if public_key else "",
            redirect_uris=further,
        )
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
        if client_id == self.application.client_id:
            return self.application
        found = self._further.get(client_id)
        if found is None and client_id == SERVICE_ACCOUNT:
            return self.service_account
        return found

    @property
    def service_account(self) -> RegisteredClient | None:
        """The service account of the facts.

        None where the rule ``token.jwt-bearer`` refuses it, without the extra ``jwt``, or with a key of your own.
        """
        is_taken = self.application.client_id == SERVICE_ACCOUNT or SERVICE_ACCOUNT in self._further
        if is_taken or self._rules.look_up(rulebook.tokens.JWT_BEARER) == "refused":
            return None
        from fakes.parts.sign_in.service_account import make_service_account  # most fakes have none

        return make_service_account(self._ids.seed)

    def check_client(self, client_id: str, client_secret: str) -> RegisteredClient:
        """Check a client's ID and secret, and return the client.

        Raises:
            Refusal: either is wrong.
        """
        client = self.find_client(client_id)
        if client is None or not compare_digest(client_secret.encode(), client.client_secret.encode()):
            raise Refusal("bad_client", "the client_id or the client_secret is wrong")
        return client
