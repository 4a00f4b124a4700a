"""A fake elsewhere as an object: its parts do what those of the fake itself do, and its key opens nothing else."""

import httpx
import pytest

from fakes import FakeService, RemoteFake, Worlds
from fakes.handlers.admin_routes import ADMIN_ROUTES
from fakes.http.errors import Refusal

from ..caller import NOW

STRIPPED = ("request_headers", "response_headers")
ENTRY = [
    "number",
    "at",
    "operation",
    "method",
    "url",
    "path",
    "status",
    "is_error",
    "user_id",
    "rules",
    "assumed",
    "observed",
    "deviations",
    "ignored",
    "request_bytes",
    "response_bytes",
    "injected",
    "reason",
    "remedy",
    "section",
    "webhook",
    "parts",
    "rate_limit",
    "request_body",
    "response_body",
    "json",
]


def remote(fake, **options):
    facts = fake.facts
    return RemoteFake(facts["admin_url"], facts["admin_key"], transport=fake.transport(), **options)


@pytest.fixture(params=["fake", "world"])
def here(request):
    return FakeService.sample(now=NOW) if request.param == "fake" else Worlds(now=NOW).create("mina")


@pytest.fixture
def there(here):
    return remote(here)


def send(fake, method="PATCH", path="/users/u-001", body=None):
    bearer = {"Authorization": "Bearer " + fake.access_token()}
    with httpx.Client(transport=fake.transport(), headers=bearer) as http:
        return http.request(method, fake.facts["base_url"] + path, json=body)


def test_the_clock_moves_there(here, there):
    assert (there.clock.now(), there.clock.standing) == (here.clock.now(), True)
    assert there.clock.advance(days=1, minutes=2) == here.clock.now()
    assert there.clock.to("2026-07-01T00:00:00Z") == here.clock.now()
    assert repr(there.clock) == repr(here.clock)
    with pytest.raises(ValueError, match="moves forward only"):
        there.clock.to(NOW)


def test_one_of_two_equal_faults_is_removed(here, there):
    first, second = (there.faults.status("users.update", 500) for _ in range(2))
    assert len(there.faults) == len(here.faults) == 2
    there.faults.remove(first)
    there.faults.remove(first)
    assert (len(here.faults), second.left) == (1, 1)
    assert send(here).status_code == 500
    assert (second.left, second.used, len(there.faults)) == (0, 1, 0)
    there.faults.delay("*", seconds=2)
    assert repr(there.faults) == repr(here.faults)
    there.faults.clear()
    assert not here.faults


def test_a_removed_fault_is_not_another_one_after_a_restart_of_the_list(here, there):
    fault = there.faults.reset("users.update")
    here.faults.load(here.faults.dump())
    there.faults.remove(fault)
    assert len(here.faults) == 1


def test_a_fault_that_matches_nothing_is_refused_in_the_same_words(here, there):
    with pytest.raises(ValueError, match=r"did you mean users\.update") as elsewhere:
        there.faults.status("user.update")
    with pytest.raises(ValueError, match=r"did you mean users\.update") as in_process:
        here.faults.status("user.update")
    assert str(elsewhere.value) == str(in_process.value)
    with pytest.raises(ValueError, match="times must be"):
        there.faults.status("users.update", times=0)


def test_the_journal_has_the_same_entries(here, there):
    mark = there.journal.mark()
    send(here, body={"nickName": "Mina"})
    send(here, "GET", "/nothing")
    httpx.Client(transport=here.transport()).post(here.facts["webhooks"][0], json={"body": {"text": "hello"}})
    assert repr(there.journal) == repr(here.journal)
    assert len(there.journal.since(mark)) == 3
    for elsewhere, entry in zip(there.journal, here.journal, strict=True):
        assert {name: getattr(elsewhere, name) for name in ENTRY} == {
            name: getattr(entry, name) for name in ENTRY
        }
        assert (repr(elsewhere), elsewhere.record()) == (repr(entry), entry.record())
    assert [entry.json for entry in there.journal.where(operation="users.*")] == [{"nickName": "Mina"}]
    with pytest.raises(ValueError, match=r"did you mean users\.update"):
        there.journal.where(operation="user.update")
    for name in STRIPPED:
        with pytest.raises(AttributeError, match=r"svc\.trace\(\) records"):
            getattr(there.journal[-1], name)
    there.journal.clear()
    assert len(here.journal) == 0


def test_rules_are_read_and_chosen(here, there):
    there.rules.choose({"api.unauthorized": "403"}, deviations={"file.stored": "200"})
    assert list(there.rules) == list(here.rules)
    assert list(there.rules.deviations) == list(here.rules.deviations)
    assert (here.rules["api.unauthorized"].chosen, there.rules["api.unauthorized"].chosen) == ("403", "403")
    assert there.rules.deviations["file.stored"].chosen == "200"
    with pytest.raises(ValueError, match=r"api\.unauthorized"):
        there.rules.choose({"api.unauthorized": "999"})


def test_stubs_respond_there(here, there):
    stub = there.stub("GET", "/groups", json={"groups": []}).then(status=503)
    other = there.stub("GET", "/groups/{groupId}", json={})
    statuses = [send(here, "GET", "/groups").status_code for _ in range(2)]
    assert (statuses, stub.used, other.used) == ([200, 503], 2, 0)
    assert (repr(there.stubs), repr(stub)) == (repr(here.stubs), repr(next(iter(here.stubs))))
    there.stubs.remove(stub)
    there.stubs.remove(stub)
    assert (
        [each.name for each in here.stubs] == [each.name for each in there.stubs] == ["GET /groups/{groupId}"]
    )
    with pytest.raises(TypeError, match="a function cannot be sent"):
        there.stub("GET", "/now", json=lambda call: {})
    with pytest.raises(TypeError, match="a function cannot be sent"):
        other.then(json=lambda call: {})
    with pytest.raises(Refusal, match="cannot be stubbed"):
        there.stub("PATCH", "/users/{userId}")
    there.stubs.clear()
    assert not here.stubs


def test_users_are_a_mapping_of_records(here, there):
    assert dict(zip(there.directory, there.directory.records(), strict=True)) == dict(here.directory)
    mina = {"userId": "mina", "email": "mina@example.com", "userName": {"lastName": "Sato"}}
    assert there.directory.put(mina) == here.directory["mina"] == there.directory["mina"]
    assert there.directory.find(email="mina@example.com")["userId"] == "mina"
    assert there.directory.find(external_key="emp-00002")["userId"] == "u-002"
    assert there.directory.find(external_key="x") is None
    assert ("mina" in there.directory, "mina@example.com" in there.directory) == (True, False)
    there.directory.remove("mina")
    assert ("mina" in here.directory, len(there.directory)) == (False, 20)


def test_more_users_than_a_page_are_listed():
    fake = FakeService.sample(users=2001, now=NOW)
    assert list(remote(fake).directory) == list(fake.directory)


def test_files_facts_tokens_and_the_state(here, there):
    there.files.put("/users/u-001/drive/files", "a.txt", "hello")
    there.files.put("/users/u-001/drive/files", "b.bin", b"\xff\x00")
    assert there.files.records() == list(here.records("files"))
    assert there.facts == dict(here.facts)
    assert here.state.tokens.is_valid(there.access_token("u-002"))
    assert there.tokens().lifetime == here.tokens().lifetime
    saved = there.snapshot()
    there.clock.advance(hours=1)
    there.restore(saved)
    assert here.clock.now().isoformat() == NOW
    there.reset()
    assert len(there.files.records()) == 1


@pytest.mark.parametrize(
    "name", ["budget", "fork", "transport", "httpx", "responses", "serve", "browser", "state"]
)
def test_what_cannot_work_says_why(there, name):
    with pytest.raises(AttributeError, match=f"{name} does not work with a fake outside this process: "):
        getattr(there, name)
    with pytest.raises(AttributeError, match="advance"):
        there.clock.sleeping()


def test_the_key_of_a_world_opens_no_other_and_not_the_server():
    worlds = Worlds(now=NOW)
    mina, ada = worlds.create("mina"), worlds.create("ada")
    bearer = {"Authorization": f"Bearer {mina.facts['admin_key']}"}
    tried = 0
    with httpx.Client(transport=worlds.transport(), headers=bearer) as http:
        for route in ADMIN_ROUTES:
            path = route.template.replace("{worldName}", "ada").replace("{userId}", "u-001")
            for fake in (ada, worlds):
                response = http.request(route.method, fake.facts["admin_url"] + path, json={})
                assert (response.status_code == 401) != route.keyless, (route, response.text)
                tried += 1
    assert tried == 2 * len(ADMIN_ROUTES)
    assert worlds.names() == ["ada", "mina"]


def test_what_is_wrong_with_the_connection_is_said():
    fake = FakeService.sample(now=NOW)
    with pytest.raises(PermissionError, match="the key sent is wrong"):
        RemoteFake(fake.facts["admin_url"], "x", transport=fake.transport()).clock.now()
    with pytest.raises(ConnectionError, match=r"did not respond at http://127\.0\.0\.1:9"):
        RemoteFake("http://127.0.0.1:9", "x").clock.now()
    with pytest.raises(LookupError, match="set SVCKIT_CLASS_ADMIN_KEY to"):
        RemoteFake("http://127.0.0.1:9", "", missing=["SVCKIT_CLASS_ADMIN_KEY"]).clock.now()


def test_messages_of_bots_are_read_there(here, there):
    here.stubs.add_file("common")
    body = {"content": {"type": "text", "text": "hello"}}
    assert send(here, "POST", "/bots/bot-1/users/u-002/messages", body).status_code == 201
    assert [message.record() for message in there.bots.sent("bot-1")] == [here.bots.sent("bot-1")[0].record()]
    with pytest.raises(Refusal, match="bot 'bot-9' not found"):
        there.bots.sent("bot-9")
