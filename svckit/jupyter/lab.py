"""The work of `svckit lab`: open notebooks in JupyterLab, show them as apps, or run them headless."""

import os
import re
import shutil
import sys
import warnings
import webbrowser
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import quote

import nbformat
from traitlets.config import Config

from svckit.extras import needing
from svckit.jupyter import bundled, hub
from svckit.jupyter.running import execute

WORKING_COPIES = "svckit-notebooks"

QUIET_AND_LOCAL = (
    "--KernelManager.ip=127.0.0.1",
    "--ServerApp.ip=127.0.0.1",  # loopback only, whatever the user's configuration says …
    "--ServerApp.allow_root=True",  # … so a container's root may run it too
    "--ServerApp.log_level=WARN",
    "--LabApp.log_level=WARN",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
    "--KernelManager.transport_encryption=auto",  # otherwise every kernel warns that it is not encrypted
    "--VoilaConfiguration.template=svckit",  # Voila's own loads icons and formulas from other servers
)


def open_lab(notebook: Path, *, browser: bool = True, port: int | None = None) -> None:
    """Open JupyterLab on `notebook` and return when it has been shut down.

    It listens on loopback only and neither checks for nor shows news and updates. A notebook from an installed wheel is
    first copied, with all the others, to `svckit-notebooks` in the current folder; existing copies stay.

    Args:
        notebook: the file, as `find` returns it.
        browser: whether to open a browser; the URL is printed either way.
        port: the only port to listen on; by default 8888 or the next free one.
    """
    from jupyterlab.labapp import LabApp  # type: ignore[import-untyped]  # takes seconds to load

    root, place = _locate(notebook)
    arguments = [
        *QUIET_AND_LOCAL,
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{quote(place.as_posix())}",  # the printed URL leads there too
        f"--ServerApp.open_browser={browser}",
    ]
    if port is not None:
        arguments += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    _prefer_this_python()
    # JupyterLab reads `labconfig/` beside this file; without it, it still asks about news. The server reads
    # `jupyter_server_config.d/`, which loads `svckit.jupyter.static_outputs`.
    _look_here_first("JUPYTER_CONFIG_PATH")
    _look_here_first("JUPYTER_PATH")  # where Voila finds `voila/templates/svckit`
    # Importing Voila, as its server extension does, would have deprecations shown, one of them before the URL.
    with suppress(ModuleNotFoundError), warnings.catch_warnings():
        import_module("voila")
    LabApp.launch_instance(arguments)


def open_app(notebook: Path, *, browser: bool = True, port: int | None = None) -> None:
    """Run `notebook` as an app with Voila, which shows only outputs; return when it has been shut down.

    It listens on loopback only, requires the token in its URL, runs no other code, and loads nothing from other
    servers. Voila's configuration files are not read: those in the current folder could change all of that. Arguments
    and copies are as for `open_lab`; the default port is 8866 or one near it.

    Raises:
        ModuleNotFoundError: Voila is not installed; it comes with the extra ``app``.
    """
    with needing("`svckit lab --app`"):
        from voila.app import Voila  # type: ignore[import-untyped]

    token = token_hex(24)

    class App(Voila):  # type: ignore[misc]  # Voila is untyped
        def load_config_file(self, filename: str, path: object = None) -> None:
            """Read no file: Voila's own method begins with the current folder, and what it finds beats `config`."""

        def launch_browser(self) -> None:
            """Open the URL with its token, which Voila's own method omits."""
            url = f"{self.connection_url}?token={token}"
            print(f"The app is at {url}", flush=True)
            if browser:
                webbrowser.open(url)

    given: dict[str, Any] = {} if port is None else {"port": port, "port_retries": 0}
    # A closed page shuts down its kernel, by a request that Voila sends without the XSRF token.
    given["tornado_settings"] = {"disable_check_xsrf": True}
    _prefer_this_python()
    _look_here_first("JUPYTER_PATH")
    App.launch_instance(
        [str(find_copy(notebook))],
        config=Config(
            Voila={"ip": "127.0.0.1", "open_browser": True, "token": token, "log_level": "ERROR", **given},
            VoilaConfiguration={"template": "svckit"},
            TagRemovePreprocessor={"remove_cell_tags": {"not-in-app"}},
            KernelManager={"transport_encryption": "auto"},  # as in QUIET_AND_LOCAL
        ),
    )


def find_copy(notebook: Path) -> Path:
    """Return a notebook where its reader may change it: of svckit's own, a copy."""
    return Path(*_locate(notebook))


def report(notebook: Path) -> Iterator[str]:
    """Run `notebook` and yield, in order, its headings and the outputs of its cells.

    The outputs of a cell come below its last line. The last piece is the number of cells that ran. `execute` says
    where the notebook runs.

    Raises:
        svckit.jupyter.running.CellFailedError: a cell raised an error.
    """
    ran = 0
    for cell in execute(notebook):
        if cell.cell_type == "markdown":
            without_code = re.sub(r"```.*?```", "", cell.source, flags=re.DOTALL)
            yield from (f"\n{heading}" for heading in re.findall(r"^#+ .*", without_code, flags=re.MULTILINE))
        elif cell.cell_type == "code":
            ran += 1
            outputs = [
                text.rstrip("\n") for output in cell.outputs if (text := _format_output(output)).strip()
            ]
            if outputs:
                yield f">>> {cell.source.splitlines()[-1]}"
            yield from outputs
    yield f"\n{notebook.name}: {ran} cells ran"


def _look_here_first(variable: str) -> None:
    """Make Jupyter search this folder before those in `variable`."""
    os.environ[variable] = os.pathsep.join(
        [str(Path(__file__).resolve().parent), *filter(None, [os.environ.get(variable)])]
    )


def _locate(notebook: Path) -> tuple[Path, Path]:
    """Return the folder to work in, and the notebook's path in it.

    Notebooks of the wheel are first copied below the current folder, and on a hub all of svckit's own below the folder
    that it shows; existing copies stay as they are.
    """
    root, shown = bundled.find_root(notebook), hub.find_folder()
    place = notebook.relative_to(root)
    if root != (bundled.CARRIED if shown is None else bundled.own_notebooks()):
        return root, place
    copies = (shown or Path()).resolve() / WORKING_COPIES
    if not copies.exists():
        print(f"svckit's notebooks are copied to {copies}; open and edit them there.", file=sys.stderr)
    for source in sorted(path for path in root.rglob("*") if path.is_file()):
        if any(part.startswith(".") for part in source.relative_to(root).parts):
            continue
        copy = copies / source.relative_to(root)
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
    return copies, place


def _prefer_this_python() -> None:
    """Prefer this Python's kernel `python3` to one in the user's home folder."""
    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")


def _format_output(output: nbformat.NotebookNode) -> str:
    """Format an output as text: that of a stream, an error, or `text/plain`."""
    if output.output_type == "stream":
        return str(output.text)
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue}"
    return str(output.data.get("text/plain", ""))
