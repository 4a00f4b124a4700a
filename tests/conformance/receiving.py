"""A receiving server of bots, on loopback: it answers as it is told to, and keeps what came."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Thread

import httpx


class ReceivingServer:
    """One server for any number of receivers, each at a path of its own."""

    def __init__(self):
        self._answers = {}
        self._numbers = count(1)
        receivers = self._answers

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                answer, received = receivers[self.path]
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.append((httpx.Headers(self.headers.items()), body))
                if isinstance(answer, Exception):
                    self.close_connection = True
                    return
                self.send_response(answer)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *message):
                """Keep quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,))

    def receiver(self, answer):
        """The URL of a receiver that responds so, and the list of its requests."""
        path, received = f"/callback/{next(self._numbers)}", []
        self._answers[path] = (answer, received)
        return f"http://127.0.0.1:{self._server.server_port}{path}", received

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *failure):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
