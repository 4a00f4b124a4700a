"""Calls that rest on an assumption half-way, at whichever one a test likes, while assumptions are refused."""

from contextlib import contextmanager

from fakes.parts import snapshot as snapshots
from fakes.rulebook.rules import AssumptionRefused


@contextmanager
def refusing(fake, http, allowed):
    """Refuse assumptions inside, after so many of them; what is refused ends what is inside, and must leave nothing."""
    rules, left, before = fake.rules, iter(range(allowed)), []
    policy = rules.policy

    def apply(rule):
        if next(left, None) is None:
            raise AssumptionRefused(rule.id)
        rules.follow(rule)
        return rules.look_up(rule)

    rules.choose({}, "refuse")
    rules.apply = apply
    # A copy of the collections, whose entries never change; a snapshot of them is made only where one is refused.
    http.event_hooks = {
        "request": [lambda _: before.append(snapshots.copy_collections(snapshots.dump(fake.state)))]
    }
    try:
        yield
    except AssumptionRefused:
        if before:  # else the refusal was not that of a call
            assert fake.snapshot() == snapshots.to_data(before[-1])
            assert found(fake) == found(fake.fork())
    finally:
        del rules.apply
        rules.choose({}, policy)
        http.event_hooks = {}


def found(fake):
    """What a fake keeps beside its state to find things, which follows from the state."""
    users, files = fake.state.users, fake.files
    indexes = [
        {value: (index.first(value), set(index.of(value))) for value in index._owners}
        for index in users._indexes
    ]
    named = {where: list(alike) for where, alike in files._named.items()}
    return indexes, [*users], named, dict(files._newest_at), dict(files._revisions)
