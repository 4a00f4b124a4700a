"""Notebooks, opened in JupyterLab, shown as an app, or run without a screen: what `svckit lab` does."""

import os
import re
import shutil
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from traitlets.config import Config

from svckit.extras import needing
from svckit.jupyter import bundled

WORKING_COPIES = "svckit-notebooks"

QUIET_AND_LOCAL = (
    "--ServerApp.ip=127.0.0.1",  # loopback only, whatever the user's configuration says …
    "--ServerApp.allow_root=True",  # … so a container's root may run it too
    "--ServerApp.log_level=WARN",
    "--LabApp.log_level=WARN",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
    "--KernelManager.transport_encryption=auto",  # else every kernel warns that it is not encrypted
    "--VoilaConfiguration.template=svckit",  # Voila's own asks servers elsewhere for icons and formulas
)


class CellFailedError(Exception):
    """A cell of a notebook raised; the message holds the cell's source and its traceback."""


class CellTooSlowError(CellFailedError):
    """A cell took longer than it may.

    Attributes:
        place: the number of the cell, from 1.
        cell: the cell itself.
    """

    def __init__(self, place: int, cell: nbformat.NotebookNode, seconds: int) -> None:
        super().__init__(f"cell {place} does not end within {seconds} seconds")
        self.place = place
        self.cell = cell


def open_lab(notebook: Path, *, browser: bool = True, port: int | None = None) -> None:
    """Open JupyterLab on `notebook` and return when it has been shut down.

    It listens on loopback only and neither asks for nor shows news and updates. A notebook that an
    installed wheel carries is first copied, with its neighbours, to `svckit-notebooks` in the current
    folder; copies that are already there stay as they are.

    Args:
        notebook: the file, as `find` returns it.
        browser: whether to open a browser; the address is printed either way.
        port: the port to listen on, and no other; by default 8888 or the next free one.
    """
    from jupyterlab.labapp import LabApp  # type: ignore[import-untyped]  # seconds to load

    notebook = _copy_bundled(notebook)
    arguments = [
        *QUIET_AND_LOCAL,
        f"--ServerApp.root_dir={notebook.parent}",
        f"--LabApp.default_url=/lab/tree/{quote(notebook.name)}",  # the address that is printed leads there too
        f"--ServerApp.open_browser={browser}",
    ]
    if port is not None:
        arguments += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    _prefer_this_python()
    # JupyterLab reads `labconfig/` beside this file: without it, it asks about news all the same. The server reads
    # `jupyter_server_config.d/`, which loads `svckit.jupyter.static_outputs`.
    _look_here_first("JUPYTER_CONFIG_PATH")
    _look_here_first("JUPYTER_PATH")  # where Voila finds `voila/templates/svckit`
    LabApp.launch_instance(arguments)


def open_app(notebook: Path, *, browser: bool = True, port: int | None = None) -> None:
    """Run `notebook` and show only what it shows, as an app, with Voila; return when it has been shut down.

    It listens on loopback only, lets in who has the token of its address, runs no other code, and asks no server
    elsewhere for anything. Arguments and copies are as for `open_lab`; the port is 8866 or one near it.

    Raises:
        ModuleNotFoundError: Voila is not installed; it comes with the extra ``app``.
    """
    with needing("`svckit lab --app`"):
        from voila.app import Voila  # type: ignore[import-untyped]

    token = token_hex(24)

    class App(Voila):  # type: ignore[misc]  # Voila is untyped
        def launch_browser(self) -> None:
            """Voila's own leaves out the token."""
            address = f"{self.connection_url}?token={token}"
            print(f"The app is at {address}", flush=True)
            if browser:
                webbrowser.open(address)

    given: dict[str, Any] = {} if port is None else {"port": port, "port_retries": 0}
    # A page that is left ends its kernel, by a request that Voila sends without the mark of the page it is from.
    given["tornado_settings"] = {"disable_check_xsrf": True}
    _prefer_this_python()
    _look_here_first("JUPYTER_PATH")
    App.launch_instance(
        [str(_copy_bundled(notebook))],
        config=Config(
            Voila={"ip": "127.0.0.1", "open_browser": True, "token": token, "log_level": "ERROR", **given},
            VoilaConfiguration={"template": "svckit"},
            KernelManager={"transport_encryption": "auto"},  # as in QUIET_AND_LOCAL
        ),
    )


def report(notebook: Path) -> Iterator[str]:
    """Run `notebook` from beginning to end and yield, in order, its headings and what its cells produced.

    What a cell produced comes below the cell's last line.

    The last piece says how many cells ran. See `execute` for what is run where.

    Raises:
        CellFailedError: a cell raised.
    """
    ran = 0
    for cell in execute(notebook):
        if cell.cell_type == "markdown":
            without_code = re.sub(r"```.*?```", "", cell.source, flags=re.DOTALL)
            yield from (f"\n{heading}" for heading in re.findall(r"^#+ .*", without_code, flags=re.MULTILINE))
        elif cell.cell_type == "code":
            ran += 1
            produced = [
                text.rstrip("\n") for output in cell.outputs if (text := _format_output(output)).strip()
            ]
            if produced:
                yield f">>> {cell.source.splitlines()[-1]}"
            yield from produced
    yield f"\n{notebook.name}: {ran} cells ran"


def execute(notebook: Path, seconds: int | None = None) -> Iterator[nbformat.NotebookNode]:
    """Run `notebook` with the kernel of this Python and yield each cell as soon as it has run.

    The file itself is never written. One of svckit's own notebooks runs in a temporary copy of its folder,
    so that what its cells write is gone afterwards; any other runs where it lies.

    Args:
        notebook: the file.
        seconds: so long each cell may take; left out, as long as it does.

    Raises:
        CellFailedError: a cell raised, or, as `CellTooSlowError`, took too long.
    """
    content = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    with TemporaryDirectory(prefix="svckit-") as temporary:
        folder = notebook.parent
        if folder == bundled.own_notebooks():
            folder = Path(shutil.copytree(folder, Path(temporary, folder.name)))
        _prefer_this_python()
        client = NotebookClient(
            content,
            kernel_name="python3",
            config=Config(KernelManager={"transport_encryption": "auto"}),  # as in QUIET_AND_LOCAL
            resources={"metadata": {"path": str(folder)}},
            store_widget_state=False,
            record_timing=False,
            coalesce_streams=True,
            timeout=seconds,
        )
        with client.setup_kernel():
            for index, cell in enumerate(content.cells):
                try:
                    client.execute_cell(cell, index)
                except CellExecutionError as failure:
                    raise CellFailedError(failure.traceback.rstrip()) from None
                except CellTimeoutError:
                    raise CellTooSlowError(index + 1, cell, seconds or 0) from None
                yield cell


def _look_here_first(variable: str) -> None:
    """Let Jupyter look in this folder before it looks where `variable` says."""
    os.environ[variable] = os.pathsep.join(
        [str(Path(__file__).resolve().parent), *filter(None, [os.environ.get(variable)])]
    )


def _copy_bundled(notebook: Path) -> Path:
    """Of a notebook that the wheel carries a copy in the current folder, with its neighbours; any other as it is.

    Copies that are there already stay as they are.
    """
    if notebook.parent != bundled.CARRIED:
        return notebook
    copies = Path(WORKING_COPIES).resolve()
    for source in sorted(path for path in bundled.CARRIED.rglob("*") if path.is_file()):
        copy = copies / source.relative_to(bundled.CARRIED)
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
    return copies / notebook.name


def _prefer_this_python() -> None:
    """Let the kernel `python3` be this Python's before one that the user has installed for themselves."""
    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")


def _format_output(output: nbformat.NotebookNode) -> str:
    """Return what an output says where there is no screen: a stream's text, an error, or `text/plain`."""
    if output.output_type == "stream":
        return str(output.text)
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue}"
    return str(output.data.get("text/plain", ""))
