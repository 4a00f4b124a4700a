"""Ids and secrets are the same from run to run, and differ from each other."""

import pytest

from fakes.parts.ids import Ids


def test_ids_count_by_kind():
    ids = Ids()
    assert [ids.next("file"), ids.next("status"), ids.next("file")] == ["file-1", "status-1", "file-2"]


@pytest.mark.parametrize("seed", [0, 1, -1, 2**64])
def test_secrets_repeat_under_one_seed(seed):
    first, second = Ids(seed), Ids(seed)
    assert [first.secret("at") for _ in range(3)] == [second.secret("at") for _ in range(3)]


def test_secrets_differ_by_seed_kind_and_count():
    secrets = [Ids(seed).secret(kind) for seed in range(20) for kind in ("at", "rt")]
    ids = Ids()
    secrets += [ids.secret("code") for _ in range(100)]
    assert len(set(secrets)) == len(secrets)
