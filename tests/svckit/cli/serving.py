"""`svckit serve` in another process."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from ...loopback import PATIENCE, local_client

ROOT = Path(__file__).parents[3]


class Serving:
    """A `svckit serve` in another process, and its ready line."""

    def __init__(self, *options, **environment):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "svckit", "serve", "--port", "0", *map(str, options)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | environment,
        )
        self.line = self.process.stdout.readline()
        if not self.line:
            raise AssertionError(self.process.communicate()[1])
        self.facts = json.loads(self.line)

    def admin(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.facts['admin_key']}"}
        options = {} if body is None else {"json": body}
        url = self.facts["admin_url"] + path
        with local_client(headers=headers) as http:
            return http.request(method, url, **options)

    def stop(self, how=signal.SIGTERM):
        """The exit code, and what more came on stdout and stderr."""
        self.process.send_signal(how)
        rest, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, rest, errors


@contextmanager
def serving(*options, **environment):
    running = Serving(*options, **environment)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
        running.process.communicate()


def refused(*options, **environment):
    """The exit code and the words of a server that does not start."""
    command = [sys.executable, "-m", "svckit", "serve", *map(str, options)]
    environment = os.environ | {"COLUMNS": "400", "NO_COLOR": "1"} | environment
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=PATIENCE, check=False
    )
    assert done.stdout == ""
    return done.returncode, done.stderr
