"""Processes that were forked from one with an open connection: each has a connection of its own."""

import gc
import json
import os
import subprocess
import sys

import pytest

from fakes import FakeService
from svckit.http import transport

from ...loopback import PATIENCE

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

NOW = "2026-06-01T09:00:00+09:00"
CHILDREN, CALLS = 4, 10

PROGRAM = f"""
import json, os, sys
import svckit
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.session import Session

facts = json.loads(sys.stdin.read())
svc = Session(Profile.from_facts(facts), Credentials.from_facts(facts))
webhook = svckit.Webhook(facts["webhooks"][0])
plain = svc.http

def work(user):
    for number in range({CALLS}):
        name = f"{{user}} {{number}}"
        assert svc.users.update(user, nick_name=name).nick_name == name
        assert plain.patch(f"/users/{{user}}", json={{"task": name}}).json()["task"] == name
    webhook.post(user)

work("u-001")
children = []
for number in range(2, 2 + {CHILDREN}):
    child = os.fork()
    if not child:
        status = 1
        try:
            work(f"u-{{number:03}}")
            status = 0
        finally:
            sys.stderr.flush()
            os._exit(status)
    children.append(child)
work("u-001")
print([os.waitpid(child, 0)[1] for child in children])
"""


def test_children_read_their_own_responses():
    fake = FakeService.sample(now=NOW)
    with fake.serve() as served:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=json.dumps(served.facts.to_wire()),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert (done.stdout, done.stderr) == (f"{[0] * CHILDREN}\n", "")
    names = [fake.directory[f"u-{number:03}"]["nickName"] for number in range(1, 2 + CHILDREN)]
    assert names == [f"u-{number:03} {CALLS - 1}" for number in range(1, 2 + CHILDREN)]


def test_nothing_keeps_a_client_alive():
    gc.collect()
    before = len(transport._separated)
    client = transport.open_client(None)
    assert len(transport._separated) == before + 1
    client.close()
    del client
    gc.collect()
    assert len(transport._separated) == before
