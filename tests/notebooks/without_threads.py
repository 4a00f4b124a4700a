"""Run cells as a browser would: without threads, sockets and processes, with only the packages that a site for it has.

The name of a file with a JSON list of sources is given; each may await. What they print is printed.
"""

import asyncio
import errno
import json
import re
import socket
import subprocess
import sys
import sysconfig
import threading
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any, NoReturn

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

LOCK = Path(__file__).parents[2] / "binder" / "lite-wheels.txt"


class Missing(MetaPathFinder):
    """Packages of the project's extras that a site does not have."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def refuse_thread(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("can't start new thread")


def refuse_process(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOTSUP, "emscripten does not support processes.")


def refuse_socket(*_: object, **__: object) -> NoReturn:
    raise PermissionError(errno.EPERM, "no sockets")


def main(file: str) -> None:
    from svckit.extras import EXTRAS

    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    locked = set(re.findall(r"^([\w-]+)==", LOCK.read_text("utf-8"), re.MULTILINE))
    missing = {name for name in EXTRAS if name.replace("_", "-") not in locked} | {"numpy", "typer"}
    sys.meta_path.insert(0, Missing(missing))
    for name in missing & sys.modules.keys():
        raise AssertionError(f"{name} was loaded before")
    asyncio.set_event_loop(asyncio.new_event_loop())  # it has a pair of sockets
    sysconfig.get_config_vars()  # read from a file that is named after the platform
    sys.platform = "emscripten"
    threading.Thread.start = refuse_thread  # type: ignore[method-assign]
    for name in ("bind", "connect", "connect_ex", "listen"):
        setattr(socket.socket, name, refuse_socket)
    socket.getaddrinfo = refuse_socket
    subprocess.Popen.__init__ = refuse_process  # type: ignore[method-assign]
    for number, source in enumerate(json.loads(Path(file).read_text("utf-8")), 1):
        done = shell.run_cell(source)
        if not done.success:
            raise SystemExit(f"cell {number} failed")


if __name__ == "__main__":
    main(sys.argv[1])
