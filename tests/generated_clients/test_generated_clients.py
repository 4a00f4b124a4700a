"""Clients generated from `svckit openapi` are typed, send what is meant, and work with the served fake."""

import json
from hashlib import sha256

import pytest

from .environment import HERE

pytestmark = pytest.mark.long

CONTENT = bytes(range(256)) * 1024
"""Which the programs make up and upload; no text has all of these bytes."""


def held(told, service):
    """What each program has to bring about."""
    assert told["nickName"] == "Mina"
    assert told["searchable"] is False
    assert service.bodies("users.update") == [
        {"nickName": "Mina"},
        {"task": None},
        {"organizations": [ORGANIZATION]},
        {},
    ]
    assert service.bodies("users.set_status") == [STATUS]
    user = service.user()
    assert (user["nickName"], user["task"], user["searchable"]) == ("Mina", None, False)
    unit = user["organizations"][0]["orgUnits"][0]
    assert (unit["isManager"], unit["visible"], unit["useTeamFeature"]) == (False, True, True)
    assert [(upload["fileName"], upload["fileSize"]) for upload in told["uploads"]] == [
        ("all-bytes.bin", len(CONTENT)),
        ("other-form.bin", len(CONTENT)),
    ]
    assert told["downloads"] == [sha256(CONTENT).hexdigest()] * 2
    assert service.room() == ["Build is green"]
    assert told["missing"] == "NOT_FOUND"


ORGANIZATION = {
    "domainId": 10000001,
    "primary": True,
    "orgUnits": [{"orgUnitId": "ou-1", "primary": True}],
}
STATUS = {"profileStatusId": "BUSY", "autoReplyMail": {"internal": {"content": "Back soon"}}}


def test_python_client_is_typed(environment, python_client):
    environment.python("-m", "mypy", "--config-file", HERE / "mypy.ini", "program.py", cwd=python_client)


def test_python_client_works(environment, python_client, service):
    told = environment.python("program.py", cwd=python_client, **service.given)
    held(json.loads(told), service)


def test_typescript_client_is_typed(typescript_client):
    typescript_client.node("node_modules/typescript/bin/tsc", "--project", "tsconfig.json")


def test_typescript_client_works(typescript_client, service):
    told = typescript_client.node("program.ts", **service.given)
    held(json.loads(told), service)
