"""A listener on the redirect URL of an application, for the one redirect that ends a sign-in.

Any web page can make the browser send requests here, and so can any program on this machine. Only the service knows
the ``state`` of the sign-in: a redirect with that state ends the sign-in, with a code or an error (by RFC 6749, section
4.1.2.1, errors carry it too). Any other request is refused and changes nothing. The ``Host`` header gives away a page
whose host name was made to resolve to this machine (DNS rebinding), and it is refused. Idle connections do not block
others, and end after a while.
"""

import errno
import socket
import threading
from concurrent.futures import Future
from contextlib import ExitStack
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self, TypeAlias

from svckit.addresses import is_loopback, locate
from svckit.display.templates import TEMPLATES
from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest, has_outcome

__all__ = ["PASTE", "Endpoint", "RedirectListener"]

PATIENCE = 10  # seconds for a browser to send its request
MISSING = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)  # a machine may have only one of 127.0.0.1 and ::1
PASTE = 'sign in by pasting, with sign_in="paste" or `svckit login --paste`'
PORT = f"Another sign-in may be waiting there: stop it, or {PASTE}."
FORGED = "The state does not match this sign-in, so the request may be forged. The sign-in continues."
HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",  # the URL of the page contains the code
    "X-Content-Type-Options": "nosniff",
}


class Endpoint(NamedTuple):
    """The hosts, the port and the path to listen on."""

    hosts: tuple[str, ...]
    port: int
    path: str

    @classmethod
    def of(cls, redirect_uri: str) -> "Endpoint | None":
        """Return the endpoint of a redirect URL; ``None`` if it is not an http URL of this machine.

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
    """The page that the browser shows."""

    status: HTTPStatus
    title: str
    text: str


Outcome: TypeAlias = Secret | SignInStopped | None
"""The code; or why the sign-in failed; or ``None`` if the request does not end the sign-in."""


class RedirectListener:
    """Listens within a ``with`` block; `landed` holds the result of the sign-in, the code or `SignInStopped`.

    A thread for each connection calls `take`, sends the page, and then calls `conclude`: the program that waits for
    `landed` may end at once, and the browser would be left without its page.

    Requests without the state of the sign-in are refused and change nothing. Nothing is logged, since the URL
    contains the code.

    Attributes:
        landed: done when the redirect has arrived and the browser has its page.
    """

    def __init__(self, request: SignInRequest, endpoint: Endpoint) -> None:
        self.landed: Future[Secret] = Future()
        self.landed.set_running_or_notify_cancel()  # the waiter may give up; the browser still gets a page
        self._request = request
        self._endpoint = endpoint
        self._first = threading.Lock()  # acquired by the redirect that ends the sign-in, and never released
        self._servers = ExitStack()  # one server for each address of localhost

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            for bound in _bind(self._endpoint):
                server = _Server(bound, self)
                opening.callback(server.stop)
            self._servers = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._servers.close()

    def take(self, target: Secret, host: str | None = None) -> tuple[Page, Outcome]:
        """Read a request; return a page for the browser and the outcome of the sign-in.

        Args:
            target: the path and query.
            host: the ``Host`` header, if there is one.
        """
        profile = self._request.profile
        path, is_sign_in, redirect = _parse_target(target, profile.redirect_uri)
        if host is not None and not _is_local(host, self._endpoint.port):
            return Page(HTTPStatus.BAD_REQUEST, "Wrong host", "This host is not part of a sign-in."), None
        if path != self._endpoint.path:
            return Page(HTTPStatus.NOT_FOUND, "Not found", "A sign-in ends at another URL."), None
        if not is_sign_in:
            text = "A sign-in ends here, but this request is not part of one."
            return Page(HTTPStatus.BAD_REQUEST, "Nothing to do", text), None
        outcome = self._read_outcome(redirect)
        if outcome is None:
            return Page(HTTPStatus.BAD_REQUEST, "Not this sign-in", FORGED), None
        if not self._first.acquire(blocking=False):
            return Page(HTTPStatus.GONE, "Already done", "This sign-in is already finished."), None
        if isinstance(outcome, SignInStopped):
            page = Page(HTTPStatus.BAD_REQUEST, "Not signed in", str(outcome))
        else:
            text = f"svckit continues with the profile {profile.name!r}. You can close this page and go back to it."
            page = Page(HTTPStatus.OK, "Sign-in received", text)
        return page, outcome

    def _read_outcome(self, redirect: Secret) -> Outcome:
        """Return the outcome of a redirect; ``None`` if its state is not the right one."""
        try:
            return self._request.extract_code(redirect)
        except SignInStopped as stopped:
            return None if stopped.reason == "state" else stopped

    def conclude(self, outcome: Outcome) -> None:
        """Pass on the outcome of the sign-in, now that the browser has its page."""
        if isinstance(outcome, Secret):
            self.landed.set_result(outcome)
        elif outcome is not None:
            self.landed.set_exception(outcome)


class _Server(ThreadingHTTPServer):
    """A server on a bound socket, with a thread for each connection, so that no idle one blocks it."""

    daemon_threads = True

    def __init__(self, bound: socket.socket, listener: RedirectListener) -> None:
        super().__init__(bound.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()  # its own, which knows IPv4 only and is not bound
        self.socket = bound
        self.listener = listener
        interval = {"poll_interval": 0.05}  # seconds, which stopping waits for
        self._thread = threading.Thread(target=self.serve_forever, kwargs=interval, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report nothing when a browser disconnects."""


class _Handler(BaseHTTPRequestHandler):
    timeout = PATIENCE
    server: _Server

    def do_GET(self) -> None:
        hosts = self.headers.get_all("Host")
        host = None if hosts is None else ",".join(hosts)
        page, outcome = self.server.listener.take(Secret(self.path), host)
        try:
            self._send(page)
        finally:
            self.server.listener.conclude(outcome)

    def _send(self, page: Page) -> None:
        body = (
            TEMPLATES.get_template("sign_in/sign_in.html").render(title=page.title, text=page.text).encode()
        )
        self.send_response(page.status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        return "svckit"

    def log_message(self, *_: object) -> None:
        """Log nothing, since the URL contains the code."""


def _is_local(host: str, port: int) -> bool:
    """Return whether a request was sent to a loopback address or ``localhost``, and to this port."""
    try:
        origin, rest = locate(f"http://{host}")
    except ValueError:
        return False
    return is_loopback(origin.host) and origin.port == port and rest == "/"


def _parse_target(target: Secret, redirect_uri: str) -> tuple[str, bool, Secret]:
    """Return the path, whether the query is that of a sign-in, and the whole URL; no traceback shows the frame."""
    path, _, query = target.reveal().partition("?")
    return path, has_outcome(query), Secret(f"{redirect_uri.partition('?')[0]}?{query}")


def _bind(endpoint: Endpoint) -> list[socket.socket]:
    """Bind a socket on each of an endpoint's hosts that this machine has."""
    bound: list[socket.socket] = []
    reason = "this machine has no such address"
    for host in endpoint.hosts:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            bound.append(socket.create_server((host, endpoint.port), family=family))
        except OSError as error:
            if error.errno not in MISSING:
                whole = error.strerror or type(error).__name__
                reason = whole.partition(" (")[0]  # Python adds the address
                while bound:
                    bound.pop().close()
                break
    if bound:
        return bound
    raise SignInStopped(
        "port", f"nothing can listen on {endpoint.hosts[0]} port {endpoint.port}: {reason}", advice=PORT
    )
