"""Programs in many languages, whose hosts are literals, run unchanged by `svckit run`."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack

import pytest

from fakes import FakeService

from .running import reach
from .runs import RESERIALIZING, say

CLIENTS = RESERIALIZING.parent
HOSTS = ("--as=auth_url=https://auth.example.com", "--as=base_url=https://www.example.com/v1.0")
DAY = ["signed in", "nickname Mina", "status BUSY", "file day by day", "notified 200"]
OPERATIONS = [
    "auth.authorize",
    "auth.token",
    "auth.token",
    "users.update",
    "users.set_status",
    "upload.drive",
    "storage.receive",
    "download.drive_file",
    "storage.send",
    "notifications.post",
]


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"needs {program}")


@pytest.fixture
def configured():
    """The environment of a client, as its user would set it."""
    facts = FakeService.sample().facts
    named = {
        name.upper(): str(facts[name]) for name in ("client_id", "client_secret", "redirect_uri", "user_id")
    }
    return (
        os.environ
        | named
        | {"WEBHOOK_URL": f"https://hooks.fake.test/message/{facts['webhooks'][0].rpartition('/')[2]}"}
    )


def work(words, environment, folder):
    """Run a client through its day; return what it prints, and what is printed about it."""
    facts, har = folder / "facts.json", folder / "day.har"
    command = [
        sys.executable,
        "-m",
        "svckit",
        "run",
        "--auto-login=u-001",
        f"--facts={facts}",
        f"--har={har}",
    ]
    printed = []
    with (
        subprocess.Popen(
            [*command, *HOSTS, "--", *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
        ExitStack() as stack,
    ):
        stack.callback(process.kill)
        for line in process.stdout:
            word, _, rest = line.strip().partition(" ")
            if word == "listening":
                running = stack.enter_context(reach(json.loads(facts.read_text())))
                url = f"http://127.0.0.1:{rest}/callback"
                assert say(running, url, {"type": "text", "text": "hello"}) == 200
            else:
                printed.append(line.strip())
        errors = process.stderr.read()
        assert process.wait() == 0, errors
    sent = json.loads(har.read_text())["log"]["entries"]
    return printed, errors, [entry["_operation"] for entry in sent]


@pytest.mark.parametrize(
    ("words", "is_bot"),
    [
        pytest.param([sys.executable, "diary.py"], True, id="python"),
        pytest.param(["node", "diary.mjs"], True, id="node", marks=needs("node")),
        pytest.param(["sh", "diary.sh"], False, id="curl", marks=[needs("curl"), pytest.mark.wide]),
        pytest.param(["php", "diary.php"], False, id="php", marks=[needs("php"), pytest.mark.wide]),
        pytest.param(["ruby", "diary.rb"], False, id="ruby", marks=[needs("ruby"), pytest.mark.wide]),
        pytest.param(["java", "Diary.java"], False, id="java", marks=[needs("javac"), pytest.mark.long]),
        pytest.param(["go", "run", "diary.go"], False, id="go", marks=[needs("go"), pytest.mark.long]),
    ],
)
def test_program_works_through_its_day(words, is_bot, configured, tmp_path):
    *program, client = words
    environment = configured | ({"BOT": "1"} if is_bot else {})
    printed, errors, operations = work([*program, str(CLIENTS / client)], environment, tmp_path)
    assert printed == [*DAY, *(["heard hello"] if is_bot else [])]
    assert operations == OPERATIONS
    assert "Journal: 10 requests" in errors
    assert "refused" not in errors
