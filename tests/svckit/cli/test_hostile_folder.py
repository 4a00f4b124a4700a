"""Commands in a folder that a stranger filled: its files open no port to the network, and do not run."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import nbformat
import pytest
from nbformat import v4

from ...loopback import free_port

OPEN = {"ip": "0.0.0.0", "token": "", "auto_token": False, "port": 1, "notebook_path": "/nowhere.ipynb"}
SERVER = {"ip": "0.0.0.0", "token": "", "password": "", "root_dir": "/"}
MODULES = ("json", "pytest", "httpx", "sitecustomize", "usercustomize", "svckit", "ipykernel", "nbclient")
PYTEST = ("conftest", "svckit_plugin")
CONFIGURATIONS = (
    "voila",
    "jupyter_config",
    "jupyter_server_config",
    "jupyter_lab_config",
    "ipython_config",
    "ipython_kernel_config",
)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder whose files each leave a mark if they are run, and open what they can if they are read."""
    return fill(tmp_path / "cloned")


def fill(folder: Path) -> Path:
    """Write the files into a new folder; a file beside it is the mark."""
    folder.mkdir()
    mark = f"open({str(folder.with_suffix('.ran'))!r}, 'a').write(__file__ + chr(10))\n"
    for name in (*MODULES, *PYTEST, *CONFIGURATIONS):
        (folder / f"{name}.py").write_text(mark)
    for name in CONFIGURATIONS:
        (folder / f"{name}.json").write_text(
            json.dumps({"Voila": OPEN, "ServerApp": SERVER, "IdentityProvider": {"token": ""}})
        )
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p svckit_plugin\n")
    (folder / ".env").write_text("SVCKIT_SERVE_HOST=0.0.0.0\nSVCKIT_ADMIN_KEY=known\n")
    return folder


def find_what_ran(hostile: Path) -> list[str]:
    mark = hostile.with_suffix(".ran")
    return sorted({Path(line).name for line in mark.read_text().splitlines()}) if mark.exists() else []


def start(*arguments: str) -> list[str]:
    """The command, as its script starts it: without the current folder in the path."""
    return [sys.executable, "-P", "-m", "svckit", *arguments]


@contextmanager
def read_first_line(
    command: list[str], folder: Path, variables: Mapping[str, str] | None = None
) -> Iterator[str]:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **(variables or {})}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            yield process.stdout.readline() or process.stderr.read()
        finally:
            process.terminate()


def listens_beyond_loopback(port: int) -> bool:
    """Whether a server listens on all addresses; 127.0.0.2 stands for the others where the system has it."""
    with socket.socket() as client:
        client.settimeout(5)
        return client.connect_ex(("127.0.0.2", port)) == 0


def get_status(url: str) -> int:
    response = httpx.get(url, follow_redirects=True, timeout=60, trust_env=False)
    return 403 if response.url.path == "/login" else response.status_code


def test_no_file_opens_an_app_to_the_network(hostile: Path, tmp_path: Path) -> None:
    notebook = tmp_path / "app.ipynb"
    nbformat.write(v4.new_notebook(cells=[v4.new_code_cell("6 * 7")]), notebook)
    port = free_port()
    variables = {
        "JUPYTER_CONFIG_DIR": str(fill(tmp_path / "user"))
    }  # whose files may run: they are the user's
    command = start("lab", "--app", "--no-browser", "--port", str(port), str(notebook))
    with read_first_line(command, hostile, variables) as line:
        assert f"http://127.0.0.1:{port}/?token=" in line
        url = line.split()[-1]
        assert len(url.partition("token=")[2]) == 48
        assert not listens_beyond_loopback(port)
        assert get_status(f"http://127.0.0.1:{port}/") == 403
        assert get_status(url) == 200
    assert find_what_ran(hostile) == []


def test_no_file_opens_a_served_fake(hostile: Path) -> None:
    with read_first_line(start("serve", "--port", "0"), hostile) as line:
        facts = json.loads(line)
        assert facts["base_url"].startswith("http://127.0.0.1:")
        assert facts["admin_key"] != "known"
        assert not listens_beyond_loopback(int(facts["base_url"].split(":")[2].partition("/")[0]))
    assert find_what_ran(hostile) == []


def run(hostile: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        start(*arguments),
        cwd=hostile,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        input="",
    )


def submit(folder: Path, source: str) -> str:
    cell = v4.new_code_cell(source, metadata={"tags": ["exercise"]})
    nbformat.write(v4.new_notebook(cells=[cell]), folder / "mina.ipynb")
    return str(folder / "mina.ipynb")


@pytest.mark.long
def test_no_file_of_the_folder_gets_the_secrets_of_a_real_service(hostile: Path) -> None:
    urls = {f"SVCKIT_WORK_{name}_URL": "http://127.0.0.1:9" for name in ("BASE", "AUTH", "UPLOAD", "WEBHOOK")}
    application = {
        "CLIENT_ID": "c",
        "CLIENT_SECRET": "s",
        "REDIRECT_URI": "http://127.0.0.1:9/",
        "SCOPES": "user",
    }
    variables = urls | {f"SVCKIT_WORK_{name}": value for name, value in application.items()}
    variables |= {"SVCKIT_WORK_REFRESH_TOKEN": "t", "PYTEST_ADDOPTS": "--collect-only"}
    done = run(hostile, "conformance", "work", "--user", "u-001", **variables)
    assert "tests/conformance" in done.stdout, done.stdout + done.stderr  # the suite was found
    assert find_what_ran(hostile) == []
    assert (
        run(hostile, "notify", "hello", SVCKIT_WEBHOOK_ALERTS="http://127.0.0.1:9/message/x").returncode == 1
    )
    assert find_what_ran(hostile) == []


def test_grading_imports_nothing_from_the_current_folder(hostile: Path, tmp_path: Path) -> None:
    done = run(hostile, "course", "grade", submit(tmp_path, "def post_all(*_): ..."))
    assert "mina: post_all: not yet" in done.stdout, done.stderr
    assert find_what_ran(hostile) == []


@pytest.mark.long
@pytest.mark.parametrize("command", [["check"], ["lab", "--check"]], ids=["check", "lab --check"])
def test_only_the_notebook_is_run(hostile: Path, command: list[str]) -> None:
    cell = v4.new_code_cell("6 * 7", outputs=[v4.new_output("execute_result", {"text/plain": "42"})])
    nbformat.write(v4.new_notebook(cells=[cell]), hostile / "page.ipynb")
    done = run(hostile, *command, "page.ipynb")
    assert "it could not be run again" not in done.stdout
    assert find_what_ran(hostile) == []
