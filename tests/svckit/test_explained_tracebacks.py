"""A traceback shows the reader's own line and the message, and what is between them only when it is asked for."""

import asyncio
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from IPython.core.ultratb import VerboseTB

import svckit
from svckit import places
from svckit.errors import InvalidInput, NotFound, ServiceError, UnusableProfile

from .conftest import IN_PROCESS, Face

MISTAKES: dict[str, tuple[Callable[[Any], Any], type[Exception]]] = {
    "no such user": (lambda svc: svc.users.read("u-9999"), NotFound),
    "a text too long": (lambda svc: svc.users.update("u-001", nick_name="x" * 101), InvalidInput),
    "no such file": (lambda svc: svc.files.download(places.drive("u-001").file("f-9")), NotFound),
    "no place": (lambda svc: svc.files.download("x"), InvalidInput),
    "no text": (lambda svc: svc.notify(1), InvalidInput),
    "no such path": (lambda svc: svc.request("GET", "/nothing"), ServiceError),
    "no users": (lambda svc: svc.users.diff(1), InvalidInput),
    "no changes": (lambda svc: svc.users.apply({}), InvalidInput),
    "no files": (lambda svc: svc.files.upload_many([], workers=0), InvalidInput),
}


def frames(error: BaseException, *, everything: bool = False) -> list[str]:
    """The files of the frames that IPython shows, from the outermost to the innermost."""
    formatter = VerboseTB(theme_name="nocolor", include_vars=False)
    formatter.skip_hidden = not everything
    [lines] = formatter.format_exception_as_a_whole(type(error), error, error.__traceback__, 5, 0)
    assert str(error) in lines[-1]
    return [
        Path(line.split(":", 1)[0].removeprefix("File ")).name for line in lines if line.startswith("File ")
    ]


def outside(names: list[str]) -> list[str]:
    """Without the frames of the tests."""
    return [
        name
        for name in names
        if name not in ("conftest.py", Path(__file__).name, "runners.py", "base_events.py")
    ]


@IN_PROCESS
@pytest.mark.parametrize("mistake", MISTAKES)
def test_traceback_is_cut_to_three_frames(mistake: str, on_fake: Face) -> None:
    call, kind = MISTAKES[mistake]
    with pytest.raises(kind) as caught:
        on_fake(call)
    shown = frames(caught.value)
    assert Path(__file__).name in shown
    assert len(outside(shown)) <= 2  # the public method, and the innermost


@IN_PROCESS
def test_all_frames_are_there_for_whoever_asks(on_fake: Face) -> None:
    with pytest.raises(NotFound) as caught:
        on_fake(lambda svc: svc.users.read("u-9999"))
    assert {"methods.py", "users.py", "driver.py"} <= set(frames(caught.value, everything=True))


@IN_PROCESS
def test_pytest_shows_the_own_line_last(on_fake: Face) -> None:
    with pytest.raises(NotFound) as caught:
        on_fake(lambda svc: svc.users.read("u-9999"))
    shown = caught.traceback.filter(caught)
    assert Path(__file__).name in (str(entry.path.name) for entry in shown)
    assert outside([entry.path.name for entry in shown]) == []


def test_a_profile_that_is_not_there() -> None:
    async def opened() -> None:
        await svckit.connect_async("nix")

    for connect in (lambda: svckit.connect("nix"), lambda: asyncio.run(opened())):
        with pytest.raises(UnusableProfile) as caught:
            connect()
        assert len(outside(frames(caught.value))) == 1


@IN_PROCESS
def test_what_is_the_readers_stays_shown(on_fake: Face) -> None:
    class Torn(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise InvalidInput("mine")

    def upload(svc: Any) -> Any:
        return svc.files.upload(Torn(b"hello"), to=places.drive("u-001"), name="hello.txt")

    with pytest.raises(InvalidInput, match="mine") as caught:
        on_fake(upload)
    assert frames(caught.value)[-1] == Path(__file__).name


@IN_PROCESS
def test_what_is_no_error_of_ours_is_shown_whole(on_fake: Face, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svckit.operations.checks.quote_segment", lambda value: 1 / 0)
    with pytest.raises(ZeroDivisionError) as caught:
        on_fake(lambda svc: svc.users.read("u-001"))
    assert {"driver.py", "users.py", "checks.py"} <= set(frames(caught.value))


@pytest.mark.parametrize(
    "mistake",
    [
        lambda svc: svckit.explain(svckit.operations.users.update("u-001", nickname="x")),  # type: ignore[call-arg]
        lambda svc: svc.fake.faults.status("users.updated"),
        lambda svc: svc.fake.faults.delay("users.update"),
    ],
)
def test_what_is_shown_before_it_is_sent_and_faults_are_short_too(mistake: Callable[[Any], Any]) -> None:
    with (
        svckit.connect(now="2026-06-01T09:00:00+09:00") as svc,
        pytest.raises(ValueError, match=r"did you mean|seconds=3") as caught,
    ):
        mistake(svc)
    assert len(outside(frames(caught.value))) <= 1
