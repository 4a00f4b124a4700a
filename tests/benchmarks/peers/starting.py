"""Starts: what a process costs until it is ready, and the memory that it has taken by then."""

import os
import sys
from collections.abc import Iterator, Mapping
from signal import SIGKILL
from subprocess import PIPE, Popen

from tests.benchmarks.counting import COMPILING, read_memory
from tests.benchmarks.serving import ROOT

from .sampling import OURS, Row, compare

Command = tuple[str, ...]


def run(code: str) -> Command:
    """Return the command that runs code, and says when it is ready."""
    return ("-c", f"{code}; print('ready', flush=True); input()")


CONNECT = {
    OURS: run("import svckit; svckit.connect()"),
    "httpx and a pydantic model": run(
        # No client: httpx reads the certificates for it, which a fake does not need.
        "import httpx, pydantic; pydantic.create_model('User', id=str, name=str | None)"
    ),
}
VERSION = {
    OURS: ("-m", "svckit", "--version"),
    "typer": ("-c", "import typer; app = typer.Typer(); app.command()(lambda: print('0.1.0')); app()"),
}
FAKE = {
    OURS: run("import httpx, fakes; httpx.Client(transport=fakes.FakeService.sample().transport())"),
    "respx": run("import httpx, respx; httpx.Client(transport=httpx.MockTransport(respx.Router().handler))"),
    "pytest-httpx": run("import httpx, pytest_httpx; httpx.Client()"),
    "responses": run("import requests, responses; responses.RequestsMock(); requests.Session()"),
    "Starlette": run("import httpx, starlette.applications as s; httpx.ASGITransport(s.Starlette())"),
    "FastAPI": run("import httpx, fastapi; httpx.ASGITransport(fastapi.FastAPI())"),
    "Flask": run("import flask; flask.Flask('app').test_client()"),
}
WERKZEUG = "from werkzeug.serving import make_server; make_server('127.0.0.1', 0, app)"
UVICORN = "import uvicorn; uvicorn.Config(app).load()"
SERVER = {
    OURS: ("-m", "svckit", "serve", "--port", "0"),
    "uvicorn": run(f"app = print; {UVICORN}"),
    "Starlette, uvicorn": run(f"import starlette.applications as s; app = s.Starlette(); {UVICORN}"),
    "FastAPI, uvicorn": run(f"import fastapi; app = fastapi.FastAPI(); {UVICORN}"),
    "Flask, werkzeug": run(f"import flask; app = flask.Flask('app'); {WERKZEUG}"),
    "http.server": run("import http.server as s; s.ThreadingHTTPServer(('', 0), s.BaseHTTPRequestHandler)"),
    "moto server": run(
        f"import moto.server as s; app = s.DomainDispatcherApplication(s.create_backend_app); {WERKZEUG}"
    ),
}
CASES = {"connect": CONNECT, "--version": VERSION, "a fake in a test": FAKE, "a server": SERVER}


def start(command: Command) -> tuple[float, float]:
    """Return the CPU time of a process until its first line, and its most memory in bytes; then end it."""
    pipes = {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE}
    with Popen([sys.executable, *command], **pipes, cwd=ROOT, env=COMPILING) as process:
        assert process.stdout.readline(), process.stderr.read().decode()
        try:
            peak = read_memory("VmHWM", process.pid)
        except TypeError:  # it has ended, and has no memory
            peak = 0
        os.kill(process.pid, SIGKILL)
        usage = os.wait4(process.pid, 0)[2]
        process.returncode = 0
    return usage.ru_utime + usage.ru_stime, peak


def sample(
    commands: Mapping[str, Command], rounds: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return what each command took in each round, CPU time and memory; they take turns."""
    times: dict[str, list[float]] = {peer: [] for peer in commands}
    peaks: dict[str, list[float]] = {peer: [] for peer in commands}
    for command in commands.values():
        start(command)  # which compiles what has changed
    for _ in range(rounds):
        for peer, command in commands.items():
            time, peak = start(command)
            times[peer].append(time)
            peaks[peer].append(peak)
    return times, peaks


def measure(rounds: int) -> Iterator[Row]:
    """Yield the rows of starts, and of the memory they take."""
    for case, commands in CASES.items():
        times, peaks = sample(commands, rounds)
        yield from compare("start", case, times)
        if case != "--version":  # which has ended by then
            yield from compare("memory", case, peaks, "most memory")
