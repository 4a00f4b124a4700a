"""What was begun in a fake goes on alike in a copy of it, whatever becomes of the copy."""

import pytest

from ..caller import calling, make, read_statuses, restored
from ..continuing import BEGUN


@pytest.mark.parametrize("name", BEGUN)
def test_what_was_begun_goes_on_in_every_copy(name):
    fake = make(**BEGUN[name].options)
    with calling(fake) as me:
        go_on = BEGUN[name].begin(me)
    for copy in (fake.fork(), restored(fake), fake):
        with calling(copy) as me:
            assert read_statuses(go_on(me)) == BEGUN[name].outcome
