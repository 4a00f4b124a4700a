"""What is given in the wrong place, or written wrongly, gets what is taken."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import svckit
from svckit import frames, places, plots, widgets
from svckit.session.session import Session

Wrong = Callable[[Any], object]

WRONG: dict[str, tuple[Wrong, str]] = {
    "a session to read": (frames.read_users, "read_users takes a path"),
    "a session to draw": (plots.timeline, "a timeline takes a pandas frame"),
    "a session as a table": (widgets.PagedTable, "a table takes a pandas frame"),
    "a list as a table": (lambda _: widgets.PagedTable([1, 2]), "; given a list of 2"),  # type: ignore[arg-type] # wrong
    "a form of a user": (
        lambda svc: widgets.UserForm(svc, svc.users.read("u-003")),
        "the ID of a user, such as 'u-001'; given a User",
    ),
    "no users to explore": (lambda _: widgets.UsersExplorer({}), "the users frame needs"),  # type: ignore[arg-type] # wrong
    "explorers by a list": (
        lambda svc: svc.explore(["users"]),
        "name is a string such as 'users'; given a list of 1",
    ),
    "a record to look at": (lambda svc: widgets.RecordView(svc.users.read("u-003")), "show(record, title="),
    "nothing to explore": (lambda _: widgets.UsersExplorer(None), "; given None"),  # type: ignore[arg-type] # wrong
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_taken_is_said(what: str, svc: Session) -> None:
    call, says = WRONG[what]
    with pytest.raises(TypeError, match=re.escape(says)):
        call(svc)


@pytest.mark.parametrize("kind", [widgets.UsersExplorer, widgets.UserForm])
@pytest.mark.parametrize("arguments", [(), (5,)])
def test_what_could_not_be_made_can_be_closed(kind: type[Any], arguments: tuple[Any, ...]) -> None:
    refused = kind.__new__(kind)
    with pytest.raises(TypeError):
        refused.__init__(*arguments)
    refused.close()  # as the garbage collector does


@pytest.mark.parametrize(
    ("kind", "given", "meant"),
    [
        (widgets.FilesExplorer, "paht", "path"),
        (widgets.InboxExplorer, "txt", "text"),
        (widgets.NotificationsExplorer, "titel", "title"),
        (widgets.SignInExplorer, "usr", "user"),
        (widgets.TimeExplorer, "traget", "target"),
        (widgets.FakeExplorer, "webhok", "webhook"),
    ],
)
def test_a_field_of_no_such_name_says_which_is_nearest(
    kind: type[Any], given: str, meant: str, svc: Session
) -> None:
    explorer = kind(svc)
    head = getattr(explorer, "head", explorer)
    before = head.draft
    with pytest.raises(svckit.errors.InvalidInput, match=re.escape(f"{given}; did you mean {meant}?")):
        explorer.write(**{given: "x"})
    assert head.draft == before


@pytest.mark.parametrize(("given", "meant"), [("Users", "users"), ("user", "users"), ("signin", "sign-in")])
def test_an_explorer_of_no_such_name_says_which_is_nearest(given: str, meant: str, svc: Session) -> None:
    with pytest.raises(ValueError, match=re.escape(f"did you mean {meant}?")):
        svc.explore(given)


@pytest.mark.parametrize(
    ("owner", "given", "meant"),
    [
        (svckit, "frame", "frames"),
        (frames, "user", "users"),
        (places, "drve", "drive"),
        (widgets, "UserFrom", "UserForm"),
        (frames.users([]).svc, "change", "changes"),
    ],
)
def test_unknown_name_suggests_the_nearest(owner: object, given: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(f"has no attribute '{given}'; did you mean {meant}?")):
        getattr(owner, given)
