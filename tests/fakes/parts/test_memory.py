"""What a fake holds in memory and on disk, measured; beside each bound stands what was measured."""

import gc
import os
import subprocess
import sys
import tracemalloc
from contextlib import contextmanager
from pathlib import Path

import pytest

from fakes import FakeService
from fakes.handlers.context import CallContext
from fakes.http.content import SPOOL_LIMIT, StoredContent

from ...bad_bodies import FURTHER, SHAPES
from ..caller import NOW, calling, make
from ..store.disk import needs_proc, on_disk

KIB = 1024
MIB = 1024 * KIB


@contextmanager
def growth(of):
    """Bytes that are allocated inside and kept, for each of so many."""
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = []
    yield kept
    gc.collect()
    kept.append((tracemalloc.get_traced_memory()[0] - before) / of)
    tracemalloc.stop()


def test_untouched_users_cost_nothing():
    FakeService.sample(users=1, now=NOW)  # what the first fake of a process makes once
    with growth(1) as kept:
        fake = FakeService.sample(users=1_000_000, now=NOW)
        assert len(fake.directory) == 1_000_000
    assert kept[0] < 64 * KIB  # measured: 39 KiB for the whole fake


def test_changed_user():
    """As the service answers it, a sample user is 2 KB of JSON; the latest 256 are also kept parsed."""
    users = 1000
    fake = FakeService.sample(users=users, now=NOW)
    with calling(fake) as me:
        me.patch("u-001", nickName="Mina")
        with growth(users) as kept:
            for user_id in fake.directory:
                me.patch(user_id, nickName="Mina")
            fake.journal.clear()
    assert kept[0] < 8 * KIB  # measured: 3.6 KiB


@pytest.mark.parametrize("shape", [*SHAPES, *FURTHER])
def test_a_refused_call_leaves_nothing_to_be_collected(me, shape):
    """A body of 10 MB and all that was read from it would stay until the next full collection."""
    body = (SHAPES | FURTHER)[shape](100_000)
    url, headers = me.facts["base_url"] + "/users/u-001", me.bearer | {"Content-Type": "application/json"}
    gc.collect()
    gc.disable()
    try:
        assert me.http.patch(url, content=body, headers=headers).status_code == 400
        assert not [each for each in gc.get_objects() if isinstance(each, CallContext)]
    finally:
        gc.enable()


def test_journal_entry():
    """With the headers httpx sends, and the 2 KB that an update answers."""
    entries = 500
    fake = make()
    with calling(fake) as me:
        me.patch(nickName="Mina")
        with growth(entries) as kept:
            for _ in range(entries):
                me.patch(nickName="Mina")
    assert kept[0] < 16 * KIB  # measured: 3.8 KiB


@needs_proc
def test_large_transfer_takes_constant_memory():
    """256 MiB up and down through the door for requests; sessions show it of those for httpx."""
    command = [sys.executable, str(Path(__file__).with_name("peak.py")), "256"]
    root = str(Path(__file__).parents[3])
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": root}
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 8  # measured: 0.0 MiB


# Disk


@needs_proc
@pytest.mark.parametrize(("size", "spooled"), [(SPOOL_LIMIT, False), (SPOOL_LIMIT + 1, True)])
def test_content_is_spooled_above_one_mebibyte(size, spooled):
    assert SPOOL_LIMIT == MIB
    before = on_disk()
    content = StoredContent(b"x" * size)
    assert content.read() == b"x" * size
    assert (on_disk() > before) is spooled
    del content
    assert on_disk() == before


@needs_proc
def test_disk_space_returns_when_the_fake_is_dropped():
    gc.collect()
    before = on_disk()
    fake = make()
    with calling(fake) as me:
        me.upload(content=b"x" * (3 * MIB))
        assert on_disk() - before >= 3 * MIB
    del fake, me
    gc.collect()
    assert on_disk() == before


@needs_proc
def test_disk_space_returns_at_a_reset_at_once(fake, me):
    gc.collect()
    gc.disable()
    try:
        before = on_disk()
        me.upload(content=b"x" * (3 * MIB))
        assert me.send(me.url(size=5), b"x" * (3 * MIB)).status_code == 400
        fake.reset()
        assert on_disk() == before
    finally:
        gc.enable()


@needs_proc
def test_replaced_content_of_a_refused_upload_takes_no_disk(me):
    url = me.url(size=5)
    before = on_disk()
    assert me.send(url, b"x" * (3 * MIB)).status_code == 400
    gc.collect()
    assert on_disk() == before


def test_readers_at_different_places_do_not_disturb_each_other():
    data = bytes(range(256)) * (8 * KIB)
    content = StoredContent(data)
    first, second = content.chunks(), content.chunks()
    assert b"".join(chunk for pair in zip(first, second, strict=True) for chunk in pair[:1]) == data
