"""`svckit serve --worlds` as another program sees it."""

from ...loopback import local_client
from .serving import authorization, refused, serving, serving_process

NOW = "2026-06-01T09:00:00+09:00"


def make_world(running, **sample):
    return running.admin("POST", "/worlds", sample).json()


def ask(facts, method, path, body=None):
    headers = {"Authorization": f"Bearer {facts['admin_key']}"}
    with local_client(headers=headers) as http:
        return http.request(method, facts["admin_url"] + path, json=body)


def test_worlds_are_created_listed_and_deleted():
    with serving("--worlds", "--now", NOW, "--users", 3, "--auto-login", "u-002") as running:
        mina, ada = make_world(running, name="mina"), make_world(running, name="ada", users=2)
        assert mina["base_url"] == running.facts["base_url"].replace("/api", "/w/mina/api")
        assert (len(mina["users"]), len(ada["users"])) == (3, 2)
        assert ask(mina, "POST", "/clock", {"advance": 3600}).status_code == 200
        assert ask(ada, "GET", "/clock").json() == {"now": NOW, "standing": True}
        with local_client() as http:
            response = http.get(mina["auth_url"] + "/oauth2/v2.0/authorize", params=authorization(mina))
            assert response.headers["X-Fake-Auto-Login"] == "u-002"
        assert running.admin("GET", "/worlds").json() == {"worlds": ["ada", "mina"]}
        assert running.admin("DELETE", "/worlds/ada").status_code == 204
        assert ask(ada, "GET", "/clock").status_code == 404
        assert ask(mina, "GET", "/clock").status_code == 200


def test_each_area_of_a_world_has_an_origin_of_its_own():
    with serving("--worlds", "--origins", "--base-path", "/v1.0") as running:
        facts = make_world(running, name="mina")
        names = ("base_url", "auth_url", "upload_url", "webhook_url", "admin_url")
        assert facts["base_url"] == running.facts["base_url"].replace("/v1.0", "/w/mina/v1.0")
        assert [facts[name] for name in names[1:]] == [running.facts[name] + "/w/mina" for name in names[1:]]
        assert ask(facts, "GET", "/health").status_code == 200


def test_urls_of_a_world_follow_the_proxy():
    with serving("--worlds", "--forwarded") as running:
        facts = make_world(running, name="mina")
        headers = {
            "X-Forwarded-Host": "example.com",
            "X-Forwarded-Prefix": "/fake",
            "X-Forwarded-Proto": "https",
        }
        headers["Authorization"] = f"Bearer {facts['admin_key']}"
        with local_client(headers=headers) as http:
            seen = http.get(facts["admin_url"] + "/facts").json()
        assert seen["base_url"] == "https://example.com/fake/w/mina/api"


def test_a_killed_process_loses_nothing_and_another_takes_over(tmp_path):
    options = ("--worlds", "--now", NOW, "--state", tmp_path / "worlds")
    with serving_process(*options) as one, serving(*options) as other:
        mina = make_world(one, name="mina", users=2)
        with local_client() as http:
            assert http.post(mina["webhooks"][0], json={"body": {"text": "hello"}}).status_code == 200
            elsewhere = mina["webhooks"][0].replace(
                one.facts["webhook_url"][:-6], other.facts["webhook_url"][:-6]
            )
            refusal = http.post(elsewhere, json={"body": {"text": "hello"}})
            # Asked again, it may respond: the first gives the world back within a second.
            assert refusal.status_code == 421
            assert "another process has the world 'mina'" in refusal.json()["description"]
            one.process.kill()
            one.process.wait()
            assert http.post(elsewhere, json={"body": {"text": "again"}}).status_code == 200
        found = other.admin("GET", "/worlds/mina").json()
        assert (found["admin_key"], found["users"]) == (mina["admin_key"], ["u-001", "u-002"])
        messages = ask(found, "GET", "/rooms/channel-1/messages").json()["messages"]
        assert [message["text"] for message in messages] == ["hello", "again"]
        assert other.stop()[0] == 0
    with serving(*options) as third:
        assert third.admin("GET", "/worlds/mina").json()["admin_key"] == mina["admin_key"]


def test_the_state_of_worlds_is_a_folder(tmp_path):
    (tmp_path / "file").touch()
    for options, said in (
        (["--worlds", "--state", tmp_path / "file"], "is a file, and --worlds needs a folder"),
        (["--state", tmp_path], "is a folder, and a state file must be a regular file"),
    ):
        code, words = refused(*options)
        assert (code, said in words) == (2, True), words
