"""More sequences for each machine than the few that other modules here try."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from .lockstep import SEARCH
from .test_credentials import Credentials
from .test_file_store import FileStore, FileStoreOfSingleNames
from .test_notification_limiter import Limiter
from .test_partial_update import PartialUpdate
from .test_profile_statuses import ProfileStatuses
from .test_state_file import KeptFake

MACHINES = (
    Credentials,
    FileStore,
    FileStoreOfSingleNames,
    KeptFake,
    Limiter,
    PartialUpdate,
    ProfileStatuses,
)
MORE = settings(SEARCH, max_examples=150)


@pytest.mark.long
@pytest.mark.parametrize("machine", MACHINES)
def test_more_sequences(machine):
    run_state_machine_as_test(machine, settings=MORE)
