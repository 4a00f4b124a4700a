"""`svckit serve --stubs`: responses to calls that the service's description does not have."""

import json

from ...loopback import local_client
from .serving import refused, serving

GROUPS = {"method": "GET", "path": "/groups", "json": {"groups": []}}
TEAMS = {"method": "GET", "path": "/teams", "status": 503, "then": [{"json": ["{none}"]}]}


def write(path, *stubs):
    path.write_text(json.dumps(stubs))
    return str(path)


def names(running):
    return [f"{stub['method']} {stub['path']}" for stub in running.admin("GET", "/stubs").json()["stubs"]]


def test_files_and_ready_ones_are_served_together_and_stay_after_a_reset(tmp_path):
    files = write(tmp_path / "one.json", GROUPS), write(tmp_path / "two.json", TEAMS)
    with serving("--stubs", "common", "--stubs", files[0], "--stubs", files[1]) as running:
        served = names(running)
        assert served[-2:] == ["GET /groups", "GET /teams"]
        assert served.count("GET /groups") == 1
        assert "GET /users/{userId}" in served
        assert running.admin("DELETE", "/stubs").status_code == 204
        assert running.admin("POST", "/reset").status_code == 204
        assert names(running) == served


def test_a_state_file_keeps_stubs_and_takes_those_of_the_next_start(tmp_path):
    state, file = tmp_path / "fake.db", write(tmp_path / "stubs.json", GROUPS)
    with serving("--state", state, "--stubs", file) as running:
        assert running.admin("POST", "/stubs", TEAMS).status_code == 201
        before = running.admin("GET", "/stubs").json()
    with serving("--state", state) as running:
        assert running.admin("GET", "/stubs").json() == before
    with serving(
        "--state", state, "--stubs", write(tmp_path / "stubs.json", GROUPS | {"status": 404})
    ) as running:
        assert [stub["status"] for stub in running.admin("GET", "/stubs").json()["stubs"]] == [503, 404]


def test_all_problems_of_a_file_are_said_with_their_index(tmp_path):
    wrong = write(tmp_path / "stubs.json", GROUPS, {"method": "GET"}, GROUPS | {"status": 1})
    code, said = refused("--stubs", wrong)
    assert code == 2
    words = "".join(said.replace("\u2502", " ").split())
    assert "stubs[1].pathisrequired;stubs[2].statusmustbeatleast200;given1" in words
    assert "--stubs" in words


def test_a_described_operation_and_a_missing_file_are_refused(tmp_path):
    code, said = refused(
        "--stubs", write(tmp_path / "stubs.json", GROUPS, {"method": "PATCH", "path": "/users/7"})
    )
    assert code == 2
    assert "stubs[1]:PATCH/users/7cannotbestubbed" in "".join(said.replace("\u2502", " ").split())
    code, said = refused("--stubs", tmp_path / "none.json")
    assert code == 2
    assert "orareadyone:common" in "".join(said.replace("\u2502", " ").split())


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
