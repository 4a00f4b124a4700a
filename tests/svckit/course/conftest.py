"""A class, for its tests. The project's solution has tests of its own, which `svckit course check` runs."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from fakes import Worlds
from svckit import course
from svckit.course import learners, progress
from svckit.course.invitations import describe_profile
from svckit.course.trainer import Classroom

collect_ignore = ["project_solution"]
NOW = "2026-06-01T09:00:00+09:00"


@pytest.fixture(autouse=True)
def nobody_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has said who learns, and nothing was tried yet."""
    monkeypatch.setattr(learners, "_current", None)
    monkeypatch.setattr(progress, "_unnamed", progress.Progress())
    monkeypatch.delenv("SVCKIT_LEARNER", raising=False)
    monkeypatch.delenv("SVCKIT_GROUP", raising=False)


@pytest.fixture
def worlds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Worlds]:
    """The worlds of a class, and this process as that of the learner Mina."""
    monkeypatch.chdir(tmp_path)
    worlds = Worlds(users=3, now=NOW)
    with worlds.serve() as server:
        admin = {"Authorization": f"Bearer {server.facts['admin_key']}"}
        facts = httpx.post(f"{server.facts['admin_url']}/worlds/mina", json={}, headers=admin).json()
        for name, value in {
            "SVCKIT_LEARNER": "Mina",
            "SVCKIT_PROFILE": "class",
            **describe_profile(facts),
        }.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("SVCKIT_ADMIN_URL", server.facts["admin_url"])
        monkeypatch.setenv("SVCKIT_ADMIN_KEY", server.facts["admin_key"])
        yield worlds


@pytest.fixture
def room(worlds: Worlds) -> Classroom:
    return course.classroom()
