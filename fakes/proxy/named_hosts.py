"""A fake that is served under the names of its hosts, on a port that is an HTTPS proxy too."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self
from urllib.parse import urlsplit

from fakes.doors.asgi import App, Receive, Scope, Send, respond
from fakes.doors.layout import ABSOLUTE, Layout, get_base, get_target, strip_root
from fakes.doors.served import LOOPBACK, Fake, Served, format_host
from fakes.http.addresses import BaseURLs
from fakes.http.messages import FakeResponse
from fakes.parts.facts import Facts
from fakes.proxy.authority import Authority
from fakes.proxy.first_bytes import Gate
from fakes.proxy.refusals import Refusals, is_address

__all__ = ["NamedHosts", "check_names"]


def check_names(named: Mapping[str, str]) -> BaseURLs:
    """Return the base URLs of the areas, by their keys in the facts.

    Raises:
        ValueError: one cannot be a base URL, or its host has no name of its own that a proxy could lead.

    Examples:
        >>> check_names({"base_url": "https://www.example.com/v1.0"}).storage
        'https://storage.fake.test'
        >>> check_names({"base_url": "http://localhost:8000"})
        Traceback (most recent call last):
        ...
        ValueError: localhost cannot be led to a fake, as only names can, and programs call this machine without...
    """
    base_urls = BaseURLs.from_facts(named)
    for host in list_hosts(base_urls):
        if host == "localhost" or is_address(host):
            raise ValueError(
                f"{host} cannot be led to a fake, as only names can, and programs call this machine without a proxy; "
                "name the host that the program has as a literal, or serve the fake at an address with `svckit serve`"
            )
    return base_urls


def list_hosts(base_urls: BaseURLs) -> list[str]:
    """Return the names of the hosts of base URLs, each once.

    Examples:
        >>> list_hosts(BaseURLs(auth="https://api.fake.test/auth"))
        ['api.fake.test', 'storage.fake.test', 'hooks.fake.test', 'admin.fake.test']
    """
    return list(dict.fromkeys(urlsplit(url).hostname or "" for url in base_urls))


class NamedLayout(Layout):
    """The layout of a fake that is reached at the names of its hosts, or else under one base URL.

    Args:
        named: the base URLs with those names.
        base: the base URL for all other requests; if omitted, it follows each request.
    """

    def __init__(self, named: BaseURLs, base: str | None = None) -> None:
        super().__init__(base)
        self._named = named
        self._hosts = frozenset(list_hosts(named))

    def find(self, scope: Scope) -> tuple[str, BaseURLs]:
        """Return the URL of a request, and the base URLs for its response."""
        base = get_base(scope)
        if urlsplit(base).hostname not in self._hosts:
            return super().find(scope)
        # Some clients send https URLs to a proxy without CONNECT.
        absolute = ABSOLUTE.match(get_target(scope))
        if absolute is not None and absolute[0].lower().startswith("https"):
            base = f"https://{base.partition('://')[2]}"
        return base + strip_root(scope), self._named

    def find_stranger(self, scope: Scope) -> str | None:
        """Return the host of a request that needs a proxy and is not for the fake; None for all others."""
        host = urlsplit(get_base(scope)).hostname or ""
        is_led = scope["scheme"] == "https" or ABSOLUTE.match(get_target(scope)) is not None
        return host if is_led and host not in self._hosts else None


class NamedHosts(Served[Fake]):
    """A fake that is served under the names of its hosts while it is used as a context manager.

    Its port tells TLS, CONNECT and plain HTTP apart by the first bytes of a connection. Requests to one of the hosts,
    through the proxy or straight to the port, are those to the fake; a proxy's request to any other is refused with
    403. Whatever else is plain HTTP reaches the fake under paths, as without names: the admin interface does.

    Args:
        fake: the fake to serve.
        port: the port to listen on; 0 for any free port.
        host: the host name or IP address to listen on.
        named: the base URLs, by their keys in the facts; those left out are the ones in process.
        cors: the origins of the web pages that may call it.

    Attributes:
        hosts: the names of the hosts.
        authority: what issued the certificate, once it is served.
        refusals: what was refused.
        folder: a folder of this run, once it is served; deleted in the end.

    Raises:
        ValueError: a name cannot be used.
        OSError: the port is in use.
        ModuleNotFoundError: the package trustme, of the extra serve, is missing.

    Examples:
        >>> from fakes import FakeService
        >>> named = {"base_url": "https://www.example.com/v1.0"}
        >>> with NamedHosts(FakeService.sample(now="2026-06-01T09:00:00+09:00"), named=named) as served:
        ...     facts = served.facts
        >>> facts["base_url"], facts["auth_url"], facts["admin_url"].partition(":")[0]
        ('https://www.example.com/v1.0', 'https://auth.fake.test', 'http')
    """

    authority: Authority
    folder: Path

    def __init__(
        self,
        fake: Fake,
        port: int = 0,
        host: str = LOOPBACK,
        *,
        named: Mapping[str, str],
        cors: Collection[str] = (),
    ) -> None:
        super().__init__(fake, port, host, cors=cors)
        self.named = check_names(named)
        self.hosts = list_hosts(self.named)
        self.refusals = Refusals()
        self._own_admin = "admin_url" in named
        self._stack = ExitStack()

    @property
    def facts(self) -> Facts:
        """The configuration for clients, with two keys more: ``proxy_url`` and ``ca_file``.

        The admin interface is where no proxy and no certificate is needed, unless it was named.

        Raises:
            RuntimeError: the fake is not being served.
        """
        base, plain = self.url, self._base_urls
        facts = Facts.of(self.fake.state, self.named)
        admin = self.named.admin if self._own_admin else plain.admin
        return Facts({**facts, "admin_url": admin, "proxy_url": base, "ca_file": str(self.authority.ca_file)})

    def __enter__(self) -> Self:
        """Start the server, with a certificate of its own."""
        with ExitStack() as stack:
            self.folder = Path(stack.enter_context(TemporaryDirectory(prefix="svckit-")))
            self.folder.chmod(0o755)  # others may read certificates, such as programs in containers
            self.authority = Authority(self.hosts, self.folder)
            super().__enter__()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *failure: object) -> None:
        """Stop the server, and delete the folder."""
        with self._stack:
            super().__exit__(*failure)

    def _lay_out(self, base: str | None, ports: Sequence[int]) -> Layout:
        self._layout = NamedLayout(self.named, base)
        return self._layout

    def _wrap(self, app: App) -> App:
        """Return an app that refuses requests to hosts that are not led with 403."""

        async def refuse_strangers(scope: Scope, receive: Receive, send: Send) -> None:
            stranger = self._layout.find_stranger(scope) if scope["type"] == "http" else None
            if stranger is None:
                await app(scope, receive, send)
                return
            said = self.refusals.refuse(stranger).encode("ascii")
            refused = FakeResponse(403, [("Content-Type", "text/plain"), ("Connection", "close")], said)
            await respond(refused, scope, receive, send)

        return refuse_strangers

    def _make_protocol_class(self) -> Any:
        return Gate(
            super()._make_protocol_class(),
            self.authority.context,
            frozenset(self.hosts),
            self.refusals,
        )

    def explain_fallback(self) -> str:
        """Say how programs that use no proxy reach it: by a hosts file, or by aliases in Docker Compose."""
        address, names = format_host(self._host), " ".join(self.hosts)
        port = urlsplit(self.url).port
        need = "" if port == 443 else f" They use the port 443, and this one is {port}: set --port 443."
        return (
            f"Programs that use no proxy need a line in their hosts file, or aliases in Docker Compose.{need}\n"
            f"  {address.strip('[]')} {names}\n"
            f"  aliases: [{', '.join(self.hosts)}]"
        )
