"""A program of its own: what large transfers of a session add to the peak memory of the process, in MiB.

``python peak.py sync|async`` compares with small transfers, after which everything is loaded.
"""

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from fakes import FakeService
from svckit import places
from svckit.session.connect import connect, connect_async

MIB = 1 << 20
DRIVE = places.drive("u-001")


def pieces(size):
    block = bytes(100_000)
    while size > 0:
        yield block[:size]
        size -= len(block)


def transfers(files, directory, size):
    """The calls, one after another; each is told what the one before returned."""
    source, target = directory / "source.bin", directory / f"target-{size}.bin"
    with source.open("wb") as file:
        file.truncate(size)
    some = size // 4
    yield lambda _: files.upload(source, to=DRIVE)
    yield lambda stored: files.download(DRIVE.file(stored.file_id), to=target)
    yield lambda _: files.upload(pieces(some), to=DRIVE, name="a.bin", size=some)
    yield lambda _: files.upload(pieces(some), to=DRIVE, name="b.bin", size=some, resumable=True)
    with source.open("rb") as file:
        yield lambda _: files.upload(file, to=DRIVE, name="c.bin", resumable=16 * MIB)
    assert target.stat().st_size == size


def sync_transfers(fake, directory, size):
    with connect(fake) as svc:
        result = None
        for call in transfers(svc.files, directory, size):
            result = call(result)


async def async_transfers(fake, directory, size):
    async with connect_async(fake) as svc:
        result = None
        for call in transfers(svc.files, directory, size):
            result = await call(result)


def peak():
    """The most memory this process has had, in MiB."""
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024


def main(way):
    peaks = []
    for size in (2 * MIB, 256 * MIB):
        with tempfile.TemporaryDirectory() as directory:
            fake = FakeService.sample(users=1, now="2026-06-01T09:00:00+09:00")
            if way == "sync":
                sync_transfers(fake, Path(directory), size)
            else:
                asyncio.run(async_transfers(fake, Path(directory), size))
        peaks.append(peak())
    print(peaks[1] - peaks[0])


if __name__ == "__main__":
    main(sys.argv[1])
