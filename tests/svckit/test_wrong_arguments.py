"""Calls that are nearly right say what would be right."""

import asyncio
from collections.abc import Callable

import pytest

import svckit
from fakes import FakeService
from svckit import plots
from svckit.errors import InvalidInput, NotFound
from svckit.session.session import Session

# Most are errors to a type checker too, which is why it is told to ignore them.
CALLS: dict[str, tuple[Callable[[Session], object], type[Exception], str]] = {
    "a dict of fields": (
        lambda svc: svc.users.update("u-003", {"nick_name": "Mina"}),  # type: ignore[call-arg]
        TypeError,
        r'update\(\) takes only user_id by position; give the rest by name: update\("u-003", nick_name="M"\)',
    ),
    "too many by position": (
        lambda svc: svc.notify("text", "title"),  # type: ignore[misc]
        TypeError,
        r"notify\(\) takes only text by position; give the rest by name: notify\(text, name=value\)",
    ),
    "a room": (
        lambda svc: svc.notify("text", to="alerts"),  # type: ignore[call-arg]
        TypeError,
        r"notify\(\) has no argument 'to'; use webhook=",
    ),
    "a user in brackets": (
        lambda svc: svc.users["u-003"],  # type: ignore[index]
        TypeError,
        r"svc\.users cannot be indexed; svc\.users\.read\(user_id\) reads one user",
    ),
    "a file in brackets": (
        lambda svc: svc.files["f"],  # type: ignore[index]
        TypeError,
        r"svc\.files cannot be indexed; svc\.files\.download\(place\) fetches a file",
    ),
    "a loop over users": (
        lambda svc: list(svc.users),  # type: ignore[call-overload]
        TypeError,
        r"svc\.users cannot be iterated; svc\.users\.list_known\(\) lists users",
    ),
    "a status in lower case": (
        lambda svc: svc.users.set_status("u-003", "busy"),  # type: ignore[arg-type]
        InvalidInput,
        'given "busy"; did you mean BUSY?',
    ),
    "a user by name": (
        lambda svc: svc.users.read("Emi Kim"),
        NotFound,
        r"there is no user 'Emi Kim'; .*; a name does not address a user .*\. svc\.users\.list_known\(\) has the IDs",
    ),
    "a plot that is called otherwise": (
        lambda svc: (plots.rate, svc),  # type: ignore[attr-defined]
        AttributeError,
        r"svckit\.plots has no attribute 'rate'; did you mean rate_window?",
    ),
}


@pytest.mark.parametrize("mistake", CALLS)
def test_a_mistake_is_explained(mistake: str, fake: FakeService) -> None:
    call, kind, words = CALLS[mistake]
    with svckit.connect(fake) as svc:
        before = len(fake.journal)
        with pytest.raises(kind, match=words):
            call(svc)
        assert len(fake.journal) - before == (kind is NotFound)


def test_a_type_error_from_within_is_left_as_it_is(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise TypeError("from within")

    monkeypatch.setattr("svckit.operations.notifications.notify", fail)
    with svckit.connect(fake) as svc, pytest.raises(TypeError, match=r"^from within$"):
        svc.notify("text")


def test_a_call_that_is_never_awaited_is_named_in_the_warning(fake: FakeService) -> None:
    async def use() -> None:
        async with svckit.connect_async(fake) as svc:
            with pytest.warns(RuntimeWarning, match=r"coroutine 'svc\.users\.read' was never awaited"):
                svc.users.read("u-003")  # type: ignore[unused-coroutine]

    asyncio.run(use())
