"""Worlds in one process: each an independent fake, under a path of its own, through every door."""

import asyncio

import httpx
import pytest

from fakes import FakeService, Worlds
from fakes.http.errors import Refusal
from fakes.persistence import NotSaved
from svckit import places
from svckit.session.connect import connect

from ...loopback import local_client
from ..admin import Admin
from ..caller import NOW, Caller, make

MINA = {"userId": "u-001", "email": "mina@example.com", "userName": {}}
NOBODY = "there is no world 'nobody'"


@pytest.fixture
def worlds():
    return Worlds(users=3, now=NOW)


@pytest.fixture
def admin(worlds):
    return Admin(worlds)


def call_through(worlds, world):
    """A caller of a world through the door of all worlds."""
    caller = Caller(world)
    caller.http = httpx.Client(transport=worlds.transport())
    return caller


# What a world is


def test_a_world_is_a_fake_with_urls_and_a_key_of_its_own(worlds, admin):
    made = admin("POST", "/worlds", {"name": "mina"})
    facts = made.json()
    assert made.status_code == 201
    assert facts.pop("name") == "mina"
    assert facts == dict(worlds.find("mina").facts)
    assert facts.keys() == worlds.facts.keys()
    urls = [facts[name] for name in facts if name.endswith("_url")]
    assert [httpx.URL(url).path for url in [*urls, facts["webhooks"][0].rpartition("/message/")[0]]] == [
        "/w/mina"
    ] * 6
    assert facts["admin_key"] != worlds.facts["admin_key"]
    assert admin("GET", "/worlds/mina").json() == {"name": "mina", **facts}


def test_what_is_not_given_is_as_in_the_fake_that_has_the_worlds(worlds, admin):
    assert admin("POST", "/worlds", {"name": "one"}).json()["users"] == ["u-001", "u-002", "u-003"]
    given = {
        "name": "two",
        "users": 2,
        "seed": 5,
        "now": "2026-07-01T00:00:00+09:00",
        "assume": {"api.unauthorized": "403"},
    }
    assert admin("POST", "/worlds", given).json()["now"] == given["now"]
    world = worlds.find("two")
    assert len(world.directory) == 2
    people = FakeService.sample(users=2, seed=5).directory
    assert world.directory["u-001"]["userName"] == people["u-001"]["userName"]
    url = world.facts["base_url"] + "/users/u-001"
    assert call_through(worlds, world).http.patch(url, json={}).status_code == 403


@pytest.mark.parametrize("data", [[MINA], {"users": [MINA]}])
def test_data_replace_the_users(admin, data):
    facts = admin("POST", "/worlds/mina", {"data": data}).json()
    assert (facts["users"], facts["login_id"]) == (["u-001"], "mina@example.com")


def test_users_replace_the_data_of_the_fake_that_has_the_worlds():
    worlds = Worlds(now=NOW, data=[MINA | {"userId": "mina"}])
    admin = Admin(worlds)
    assert admin("POST", "/worlds", {"name": "as-there"}).json()["users"] == ["mina"]
    assert admin("POST", "/worlds", {"name": "own", "users": 3}).json()["users"] == [
        "u-001",
        "u-002",
        "u-003",
    ]
    rooms = Worlds(now=NOW, data={"rooms": [{"channelId": "class", "webhooks": ["News"]}]})
    world = rooms.create("few", users=2)  # data without users add to the sample
    assert (len(world.directory), world.webhooks.rooms()) == (2, ["class"])
    both = Worlds(now=NOW, data={"users": [MINA], "rooms": [{"channelId": "class"}]})
    assert both.create("all").webhooks.rooms() == ["class"]
    assert both.create("none", users=2).webhooks.rooms() == ["channel-1"]  # all data are left out


def test_the_fake_that_has_worlds_is_not_copied_without_them(worlds, admin):
    world = worlds.create("mina")
    for act in (worlds.fork, worlds.snapshot):
        with pytest.raises(Refusal, match=r"without them; .* each world"):
            act()
    assert "take one of each world" in admin.refused("GET", "/snapshot", status=409)
    secret, taken = worlds.facts["client_secret"], FakeService.sample(users=3, now=NOW).snapshot()
    assert "restore one in a world" in admin.refused("PUT", "/snapshot", taken, status=409)
    with pytest.raises(Refusal, match="restore one in a world"):
        worlds.restore(taken)
    assert worlds.facts["client_secret"] == secret
    assert world.fork().facts["client_secret"] == world.facts["client_secret"]
    assert Admin(world)("GET", "/snapshot").status_code == 200


def test_a_world_without_a_name_gets_one(worlds, admin):
    names = {admin("POST", "/worlds", {}).json()["name"] for _ in range(3)}
    assert admin("GET", "/worlds").json() == {"worlds": sorted(names)}
    assert len(names) == 3


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("/worlds", {"name": "Mina"}, 400, "lower-case letters"),
        ("/worlds", {"name": "../mina"}, 400, "given '../mina'"),
        ("/worlds", {"name": ""}, 400, "1 to 63"),
        ("/worlds", {"name": "x" * 64}, 400, "1 to 63"),
        ("/worlds/mina", {"name": "ada"}, 400, "as in the path"),
        ("/worlds", {"users": 0}, 400, "1 to 1000000 users"),
        ("/worlds", {"users": "3"}, 400, "users"),
        ("/worlds", {"now": "tomorrow"}, 400, "not an instant"),
        ("/worlds", {"assume": {"api.unauthorized": "404"}}, 400, "not an alternative"),
        ("/worlds", {"data": "/etc/passwd"}, 400, 'data must be an object; given "/etc/passwd"'),
        ("/worlds", {"data": [1]}, 400, "data[0] must be an object"),
        ("/worlds", {"colour": "red"}, 400, "its fields are assume, data, name, now, seed, users"),
        ("/worlds", {"name": "taken"}, 409, "delete it first"),
    ],
)
def test_what_cannot_be_a_world_is_said(worlds, admin, path, body, status, said):
    worlds.create("taken")
    assert said in admin.refused("POST", path, body, status=status)
    assert worlds.names() == ["taken"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/worlds", None),
        ("POST", "/worlds", {}),
        ("POST", "/worlds", {"users": "many", "colour": "red"}),
        ("POST", "/worlds/x", ["not an object"]),
        ("GET", "/worlds/x", None),
        ("DELETE", "/worlds/x", {"name": "x"}),
    ],
)
def test_a_fake_without_worlds_says_which_has_them_whatever_the_body(method, path, body):
    admin = Admin(make())
    assert "svckit serve --worlds" in admin.refused(method, path, body, status=404)


def test_alternatives_are_added_to_those_that_all_have():
    worlds = Worlds(now=NOW, assume={"api.unauthorized": "403"})
    rules = worlds.create("mina", assume={"api.not-found": "400"}).rules
    assert [rules[name].chosen for name in ("api.unauthorized", "api.not-found")] == ["403", "400"]


# Isolation


def test_nothing_that_opens_one_world_opens_another(worlds):
    one, other = (Caller(worlds.create(name, seed=0)) for name in ("one", "other"))
    for caller in (one, other):
        caller.upload_url = caller.url("/users/u-001/photo")
    names = ("client_secret", "password", "admin_key", "bot_secret", "webhooks")
    assert [name for name in names if one.facts[name] == other.facts[name]] == []
    assert one.bearer != other.bearer
    with httpx.Client(transport=worlds.transport()) as http:
        assert (
            http.patch(other.facts["base_url"] + "/users/u-001", json={}, headers=one.bearer).status_code
            == 401
        )
        key = {"Authorization": f"Bearer {one.facts['admin_key']}"}
        for facts in (other.facts, worlds.facts):
            assert http.get(facts["admin_url"] + "/clock", headers=key).status_code == 401
            assert http.get(facts["admin_url"] + "/worlds", headers=key).status_code == 401
        own = {"Authorization": f"Bearer {worlds.facts['admin_key']}"}
        assert http.get(one.facts["admin_url"] + "/clock", headers=own).status_code == 401
        for url, body in ((one.facts["webhooks"][0], {"body": {"text": "hello"}}), (one.upload_url, {})):
            moved = url.replace("/w/one/", "/w/other/")
            assert http.post(moved, json=body, headers=other.bearer).status_code in (400, 404)
    assert other.facts["now"] == one.facts["now"]


def test_a_clock_a_fault_and_a_reset_are_for_one_world(worlds):
    one, other = worlds.create("one"), worlds.create("other")
    one.clock.advance(hours=1)
    one.faults.status("users.update", 503, times=None)
    assert other.facts["now"] == worlds.facts["now"] == NOW != one.facts["now"]
    statuses = [call_through(worlds, each).patch().status_code for each in (one, other)]
    assert statuses == [503, 200]
    other.reset()
    assert (len(one.journal), len(other.journal), len(worlds.journal)) == (1, 0, 0)


# URLs


@pytest.mark.parametrize(
    "addresses", [None, {"base_url": "https://www.example.com/v1.0", "auth_url": "https://www.example.com"}]
)
def test_every_url_of_a_world_has_its_path(addresses):
    worlds = Worlds(users=3, now=NOW, addresses=addresses)
    world = worlds.create("mina")
    with connect(world) as svc:
        stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
        assert svc.files.download(places.drive("u-001").file(stored.file_id)) == b"hello"
        svc.users.update("u-001", nick_name="Mina")
        svc.notify("hello")
    assert all("/w/mina/" in entry.url for entry in world.journal)


@pytest.mark.parametrize(
    "url", ["https://api.fake.test/w/nobody/users/u-001", "HTTPS://API.FAKE.TEST:443/w/nobody"]
)
def test_a_world_that_is_not_there_is_said(worlds, url):
    with httpx.Client(transport=worlds.transport()) as http:
        response = http.get(url)
        assert (response.status_code, response.json()["code"]) == (404, "NOT_FOUND")
        assert NOBODY in response.json()["description"]
        assert http.head(url).content == b""
        with pytest.raises(httpx.ConnectError):
            http.get("https://example.com/w/nobody")


def test_a_mounted_app_has_worlds_below_its_prefix(worlds):
    world = worlds.create("mina")

    async def call():
        transport = httpx.ASGITransport(worlds.asgi, root_path="/fake")
        async with httpx.AsyncClient(transport=transport, base_url="http://app.example/fake") as http:
            headers = {"Authorization": f"Bearer {world.facts['admin_key']}"}
            return (await http.get("/w/mina/admin/facts", headers=headers)).json()

    assert asyncio.run(call())["auth_url"] == "http://app.example/fake/w/mina/auth"


# Limits


def test_an_unused_world_is_removed():
    seconds = 0
    worlds = Worlds(now=NOW, idle=60, monotonic=lambda: seconds)
    for name in ("one", "two"):
        worlds.create(name)
    seconds = 59
    call_through(worlds, worlds.find("two")).patch()
    seconds = 60
    assert worlds.names() == ["two"]
    seconds = 119
    with pytest.raises(Refusal, match="one that is not used for 60 seconds is removed"):
        worlds.find("two")
    worlds.create("two")


def test_there_is_a_limit_on_worlds():
    worlds = Worlds(now=NOW, most=2)
    admin = Admin(worlds)
    assert [admin("POST", "/worlds", {}).status_code for _ in range(3)] == [201, 201, 409]
    name = worlds.names()[0]
    assert admin("DELETE", f"/worlds/{name}").status_code == 204
    assert admin("POST", "/worlds", {}).status_code == 201


def test_a_world_holds_so_many_bytes():
    worlds = Worlds(now=NOW, most_bytes=100_000)
    full, other = (call_through(worlds, worlds.create(name)) for name in ("full", "other"))

    content = bytes(60_000)
    assert full.upload(content=content)["fileId"]
    with pytest.raises(
        NotSaved, match=r"the world 'full' may hold 100000 bytes, and holds 6\d{4}, so \d+ more do not fit"
    ):
        full.upload(content=content)
    assert other.upload(content=content)["fileId"]
    assert full.patch(nickName="Mina").status_code == 200
    with pytest.raises(NotSaved):
        full.patch(nickName="x" * 50_000)
    assert Admin(worlds.find("full"))("POST", "/reset").status_code == 204
    full.become()
    assert full.upload(content=content)["fileId"]


def test_data_count_too():
    worlds, data = Worlds(now=NOW, most_bytes=50_000), {"users": [MINA]}
    place = {"place": "/users/u-001/drive/files", "name": "a", "text": "x" * 30_000}
    caller = call_through(worlds, worlds.create("mina", data=data | {"files": [place]}))
    with pytest.raises(NotSaved):
        caller.patch(nickName="x" * 20_000)
    with pytest.raises(NotSaved, match="may hold 50000 bytes, and holds"):
        worlds.create("ada", data=data | {"files": [place | {"text": "x" * 50_000}]})
    assert worlds.names() == ["mina"]


def test_what_small_requests_leave_counts_too():
    worlds = Worlds(users=200, now=NOW, most_bytes=100_000)
    caller = call_through(worlds, worlds.create("mina"))
    for number in range(1, 41):  # records of 1.7 kB, beside the journal
        caller.patch(f"u-{number:03d}", task="t")
    with pytest.raises(NotSaved):
        all(caller.patch(f"u-{number:03d}", task="t") for number in range(41, 61))


def test_requests_that_leave_nothing_never_fill_a_world():
    worlds = Worlds(now=NOW, most_bytes=50_000)
    caller = call_through(worlds, worlds.create("mina"))
    for number in range(40):
        assert caller.patch(nickName=f"{number}" * 2_000).status_code == 400
    with pytest.raises(NotSaved):
        caller.api("PATCH", "/users/u-001", content=(bytes(1_000) for _ in range(60)))


def test_a_full_world_says_so_over_tcp():
    worlds = Worlds(now=NOW, most_bytes=10_000)
    with worlds.serve() as served, local_client() as http:
        world = worlds.create("mina")
        url = f"{served.url}/w/mina/api/users/u-001"
        headers = {"Authorization": f"Bearer {world.access_token()}"}
        for content in (bytes(20_000), (bytes(1_000) for _ in range(20))):
            response = http.patch(url, content=content, headers=headers)
            assert (response.status_code, response.json()["code"]) == (507, "NOT_SAVED")
