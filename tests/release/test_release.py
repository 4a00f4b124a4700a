"""The release as `CONTRIBUTING.md` describes it, to an index on this machine, and what those do who install it."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

import svckit

from ..loopback import free_port, local_client
from ..tools import UV, clean_environment, run, tool
from .test_building import ROOT, copy_checkout

SERVER = "pypiserver==2.4.2"
README = """\
import doctest, importlib.metadata
page = importlib.metadata.metadata("svckit-toolkit").get_payload()
examples = doctest.DocTestParser().get_doctest(page, {}, "README", None, 0)
runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
print(runner.run(examples))
"""
OWN_TEST = """\
from fakes import make_name


def test_own():
    assert make_name() == "Mina"
"""

pytestmark = pytest.mark.long


@pytest.fixture
def index(tmp_path: Path) -> Iterator[str]:
    """The URL of an index without packages, which anybody may upload to."""
    port = free_port()
    folder = tmp_path / "index"
    folder.mkdir()
    options = ["run", "--interface=127.0.0.1", f"--port={port}", "--disable-fallback", "--authenticate=."]
    command = tool(SERVER, "pypi-server", *options, "--passwords=.", folder)
    with ExitStack() as stack:
        server = stack.enter_context(subprocess.Popen([*map(str, command)]))
        stack.callback(server.terminate)
        http = stack.enter_context(local_client(transport=httpx.HTTPTransport(retries=10)))
        http.get(f"http://127.0.0.1:{port}/simple/").raise_for_status()
        yield f"http://127.0.0.1:{port}/"


def list_commands() -> list[str]:
    """The commands of the section on releases that build, check and publish."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Release\n")[2]
    return [line.strip() for line in section.splitlines() if re.match(r" {4,}python3 binder/run.py uv", line)]


def test_release(index: str, tmp_path: Path) -> None:
    checkout = copy_checkout(tmp_path / "checkout", "")
    publishing = clean_environment(UV_PUBLISH_URL=index, UV_PUBLISH_USERNAME="a", UV_PUBLISH_PASSWORD="b")
    commands = list_commands()
    assert [shlex.split(command)[3] for command in commands] == ["build", "tool", "publish"]
    for command in commands:
        line = command.replace("python3 binder/run.py uv", shlex.quote(UV))
        run("sh", "-c", line, cwd=checkout, env=publishing)

    venv = tmp_path / "venv"
    scripts = venv / ("Scripts" if os.name == "nt" else "bin")
    run(UV, "venv", "-q", "--python", sys.executable, venv)
    wanted = f"svckit-toolkit[check,lab]=={svckit.__version__}"
    locked = ["-c", ROOT / "binder" / "requirements.txt"]
    run(UV, "pip", "install", "-q", "--python", venv, "--index", f"{index}simple/", wanted, *locked)

    work, own = tmp_path / "work", tmp_path / "own"
    work.mkdir()
    own.mkdir()
    (own / "fakes.py").write_text('def make_name():\n    return "Mina"\n', "utf-8")
    (own / "test_own.py").write_text(OWN_TEST, "utf-8")
    known = clean_environment(PATH=os.pathsep.join([str(scripts), os.environ["PATH"]]))
    assert "(failed=0, attempted=6)" in run(scripts / "python", "-c", README, cwd=work, env=known)
    assert "cells ran" in run(scripts / "svckit", "lab", "--check", cwd=work, env=known)
    assert "1 passed" in run(scripts / "python", "-m", "pytest", cwd=own, env=known)
