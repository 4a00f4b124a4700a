"""What the parts of a fake have counted and decided, and the users of its own, are in its state file."""

from contextlib import contextmanager

import pytest

from fakes.parts.domain import Beginning
from fakes.store.state_file import StateFile

from ..caller import NOW, calling, make, named, restored
from ..parts.test_api_rate import RULE, almost_exhaust
from ..parts.test_decisions import LATER, shown


def test_copies_of_the_default_go_on_counting(fake, tmp_path):
    with calling(fake) as me:
        almost_exhaust(me)
        assert me.patch().status_code == 200
    file = StateFile(tmp_path / "fake.db")
    file.attach(restored(fake), Beginning(20, 0, NOW))
    file.close()
    again, file = make(), StateFile(tmp_path / "fake.db")
    file.attach(again, Beginning(20, 0, NOW))
    for each in (fake.fork(), again):
        with calling(each) as me:
            assert RULE in named(me.patch())
    file.close()


def test_counts_alone_are_not_written_for_a_response_but_with_the_next_commit(tmp_path):
    fake, file = make(), StateFile(tmp_path / "fake.db")
    file.attach(fake, Beginning(20, 0, NOW))
    with calling(fake) as me:
        file.commit()
        before = file._database._file.total_changes
        me.patch()
        file.settle()
        assert file._database._file.total_changes == before
        fake.settings.api_calls_per_minute = 9
        for _ in range(2):
            me.patch()
            file.settle()
            before, written = file._database._file.total_changes, before
            assert before > written
    file.close()


@contextmanager
def restarted(fake, path):
    """Serve from a state file what was left of an earlier run, or a new fake."""
    file = StateFile(path)
    file.attach(fake, Beginning(20, 0, NOW))
    with calling(fake) as me:
        yield me
    file.commit()
    file.close()


@pytest.mark.parametrize(("begin", "rule_id", "alternative", "outcome"), LATER)
def test_what_refused_calls_decided_survives_a_restart(begin, rule_id, alternative, outcome, tmp_path):
    path, assume = tmp_path / "fake.db", {rule_id: alternative}
    with restarted(make(assume=assume), path) as me:
        then = begin(me)
    with restarted(make(assume=assume), path) as me:
        response = then(me)
    assert shown(response) == outcome
    assert rule_id in named(response)
