"""Running what a learner wrote in a process of its own, with little around it. This is not a sandbox.

`start_process` starts the process: in a new folder, with few variables, with a limit on time. The process gets a task
as JSON from standard input, and limits itself further with `confine`, before it runs any code of a learner's.

What is kept from that code: variables and tokens of whoever grades, the network, other programs and processes, changes
of files outside of the folder, and the grader itself, which is in another process (`svckit.course.far_function`). What
is not: files that the user can read, and whatever code can reach that keeps Python from raising its audit events.

What a learner's own tests say is up to the learner's code, as tests are: a test that recognizes a client by its source
fails when it likes. Which clients there are, and what their results mean, is decided by the grader.
"""

import importlib
import json
import os
import shutil
import signal
import site
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Timer
from typing import IO, Any

from svckit.display.masking import mask_beginning

__all__ = ["Process", "confine", "start_process"]

PROGRAM = "from svckit.course.grading_process import main; main()"
"""What the process runs; the module is not its ``__main__``, which is taken for the learner's code."""
LOCAL = ("localhost", "127.0.0.1", "::1", None)
"""The hosts that a process may reach; None is that of a socket that is connected already."""
KEPT = (
    *("PATH", "PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "NUMBER_OF_PROCESSORS"),
    *("LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME"),
)
"""The variables that the process gets from this one: those that a Python needs to start."""
OF_A_USER = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP")
"""The variables that lead to the user's files; they lead to a folder that is deleted afterwards."""
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",  # or numpy reserves memory for each core
    "OPENBLAS_NUM_THREADS": "1",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # twice as fast
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
}
MOST_MEMORY = 4 * 2**30
"""How much address space it may have, in bytes, where the system limits that."""
MOST_IN_A_FILE = 2**28
"""The largest file that it may write, in bytes, where the system limits that."""
LONGEST = 500
"""How much of its last line is shown, in characters."""
_CHANGES = tuple(
    f"os.{name}" for name in ("remove", "rename", "rmdir", "mkdir", "chmod", "link", "symlink", "truncate")
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_STARTS = ("subprocess.Popen", "_winapi.CreateProcess", "pty.spawn")
_STARTS_OF_OS = ("system", "exec", "posix_spawn", "spawn", "fork", "forkpty", "startfile")
_OTHERS = ("os.kill", "os.killpg", "ctypes.dlopen")
_REACHES = (
    *("connect", "bind", "sendto", "sendmsg"),
    *("getaddrinfo", "gethostbyname", "gethostbyaddr", "getnameinfo"),
)


@dataclass
class Process:
    """A process that runs.

    Attributes:
        system: the process.
        stderr: its standard error, until it runs code of a learner's. The file has no name by which that code finds it.
        stopped: why it was stopped, in words; empty if it was not.
    """

    system: subprocess.Popen[bytes]
    stderr: IO[bytes]
    stopped: str = ""

    def stop(self, words: str = "") -> None:
        """Kill the process, and those that it started."""
        self.stopped = self.stopped or words
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.system.pid, signal.SIGKILL)
            else:
                self.system.kill()

    def describe(self) -> str:
        """Say why it ended."""
        self.system.wait()
        if self.stopped:
            return self.stopped
        self.stderr.seek(0)
        lines = self.stderr.read().decode("utf-8", "replace").splitlines()
        return mask_beginning(" ".join(["The process ended without a result.", *lines[-1:]]), LONGEST)


@contextmanager
def start_process(task: Any, seconds: float, folder: Path | None = None) -> Iterator[Process]:
    """Run `svckit.course.grading_process` in a new process of this Python, and stop it after some seconds.

    Args:
        task: what it reads from standard input, as JSON.
        seconds: the time limit.
        folder: the folder whose copy is its current one; by default a new one.
    """
    with (
        TemporaryDirectory(prefix="svckit-", ignore_cleanup_errors=True) as temporary,
        TemporaryFile() as stderr,
    ):
        current = Path(temporary, "work")
        if folder:
            shutil.copytree(folder, current, ignore=_leave_out)
        else:
            current.mkdir()
        system = subprocess.Popen(  # noqa: S603 - this Python
            [sys.executable, "-P", "-c", PROGRAM],  # -P: no module of the folder in its place
            cwd=current,
            env=_make_environment(temporary),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
        )
        process = Process(system, stderr)
        timer = Timer(seconds, process.stop, [f"It was stopped after {seconds:g} seconds."])
        timer.start()
        try:
            pipe: Any = system.stdin
            with suppress(OSError), pipe:  # it may have ended already
                pipe.write(json.dumps(task).encode())
            yield process
        finally:
            timer.cancel()
            process.stop()
            system.wait()


def _leave_out(inside: str, names: list[str]) -> set[str]:
    """Return the environments and caches among the names in a folder."""
    return {
        name
        for name in names
        if name.startswith(".") or name == "__pycache__" or Path(inside, name, "pyvenv.cfg").exists()
    }


def _make_environment(temporary: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    own = dict.fromkeys(OF_A_USER, temporary) | {"PYTHONUSERBASE": site.getuserbase()}
    return {**kept, **own, **ENVIRONMENT}


def confine(folder: Path) -> None:
    """Refuse this process connections to other machines and new processes, and limit its memory and files.

    Args:
        folder: the only folder in which it may write and delete.
    """
    # Windows has no such limits, macOS not all of them.
    with suppress(ImportError, AttributeError, ValueError, OSError):
        resource: Any = importlib.import_module("resource")
        for name, wanted in {"RLIMIT_FSIZE": MOST_IN_A_FILE, "RLIMIT_AS": MOST_MEMORY}.items():
            most = resource.getrlimit(getattr(resource, name))[1]
            limit = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
            resource.setrlimit(getattr(resource, name), (limit, limit))
    own = os.path.realpath(folder) + os.sep
    sys.addaudithook(partial(_refuse, own))  # it sees each way, and unlike a replaced function, it stays


def _refuse(own: str, event: str, arguments: tuple[Any, ...]) -> None:
    """Raise the error of what is not allowed."""
    area, _, name = event.partition(".")
    if event in _STARTS or (area == "os" and name in _STARTS_OF_OS):
        raise OSError("no other program can be started while an exercise is graded")
    if event in _OTHERS:
        raise PermissionError("other processes and libraries are out of reach while an exercise is graded")
    if area == "socket" and name in _REACHES:
        place = arguments[0] if name.startswith("get") else arguments[1]  # the first is a socket
        host = place[0] if isinstance(place, tuple) else place
        if (host.decode("ascii", "replace") if isinstance(host, bytes | bytearray) else host) not in LOCAL:
            raise OSError("there is no network while an exercise is graded")
    if event == "open":
        path, mode, flags = arguments
        is_change = bool(set(mode or "") & set("wax+") or (flags or 0) & _WRITING)
        arguments = (path,) if is_change and path != os.devnull else ()
    elif event not in _CHANGES:
        return
    for path in arguments:
        if isinstance(path, str | bytes) and not f"{os.path.realpath(os.fsdecode(path))}{os.sep}".startswith(
            own
        ):
            raise PermissionError("other files cannot be changed while an exercise is graded")
