"""What a class costs one server of worlds: each learner has a world, and sends a request a second, one in four changes.

Run it with ``python -m tests.benchmarks.class_load [LEARNERS …]``. The server keeps the worlds in a folder, and runs in
a process of its own; this one plays all learners, each over a connection that stays open. The figures are the CPU time
of the server as a share of one core, the latencies that the learners see, and the memory. In the end the server is
killed and started again, and each world must have the last change that was acknowledged.
"""

import asyncio
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

import httpx
from pydantic_core import to_json

from tests.benchmarks.counting import read_cpu_time, read_memory
from tests.benchmarks.serving import bearer_of, percentile, process, write_request

NOW = "2026-06-01T09:00:00+09:00"
LEARNERS = (30, 250, 1000)
SECONDS = 40
EACH = 4
"""One request in so many changes something."""


@dataclass
class Learner:
    """A learner with a world, and what came of the requests."""

    url: str
    bearer: str
    saved: str | None = None
    """The last nickname that the server acknowledged."""
    times: list[float] = field(default_factory=list)

    async def work(self, first: float, count: int) -> None:
        """Send so many requests, one a second, whatever the responses take."""
        parts = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        for number in range(count):
            due = first + number
            await asyncio.sleep(max(0.0, due - perf_counter()))
            name = f"name {number}" if number % EACH == EACH - 1 else None
            body = to_json({} if name is None else {"nickName": name})
            headers = {"Authorization": self.bearer, "Content-Type": "application/json"}
            begun = perf_counter()
            writer.write(write_request("PATCH", self.url, headers, body))
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
            self.times.append(perf_counter() - begun)
            if not head.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(head.decode())
            self.saved = name or self.saved
        writer.close()
        await writer.wait_closed()


class Server:
    """A server of worlds that are kept in a folder, in a process of its own."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        options = ["--worlds", "--now", NOW, "--state", str(folder), "--port", "0"]
        self.running, self.facts = stack.enter_context(
            process("-m", "svckit", "serve", *options, stderr=subprocess.DEVNULL)
        )
        key = {"Authorization": f"Bearer {self.facts['admin_key']}"}
        self.admin = stack.enter_context(
            httpx.Client(base_url=self.facts["admin_url"], headers=key, trust_env=False, timeout=60)
        )

    def admit(self, name: str) -> Learner:
        """Return a learner with a new world."""
        facts = self.admin.post(f"/worlds/{name}", json={}).raise_for_status().json()
        return Learner(f"{facts['base_url']}/users/u-001", bearer_of(facts))

    def read_nickname(self, name: str) -> str | None:
        """Return the nickname that a world has."""
        facts = self.admin.get(f"/worlds/{name}").raise_for_status().json()
        key = {"Authorization": f"Bearer {facts['admin_key']}"}
        read = self.admin.get(f"{facts['admin_url']}/users/u-001", headers=key).raise_for_status()
        return read.json()["record"]["nickName"]

    def kill(self) -> None:
        """End the process without a chance to save anything."""
        self.running.send_signal(signal.SIGKILL)
        self.running.wait()


async def work_all(learners: list[Learner], seconds: int) -> None:
    """Have all learners work for so long, their requests spread over each second."""
    first = perf_counter() + 1
    await asyncio.gather(
        *(each.work(first + number / len(learners), seconds) for number, each in enumerate(learners))
    )


def find_lost(folder: Path, learners: dict[str, Learner]) -> dict[str, str | None]:
    """Start a server again, and return the nicknames of worlds that lack the last change acknowledged."""
    with ExitStack() as stack:
        again = Server(stack, folder)
        found = {name: again.read_nickname(name) for name in learners}
    return {name: found[name] for name, learner in learners.items() if found[name] != learner.saved}


def measure(count: int) -> None:
    """Print what so many learners cost."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "worlds"
        server = Server(stack, folder)
        learners = {f"learner-{number}": server.admit(f"learner-{number}") for number in range(count)}
        asyncio.run(work_all([*learners.values()], EACH))  # opens each file, and warms up
        for learner in learners.values():
            learner.times.clear()
        before = read_cpu_time(server.running.pid)
        asyncio.run(work_all([*learners.values()], SECONDS))
        used = read_cpu_time(server.running.pid) - before
        share = used / SECONDS  # also where a busy machine took longer
        times = [taken for learner in learners.values() for taken in learner.times]
        memory = read_memory("VmRSS", server.running.pid) / 2**20
        server.kill()
        lost = find_lost(folder, learners)
    latencies = (f"{1000 * percentile(times, part):.0f} ms" for part in (0.5, 0.99))
    print(
        f"{count} learners: {share:.0%} of a core, median {next(latencies)}, 99th percentile {next(latencies)}, "
        f"{memory:.0f} MiB; {len(lost)} worlds lost something",
        flush=True,
    )


if __name__ == "__main__":
    for number in map(int, sys.argv[1:] or LEARNERS):
        measure(int(number))
