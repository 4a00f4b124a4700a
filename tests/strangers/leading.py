"""A proxy that leads hosts to ports of this machine, as a hosts file or the network of containers does."""

import socket
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class LeadingProxy(ThreadingHTTPServer):
    """An HTTP proxy whose CONNECT leads to the port of the host that is asked for, if it is one of `ports`.

    Attributes:
        ports: the ports by host.
    """

    daemon_threads = True

    def __init__(self, ports):
        self.ports = ports
        super().__init__(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self.serve_forever, args=(0.02,))

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *failure):
        self.shutdown()
        self.server_close()
        self._thread.join()


class Handler(BaseHTTPRequestHandler):
    def do_CONNECT(self):
        host, _, port = self.path.partition(":")
        with socket.create_connection(("127.0.0.1", self.server.ports.get(host, int(port)))) as upstream:
            self.send_response(200)
            self.end_headers()
            back = Thread(target=relay, args=(upstream, self.connection))
            back.start()
            relay(self.connection, upstream)
            back.join()
        self.close_connection = True

    def log_message(self, *message):
        """Keep quiet."""


def relay(source, target):
    """Pass on what one socket receives to another, until it is closed."""
    with suppress(OSError):  # closed at the other end
        while piece := source.recv(65536):
            target.sendall(piece)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
