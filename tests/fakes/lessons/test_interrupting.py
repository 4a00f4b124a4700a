"""Functions that are abandoned, wherever the interruption reaches them."""

import sys
import threading
from contextlib import nullcontext
from threading import Event, Thread

import pytest

from fakes.lessons.interrupting import TookTooLong, call_within, hide_interruptions


class Endless:
    """An object that is never done with being deleted."""

    def __del__(self) -> None:
        while True:
            pass


class Failing:
    """An object whose deletion fails."""

    def __del__(self) -> None:
        raise ValueError("a failure of its own")


def test_an_interrupted_finalizer_is_not_reported_and_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: reported.append(unraisable.exc_type))
    ended = Event()

    def delete() -> None:
        objects: list[object] = [Failing(), Endless()]
        objects.clear()

    with pytest.raises(TookTooLong):
        call_within(0.1, delete, lambda _: nullcontext(), ended=ended.set)

    assert ended.wait(30)
    assert (ValueError in reported, TookTooLong in reported) == (True, False)


@pytest.mark.parametrize(("error", "told"), [(TookTooLong, False), (ValueError, True)])
def test_only_interruptions_go_unreported(
    error: type[BaseException], told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda failure: reported.append(failure.exc_type))

    def fail() -> None:
        raise error

    hide_interruptions()
    thread = Thread(target=fail)
    thread.start()
    thread.join()
    assert (error in reported) == told
