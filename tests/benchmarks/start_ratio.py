"""What a start executes, as a ratio to that of libraries that do no more.

Run it with ``python -m tests.benchmarks.start_ratio [NAME]...``. The peer of `svckit.connect` imports httpx and makes
one model; it makes no client, as a client of httpx reads the certificates that a fake does not need. The peer of the
command's version imports typer, and that of a served fake is a bare application in uvicorn; both servers are killed as
soon as they accept connections. The figure is the ratio of the executed instructions, which valgrind counts and other
processes do not change; what an empty Python executes is subtracted from both sides.
"""

import shutil
import sys
from functools import partial

from tests.benchmarks.bounds import report
from tests.benchmarks.counting import COMPILING, count_instructions

UVICORN = """
import uvicorn

class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print("ready", flush=True)

async def app(scope, receive, send): ...

Server(uvicorn.Config(app, port=0, lifespan="off")).run()
"""
EMPTY = "-c", "pass"
CASES = {
    "connect": (
        ("-c", "import svckit; svckit.connect()"),
        ("-c", "import httpx, pydantic; pydantic.create_model('User', id=str, name=str | None)"),
    ),
    "--version": (("-m", "svckit", "--version"), ("-c", "import typer")),
    "serve": (("-m", "svckit", "serve", "--port", "0"), ("-c", UVICORN)),
}
"""By name, the commands of both sides."""
LIMITS = {"connect": 1.75, "--version": 1.60, "serve": 3.15}
VARIABLES = COMPILING | {"PYDANTIC_DISABLE_PLUGINS": "__all__"}
"""Pydantic looks for plugins in every package that is installed, so that the figure would grow with their number."""


def compare(name: str) -> float:
    """The ratio of a case."""
    counted = partial(count_instructions, is_server=name == "serve", variables=VARIABLES)
    for command in CASES[name]:
        counted(*command)  # which compiles what has changed
    empty = count_instructions(*EMPTY, variables=VARIABLES)
    ours, theirs = (counted(*command) - empty for command in CASES[name])
    return ours / theirs


def main(*names: str) -> int:
    """Print all ratios, or some; 1 where one is over its bound."""
    if shutil.which("valgrind") is None:
        print("Instructions are counted by valgrind, which is not installed here.")
        return 2
    held = [report(name, compare(name), LIMITS[name]) for name in names or CASES]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
