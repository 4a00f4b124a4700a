"""Servers in processes of their own, and a way into them, for benchmarks."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import httpx

ROOT = Path(__file__).parents[2]


@contextmanager
def process(
    *command: str, stderr: IO[bytes] | int | None = None
) -> Iterator[tuple[subprocess.Popen[str], Any]]:
    """A server, and what it printed when it was ready."""
    command = (sys.executable, *command)
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, cwd=ROOT)
    try:
        yield running, json.loads(running.stdout.readline())
    finally:
        running.terminate()
        running.communicate()


def bearer_of(facts: dict[str, Any]) -> str:
    """A bearer, by way of the login form."""
    authorize, client = facts["auth_url"] + "/oauth2/v2.0/authorize", {"client_id": facts["client_id"]}
    asked = {"redirect_uri": facts["redirect_uri"], "scope": "user", "response_type": "code", "state": "s"}
    with httpx.Client(trust_env=False) as http:
        page = http.get(authorize, params=client | asked).text
        form = {"login_ticket": re.search('name="login_ticket" value="([^"]*)"', page)[1]}
        form |= {"login_id": facts["login_id"], "password": facts["password"]}
        code = httpx.URL(http.post(authorize, data=form).headers["Location"]).params["code"]
        form = client | {
            "client_secret": facts["client_secret"],
            "grant_type": "authorization_code",
            "code": code,
        }
        token = http.post(facts["auth_url"] + "/oauth2/v2.0/token", data=form).json()["access_token"]
    return f"Bearer {token}"
