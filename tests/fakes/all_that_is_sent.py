"""Prints all that the service sends in every scenario, to compare what it sends on different hosts."""

import json

from fakes import FakeService
from fakes.rulebook.rule import RULEBOOK

from .caller import NOW, make
from .calls_at_random import REAL_TIME
from .player import Player
from .scenarios import SCENARIOS


def main():
    """Print each scenario under the default and the last alternative, then the documents and what a fake stores."""
    for rule_id, scenario in SCENARIOS.items():
        if rule_id == REAL_TIME:
            continue
        for alternative in (RULEBOOK[rule_id].alternatives[0], RULEBOOK[rule_id].alternatives[-1]):
            for seen in Player(make(assume={rule_id: alternative})).play([scenario]):
                print(rule_id, alternative, ascii(seen.content), sorted(seen.assumed))
    fake = FakeService.sample(users=50, now=NOW)
    told = (
        fake.openapi(),
        fake.admin_openapi(),
        list(fake.rules.records()),
        fake.snapshot(),
        list(fake.records("users")),
    )
    print(json.dumps(told))


if __name__ == "__main__":
    main()
