"""What the parts of a fake have counted and decided, and the users of its own, are in its state file."""

import pytest

from ..caller import calling, make, named, restored
from ..parts.test_api_rate import RULE, almost_exhaust
from ..parts.test_decisions import LATER, shown
from .state_files import kept


def test_copies_of_the_default_go_on_counting(fake, path):
    with calling(fake) as me:
        almost_exhaust(me)
        assert me.patch().status_code == 200
    with kept(path, restored(fake)):
        pass
    with kept(path) as (again, _):
        for each in (fake.fork(), again):
            with calling(each) as me:
                assert RULE in named(me.patch())


def test_counts_alone_are_not_written_for_a_response_but_with_the_next_commit(path):
    with kept(path) as (fake, file), calling(fake) as me:
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


@pytest.mark.parametrize(("begin", "rule_id", "alternative", "outcome"), LATER)
def test_what_refused_calls_decided_survives_a_restart(begin, rule_id, alternative, outcome, path):
    assume = {rule_id: alternative}
    with kept(path, make(assume=assume)) as (fake, _), calling(fake) as me:
        then = begin(me)
    with kept(path, make(assume=assume)) as (fake, _), calling(fake) as me:
        response = then(me)
    assert shown(response) == outcome
    assert rule_id in named(response)
