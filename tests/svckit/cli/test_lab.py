"""`svckit lab`: which notebook is meant, how JupyterLab is started, and what a run without a screen says."""

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from nbformat import v4

import svckit.jupyter
from svckit.jupyter import bundled

from ..command import run_command


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    path = tmp_path / "a lesson.ipynb"
    markdown = v4.new_markdown_cell("# Title\n\nText.\n\n```sh\n# no heading\n```\n\n## Section")
    code = ["print('read'); 6 * 7", "x = 1", "import sys; sys.executable"]
    nbformat.write(v4.new_notebook(cells=[markdown, *map(v4.new_code_cell, code)]), path)
    return path


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arguments that JupyterLab is started with; it is not."""
    arguments: list[str] = []
    for variable in ("JUPYTER_CONFIG_PATH", "JUPYTER_PATH"):
        monkeypatch.setenv(variable, "mine")  # and taken back afterwards
    stand_in = SimpleNamespace(LabApp=SimpleNamespace(launch_instance=arguments.extend))
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", stand_in)
    return arguments


@pytest.fixture
def uninstall(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that keeps a package from being imported by `svckit.jupyter.lab`, which is loaded again."""

    def keep_out(package: str) -> None:
        for name in ("svckit.jupyter.lab", "svckit.jupyter.running", f"{package}.app"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.delattr(svckit.jupyter, "lab", raising=False)
        monkeypatch.setitem(sys.modules, package, None)

    return keep_out


run = partial(run_command, "lab")


def test_check_reads_like_a_report_and_changes_nothing(notebook: Path) -> None:
    before = notebook.read_bytes()
    result = run(notebook, "--check")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "",
        "# Title",
        "",
        "## Section",
        ">>> print('read'); 6 * 7",
        "read",
        "42",
        ">>> import sys; sys.executable",
        repr(sys.executable),
        "",
        "a lesson.ipynb: 3 cells ran",
    ]
    assert notebook.read_bytes() == before
    assert [path.name for path in notebook.parent.iterdir()] == [notebook.name]


def test_failing_cell_is_shown_with_its_error(notebook: Path) -> None:
    transport = "from ipykernel.connect import get_connection_info as where; where(unpack=True)['transport']"
    cells = map(v4.new_code_cell, [transport, "import this_is_not_there"])
    nbformat.write(v4.new_notebook(cells=list(cells)), notebook)
    result = run(notebook, "--check")
    # A port is chosen before the kernel starts: any connection that takes it meanwhile would keep it from starting.
    assert ("'tcp'" if sys.platform == "win32" else "'ipc'") in result.stdout
    assert result.exit_code == 1
    assert "import this_is_not_there" in result.stderr
    assert "ModuleNotFoundError: No module named 'this_is_not_there'" in result.stderr
    assert "cells ran" not in result.output


def test_own_notebooks_run_in_a_copy_of_all(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = notebook.parent / "how-to" / "a page.ipynb"
    page.parent.mkdir()
    cell = v4.new_code_cell("open('written', 'w').close(); import os; os.listdir(), len(os.listdir('..'))")
    nbformat.write(v4.new_notebook(cells=[cell]), page)
    monkeypatch.setattr(bundled, "CHECKOUT", notebook.parent)
    assert "['a page.ipynb', 'written'], 2" in run("how-to/a page.ipynb", "--check").stdout
    assert [path.name for path in page.parent.iterdir()] == [page.name]


def test_own_notebooks_in_a_subfolder_open_below_the_folder_of_all(
    notebook: Path, launched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = notebook.parent / "how-to" / "a page.ipynb"
    page.parent.mkdir()
    notebook.rename(page)
    monkeypatch.setattr(bundled, "CHECKOUT", notebook.parent)
    assert run("how-to/a page.ipynb").exit_code == 0
    assert {
        f"--ServerApp.root_dir={notebook.parent}",
        "--LabApp.default_url=/lab/tree/how-to/a%20page.ipynb",
    } <= set(launched)


def test_an_unknown_notebook_names_the_known_ones(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = notebook.parent / "how-to" / "a page.ipynb"
    page.parent.mkdir()
    page.write_text("{}")
    copies = notebook.parent / ".ipynb_checkpoints"
    copies.mkdir()
    (copies / "a-checkpoint.ipynb").write_text("{}")
    monkeypatch.setattr(bundled, "CHECKOUT", notebook.parent)
    with pytest.raises(
        FileNotFoundError, match=r"'b\.ipynb' here\. svckit's own notebooks: a lesson\.ipynb; others"
    ):
        bundled.find(Path("b.ipynb"))
    with pytest.raises(FileNotFoundError, match=r"Did you mean how-to/a page\.ipynb\?"):
        bundled.find(Path("pages/a-page.ipynb"))
    assert run("b.ipynb").exit_code == 2


def test_an_unknown_notebook_is_refused_before_jupyter_is_loaded(uninstall: Callable[[str], None]) -> None:
    uninstall("nbclient")
    result = run("nope.ipynb")
    assert result.exit_code == 2
    assert "No notebook 'nope.ipynb' here" in result.stderr


def test_lab_is_quiet_and_local(notebook: Path, launched: list[str]) -> None:
    assert run(notebook).exit_code == 0
    assert {
        f"--ServerApp.root_dir={notebook.parent}",
        "--LabApp.default_url=/lab/tree/a%20lesson.ipynb",
        "--ServerApp.ip=127.0.0.1",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--ServerApp.open_browser=True",
    } <= set(launched)
    assert not any("ServerApp.port" in argument for argument in launched)
    own, users = os.environ["JUPYTER_CONFIG_PATH"].split(os.pathsep)
    assert os.environ["JUPYTER_PATH"] == f"{own}{os.pathsep}mine"
    overrides = json.loads(Path(own, "labconfig", "default_setting_overrides.json").read_text())
    quiet = {"checkForUpdates": False, "fetchNews": "false"}
    assert overrides["@jupyterlab/apputils-extension:notification"] == quiet
    assert users == "mine"
    server = json.loads(Path(own, "jupyter_server_config.d", "svckit.json").read_text())
    assert server["ServerApp"]["jpserver_extensions"] == {"svckit.jupyter.static_outputs": True}


def test_the_browser_gets_the_token_of_an_app(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    class Voila:
        connection_url = "http://127.0.0.1:8866/"

        @classmethod
        def launch_instance(cls, argv: list[str], config: Any) -> None:
            cls.argv, cls.config = argv, config
            cls().launch_browser()

    monkeypatch.setenv("JUPYTER_PATH", "mine")  # and taken back afterwards
    monkeypatch.setitem(sys.modules, "voila.app", SimpleNamespace(Voila=Voila))
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert run("--app").exit_code == 0
    app = Voila.__subclasses__()[-1]
    assert app.argv == [str(bundled.CHECKOUT / "explorers.ipynb")]
    assert app.config.Voila["ip"] == "127.0.0.1"
    assert opened == [f"http://127.0.0.1:8866/?token={app.config.Voila['token']}"]
    assert run("--app", "--no-browser", "--port", 8999).stdout.count("http://127.0.0.1:8866/?token=") == 1
    assert len(opened) == 1
    assert Voila.__subclasses__()[-1].config.Voila["port"] == 8999


def test_options_reach_jupyterlab(notebook: Path, launched: list[str]) -> None:
    assert run(notebook, "--no-browser", "--port", 8999).exit_code == 0
    assert {
        "--ServerApp.open_browser=False",
        "--ServerApp.port=8999",
        "--ServerApp.port_retries=0",
    } <= set(launched)


def test_an_installed_wheel_opens_copies_and_keeps_what_is_there(
    notebook: Path, launched: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (notebook.parent / "picture.svg").write_text("<svg/>")
    (notebook.parent / "how-to").mkdir()
    (notebook.parent / "how-to" / "page.ipynb").write_text("{}")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr(bundled, "CHECKOUT", tmp_path / "no checkout")
    monkeypatch.setattr(bundled, "CARRIED", notebook.parent)
    copy = work / "svckit-notebooks" / notebook.name
    first = run(notebook.name)
    assert first.exit_code == 0
    assert f"copied to {copy.parent}" in first.stderr
    assert f"--ServerApp.root_dir={copy.parent}" in launched
    assert copy.with_name("picture.svg").read_text() == "<svg/>"
    assert run("how-to/page.ipynb").exit_code == 0
    assert f"--ServerApp.root_dir={copy.parent}" in launched
    assert "--LabApp.default_url=/lab/tree/how-to/page.ipynb" in launched
    assert copy.parent.joinpath("how-to", "page.ipynb").exists()
    copy.write_text("mine now")
    again = run(notebook.name)
    assert (again.exit_code, again.stderr) == (0, "")
    assert copy.read_text() == "mine now"


@pytest.mark.parametrize(
    ("missing", "options", "extra"), [("nbclient", [], "lab"), ("voila", ["--app"], "app")]
)
def test_what_is_not_installed_is_named_with_its_extra(
    uninstall: Callable[[str], None], missing: str, options: list[str], extra: str
) -> None:
    uninstall(missing)
    result = run(*options)
    assert result.exit_code == 1
    assert result.output.endswith(f"pip install 'path/to/clone[{extra}]'\n")
