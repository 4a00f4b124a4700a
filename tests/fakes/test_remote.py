"""A fake elsewhere as an object: its parts do what those of the fake itself do, and its key opens nothing else."""

import httpx
import pytest

from fakes import FakeService, RemoteFake, Worlds
from fakes.http.errors import Refusal

from .caller import NOW, make

STRIPPED = ("request_headers", "response_headers")
OWN = {*STRIPPED, "kept_bytes", "used"}
"""What entries have in this process only, beside methods."""


def remote(fake, **options):
    facts = fake.facts
    return RemoteFake(facts["admin_url"], facts["admin_key"], transport=fake.transport(), **options)


@pytest.fixture(params=["fake", "world"])
def here(request):
    return make() if request.param == "fake" else Worlds(now=NOW).create("mina")


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


def test_removal_spares_faults_of_a_reloaded_list(here, there):
    fault = there.faults.reset("users.update")
    here.faults.load(here.faults.dump())
    there.faults.remove(fault)
    assert len(here.faults) == 1


def test_removal_spares_faults_of_a_restarted_process():
    first, second = (make() for _ in range(2))
    now = [first]

    class Restarted(httpx.BaseTransport):
        def handle_request(self, request):
            return now[0].transport().handle_request(request)

    first.state.admin_key = second.state.admin_key  # as with SVCKIT_ADMIN_KEY
    there = RemoteFake(first.facts["admin_url"], first.facts["admin_key"], transport=Restarted())
    fault = there.faults.status("users.update", 503)
    now[0] = second
    other = there.faults.status("users.update", 500)
    assert (fault.left, fault.status, other.left) == (0, 503, 1)
    there.faults.remove(fault)
    assert len(second.faults) == 1
    there.faults.remove(other)
    assert not second.faults


def test_faults_have_the_same_numbers_in_every_run():
    for fake in (make(), make()):
        assert [fake.faults.number(fake.faults.reset("*")) for _ in range(2)] == [1, 2]


class Counting(httpx.BaseTransport):
    """A transport that keeps the paths of the requests."""

    def __init__(self, fake):
        self._transport = fake.transport()
        self.paths = []

    def handle_request(self, request):
        self.paths.append(request.url.raw_path.decode())
        return self._transport.handle_request(request)


def test_a_look_reads_no_more_than_it_shows():
    fake = make()
    sent = Counting(fake)
    there = RemoteFake(fake.facts["admin_url"], fake.facts["admin_key"], transport=sent)
    faults = [there.faults.delay("*", seconds=3, times=times) for times in (1, None, None)]
    for _ in range(3):
        send(fake)
    sent.paths.clear()
    assert (faults[0].left, len(there.faults), len(there.journal)) == (0, 2, 3)
    assert (there.journal[-1].number, there.journal[-3].number) == (3, 1)
    assert (len(there.journal.latest(2)), [entry.number for entry in there.journal[-2:]]) == (2, [2, 3])
    assert there.journal.mark().number == 3
    assert len(dict(there.directory.items())) == len(there.directory.values()) == 20
    assert "<Faults: 2>" in repr(there.faults)
    assert [path for path in sent.paths if path.startswith("/journal")] == [
        f"/journal?{query}"
        for query in ("latest=0", *(f"bodies=true&latest={count}" for count in (1, 3, 2, 2)), "latest=0")
    ]
    assert len(sent.paths) == 6 + 5
    with pytest.raises(IndexError, match="only 3 requests"):
        there.journal[-4]


def test_marks_notice_what_is_gone(here, there):
    send(here)
    mark = there.journal.mark()
    there.journal.clear()
    assert len(there.journal.since(mark)) == 0
    there.reset()
    with pytest.raises(ValueError, match="before this one was restarted"):
        there.journal.since(mark)
    full = there.journal.mark()
    here.journal.most_bytes = 0
    send(here)
    with pytest.raises(LookupError, match="made room for others"):
        there.journal.since(full)


def test_facts_mask_their_secrets():
    fake = make(assume={"token.jwt-bearer": "issued"})
    facts = remote(fake).facts
    assert facts["service_account"]["private_key"].startswith("-----BEGIN")
    for secret in (
        facts["admin_key"],
        facts["password"],
        facts["service_account"]["client_secret"],
        "-----BEGIN",
    ):
        assert secret not in repr(facts)
        assert secret not in repr(facts["service_account"])


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
        public = {name: getattr(entry, name) for name in dir(entry) if not name.startswith("_")}
        shown = {name: value for name, value in public.items() if not callable(value) and name not in OWN}
        assert {name: getattr(elsewhere, name) for name in shown} == shown
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
    there.rules.choose({}, deviations={"file.stored": None})
    assert here.rules.deviations.chosen == {}
    with pytest.raises(KeyError, match=r"did you mean api\.unauthorized"):
        there.rules["api.unauthorised"]
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


def test_records_are_those_of_frames(here, there):
    send(here)
    for kind in ("users", "files", "journal", "rules"):
        assert [dict(each) for each in there.records(kind)] == [dict(each) for each in here.records(kind)]
    for kind in ("messages", "events"):  # GET /rooms/{channelId}/messages lists those of a room
        with pytest.raises(ValueError, match=f"no admin call lists all {kind}; a fake elsewhere has users, "):
            there.records(kind)


@pytest.mark.parametrize(
    "name", ["budget", "fork", "transport", "httpx", "responses", "serve", "browser", "state"]
)
def test_what_cannot_work_says_why(there, name):
    with pytest.raises(AttributeError, match=f"{name} does not work with a fake outside this process: "):
        getattr(there, name)
    with pytest.raises(AttributeError, match="advance"):
        there.clock.sleeping()
    with pytest.raises(
        AttributeError, match="what works is access_token, bots, clock, directory, facts, faults, files"
    ):
        there.webhooks.all()


def test_what_is_wrong_with_the_connection_is_said():
    fake = make()
    with pytest.raises(PermissionError, match="the key sent is wrong"):
        RemoteFake(fake.facts["admin_url"], "x", transport=fake.transport()).clock.now()
    with pytest.raises(ConnectionError, match=r"did not respond at http://127\.0\.0\.1:9"):
        RemoteFake("http://127.0.0.1:9", "x").clock.now()
    page = httpx.MockTransport(lambda request: httpx.Response(200, text="<p>Welcome</p>"))
    with pytest.raises(ConnectionError, match="responded with 200; is it the admin_url of a fake"):
        RemoteFake("http://127.0.0.1:9", "x", transport=page).clock.now()
    broken = httpx.MockTransport(lambda request: httpx.Response(500, json={"description": "out of memory"}))
    with pytest.raises(RuntimeError, match="the fake responded with 500: out of memory"):
        RemoteFake("http://127.0.0.1:9", "x", transport=broken).clock.now()
    with fake.serve() as server:
        for key in ("", "secret-key\n"):
            with pytest.raises(ValueError, match="the admin key is empty, or has") as refused:
                RemoteFake(server.facts["admin_url"], key).clock.now()
            assert "secret-key" not in str(refused.value)
    with pytest.raises(ConnectionError, match=r"did not respond at http://127\.0\.0\.1:port"):
        RemoteFake("http://127.0.0.1:port", "x").clock.now()
    with pytest.raises(LookupError, match="set SVCKIT_CLASS_ADMIN_KEY to"):
        RemoteFake("http://127.0.0.1:9", "", missing=["SVCKIT_CLASS_ADMIN_KEY"]).clock.now()


def test_messages_of_bots_are_read_there(here, there):
    here.stubs.add_file("common")
    body = {"content": {"type": "text", "text": "hello"}}
    assert send(here, "POST", "/bots/bot-1/users/u-002/messages", body).status_code == 201
    assert [message.record() for message in there.bots.sent("bot-1")] == [here.bots.sent("bot-1")[0].record()]
    with pytest.raises(Refusal, match="bot 'bot-9' not found"):
        there.bots.sent("bot-9")
