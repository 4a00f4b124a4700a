"""`svckit serve`: in a thread of this process, or in another where that is what a test is about."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from threading import Event, Thread
from unittest.mock import patch

import typer

import fakes.serving
from svckit.cli import app

from ...loopback import PATIENCE, local_client
from ..command import run_command

ROOT = Path(__file__).parents[3]


class Serving:
    """A `svckit serve` that has printed its ready line.

    Attributes:
        line: what it printed on stdout.
        facts: what the line says.
    """

    def __init__(self, line):
        self.line = line
        self.facts = json.loads(line)

    def admin(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.facts['admin_key']}"}
        options = {} if body is None else {"json": body}
        url = self.facts["admin_url"] + path
        with local_client(headers=headers) as http:
            return http.request(method, url, **options)


class InThread(Serving):
    """The command in a thread of this process; `handlers` are those that it set for signals."""

    def __init__(self, *options, **environment):
        self.handlers, self.code, self._said = {}, None, StringIO()
        printed, waiting, wait = StringIO(), Event(), fakes.serving.wait_for_stop

        def wait_for_stop(*arguments):
            waiting.set()
            return wait(*arguments)

        def run():
            try:
                typer.main.get_command(app).main(["serve", "--port", "0", *map(str, options)])
            except SystemExit as done:
                self.code = done.code
            finally:
                waiting.set()

        self._thread = Thread(target=run)
        with (
            patch.dict(os.environ, environment),
            patch("signal.signal", self.handlers.__setitem__),
            patch("fakes.serving.wait_for_stop", wait_for_stop),
            redirect_stdout(printed),
            redirect_stderr(self._said),
        ):
            self._thread.start()
            waiting.wait()
        assert self.code is None, self._said.getvalue()
        super().__init__(printed.getvalue())

    def stop(self):
        """The exit code, and what it said on stderr."""
        if self._thread.is_alive():
            self.handlers[signal.SIGTERM]()
            self._thread.join()
        return self.code, self._said.getvalue()


class OwnProcess(Serving):
    """The command in a process of its own."""

    def __init__(self, *options, **environment):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "svckit", "serve", "--port", "0", *map(str, options)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | environment,
        )
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(self.process.communicate()[1])
        super().__init__(line)

    def stop(self, how=signal.SIGTERM):
        """The exit code, and what more came on stdout and stderr."""
        self.process.send_signal(how)
        rest, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, rest, errors


def authorization(facts):
    """The parameters of an authorization request."""
    asked = {"response_type": "code", "scope": "user", "state": "s"}
    return asked | {name: facts[name] for name in ("client_id", "redirect_uri")}


@contextmanager
def serving(*options, **environment):
    running = InThread(*options, **environment)
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def serving_process(*options, **environment):
    """Serve in another process, for tests of what only a process has: signals, a standard output, a kill."""
    running = OwnProcess(*options, **environment)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
        running.process.communicate()


def refused(*options, **environment):
    """The exit code and the words of a server that does not start."""
    with patch("signal.signal"):
        done = run_command("serve", *options, **environment)
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.stdout == ""
    return done.exit_code, done.stderr
