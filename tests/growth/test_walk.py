"""How far a call walks: the functions it passes through, and the files they are in.

Counted are the frames of both packages, as Python 3.11 has them: later versions need none for a comprehension.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import svckit
from svckit import places

from ..svckit.widgets.conftest import ask
from ..work import resting_collector

NOW = "2026-06-01T09:00:00+09:00"
ROOT = Path(svckit.__file__).parents[1]
OURS = (str(ROOT / "svckit"), str(ROOT / "fakes"))
JOURNEYS: dict[str, tuple[Callable[[svckit.Session, int], object], int, int]] = {
    "users.update": (lambda svc, n: svc.users.update(f"u-00{n}", nick_name="Mina"), 164, 42),
    "users.set_status": (
        lambda svc, n: svc.users.set_status(f"u-00{n}", "BUSY", end="2036-06-01T18:00:00+09:00"),
        163,
        42,
    ),
    "files.upload": (
        lambda svc, n: svc.files.upload(b"hello", to=places.drive("u-001"), name=f"{n}.txt"),
        379,
        53,
    ),
    "notify": (lambda svc, n: svc.notify(f"Build {n} is green"), 147, 33),
}
"""What is called, and its most frames and files."""
MOST_TO_READ = 1900
"""Frames from the press of a button to the record that is shown."""


def walk(work: Callable[[], object]) -> list[str]:
    """Return the file of each frame of ours that some work enters, also where a generator is resumed."""
    entered: list[str] = []

    def see(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            entered.append(frame.f_code.co_filename)

    profiling = sys.getprofile()
    with resting_collector():  # which would close contents of earlier fakes, by a function of ours
        sys.setprofile(see)
        try:
            work()
        finally:
            sys.setprofile(profiling)
    return entered


@pytest.mark.parametrize("name", JOURNEYS)
def test_a_call_walks_no_further(name: str) -> None:
    call, most_frames, most_files = JOURNEYS[name]
    with svckit.connect(now=NOW) as svc:
        call(svc, 1)  # what only the first call does: signing in, building models
        entered = walk(lambda: call(svc, 2))
    assert len(entered) <= most_frames
    assert len(set(entered)) <= most_files, sorted(set(entered))


def test_reading_a_user_in_the_explorer_walks_no_further() -> None:
    with svckit.connect(now=NOW) as svc:
        explorer = svckit.widgets.UsersExplorer(svc)
        for user_id in ("u-005", "u-006"):
            ask(explorer, do="write", field="pasted", text=user_id)
            entered = walk(lambda: ask(explorer, do="read"))
        explorer.close()
    assert len(entered) <= MOST_TO_READ
