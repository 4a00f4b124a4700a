"""Operations driven by hand: the calls they yield, and what they make of the replies."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import pytest

from svckit import places
from svckit.errors import InvalidInput, ServiceError, Unreachable
from svckit.models import RateLimit, UserChange
from svckit.models.secret import Secret
from svckit.operations import files, notifications, users
from svckit.wire import Call, Operation, Reply

T = TypeVar("T")
USER = {"domainId": 1, "userId": "u-001", "email": "mina@example.com", "userName": {}}


def answer(value: Any, status: int = 200, **headers: str) -> Reply:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Reply(
        status, {name.replace("_", "-"): text for name, text in headers.items()}, content, "test", "GET x"
    )


def drive(operation: Operation[T], *replies: Reply) -> tuple[list[Call], T]:
    calls = [next(operation)]
    for reply in replies:
        if calls[-1].sink is not None:
            calls[-1].sink.write(reply.content)
        try:
            calls.append(operation.send(reply))
        except StopIteration as done:
            return calls, done.value
    raise AssertionError("the operation wants another reply")


def test_update_sends_what_is_given_and_nothing_else() -> None:
    calls, user = drive(users.update("a/b@c", nick_name="Mina", task=None), answer(USER))
    assert [(c.method, c.target, c.json) for c in calls] == [
        ("PATCH", "/users/a%2Fb%40c", {"nickName": "Mina", "task": None})
    ]
    assert user.user_id == "u-001"


def test_read_is_the_empty_update() -> None:
    (call,), _ = drive(users.read("u-001"), answer(USER))
    assert (call.method, call.json) == ("PATCH", {})


def test_update_lists_all_problems_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        next(
            users.update(
                "u-001",
                nickName="x",  # type: ignore[call-arg]
                is_pending=True,  # type: ignore[call-arg]
                shoe_size=38,  # type: ignore[call-arg]
                task="x" * 101,
                email=None,  # type: ignore[arg-type]
            )
        )
    said = {problem.path: problem.message for problem in caught.value.problems}
    assert "did you mean nick_name?" in said["nickName"]
    assert "read-only" in said["is_pending"]
    assert "no field of a user" in said["shoe_size"]
    assert "at most 100 characters" in said["task"]
    assert "cannot be null" in said["email"]
    assert len(said) == 5


@pytest.mark.parametrize("user_id", ["", ".", "..", None, 7])
def test_an_impossible_user_id_is_refused(user_id: Any) -> None:
    with pytest.raises(InvalidInput, match="user_id"):
        next(users.read(user_id))


def test_the_keywords_of_update_are_the_writable_fields() -> None:
    assert list(get_type_hints(users.UserChanges)) == list(UserChange.model_fields)


def test_set_status_sends_only_what_is_given() -> None:
    operation = users.set_status(
        "u-001",
        "AWAY",
        start=datetime(2026, 6, 2, tzinfo=UTC),
        end="2026-06-03T09:00:00+09:00",
        auto_reply={"internal": {"content": "back soon"}},
    )
    (call,), status = drive(operation, answer({"profileStatusId": "AWAY", "scheduleType": "RESERVED"}))
    assert call.target == "/users/u-001/user-profile-statuses"
    assert call.json == {
        "profileStatusId": "AWAY",
        "startTime": "2026-06-02T00:00:00Z",
        "endTime": "2026-06-03T09:00:00+09:00",
        "autoReplyMail": {"internal": {"content": "back soon"}},
    }
    assert status.schedule_type == "RESERVED"


def test_set_status_is_checked_before_it_is_sent() -> None:
    with pytest.raises(InvalidInput) as caught:
        next(users.set_status("u-001", "SLEEPING", "x" * 51))  # type: ignore[arg-type]
    assert [problem.path for problem in caught.value.problems] == ["profile_status_id", "message"]


def test_an_answer_that_makes_no_sense_says_what_is_wrong() -> None:
    with pytest.raises(ServiceError, match=r"email is required.*\(200; GET x\)"):
        drive(users.read("u-001"), answer({"domainId": 1, "userName": {}}))


TICKET = answer({"uploadUrl": "https://storage.work.test/uploads/1"})
STORED = answer({"fileId": "f-1"}, 201)


def test_upload_is_two_calls(tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(b"12345")
    operation = files.upload(path, to=places.drive("u-001"), overwrite=True)
    first = next(operation)
    second = operation.send(TICKET)
    assert (first.target, first.area) == ("/users/u-001/drive/files", "api")
    assert first.json == {"fileName": "report.pdf", "fileSize": 5, "overwrite": True}
    assert (second.target, second.area, second.bearer) == (
        "https://storage.work.test/uploads/1",
        "storage",
        True,
    )
    assert second.file is not None
    assert (second.file.name, second.file.file_name, second.file.content_type) == (
        "Filedata",
        "report.pdf",
        "application/pdf",
    )
    assert second.file.content.read() == b"12345"
    with pytest.raises(StopIteration) as done:
        operation.send(STORED)
    assert done.value.value.file_id == "f-1"
    assert second.file.content.closed


def test_upload_takes_bytes_and_open_files() -> None:
    for content in (b"12", bytearray(b"12"), memoryview(b"12")):
        calls, _ = drive(files.upload(content, to=places.photo("u-001"), name="me.png"), TICKET, STORED)
        assert calls[0].json == {"fileName": "me.png", "fileSize": 2}
    source = BytesIO(b"123")
    source.seek(2)
    calls, _ = drive(
        files.upload(source, to=places.bot("bot-1"), name="x", content_type="text/x"), TICKET, STORED
    )
    assert calls[0].json == {"fileName": "x", "fileSize": 3}
    assert not source.closed


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"source": b"1"}, "give the file a name"),
        ({"source": b"1", "name": "x", "content_type": "a/b\r\nX: y"}, "content_type"),
        ({"source": b"1", "name": "x", "content_type": 'text/plain; name="é"'}, "content_type"),
        ({"source": b"1", "name": "x", "to": places.audit_logs()}, "nothing can be uploaded there"),
    ],
)
def test_uploads_that_cannot_be(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        next(files.upload(**{"to": places.photo("u-001")} | arguments))


def test_a_file_that_is_missing_is_said_before_anything_is_sent() -> None:
    with pytest.raises(FileNotFoundError):
        next(files.upload("no such file", to=places.photo("u-001")))


FOUND = answer(b"", 302, location="https://storage.work.test/downloads/1")
FILE = places.drive("u-001").file("f-1")


def content(body: bytes, **headers: str) -> Reply:
    return answer(body, content_type="image/png", **headers)


def test_download_is_two_calls() -> None:
    calls, body = drive(files.download(FILE), FOUND, content(b"PNG", content_length="3"))
    assert [(c.method, c.target, c.area, c.bearer, c.expects) for c in calls] == [
        ("GET", "/users/u-001/drive/files/f-1/download", "api", True, (302,)),
        ("GET", "https://storage.work.test/downloads/1", "storage", True, (200,)),
    ]
    assert body == b"PNG"


@pytest.mark.parametrize(
    ("to", "written"), [("out/", "out/f-1.png"), (".", "f-1.png"), ("a/picture.png", "a/picture.png")]
)
def test_save_writes_where_it_is_told(to: str, written: str, tmp_path: Path) -> None:
    _, path = drive(files.save(FILE, f"{tmp_path}/{to}"), FOUND, content(b"PNG"))
    assert path == tmp_path / written
    assert path.read_bytes() == b"PNG"
    assert list(path.parent.iterdir()) == [path]


def test_ids_do_not_lead_out_of_the_directory(tmp_path: Path) -> None:
    _, path = drive(files.save(places.drive("u").file("../../x"), tmp_path), FOUND, content(b"PNG"))
    assert path.parent == tmp_path


def test_save_overwrites_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsError, match="overwrite=True"):
        next(files.save(FILE, path))
    assert path.read_bytes() == b"old"
    drive(files.save(FILE, path, overwrite=True), FOUND, content(b"new"))
    assert path.read_bytes() == b"new"


def test_half_a_file_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="2 of 3 bytes"):
        drive(files.save(FILE, tmp_path / "x"), FOUND, content(b"PN", content_length="3"))
    assert list(tmp_path.iterdir()) == []


def test_a_download_that_names_no_file_makes_no_directory(tmp_path: Path) -> None:
    for place in (places.drive("u-001"), "f-1"):
        with pytest.raises(InvalidInput):
            next(files.save(place, f"{tmp_path}/new/dir/"))  # type: ignore[arg-type] # a place is not text
    assert not list(tmp_path.iterdir())


def test_a_download_needs_a_file_and_a_location() -> None:
    with pytest.raises(InvalidInput, match="no file is named"):
        next(files.download(places.drive("u-001")))
    with pytest.raises(ServiceError, match="no Location"):
        drive(files.download(FILE), answer(b"", 302))


def test_notify_sends_no_token_and_reads_the_rate() -> None:
    rate = {
        "ratelimit_used": "1",
        "ratelimit_limit": "120",
        "ratelimit_remaining": "119",
        "ratelimit_reset": "60",
    }
    operation = notifications.notify(
        "https://h.test/message/canary", "Hi", title="CI", button=("Open", "https://a.b")
    )
    (call,), notified = drive(operation, answer({"code": 200, "description": "success"}, **rate))
    assert call.json == {
        "title": "CI",
        "body": {"text": "Hi"},
        "button": {"label": "Open", "url": "https://a.b"},
    }
    assert (call.bearer, call.area, call.target) == (False, "hooks", Secret("https://h.test/message/canary"))
    assert notified.rate_limit == RateLimit(1, 120, 119, 60)
    assert "canary" not in repr(call)


def test_notify_is_checked_before_it_is_sent() -> None:
    with pytest.raises(InvalidInput, match=r"not sent: text must be text; given 7"):
        next(notifications.notify("https://h.test/message/1", 7))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (lambda: users.update("u", nick_name="x" * 101), "nick_name must have at most 100 characters"),
        (lambda: users.update("u", messenger={"protocol": "MSGR_A"}), "messenger.messenger_id is required"),
        (
            lambda: users.update("u", organizations=[{"domain_id": 1, "primary": True, "org_units": [{}]}]),
            "organizations[0].org_units[0].org_unit_id is required",
        ),
        (lambda: users.update("u", nick_name="\ud800"), 'given "\\ud800"'),
        (
            lambda: users.update("u", position="\ud800", employment_type_id="\ud800"),
            "employment_type_id holds half",
        ),
        (lambda: users.set_status("u", "BUSY", start="soon"), "start must be"),
        (lambda: users.set_status("u", "BUSY", auto_reply={"internal": 5}), "auto_reply.internal must be"),
        (lambda: notifications.notify("https://h.test/1", "\ud800"), "text holds half of a character"),
        (lambda: notifications.notify("https://h.test/1", "x", button=("a", 5)), "button.url must be text"),
        (lambda: notifications.notify("https://h.test/1", "x", button=("a", "b", "c")), "type tuple of 3"),
        (lambda: notifications.notify("https://h.test/1", "x", button=["a", "b"]), "type list of 2"),
        (lambda: notifications.notify(5, "x"), "webhook is a notification URL"),
        (lambda: files.upload(b"x", to=places.bot("b"), name="\ud800.txt"), "name holds half of a character"),
        (lambda: files.upload(b"x", to="/users/u/drive/files", name="x"), "a place is written like"),
        (lambda: files.download("f-1"), "a place is written like"),
        (lambda: files.upload(5, to=places.bot("b"), name="x"), "given a value of type int"),
        (lambda: files.upload(StringIO("x"), to=places.bot("b"), name="x"), "given a value of type StringIO"),
    ],
)
def test_errors_name_what_the_caller_typed(operation: Callable[[], Operation[Any]], said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        next(operation())
    assert said in str(caught.value)
    assert str(caught.value).encode()


def test_the_names_of_custom_properties_stand_as_they_are() -> None:
    with pytest.raises(InvalidInput) as caught:
        next(users.update("u", custom_properties={"shoeSize": object()}))
    assert [problem.path for problem in caught.value.problems] == ["custom_properties"]
