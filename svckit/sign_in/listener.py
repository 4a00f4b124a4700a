"""A listener on the redirect address of an application, for the one redirect that ends a sign-in."""

import errno
import socket
import threading
from concurrent.futures import Future
from contextlib import ExitStack
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self, TypeAlias
from urllib.parse import parse_qs

from svckit.card import TEMPLATES
from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import AuthorizationRequest
from svckit.wire import is_loopback, locate

__all__ = ["Endpoint", "RedirectListener"]

PATIENCE = 10  # seconds for a browser to send its request
TELLING = ("code", "error", "state")
MISSING = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)  # a machine may have only one of 127.0.0.1 and ::1
PORT = (
    'Another sign-in may be waiting there: end it, or sign in by pasting, with sign_in="paste" '
    "or `svckit login --paste`."
)
HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",  # the address of the page holds the code
    "X-Content-Type-Options": "nosniff",
}


class Endpoint(NamedTuple):
    """Where to listen, and for which path."""

    hosts: tuple[str, ...]
    port: int
    path: str

    @classmethod
    def of(cls, redirect_uri: str) -> "Endpoint | None":
        """Where to listen for a redirect address; ``None`` for one that does not lead to this machine by http.

        Examples:
            >>> Endpoint.of("http://localhost:8731/callback")
            Endpoint(hosts=('127.0.0.1', '::1'), port=8731, path='/callback')
            >>> Endpoint.of("https://app.example.com/callback") is None
            True
        """
        try:
            origin, rest = locate(redirect_uri)
        except ValueError:
            return None
        if origin.scheme != "http" or not is_loopback(origin.host):
            return None
        hosts = ("127.0.0.1", "::1") if origin.host == "localhost" else (origin.host.strip("[]"),)
        return cls(hosts, origin.port, rest.partition("?")[0])


class Page(NamedTuple):
    """What the browser is told."""

    status: HTTPStatus
    title: str
    text: str


Outcome: TypeAlias = Secret | SignInStopped | None


class RedirectListener:
    """Listens while it is entered. What comes of the sign-in is in `landed`: the code, or `SignInStopped`.

    Other requests than the redirect are answered and change nothing. Nothing is logged, since the address holds
    the code.

    Attributes:
        landed: done when the redirect has come and the browser has been answered.
    """

    def __init__(self, request: AuthorizationRequest, endpoint: Endpoint) -> None:
        self.landed: Future[Secret] = Future()
        self.landed.set_running_or_notify_cancel()  # who waits may give up; the browser is answered all the same
        self._request = request
        self._endpoint = endpoint
        self._first = threading.Lock()
        self._servers = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            for bound in _bound(self._endpoint):
                server = _Server(bound, self)
                opening.callback(server.stop)
            self._servers = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._servers.close()

    def take(self, target: Secret) -> tuple[Page, Outcome]:
        """Read a request's target: what to tell the browser, and what that means for the sign-in."""
        profile = self._request.profile
        path, telling, redirect = _read(target, profile.redirect_uri)
        if path != self._endpoint.path:
            return Page(HTTPStatus.NOT_FOUND, "Nothing here", "A sign-in ends at another address."), None
        if not telling:
            return Page(HTTPStatus.BAD_REQUEST, "Nothing to do", "A sign-in ends here; this is none."), None
        if not self._first.acquire(blocking=False):
            return Page(HTTPStatus.GONE, "Already done", "This sign-in has come to its end."), None
        try:
            code = self._request.code_in(redirect)
        except SignInStopped as stopped:
            return Page(HTTPStatus.BAD_REQUEST, "Not signed in", str(stopped)), stopped
        text = f"svckit goes on with the profile {profile.name!r}. You can close this page and go back to it."
        return Page(HTTPStatus.OK, "The sign-in has arrived", text), code

    def conclude(self, outcome: Outcome) -> None:
        """Hand over what came of the sign-in, now that the browser has its page."""
        if isinstance(outcome, Secret):
            self.landed.set_result(outcome)
        elif outcome is not None:
            self.landed.set_exception(outcome)


class _Server(ThreadingHTTPServer):
    """Serves on a socket that is bound already, in threads of its own, so that no idle connection holds it up."""

    daemon_threads = True

    def __init__(self, bound: socket.socket, listener: RedirectListener) -> None:
        super().__init__(bound.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = bound
        self.listener = listener
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that went away is nothing to tell of."""


class _Handler(BaseHTTPRequestHandler):
    timeout = PATIENCE
    server: _Server

    def do_GET(self) -> None:
        page, outcome = self.server.listener.take(Secret(self.path))
        try:
            self._send(page)
        finally:
            self.server.listener.conclude(outcome)

    def _send(self, page: Page) -> None:
        body = TEMPLATES.get_template("sign_in.html").render(title=page.title, text=page.text).encode()
        self.send_response(page.status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        return "svckit"

    def log_message(self, *_: object) -> None:
        """Nothing is logged: the address holds the code."""


def _read(target: Secret, redirect_uri: str) -> tuple[str, bool, Secret]:
    """Path, whether the query tells of a sign-in, and the whole address; in a frame that no traceback shows."""
    path, _, query = target.reveal().partition("?")
    telling = any(name in parse_qs(query) for name in TELLING)
    return path, telling, Secret(f"{redirect_uri.partition('?')[0]}?{query}")


def _bound(endpoint: Endpoint) -> list[socket.socket]:
    """Sockets on all of an endpoint's hosts that this machine has."""
    bound: list[socket.socket] = []
    why = "this machine has no such address"
    for host in endpoint.hosts:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            bound.append(socket.create_server((host, endpoint.port), family=family))
        except OSError as error:
            if error.errno in MISSING:
                continue
            why = error.strerror or type(error).__name__
            for opened in bound:
                opened.close()
            bound = []
            break
    if bound:
        return bound
    raise SignInStopped(
        "port", f"nothing can listen on {endpoint.hosts[0]} port {endpoint.port}: {why}", advice=PORT
    )
