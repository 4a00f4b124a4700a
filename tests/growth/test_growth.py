"""What a call costs follows the size of the change, not the size of the data: every collection is grown 100-fold.

Each container in an attribute of the fake's parts or of a session has a row in `GROWING`, which grows it, or a reason
in `BOUNDED` why it cannot grow with use. A new container fails the test until it has one.
"""

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
    "one for each kind of ID, area or feature": "Ids.counts Driver._paused RetirementWarnings._given",
    "each new e-mail address is compared with all": "DomainSettings.forbidden_email_words",
    "one for each part, and one for each log": "Directory.when_removed FileStore._reports",
    "at most five": "Webhooks._webhooks Credentials.webhooks",
    "only while somebody waits": "Turns.locks",
    "one for each server, and each request that it handles": (
        "FakeService.served_at Worlds.served_at Worlds.in_progress"
    ),
    "the entries of a collection, once one is removed by a call that may be undone": "Stored._places Log._places",
    "grown by tests/fakes/worlds": "LoadedWorlds._worlds LoadedWorlds._open",
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


@pytest.mark.parametrize("name", GROWING)
def test_a_call_costs_the_same_with_100_times_as_many(name: str) -> None:
    small, large = cost_of(GROWING[name], SMALL), cost_of(GROWING[name], LARGE)
    ratios = {
        f"{action}, {kind}": round(after / before, 2)
        for action in small
        for kind, before, after in zip(Cost._fields, small[action], large[action], strict=True)
    }
    assert {at: ratio for at, ratio in ratios.items() if ratio > MOST and (name, at) not in ACCEPTED} == {}


def test_every_container_has_a_row() -> None:
    scene = Scene()
    rows = [container for row in GROWING.values() for container in row.containers]
    bounded = [container for names in BOUNDED.values() for container in names.split()]
    assert sorted(find_containers(scene.fake, scene.svc, Worlds(now=NOW))) == sorted([*rows, *bounded])
