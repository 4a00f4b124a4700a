"""A class: what a check posts, what a push does to a learner's notebook, and what the trainer sees."""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

import svckit
from fakes import FakeService, Refusal, Worlds
from svckit import course
from svckit.course import attending, progress
from svckit.course.attending import Seat, attend, find_seat
from svckit.course.invitations import accept
from svckit.course.trainer import Classroom

from .test_submissions import run

NOW = "2026-06-01T09:00:00+09:00"


class Shell:
    """A notebook: what it has by name, and what is called before each cell."""

    def __init__(self, **names: Any) -> None:
        self.user_ns = names
        self.before: list[Callable[[], None]] = []
        self.events = SimpleNamespace(register=lambda event, function: self.before.append(function))

    def run(self) -> None:
        for each in self.before:
            each()


@pytest.fixture
def fake() -> FakeService:
    return FakeService.sample(now=NOW)


def post_all(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    """Sends nothing that the trainer may see: hunter2."""


def send_all(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        http.post(webhook, json={"body": {"text": text}})


send_all.__name__ = "post_all"


def test_a_check_posts_names_and_figures(room: Classroom) -> None:
    course.check(post_all)
    course.check(post_all)
    (found,) = room.records
    assert found.pop("at") >= found.pop("since")
    assert found == {
        "world": "mina",
        "learner": "Mina",
        "lesson": "08",
        "outcome": "not yet",
        "check": "nothing sent",
        "tries": 2,
    }
    assert room.frame[["learner", "check"]].to_dict("records") == [
        {"learner": "Mina", "check": "nothing sent"}
    ]
    assert "hunter2" not in repr(room.records)


def test_the_view_says_who_is_stuck_where_and_since_when(worlds: Worlds) -> None:
    posts = [
        ("ada", "00", "solved", "", "08:00"),
        ("ada", "08", "not yet", "too soon", "09:10"),
        ("jun", "08", "not yet", "too soon", "09:05"),
        ("mina", "08", "not yet", "polling", "09:20"),
        ("noor", "00", "started", "", "09:00"),
    ]
    for world, lesson, outcome, check, at in posts:
        tried = {"lesson": lesson, "outcome": outcome, "check": check, "tries": 1, "learner": world.title()}
        worlds.book.post(world, tried | {"at": f"2026-06-01T{at}:00+00:00"})
    lines = repr(course.classroom(worlds)).splitlines()
    assert lines[0] == "Class: 4 learners, 3 stuck"
    assert [line.split()[0] for line in lines[2:6]] == ["Jun", "Ada", "Mina", "Noor"]
    assert "08 120 a minute" in lines[2] or "08 " in lines[2]
    assert lines[-1].split("  ")[-1] == "too soon (2), polling (1)"


def test_a_view_follows_the_class_until_it_is_closed(
    worlds: Worlds, room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("svckit.course.trainer.INTERVAL", 0.01)
    updated = SimpleNamespace(update=lambda bundle, raw: (shown.append(bundle["text/plain"]), room.close()))
    monkeypatch.setattr("IPython.display.display", lambda bundle, **_: updated)
    room._ipython_display_()
    course.check(post_all)
    room._following.join(60)
    assert shown[0].startswith("Class: 1 learner, 1 stuck")


def test_pushes_reach_the_fakes_of_a_notebook_and_say_so(
    room: Classroom, fake: FakeService, capsys: pytest.CaptureFixture[str]
) -> None:
    room.clock.advance(days=3)  # before the notebook was opened
    shell = Shell()
    attend(shell)
    room.faults.status("notifications.post", 503, times=2)
    shell.run()
    assert capsys.readouterr().out == ""
    shell.user_ns |= {"fake": fake, "svc": svckit.connect(fake), "_": fake, "other": 1}
    shell.run()
    room.clock.advance(hours=1)
    room.send_message("bot-1", "u-003", {"type": "text", "text": "hello"})
    room.send_message("bot-1", "u-999", {"type": "text", "text": "hello"})
    shell.run()
    shell.run()
    assert [fault.label for fault in fake.faults] == ["status 503"]
    assert fake.clock.now().isoformat() == "2026-06-01T10:00:00+09:00"
    room.faults.clear()
    shell.run()
    assert not fake.faults
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "From your trainer, in fake: status 503 for notifications.post, 2 times",
        "From your trainer, in fake: it is now 2026-06-01T10:00:00+09:00",
        "From your trainer, in fake: u-003 wrote to bot-1",
    ]
    assert lines[3].startswith("From your trainer, in fake: a message that it does not take: ")
    assert lines[4:] == ["From your trainer, in fake: all faults are removed"]


def test_pushes_reach_each_world_and_name_those_that_did_not_take_them(
    worlds: Worlds, room: Classroom, capsys: pytest.CaptureFixture[str]
) -> None:
    ada, mina, noor = worlds.create("ada"), worlds.find("mina"), worlds.create("noor")
    assert room.push({"fault": {"kind": "status", "target": "users.update"}}) == {}
    assert [fault.label for world in (ada, mina, noor) for fault in world.faults] == ["status 503"] * 3
    assert capsys.readouterr().err == ""
    noor.clock.advance(days=9)
    room.clock.to("2026-06-02T09:00:00+09:00")
    said = capsys.readouterr().err
    assert said.startswith("The world of noor did not take it: ")
    assert "forward only" in said
    assert {world.clock.now().isoformat() for world in (ada, mina)} == {"2026-06-02T09:00:00+09:00"}
    room.faults.clear()
    assert not any(world.faults for world in (ada, mina, noor))


def test_the_trainer_sees_what_is_pushed(room: Classroom) -> None:
    assert (repr(room.faults), bool(room.faults)) == ("Pushed to all: 0 faults", False)
    room.faults.status("users.update", 503, times=2)
    room.push({"fault": {"kind": "reset"}})
    room.clock.advance(days=1)
    another = course.classroom()
    lines = [line.split() for line in repr(another.faults).splitlines()]
    assert lines[0] == ["Pushed", "to", "all:", "2", "faults"]
    assert lines[2] == ["status", "503", "users.update", "2"]
    assert lines[3][-2:] == ["*", "1"]
    assert "users.update" in room.faults._repr_html_()
    (first, _) = room.faults
    with pytest.raises(AttributeError, match=r"clear\(\) removes those of all"):
        room.faults.remove(first)
    room.faults.clear()
    assert len(room.faults) == 0


def test_pushes_change_no_result_of_a_check(room: Classroom, fake: FakeService) -> None:
    before = course.check(send_all)
    shell = Shell(fake=fake)
    attend(shell)
    room.faults.status("*", 503, times=None)
    room.clock.advance(days=1)
    shell.run()
    after = course.check(send_all)
    assert fake.faults
    assert (after.goals, after.happened, after.mistake) == (before.goals, before.happened, before.mistake)


def test_a_notebook_says_which_lesson_it_is(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", "/home/mina/svckit-notebooks/course/00-look-around.ja.ipynb")
    attend(Shell())
    (found,) = room.records
    assert (found["lesson"], found["outcome"], found["tries"]) == ("00", "started", 0)


def test_a_class_that_is_gone_stops_nobody(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SVCKIT_CLASS_ADMIN_URL", "http://127.0.0.1:9")
    shell = Shell(fake=FakeService.sample())
    attend(shell)
    course.check(post_all)
    shell.run()
    assert capsys.readouterr().err.count("Your class cannot be reached") == 1
    assert room.records == []


def test_a_class_that_comes_back_gets_the_progress_of_the_meantime(
    worlds: Worlds, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(attending, "monotonic", lambda: now[0])
    facts = worlds.find("mina").facts
    caller = attending.AdminCaller(facts["admin_url"], facts["admin_key"], transport=worlds.transport())
    broken = [True]

    def call(*sent: Any, **query: Any) -> Any:
        if broken[0]:
            raise RuntimeError("the fake responded with 507: the disk is full")
        return caller(*sent, **query)

    seat, fake = Seat(call), FakeService.sample()  # type: ignore[arg-type]  # a function is enough
    tried = {"goals": 0, "at": NOW}
    for solved, lesson in ((False, "post_all"), (True, "post_all"), (False, "look_around")):
        tries = [progress.Try(exercise=lesson, solved=solved, **tried)]
        seat.post(lesson, progress.Progress(tries=tries))
        now[0] += 1000
        assert list(seat.apply({"fake": fake})) == []
        now[0] += 1000
    assert capsys.readouterr().err.count("Your class cannot be reached") == 1
    broken[0] = False
    assert list(seat.apply({"fake": fake})) == []
    assert {each["lesson"]: each["outcome"] for each in worlds.book.read()} == {
        "08": "solved",
        "look_around": "not yet",
    }


@pytest.mark.parametrize(
    "failure",
    [
        Refusal("not_found", "there is no world 'mina'"),
        PermissionError("the admin key is another"),
        ImportError("Using SOCKS proxy, but the 'socksio' package is not installed"),
    ],
)
def test_a_class_that_does_not_know_a_learner_yet_is_asked_again(
    failure: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now, posted, known = [0.0], list[dict[str, Any]](), list[bool]()
    monkeypatch.setattr(attending, "monotonic", lambda: now[0])

    def call(method: str, path: str, body: Any = None, **query: Any) -> Any:
        if not known:
            raise failure
        posted.append(body)

    seat = Seat(call)  # type: ignore[arg-type]  # a function is enough
    for _ in range(3):
        seat.post("post_all", progress.Progress())
        now[0] += 1000
    known.append(True)
    seat.post("post_all", progress.Progress())
    assert capsys.readouterr().err.count(str(failure)) == 1
    assert [each["lesson"] for each in posted] == ["08"]


def test_progress_that_the_class_has_no_room_for_holds_nothing_up(
    worlds: Worlds, room: Classroom, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(100):
        worlds.book.post(
            "mina", {"lesson": f"{number:03}", "outcome": "started", "check": "", "tries": 0, "at": NOW}
        )
    course.check(post_all)
    shell = Shell(fake=FakeService.sample(now=NOW))
    attend(shell)
    room.clock.advance(days=1)
    shell.run()
    captured = capsys.readouterr()
    assert captured.err.count("100 lessons") == 1
    assert "it is now 2026-06-02" in captured.out


def test_a_check_in_a_folder_that_was_deleted_has_no_class(
    worlds: Worlds, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SVCKIT_LEARNER")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert not course.check(post_all).solved


def test_what_no_clock_can_do_is_pushed_to_nobody(worlds: Worlds, room: Classroom) -> None:
    for days in (-1, 10**7):
        with pytest.raises(ValueError, match="the clock cannot be moved like this"):
            room.clock.advance(days=days)
    assert worlds.book.pushes() == []


def test_a_fake_of_no_class_is_left_alone(fake: FakeService, capsys: pytest.CaptureFixture[str]) -> None:
    caller = attending.AdminCaller(
        fake.facts["admin_url"], fake.facts["admin_key"], transport=fake.transport()
    )
    assert list(Seat(caller).apply({"fake": fake})) == []
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["", "fake", "unknown", "work"])
def test_without_a_class_nothing_is_posted(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SVCKIT_PROFILE", name)
    for key in ("base_url", "auth_url", "upload_url", "webhook_url", "redirect_uri"):
        monkeypatch.setenv(f"SVCKIT_WORK_{key.upper()}", "https://work.example")
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_ID", "client-1")
    monkeypatch.setenv("SVCKIT_WORK_SCOPES", "user")
    monkeypatch.setenv("SVCKIT_WORK_ADMIN_KEY", "key")
    assert find_seat() is None


def test_a_profile_in_a_file_finds_the_class_too(
    worlds: Worlds, room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["[class]"]
    for name in ("base_url", "auth_url", "upload_url", "webhook_url", "client_id", "admin_url"):
        variable = f"SVCKIT_CLASS_{name.upper()}"
        lines.append(f'{name} = "{os.environ[variable]}"')
        monkeypatch.delenv(variable)
    Path("svckit.toml").write_text("\n".join(lines))
    course.check(post_all)
    assert len(room.records) == 1


def test_without_the_key_of_the_server_there_is_no_classroom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVCKIT_ADMIN_URL", "http://127.0.0.1:1")
    monkeypatch.delenv("SVCKIT_ADMIN_KEY", raising=False)
    with pytest.raises(ValueError, match="SVCKIT_ADMIN_KEY"):
        course.classroom()


def test_two_commands_make_a_class_without_a_hub(
    worlds: Worlds, room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited = run("invite", "ada", "mina")
    (first, ada), (second, mina) = (line.split(": ", 1) for line in invited.output.splitlines())
    assert (first, second) == ("ada", "mina")
    assert worlds.names() == ["ada", "mina"]
    assert worlds.find("mina").facts["admin_key"] in mina
    variables = accept(ada)
    assert variables["SVCKIT_LEARNER"] == "ada"
    assert worlds.facts["admin_key"] not in variables.values()
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    course.check(post_all)
    assert [each["world"] for each in room.records] == ["ada"]
    with svckit.connect() as svc:
        assert svc.users.read("u-001").user_id == "u-001"
