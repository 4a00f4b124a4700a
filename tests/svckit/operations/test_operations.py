"""Operations driven by hand: the calls they yield, and what they make of the replies."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO
from typing import Any, TypeVar, get_type_hints

import pytest

from svckit import places
from svckit.errors import InvalidInput, ServiceError
from svckit.http.messages import Operation, Request, Response
from svckit.models import UserChange
from svckit.operations import downloads, notifications, uploads, users

T = TypeVar("T")
USER = {"domainId": 1, "userId": "u-001", "email": "mina@example.com", "userName": {}}


def response(value: Any, status: int = 200, **headers: str) -> Response:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Response(
        status, {name.replace("_", "-"): text for name, text in headers.items()}, content, "test", "GET x"
    )


def drive(operation: Operation[T], *replies: Response) -> tuple[list[Request], T]:
    calls = [next(operation)]
    for reply in replies:
        if calls[-1].sink is not None:
            calls[-1].sink.begin(len(reply.content))
            calls[-1].sink.write(reply.content)
        try:
            calls.append(operation.send(reply))
        except StopIteration as done:
            return calls, done.value
    raise AssertionError("the operation wants another reply")


def test_update_sends_what_is_given_and_nothing_else() -> None:
    calls, user = drive(users.update("a/b@c", nick_name="Mina", task=None), response(USER))
    assert [(c.method, c.target, c.json) for c in calls] == [
        ("PATCH", "/users/a%2Fb%40c", {"nickName": "Mina", "task": None})
    ]
    assert user.user_id == "u-001"


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
    assert "not a field of a user" in said["shoe_size"]
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
    (call,), status = drive(operation, response({"profileStatusId": "AWAY", "scheduleType": "RESERVED"}))
    assert call.target == "/users/u-001/user-profile-statuses"
    assert call.json == {
        "profileStatusId": "AWAY",
        "startTime": "2026-06-02T00:00:00Z",
        "endTime": "2026-06-03T09:00:00+09:00",
        "autoReplyMail": {"internal": {"content": "back soon"}},
    }
    assert status.schedule_type == "RESERVED"


def test_none_is_sent_as_null_with_a_status_too() -> None:
    call = next(users.set_status("u-001", "BUSY", None, start=None, end=None, auto_reply=None))
    nulls = dict.fromkeys(("statusMessage", "startTime", "endTime", "autoReplyMail"))
    assert call.json == {"profileStatusId": "BUSY"} | nulls


def test_set_status_is_checked_before_it_is_sent() -> None:
    with pytest.raises(InvalidInput) as caught:
        next(users.set_status("u-001", "SLEEPING", "x" * 51))  # type: ignore[arg-type]
    assert [problem.path for problem in caught.value.problems] == ["profile_status_id", "message"]


def test_a_response_that_makes_no_sense_says_what_is_wrong() -> None:
    with pytest.raises(ServiceError, match=r"userName must be an object.*\(200; GET x\)"):
        drive(users.read("u-001"), response({"domainId": 1, "userName": "Sato"}))


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (lambda: users.update("u", nick_name="x" * 101), "nick_name must have at most 100 characters"),
        (lambda: users.update("u", messenger={"protocol": "MSGR_A"}), "messenger.messenger_id is required"),
        (
            lambda: users.update("u", organizations=[{"domain_id": 1, "primary": True, "org_units": [{}]}]),
            "organizations[0].org_units[0].org_unit_id is required",
        ),
        (lambda: users.update("u", nick_name="\ud800"), "nick_name holds half of a character"),
        (
            lambda: users.update("u", position="\ud800", employment_type_id="\ud800"),
            "employment_type_id holds half",
        ),
        (lambda: users.set_status("u", "BUSY", start="soon"), "start must be"),
        (lambda: users.set_status("u", "BUSY", auto_reply={"internal": 5}), "auto_reply.internal must be"),
        (lambda: notifications.notify("https://h.test/1", "\ud800"), "text holds half of a character"),
        (lambda: notifications.notify("https://h.test/1", 7), "not sent: text must be a string; given 7"),
        (
            lambda: notifications.notify("https://h.test/1", "x", button=("a", 5)),
            "button.url must be a string",
        ),
        (lambda: notifications.notify("https://h.test/1", "x", button=("a", "b", "c")), "given a tuple of 3"),
        (lambda: notifications.notify("https://h.test/1", "x", button=["a", "b"]), "given a list of 2"),
        (lambda: notifications.notify(5, "x"), "webhook must be a webhook URL"),
        (
            lambda: uploads.upload(b"x", to=places.bot("b"), name="\ud800.txt"),
            "name holds half of a character",
        ),
        (lambda: uploads.upload(b"x", to="/users/u/drive/files", name="x"), "a place looks like"),
        (
            lambda: downloads.download("f-1"),
            'a place looks like places.drive("u-001").file(file_id)',
        ),
        (lambda: uploads.upload(5, to=places.bot("b"), name="x"), "given 5"),
        (
            lambda: uploads.upload(StringIO("x"), to=places.bot("b"), name="x"),
            "given a StringIO",
        ),
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
