"""Running notebooks, each in a kernel of its own."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from traitlets.config import Config

from svckit.jupyter import bundled

__all__ = ["CellFailedError", "CellTooSlowError", "choose_sockets", "execute", "iterate", "run_cells"]

Item = TypeVar("Item")
LONGEST_SOCKET = 95
"""The longest path, in bytes, that is a socket's on every system, with the number that a kernel adds."""


class CellFailedError(Exception):
    """A cell raised an error; the message holds the traceback.

    Attributes:
        place: the number of the cell, from 1.
        cell: the cell itself.
    """

    def __init__(self, message: str, place: int, cell: nbformat.NotebookNode) -> None:
        super().__init__(message)
        self.place = place
        self.cell = cell


class CellTooSlowError(CellFailedError):
    """A cell exceeded its time limit."""


def execute(notebook: Path) -> Iterator[nbformat.NotebookNode]:
    """Run `notebook` with the kernel of this Python and yield each cell as soon as it has run.

    The file itself is never written. One of svckit's own notebooks runs in a temporary copy of them all, so that
    files written by its cells are gone afterwards; any other runs in its own folder.

    Raises:
        CellFailedError: a cell raised an error.
    """
    with TemporaryDirectory(prefix="svckit-") as temporary:
        root = bundled.find_root(notebook)
        if root == bundled.own_notebooks():
            copies = shutil.copytree(root, Path(temporary, root.name))
            notebook = copies / notebook.relative_to(root)
        content = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
        yield from iterate(run_cells(content, notebook.parent))


def iterate(items: AsyncIterator[Item]) -> Iterator[Item]:
    """Yield what an asynchronous generator yields, as soon as it does."""

    async def step() -> Item | None:
        return await anext(items, None)

    # Not the default loop of Windows, which cannot wait for the sockets of a kernel.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        while (item := runner.run(step())) is not None:
            yield item


async def run_cells(
    content: nbformat.NotebookNode,
    folder: Path,
    seconds: int | None = None,
    variables: Mapping[str, str] | None = None,
    *,
    allow_errors: bool = False,
) -> AsyncIterator[nbformat.NotebookNode]:
    """Run a notebook with the kernel of this Python and yield each cell as soon as it has run.

    Args:
        content: the notebook, which gets the outputs.
        folder: the folder to run in.
        seconds: the time limit for each cell; if omitted, unlimited.
        variables: what the environment of the kernel has besides that of this process.
        allow_errors: whether to go on after an error, which is then among the outputs of its cell.

    Raises:
        CellFailedError: a cell raised an error, or, as `CellTooSlowError`, exceeded the time limit.
        RuntimeError: the kernel did not start, or died.
    """
    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")  # this Python's kernel, not one in the home folder
    with TemporaryDirectory(prefix="svckit-") as temporary:
        client = NotebookClient(
            content,
            kernel_name="python3",
            config=Config(KernelManager=choose_sockets(temporary)),
            resources={"metadata": {"path": str(folder)}},
            store_widget_state=False,
            record_timing=False,
            coalesce_streams=True,
            timeout=seconds,
            allow_errors=allow_errors,
        )
        env = {**os.environ, **(variables or {})}
        # What a kernel logs, such as that it was ended, is not about the notebook.
        async with client.async_setup_kernel(env=env, stderr=subprocess.DEVNULL):
            # The client's own handler ends only its kernel; without it, Ctrl-C ends all that runs.
            with suppress(NotImplementedError):  # Windows
                asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
            for index, cell in enumerate(content.cells):
                try:
                    await client.async_execute_cell(cell, index)
                except CellExecutionError as error:
                    raise CellFailedError(error.traceback.rstrip(), index + 1, cell) from None
                except CellTimeoutError:
                    message = f"cell {index + 1} did not finish within {seconds} seconds"
                    raise CellTooSlowError(message, index + 1, cell) from None
                yield cell


def choose_sockets(folder: str) -> dict[str, str]:
    """Return where a kernel listens: in files of `folder`, where no other process can take its place.

    Ports are chosen before the kernel starts, so another process may take one meanwhile; the kernel then never
    responds. Windows has ports only, and so has a folder with a long path: that of a socket has about 100 bytes.
    """
    encrypted = {"transport_encryption": "auto"}  # otherwise every kernel warns that it is not encrypted
    socket = Path(folder, "kernel")
    if os.name == "nt" or len(os.fsencode(socket)) > LONGEST_SOCKET:
        return encrypted
    return {**encrypted, "transport": "ipc", "ip": str(socket)}
