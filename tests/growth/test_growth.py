"""What a call costs follows the size of the change, not the size of the data: every collection is grown 100-fold.

Each container in an attribute of the fake's parts or of a session has a row in `GROWING`, which grows it, or a reason
in `BOUNDED` why it cannot grow with use. A new container fails the test until it has one.
"""

import itertools
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from fakes import Worlds

from .costs import Cost, find_containers, measure
from .growing import GROWING, NOW, Row, Scene

SMALL, LARGE = 100, 10_000
MOST = 1.3
BOUNDED = {
    "one for each rule, deviation, setting or argument": (
        "Rules._chosen Rules._looks Measured.rules Measured.deviations Deviations._chosen Deviations._used "
        "DomainSettings.property_restrictions DomainSettings.retirement_dates FakeService._beginning Worlds._beginning"
    ),
    "one for each combination of rules behind a response": "Rules._responses",
    "of one response": "Rules._used Deviations.noted",
    "one for each kind of ID, area or feature": "Ids.counts Driver._paused Driver._warned",
    "each new e-mail address is compared with all": "DomainSettings.forbidden_email_words",
    "one for each part, and one for each log": "Users.when_removed FileStore._reports",
    "at most five": "Webhooks.entries Credentials.webhooks",
    "only while somebody waits": "Driver._turns",
    "one for each server, and each request that it handles": (
        "FakeService.served_at Worlds.served_at Worlds.in_progress"
    ),
    "the entries of a collection, once one is removed by a call that may be undone": "Stored._places Log._places",
    "grown by the test of worlds": "LoadedWorlds._worlds LoadedWorlds._open LoadedWorlds._known",
}
"""The containers that do not grow with use, or are grown elsewhere."""
ACCEPTED = {
    (
        "revisions of a file",
        "overwrite, allocated",
    ): "a file is stored as a whole, with 8 bytes for each revision",
    (
        "people who download one file",
        "download, allocated",
    ): "a download URL is stored with all who requested it",
}
"""What grows all the same: the copy of a small part of each entry, beside which the rest of the call weighs more."""


def cost_of(row: Row, count: int) -> dict[str, Cost]:
    """Return what each action costs with so many."""
    scene = Scene(**row.options(count))
    with scene.stack:
        row.grow(scene, count)
        return {name: measure(action) for name, action in scene.actions().items()}


def cost_of_worlds(count: int, state: Path | None) -> dict[str, Cost]:
    """Return what each action costs with so many worlds in use, which are the same one under other names."""
    worlds = Worlds(now=NOW, most=2 * LARGE, state=state)
    world, loaded, numbers = worlds.create("mina"), worlds._loaded, itertools.count()
    in_use = [loaded._worlds]
    if worlds._folder is not None:
        worlds._folder.most_open = 2 * LARGE
        in_use += [loaded._open, loaded._known]
    for each in in_use:
        each.update({f"same-{number}": world for number in range(count)})
    url, bearer = world.facts["base_url"] + "/users/u-001", f"Bearer {world.access_token()}"

    def make() -> None:
        worlds.create(name := f"new-{next(numbers)}")
        worlds.remove(name)

    with closing(worlds), httpx.Client(transport=worlds.transport()) as http:
        actions = {
            "call": lambda: http.patch(url, json={}, headers={"Authorization": bearer}).raise_for_status(),
            "find": lambda: worlds.find("mina"),
            "make": make,
            "give back": worlds.give_back,
        }
        return {name: measure(action) for name, action in actions.items()}


def list_growth(small: Mapping[str, Cost], large: Mapping[str, Cost]) -> dict[str, float]:
    """Return by how much each action costs more."""
    return {
        f"{action}, {kind}": round(after / before, 2) if before else float("inf")
        for action in small
        for kind, before, after in zip(Cost._fields, small[action], large[action], strict=True)
        if after > MOST * before
    }


@pytest.mark.parametrize("in_folder", [False, True])
def test_world_costs_no_more(in_folder: bool, tmp_path: Path) -> None:
    small, large = (
        cost_of_worlds(count, tmp_path / str(count) if in_folder else None) for count in (SMALL, LARGE)
    )
    assert list_growth(small, large) == {}


@pytest.mark.parametrize("name", GROWING)
def test_call_costs_no_more(name: str) -> None:
    grown = list_growth(cost_of(GROWING[name], SMALL), cost_of(GROWING[name], LARGE))
    assert {at: ratio for at, ratio in grown.items() if (name, at) not in ACCEPTED} == {}


def test_every_container_has_a_row() -> None:
    scene = Scene()
    rows = [container for row in GROWING.values() for container in row.containers]
    bounded = [container for names in BOUNDED.values() for container in names.split()]
    assert sorted(find_containers(scene.fake, scene.svc, Worlds(now=NOW))) == sorted([*rows, *bounded])
