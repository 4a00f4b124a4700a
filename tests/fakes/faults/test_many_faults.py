"""Of many faults, a request gets those that cover it, in the order in which they were added."""

from random import Random

import pytest
from pydantic import ValidationError

from fakes.faults.index import FaultIndex
from fakes.faults.injection import Faults
from fakes.faults.kinds import Delay, Fault

from ..caller import make

NAMES = (
    "* users.* u* *.update users.update users.updat? [u]sers.update [u]sers.updat[de] [u]sers[.]update users.[update "
    "*s.update *-none.users.update auth.token auth.*"
)
PATHS = (
    "/* /users/* /users/u-001 /users/u-00? /users/u-001/* /users/u-001* /users/a.b/* /u*/* /users/*-001 /users/*-002 "
    "/users/u-00[1-3] /users/*/photo */photo"
)
LONG = ("/" + "a/" * 20 + "*", "/" + "a/" * 20 + "b", "/" + "a/" * 19 + "?/b")
TARGETS = (*NAMES.split(), *PATHS.split(), *LONG)
REQUESTS = (
    *(("users.update", path) for path in ("/users/u-001", "/users/a.b", "/users/u-001/photo")),
    ("upload.photo", "/users/a.b/photo"),
    ("auth.token", "/oauth2/v2.0/token"),
    ("unmatched", "/" + "a/" * 20 + "b"),
    ("unmatched", ""),
)


@pytest.mark.parametrize("seed", range(20))
def test_the_index_finds_what_looking_at_all_finds(seed: int) -> None:
    chance, index = Random(seed), FaultIndex()
    faults: list[Fault] = []
    for _ in range(60):
        fault = Delay(target=chance.choice(TARGETS), times=chance.choice([1, None]), seconds=1)
        index.add(fault)
        faults.append(fault)
        if chance.random() < 0.3:
            gone = faults.pop(chance.randrange(len(faults)))
            index.remove(gone), index.remove(gone)  # who is no longer there is not missed
        if chance.random() < 0.2:
            used = chance.choice(faults) if faults else fault
            used.used += 1
    for name, path in REQUESTS:
        expected = [fault for fault in faults if fault.left != 0 and fault.covers(name, path)]
        assert [*map(id, index.find("request", name, path))] == [*map(id, expected)]
    assert [*map(id, index.list_all())] == [id(fault) for fault in faults if fault.left != 0]


def test_without_faults_a_request_does_not_look_for_any() -> None:
    faults = Faults(["users.update"])
    fault = faults.status("users.update", 503)
    fault.used = 1
    assert faults.on("users.update", "/users/u-001").fault is None
    assert not faults.pending


def test_the_target_of_a_fault_stays():
    fault = make().faults.status("/users/u-001", 503)
    with pytest.raises(ValidationError, match="target"):
        fault.target = "/users/u-002"
