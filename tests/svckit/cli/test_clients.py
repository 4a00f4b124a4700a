"""Clients in other languages and of other libraries, each a script of its own, against `svckit serve`."""

import base64
import hmac
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from ...conformance.receiving import ReceivingServer
from ...loopback import PATIENCE
from .serving import serving

CLIENTS = Path(__file__).parent / "clients"
NOW = "2026-06-01T09:00:00+09:00"


@pytest.mark.parametrize(
    ("name", "command", "script"),
    [
        ("curl", "sh", "with_curl.sh"),
        ("fetch", "node", "with_fetch.mjs"),
        ("requests", sys.executable, "with_requests.py"),
    ],
)
def test_client_does_all_a_client_does(name, command, script):
    for program in {command, name} - {"fetch", "requests"}:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    with serving("--now", NOW) as running, ReceivingServer() as receiving:
        receiver, received = receiving.receiver(200)
        environment = os.environ | {"READY": running.line, "RECEIVER": receiver}
        ran = subprocess.run(
            [command, CLIENTS / script],
            capture_output=True,
            text=True,
            env=environment,
            timeout=PATIENCE,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr + ran.stdout
        state = running.admin("GET", "/snapshot").json()
        assert state["directory"]["users"]["changed"]["u-001"]["nickName"] == name
        assert [file["name"] for file in state["files"]["files"] if file["place"][0] == "drive"] == [
            "sent.bin"
        ]
        messages = running.admin("GET", "/rooms/channel-1/messages").json()["messages"]
        assert [(message["title"], message["text"]) for message in messages] == [("CI", f"from {name}")]
        if name == "curl":  # it cannot listen, so it was done for it
            check(*received[0], running.facts["bot_secret"])


def check(headers: httpx.Headers, body: bytes, secret: str) -> None:
    assert json.loads(body)["content"]["text"] == "to curl"
    signature = base64.b64encode(hmac.digest(secret.encode(), body, "sha256")).decode()
    assert headers["X-SERVICE-Signature"] == signature
