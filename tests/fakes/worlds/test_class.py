"""A class: learners post progress from their worlds, and what the server's key pushes reaches all of them."""

import re
from functools import partial

import httpx
import pytest

from fakes import Worlds
from fakes.handlers.admin_routes import ADMIN_ROUTES
from fakes.worlds.class_book import ClassBook

from ..admin import Admin
from ..caller import NOW, make

TRIED = {
    "lesson": "08",
    "outcome": "not yet",
    "check": "too soon",
    "tries": 1,
    "at": "2026-06-01T09:00:00+00:00",
}
FAULT = {"kind": "status", "target": "users.update", "status": 503}


@pytest.fixture
def worlds():
    return Worlds(users=3, now=NOW)


@pytest.fixture
def trainer(worlds):
    return Admin(worlds)


@pytest.fixture
def mina(worlds):
    return Admin(worlds.create("mina"))


def later(minutes, **changes):
    return TRIED | {"at": f"2026-06-01T09:{minutes:02}:00+00:00"} | changes


def test_trainer_sees_what_each_world_posts(worlds, trainer, mina):
    ada = Admin(worlds.create("ada"))
    assert mina("POST", "/progress", TRIED | {"learner": "Mina"}).status_code == 204
    started = later(1, outcome="started", tries=0)
    del started["check"]
    assert ada("POST", "/progress", started).status_code == 204
    (first, second) = trainer("GET", "/progress").json()["progress"]
    assert first == started | {"check": "", "world": "ada", "learner": "", "since": started["at"]}
    assert second == TRIED | {"world": "mina", "learner": "Mina", "since": TRIED["at"]}
    assert mina("GET", "/progress").json()["progress"] == [second]


def test_since_is_when_the_learner_got_stuck(trainer, mina):
    seen = []
    posts = [later(0), later(5, tries=2), later(7, check="too late"), later(9, outcome="solved", tries=4)]
    for tried in posts:
        mina("POST", "/progress", tried)
        (found,) = trainer("GET", "/progress").json()["progress"]
        seen.append((found["tries"], found["since"][14:16], found["at"][14:16]))
    assert seen == [(1, "00", "00"), (2, "00", "05"), (1, "07", "07"), (4, "09", "09")]


@pytest.mark.parametrize(
    "wrong",
    [
        {"outcome": "graded"},
        {"lesson": ""},
        {"lesson": "x" * 101},
        {"tries": -1},
        {"tries": True},
        {"at": "yesterday"},
        {"at": "2026-06-01T09:00:00"},
        {"code": "def post_all(): ..."},
    ],
)
def test_other_progress_is_refused(trainer, mina, wrong):
    mina.refused("POST", "/progress", TRIED | wrong)
    assert trainer("GET", "/progress").json() == {"progress": []}


def test_a_learner_cannot_fill_the_server(trainer, mina):
    for number in range(100):
        assert mina("POST", "/progress", TRIED | {"lesson": str(number)}).status_code == 204
    assert "100 lessons" in mina.refused("POST", "/progress", TRIED | {"lesson": "more"}, status=409)
    assert mina("POST", "/progress", TRIED | {"lesson": "99", "tries": 2}).status_code == 204
    assert len(trainer("GET", "/progress").json()["progress"]) == 100


def test_pushes_come_in_order_and_once(trainer, mina):
    pushes = [
        {"fault": FAULT},
        {"clock": {"advance": 60}},
        {"message": {"botId": "bot-1", "userId": "u-001", "content": {"type": "text", "text": "hello"}}},
        {"clear": "faults"},
    ]
    for number, push in enumerate(pushes, 1):
        response = trainer("POST", "/pushes", push)
        assert (response.status_code, response.json()) == (201, {"number": number, **push})
    assert mina("GET", "/pushes?since=2").json()["pushes"] == [
        {"number": number, **push} for number, push in enumerate(pushes[2:], 3)
    ]
    assert len(trainer("GET", "/pushes").json()["pushes"]) == 4
    assert "since=" in mina.refused("GET", "/pushes?since=first")


@pytest.mark.parametrize(
    ("push", "said"),
    [
        ({}, "exactly one"),
        ({"fault": FAULT, "clear": "faults"}, "exactly one"),
        ({"fault": {"kind": "status", "target": "user.update"}}, "did you mean users.update"),
        ({"fault": {"kind": "earthquake"}}, "one of"),
        ({"clock": {}}, "either"),
        ({"clock": {"to": "tomorrow"}}, "cannot be moved"),
        ({"message": {"botId": "bot-1"}}, "userId"),
        ({"clear": "users"}, "clear"),
    ],
)
def test_other_pushes_are_refused(trainer, push, said):
    assert said in trainer.refused("POST", "/pushes", push)
    assert trainer("GET", "/pushes").json() == {"pushes": []}


def test_a_push_touches_no_fake_by_itself(worlds, trainer, mina):
    trainer("POST", "/pushes", {"fault": FAULT})
    assert not worlds.faults
    assert not mina.fake.faults


def test_the_key_of_a_learner_opens_their_own_world_only(worlds, trainer, mina):
    """Each call, with each method that it has, against another world and the server with the class."""
    other = worlds.create("ada")
    before = other.snapshot(), dict(other.facts)
    key = {"Authorization": f"Bearer {mina.fake.facts['admin_key']}"}
    values = {"worldName": "ada", "userId": "u-001", "channelId": "channel-1", "botId": "bot-1"}
    with httpx.Client(transport=worlds.transport(), headers=key) as http:
        for route in ADMIN_ROUTES:
            path = re.sub(r"{(\w+)}", lambda found: values.get(found[1], "1"), route.template)
            for fake in (worlds, other):
                response = http.request(route.method, fake.facts["admin_url"] + path, json={})
                assert route.keyless or response.status_code == 401, (route, fake)
    assert (other.snapshot(), dict(other.facts)) == before
    assert worlds.names() == ["ada", "mina"]
    assert trainer("GET", "/pushes").json() == {"pushes": []}
    assert "cannot push" in mina.refused("POST", "/pushes", {"fault": FAULT}, status=404)
    for method, path in (
        ("GET", "/worlds"),
        ("POST", "/worlds"),
        ("GET", "/worlds/ada"),
        ("DELETE", "/worlds/ada"),
    ):
        assert mina(method, path, {} if method == "POST" else None).status_code == 404


def test_a_fake_of_no_class_says_so():
    response = Admin(make())("POST", "/progress", TRIED)
    assert (response.status_code, response.json()["code"]) == (404, "NO_CLASS")
    assert "of no class" in response.json()["description"]


def test_a_restart_loses_nothing_and_other_processes_see_all(opened):
    first = opened()
    Admin(first.create("mina"))("POST", "/progress", TRIED)
    Admin(first)("POST", "/pushes", {"fault": FAULT})
    other = Admin(opened())
    before = other("GET", "/progress").json(), other("GET", "/pushes").json()
    assert [len(each) for found in before for each in found.values()] == [1, 1]
    first.close()
    again = Admin(opened())
    assert (again("GET", "/progress").json(), again("GET", "/pushes").json()) == before
    again.fake.remove("mina")
    assert other("GET", "/progress").json() == {"progress": []}


def count_steps(book, action):
    """Return how many instructions of the database an action takes; it is compared with itself, not with a limit."""
    steps = []
    book._file.set_progress_handler(lambda: steps.append(1), 1)
    action()
    book._file.set_progress_handler(None, 1)
    return len(steps)


def test_very_many_posts_make_the_next_no_dearer():
    def measure(learners, posts):
        book = ClassBook()
        for number in range(posts):
            world = f"learner-{number % learners:03}"
            book.post(world, TRIED | {"lesson": f"{number // learners % 12:02}", "tries": number})
        costs = [
            count_steps(book, partial(book.post, "learner-001", TRIED)),
            count_steps(book, partial(book.read, "learner-001")),
            count_steps(book, partial(book.pushes, 0)),
        ]
        pages = book._file.execute("PRAGMA page_count").fetchone()[0]
        return costs, count_steps(book, book.read), pages, len(book.read())

    few, few_read, few_pages, records = measure(learners=25, posts=300)
    costs, read, pages, more_records = measure(learners=25, posts=10_000)
    assert (costs, more_records) == (few, records)
    assert read <= 1.1 * few_read
    assert pages <= 1.1 * few_pages
    of_ten_times_the_learners = measure(learners=250, posts=3_000)[0]
    assert all(many <= 1.5 * one for many, one in zip(of_ten_times_the_learners, few, strict=True))


def test_a_class_that_cannot_be_saved_is_a_507(opened, tmp_path):
    (tmp_path / "class.db").write_text("not a database" * 100)
    with opened().serve() as server:
        key = {"Authorization": f"Bearer {server.facts['admin_key']}"}
        response = httpx.get(f"{server.facts['admin_url']}/progress", headers=key)
    assert response.status_code == 507
    assert "cannot be used" in response.text
