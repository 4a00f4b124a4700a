"""A job without a terminal, as cron, CI, a container and papermill run it, by the page `run-unattended`."""

import json
import os
import re
import subprocess
from pathlib import Path

import httpx
import nbformat
import pytest

from tests.loopback import PATIENCE, free_port

pytestmark = pytest.mark.long

JOB = 'import svckit; print(svckit.connect("work").users.read("u-003").user_id)'
BROWSER = "import sys, urllib.request as web; web.urlopen(sys.argv[1])"
URLS = ("base_url", "auth_url", "upload_url", "webhook_url")


class Machine:
    """A home folder with a profile, on a machine with nothing but the wheel, and the service that it uses."""

    def __init__(self, installed, folder, facts):
        self.python = installed.scripts / "python"
        self.folder = folder
        self.facts = facts
        application = self.administer(
            "POST", "/applications", {"redirectUri": f"http://127.0.0.1:{free_port()}/callback"}
        )
        settings = {key: facts[key] for key in URLS} | {
            "client_id": application["clientId"],
            "redirect_uri": application["redirectUri"],
            "tokens": "file",
        }
        lines = [
            "[work]",
            *(f"{key} = {json.dumps(value)}" for key, value in settings.items()),
            'scopes = ["user"]',
        ]
        (folder / "svckit.toml").write_text("\n".join(lines))
        (folder / "browser.py").write_text(BROWSER)
        self.variables = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ} | {
            "HOME": str(folder),
            "SVCKIT_WORK_CLIENT_SECRET": application["clientSecret"],
        }

    def administer(self, method, path, body=None):
        key = {"Authorization": f"Bearer {self.facts['admin_key']}"}
        url = self.facts["admin_url"] + path
        response = httpx.request(method, url, json=body, headers=key, trust_env=False)
        return response.raise_for_status().json() if response.content else None

    def start(self, *arguments, **more):
        """Start Python like cron: no terminal, a session of its own, and next to no variables."""
        return subprocess.Popen(
            [self.python, *arguments],
            cwd=self.folder,
            env=self.variables | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments, **more):
        """Run Python to its end; return the exit code and all that it said."""
        running = self.start(*arguments, **more)
        printed, said = running.communicate(timeout=PATIENCE)
        return running.returncode, printed, said

    def log_in(self, *options):
        returncode, printed, said = self.run(
            *("-m", "svckit", "login", "work", *options), BROWSER=f"{self.python} browser.py %s"
        )
        assert returncode == 0, said
        return printed

    def count_tokens(self):
        """Count the token requests since this was last called."""
        requests = self.administer("GET", "/journal")
        self.administer("DELETE", "/journal")
        return sum(entry["operation"] == "auth.token" for entry in requests["exchanges"])


@pytest.fixture(scope="module")
def facts(installed, tmp_path_factory):
    served = installed.start(
        *("svckit", "serve", "--port", "0", "--auto-login", "u-001"), cwd=tmp_path_factory.mktemp("service")
    )
    yield json.loads(served.stdout.readline())
    served.terminate()
    served.communicate()


@pytest.fixture
def machine(installed, facts, tmp_path):
    return Machine(installed, tmp_path, facts)


def test_nobody_has_signed_in(machine):
    returncode, printed, said = machine.run("-c", JOB)
    assert (returncode, printed) == (1, "")
    for way in ("SVCKIT_WORK_REFRESH_TOKEN", 'tokens = "file"', "`svckit login work`"):
        assert way in said


def test_three_jobs_renew_once(machine):
    assert "The tokens are saved in a file in " in machine.log_in()
    (file,) = machine.folder.rglob("*.json")
    if os.name != "nt":
        assert file.stat().st_mode & 0o777 == 0o600
    assert machine.run("-c", JOB)[1] == "u-003\n"
    saved = json.loads(file.read_text())
    file.write_text(json.dumps(saved | {"ends": "2026-01-01T00:00:00+00:00"}))
    machine.count_tokens()
    machine.administer("POST", "/faults", {"kind": "delay", "target": "auth.token", "times": 1, "seconds": 2})
    jobs = [machine.start("-c", JOB) for _ in range(3)]
    printed = [job.communicate(timeout=PATIENCE) for job in jobs]
    assert [out for out, _ in printed] == ["u-003\n"] * 3, printed
    assert machine.count_tokens() == 1


def test_token_in_the_environment(machine):
    name, _, token = machine.log_in("--store", "print", "--yes").strip().partition("=")
    assert name == "SVCKIT_WORK_REFRESH_TOKEN"
    assert list(machine.folder.rglob("*.json")) == []
    returncode, printed, said = machine.run(
        "-c", JOB, **{name: token}, HOME=os.devnull
    )  # nothing can be written there
    assert (returncode, printed) == (0, "u-003\n"), said
    listed = machine.run("-m", "svckit", "profiles", "work", **{name: token})[1]
    assert re.search(rf"done +tokens: environment variable {name}", listed)
    assert token not in listed


def test_a_notebook_that_a_program_runs(machine):
    cell = nbformat.v4.new_code_cell(JOB)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), machine.folder / "report.ipynb")
    execute = ("-m", "jupyter", "execute", "--output=out.ipynb", "report.ipynb")
    returncode, _, said = machine.run(*execute)
    assert returncode != 0
    assert "SVCKIT_WORK_REFRESH_TOKEN" in said
    machine.log_in()
    returncode, _, said = machine.run(*execute)
    assert returncode == 0, said
    assert "u-003" in Path(machine.folder, "out.ipynb").read_text()
