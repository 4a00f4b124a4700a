"""`svckit serve --stubs`: responses to calls that the service's description does not have."""

import json

import pytest

from ...loopback import local_client
from .serving import refused, serving

GROUPS = {"method": "GET", "path": "/groups", "json": {"groups": []}}
TEAMS = {"method": "GET", "path": "/teams", "status": 503, "then": [{"json": ["{none}"]}]}


def write(path, *stubs):
    path.write_text(json.dumps(stubs))
    return str(path)


def names(running):
    return [f"{stub['method']} {stub['path']}" for stub in running.admin("GET", "/stubs").json()["stubs"]]


def test_stub_files_and_ready_stubs_survive_a_reset(tmp_path):
    files = write(tmp_path / "one.json", GROUPS), write(tmp_path / "two.json", TEAMS)
    with serving("--stubs", "common", "--stubs", files[0], "--stubs", files[1]) as running:
        served = names(running)
        assert served[-2:] == ["GET /groups", "GET /teams"]
        assert served.count("GET /groups") == 1
        assert "GET /users/{userId}" in served
        assert running.admin("DELETE", "/stubs").status_code == 204
        assert running.admin("POST", "/reset").status_code == 204
        assert names(running) == served


@pytest.mark.parametrize(
    ("stubs", "words"),
    [
        (
            [GROUPS, {"method": "GET"}, GROUPS | {"status": 1}],
            "stubs[1].path is required; stubs[2].status must",
        ),
        ([GROUPS, {"method": "PATCH", "path": "/users/7"}], "stubs[1]: PATCH /users/7 cannot be stubbed"),
        ([], "or a ready one: common"),
    ],
)
def test_a_file_that_is_wrong_or_not_there_is_refused(stubs, words, tmp_path):
    if stubs:
        write(tmp_path / "stubs.json", *stubs)
    code, said = refused("--stubs", tmp_path / "stubs.json")
    assert (code, words in said, "--stubs" in said) == (2, True, True), said


def test_messages_of_bots_survive_a_restart(tmp_path):
    state, message = tmp_path / "state.db", {"content": {"type": "text", "text": "hello"}}
    with serving("--stubs", "common", "--state", state) as running:
        token = running.admin("POST", "/tokens", {}).json()["accessToken"]
        url = running.facts["base_url"] + "/bots/bot-1/users/me/messages"
        with local_client(headers={"Authorization": f"Bearer {token}"}) as http:
            assert http.post(url, json=message).status_code == 201
        sent = running.admin("GET", "/bots/bot-1/messages").json()
    with serving("--state", state) as running:
        assert running.admin("GET", "/bots/bot-1/messages").json() == sent
        assert [each["content"] for each in sent["messages"]] == [message["content"]]
        with local_client(headers={"Authorization": f"Bearer {token}"}) as http:
            assert http.get(running.facts["base_url"] + "/users/me").json()["userId"] == "u-001"
