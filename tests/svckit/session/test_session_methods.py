"""Methods of a session say what they take, show their own use, and suggest the nearest for an unknown name."""

import doctest
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from svckit import places
from svckit.session.connect import connect, connect_async
from svckit.session.files import AsyncFiles, Files
from svckit.session.session import Session
from svckit.session.users import AsyncUsers, Users


@pytest.mark.parametrize("shown", [Users.update, Users.read, Users.set_status, Files.upload])
def test_the_examples_of_a_method_run_and_are_its_own(shown: Callable[..., Any]) -> None:
    text = inspect.getdoc(shown) or ""
    found = doctest.DocTestParser().get_doctest(text, {}, shown.__name__, None, None)
    assert f"svc.{'files' if shown is Files.upload else 'users'}.{shown.__name__}(" in text
    assert "next(" not in text
    assert doctest.DocTestRunner().run(found).failed == 0


@pytest.mark.parametrize("shown", [AsyncUsers.update, AsyncUsers.set_status, AsyncFiles.upload])
def test_a_method_to_be_awaited_says_so(shown: Callable[..., Any]) -> None:
    assert "To be awaited" in (shown.__doc__ or "")
    assert "next(" not in (shown.__doc__ or "")


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (
            lambda svc: svc.users.list(),
            r"svc.users has no attribute 'list'; list_known\(\) gives users, svckit.frames",
        ),
        (lambda svc: svc.users.get("u-001"), r"'get'; read\(user_id\) reads one user"),
        (lambda svc: svc.users.upd("u-001"), r"svc.users has no attribute 'upd'; did you mean update\?"),
        (lambda svc: svc.files.get, r"download\(place\) fetches a file"),
        (lambda svc: svc.file, r"Session has no attribute 'file'; did you mean files\?"),
        (lambda svc: svc.facts, r"Session has no attribute 'facts'; did you mean fake\.facts\?"),
        (lambda svc: svc.fake.facts.user_id, r"no attribute 'user_id'; read a fact as facts\['user_id'\]"),
        (lambda svc: svc.fake.facts.baseUrl, r"read a fact as facts\['base_url'\]; did you mean base_url\?"),
        (lambda svc: svc.notfy, r"did you mean notify\?"),
    ],
)
def test_unknown_attribute_suggests_the_nearest(
    svc: Session, ask: Callable[[Any], object], told: str
) -> None:
    with pytest.raises(AttributeError, match=told):
        ask(svc)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"status_message": "x"}, r"set_status\(\) has no argument 'status_message'; did you mean message\?"),
        (
            {"end_time": "x"},
            r"'end_time'; it takes user_id, profile_status_id, message, start, end, auto_reply",
        ),
    ],
)
def test_unknown_argument_suggests_the_nearest(svc: Session, given: dict[str, Any], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        svc.users.set_status("u-001", "BUSY", **given)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda svc: connect(seeds=1), r"connect\(\) has no argument 'seeds'; did you mean seed\?"),
        (
            lambda svc: connect(deviations={}),
            r"no argument 'deviations'; use svckit.connect\(fakes.FakeService.sample\(deviations=…\)\)",
        ),
        (lambda svc: connect_async(data="people.csv"), r"no argument 'data'; use .*sample\(data=…\)"),
        (lambda svc: places.drive(), r"drive\(\) needs user_id: ID of the member"),
        (
            lambda svc: svc.files.upload(b"x"),
            r'upload\(\) needs to: the place, such as places.drive\("u-001"\)',
        ),
        (lambda svc: svc.fake.stub("GET", "/groups", body={}), r"stub\(\) has no argument 'body'; use json="),
        (lambda svc: svc.fake.journal.where(path="/users"), r"'path'; use operation=, such as \"users.\*\""),
        (lambda svc: svc.fake.journal.to_har("x.har"), r"takes no arguments: Return .* ready for json.dumps"),
    ],
)
def test_wrong_arguments_say_what_is_taken(svc: Session, ask: Callable[[Session], object], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        ask(svc)


def test_a_folder_is_no_file(svc: Session, tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match=r"Is a folder; svc\.files\.upload_many sends many files"):
        svc.files.upload(tmp_path, to=places.drive("u-001"))


def test_text_is_a_path_and_content_is_bytes(svc: Session) -> None:
    with pytest.raises(FileNotFoundError, match="text is a path; pass content as bytes"):
        svc.files.upload("hello", to=places.drive("u-001"))


def test_signatures_fit_a_screen() -> None:
    """In a notebook, Shift-Tab shows a parameter per line."""
    for call in (Users.update, Users.set_status, AsyncUsers.update, Files.upload):
        shown = [str(parameter) for parameter in inspect.signature(call).parameters.values()]
        assert len(shown) <= 30
        assert [each for each in shown if "Ellipsis" in each or "svckit." in each or "typing." in each] == []
    assert str(inspect.signature(Users.update).parameters["nick_name"]) == "nick_name: str | None = unset"
