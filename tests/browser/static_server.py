"""A server of the files of a folder, for sites that need no more."""

import http.server
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that reports nothing."""

    def log_message(self, *_: Any) -> None:
        """Report nothing."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
