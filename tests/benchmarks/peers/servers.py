"""Servers with the same work, each in a process of its own.

``python -m tests.benchmarks.peers.servers NAME`` starts one, and prints its URL when it accepts connections.
"""

import json
import sys
from io import BytesIO
from typing import Any

from fakes.doors.served import listen

from . import apps
from .straight import Straight


def serve_uvicorn(make: Any, http: str, loop: str) -> None:
    """Serve an ASGI application."""
    import uvicorn

    listener = listen("127.0.0.1", 0)
    listener.listen(2048)
    origin = announce(*listener.getsockname())
    config = uvicorn.Config(make(Straight(origin)), http=http, loop=loop, log_config=None, access_log=False)
    uvicorn.Server(config).run([listener])


def serve_werkzeug(make: Any) -> None:
    """Serve a WSGI application, as the commands of Flask and moto do."""
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Silent(WSGIRequestHandler):
        wbufsize = -1  # one packet for the head and the body, else the client waits for the second

        def log_request(self, *_: Any) -> None:
            """Write nothing."""

    app = make()
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    announce(server.host, server.port)
    server.serve_forever()


def moto() -> Any:
    """Return the application of moto's server."""
    from moto.server import DomainDispatcherApplication, create_backend_app

    return DomainDispatcherApplication(create_backend_app)


def serve_standard() -> None:
    """Serve with the standard library alone."""
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    straight = Straight()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # as above

        def respond(self) -> None:
            """Respond to a request."""
            body = BytesIO(self.rfile.read(int(self.headers["Content-Length"])))
            status, content, headers = straight.handle(self.command, self.path, self.headers, body)
            self.send_response(status)
            for header in headers:
                self.send_header(*header)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_PATCH = do_POST = respond  # noqa: N815 - names of the standard library

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    straight.origin = announce(*server.server_address)
    server.serve_forever()


def announce(host: Any, port: Any) -> str:
    """Print and return the URL of a server that accepts connections."""
    origin = f"http://{host}:{port}"
    print(json.dumps(origin), flush=True)
    return origin


SERVERS = {
    "uvicorn (uvloop, httptools)": lambda: serve_uvicorn(apps.asgi, "httptools", "uvloop"),
    "uvicorn (asyncio, h11)": lambda: serve_uvicorn(apps.asgi, "h11", "asyncio"),
    "Starlette, uvicorn": lambda: serve_uvicorn(apps.starlette, "httptools", "uvloop"),
    "FastAPI, uvicorn": lambda: serve_uvicorn(apps.fastapi, "httptools", "uvloop"),
    "Flask, werkzeug": lambda: serve_werkzeug(lambda: apps.flask(Straight())),
    "http.server": serve_standard,
    "moto server": lambda: serve_werkzeug(moto),
}

if __name__ == "__main__":
    SERVERS[sys.argv[1]]()
