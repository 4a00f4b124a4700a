"""What the parts of a fake have counted and decided, and the users of its own, are in its state file."""

import pytest

from ..caller import calling, make, named, read_statuses, restored
from ..continuing import BEGUN
from ..parts.test_api_rate import RULE, almost_exhaust
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


def test_counts_alone_wait_for_the_next_commit(path):
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


@pytest.mark.parametrize("name", BEGUN)
def test_what_was_begun_goes_on_after_a_restart(name, path):
    options, begin, outcome = BEGUN[name]
    with kept(path, make(**options)) as (fake, _), calling(fake) as me:
        go_on = begin(me)
    with kept(path, make(**options)) as (fake, _), calling(fake) as me:
        assert read_statuses(go_on(me)) == outcome
