"""A job of a service account, in two languages: it lists people, changes them, reads them again and writes to them."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from fakes import FakeService

from .runs import RESERIALIZING

CLIENTS = RESERIALIZING.parent
TEAM = {
    "users": [
        {"userId": "lead", "email": "lead@example.com", "userName": {"lastName": "Lead"}, "nickName": "Boss"},
        *({"userId": name, "email": f"{name}@example.com", "userName": {}} for name in ("ada", "bo", "cy")),
    ],
    "bots": [{"botId": 2000001}],
}
SETTINGS = {
    "token.jwt-bearer": "issued",
    "token.delegated-user": "honored",
    "token.assertion-base64": "standard-too",
}
PROGRAMS = [
    pytest.param([sys.executable, "roster.py"], id="python"),
    pytest.param(
        ["node", "roster.mjs"],
        id="node",
        marks=pytest.mark.skipif(shutil.which("node") is None, reason="needs node"),
    ),
]


def run(program, folder, settings):
    """Run a job with settings; return what it printed, what is printed about it, and all that was sent."""
    account = FakeService.sample(data=TEAM, assume=SETTINGS).facts["service_account"]
    environment = {name.upper(): account[name] for name in ("client_id", "client_secret", "private_key")}
    environment |= {"ACCOUNT": account["login_id"], "DELEGATED_USER": "ada@example.com", "BOT_ID": "2000001"}
    team, har = folder / "team.json", folder / "sent.har"
    team.write_text(json.dumps(TEAM))
    command = [sys.executable, "-m", "svckit", "run", f"--data={team}", f"--har={har}", "--stubs=common"]
    command += ["--as=auth_url=https://auth.example.com", "--as=base_url=https://www.example.com/v1.0"]
    command += [f"--assume={rule}={choice}" for rule, choice in settings.items()]
    words = [program[0], str(CLIENTS / program[1])]
    ran = subprocess.run(
        [*command, "--", *words], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    return ran.stdout.splitlines(), ran.stderr, json.loads(har.read_text())["log"]["entries"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_newcomers_are_welcomed(program, tmp_path):
    printed, errors, sent = run(program, tmp_path, SETTINGS)
    assert printed == ["as ada@example.com", "ada newcomer", "bo newcomer", "cy newcomer"], errors
    urls = [entry["request"]["url"] for entry in sent if entry["request"]["url"].endswith("/messages")]
    assert [url.split("/")[-4:] for url in urls] == [
        ["2000001", "users", user_id, "messages"] for user_id in ("ada", "bo", "cy")
    ]
    assert {entry["response"]["status"] for entry in sent} == {200, 201}


@pytest.mark.parametrize("program", PROGRAMS[1:])
def test_a_job_is_told_the_settings(program, tmp_path):
    _, errors, (sent,) = run(program, tmp_path, {"token.jwt-bearer": "issued"})
    told = {each["name"]: each["value"] for each in sent["response"]["headers"]}["X-Fake-Reason"]
    assert 'allowed with assume={"token.assertion-base64": "standard-too"}' in told
    assert "standard base64" in errors
    rest = {name: choice for name, choice in SETTINGS.items() if name != "token.delegated-user"}
    printed, _, (first, *_) = run(program, tmp_path, rest)
    assert printed[0] == "as lead@example.com"
    headers = {each["name"]: each["value"] for each in first["response"]["headers"]}
    assert headers["X-Fake-Ignored"] == "assertion.delegated_user"
