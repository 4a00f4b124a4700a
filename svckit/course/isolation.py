"""Running what a learner wrote in a process of its own, without a network. This is not a sandbox.

`run_module` starts the process and waits. A process that gets a task as JSON calls `carry_out`, and `read_result` reads
what it prints.
"""

import contextlib
import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from svckit.display.masking import mask

__all__ = ["carry_out", "cut_network", "describe_end", "read_result", "run_module"]

LOCAL = ("localhost", "127.0.0.1", "::1", None, "")
ENVIRONMENT = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # twice as fast
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
}
STOPPED = -1


def run_module(
    module: str, *arguments: str, task: Any = None, folder: Path | None = None, seconds: float
) -> subprocess.CompletedProcess[str]:
    """Run a module in a new process of this Python, and stop it after some seconds.

    Args:
        module: the name of the module.
        arguments: its arguments.
        task: what it reads from standard input, as JSON.
        folder: its current folder; by default that of this process.
        seconds: the time limit.
    """
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-P", "-m", module, *arguments]  # -P: no module of the folder in its place
    try:
        return subprocess.run(  # noqa: S603 - this Python
            command, cwd=folder, env={**plain, **ENVIRONMENT}, input=json.dumps(task), capture_output=True,
            encoding="utf-8", errors="replace", timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, STOPPED, "", f"It was stopped after {seconds:g} seconds.")


def carry_out(work: Callable[[Any], dict[str, Any]]) -> None:
    """Do the task on standard input without a network, and print the result as a line of JSON."""
    task = json.load(sys.stdin)
    cut_network()
    with contextlib.redirect_stdout(io.StringIO()):
        result = work(task)
    print(f"\n{json.dumps(result)}")


def read_result(done: subprocess.CompletedProcess[str]) -> dict[str, Any] | None:
    """Return the result that a process printed, or None if it ended without one."""
    try:
        result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        return None
    return result


def describe_end(done: subprocess.CompletedProcess[str]) -> str:
    """Return the last line of what a process printed, masked."""
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    last = lines[-1] if lines else "It printed nothing."
    return mask(last if done.returncode == STOPPED else f"The process ended without a result. {last}")


def cut_network() -> None:
    """Refuse connections of this process to other machines, and looking up their names."""
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def connect_locally(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in LOCAL:
            refuse()
        connect(self, address)

    def look_up_locally(host: Any, *arguments: Any, **options: Any) -> Any:
        if (host.decode() if isinstance(host, bytes) else host) not in LOCAL:
            refuse()
        return look_up(host, *arguments, **options)

    socket.socket.connect = connect_locally  # type: ignore[method-assign, assignment]
    socket.getaddrinfo = look_up_locally


def refuse() -> NoReturn:
    """Raise the error of a connection that is not allowed."""
    raise OSError("there is no network while an exercise is graded")
