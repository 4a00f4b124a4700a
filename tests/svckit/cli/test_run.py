"""`svckit run`."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest
import typer

from fakes.proxy import Command
from svckit.cli import app

from ...loopback import PATIENCE
from ..command import run_command
from .serving import ROOT, refused, serving

COMMAND = [sys.executable, "-m", "svckit", "run"]
WAITING = """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # one that comes before the wait is kept for it
print("ready", flush=True)
signal.sigwait({signal.SIGTERM})
raise SystemExit(7)
"""


def run(*arguments):
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "400"},
    )


def options_of(name):
    return {option.opts[0] for option in typer.main.get_command(app).commands[name].params}


def test_it_takes_the_options_of_serve():
    assert options_of("serve") - options_of("run") == {"--host"}


def test_exit_code_and_facts_and_options_of_the_command(tmp_path):
    facts = tmp_path / "facts.json"
    program = "import json, sys; json.load(open(sys.argv[1])); print(*sys.argv[2:]); sys.exit(3)"
    done = run(f"--facts={facts}", sys.executable, "-c", program, str(facts), "--users", "x")
    assert (done.returncode, done.stdout) == (3, "--users x\n"), done.stderr
    known = json.loads(facts.read_text())
    assert os.name == "nt" or facts.stat().st_mode & 0o077 == 0
    assert known["base_url"] == "https://api.fake.test"
    assert known["admin_key"] not in done.stderr
    assert not os.path.exists(known["ca_file"])


CALLER = """
import urllib.error, urllib.request
for _ in range(2):
    try:
        urllib.request.urlopen("https://auth.fake.test/oauth2/v2.0/token", b"grant_type=client_credentials")
    except urllib.error.HTTPError as refused:
        print(refused.code)
"""


def test_it_says_once_why_requests_were_refused():
    done = run(sys.executable, "-c", CALLER)
    assert done.stdout == "400\n400\n", done.stderr
    (why,) = done.stderr.splitlines()[3:]
    assert why == (
        "400: grant_type must be authorization_code or refresh_token; given 'client_credentials'; "
        'allowed with assume={"token.client-credentials": "issued"}'
    )


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_signals_are_passed_on():
    with subprocess.Popen(
        [*COMMAND, "--", sys.executable, "-c", WAITING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 7


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_folder_goes_if_a_signal_comes_before_the_command(monkeypatch):
    folders = []

    def make_environment(served, *_):
        folders.append(served.folder)
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr("fakes.proxy.make_environment", make_environment)
    before = [(number, signal.getsignal(number)) for number in (signal.SIGTERM, signal.SIGHUP)]
    try:
        done = run_command("run", "--", "there-is-none")
    finally:
        for handler in before:
            signal.signal(*handler)
    assert done.exit_code == 128 + signal.SIGTERM
    assert not folders[0].exists()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ignored_signal_is_ignored_by_the_command_too():
    """As under nohup."""
    program = "import signal; print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)"
    nohup = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", nohup, *COMMAND, "--", sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stdout == "True\n", done.stderr


def test_file_that_cannot_be_executed(tmp_path):
    file = tmp_path / "notes.txt"
    file.touch()
    with pytest.raises(PermissionError, match="not an executable"):
        Command([str(file)], {})


@pytest.mark.parametrize("host", ["https://www.example.org", "a.example,b.example", ""])
def test_invalid_host_to_pass_through(host):
    done = run_command("run", f"--pass-through={host}", "true")
    assert done.exit_code == 2
    assert "give the name alone" in done.stderr


@pytest.mark.wide
def test_command_that_does_not_exist():
    done = run("--", "there-is-none")
    assert done.returncode == 127
    assert "there-is-none" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--as=base_url"], "KEY=URL"),
        (["--as=api_url=https://www.example.com"], "base_url"),
        (["--as=base_url=https://www.example.com", "--origins"], "omit --origins"),
        (["--as=base_url=https://www.example.com", "--base-path=/v1.0"], "omit --base-path"),
        (["--as=base_url=http://localhost"], "without a proxy"),
    ],
)
def test_names_that_cannot_be_used(options, said):
    code, words = refused(*options)
    assert code == 2
    assert said in words


def test_serve_with_names():
    with serving("--as=base_url=https://www.example.com/v1.0") as running:
        assert running.facts["base_url"] == "https://www.example.com/v1.0"
        assert running.admin("GET", "/rules").status_code == 200
        assert list(running.facts)[-2:] == ["proxy_url", "ca_file"]
        _, said = running.stop()
    assert "127.0.0.1 www.example.com storage.fake.test auth.fake.test" in said
    assert "set --port 443" in said


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_node_is_refused_other_hosts():
    """Its `fetch` asks no proxy."""
    program = "fetch('https://www.example.org').catch((error) => console.log(error.cause.message))"
    done = run("--", "node", "-e", program)
    assert done.stdout.startswith("www.example.org is not led to the fake; name it with --as"), done.stderr
