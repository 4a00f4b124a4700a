"""What bad and large input costs the served fake, and whoever else calls it meanwhile.

Run it with ``python -m tests.benchmarks.hostile_ratio``. A server in a process of its own is attacked: with bad bodies
of 10 MB, 300 MB without a bearer, 1,000 silent connections, downloads of 600 MB that are abandoned, and 400 MB for an
upload URL that was announced as 10 bytes. Meanwhile another user sends one small request after the other. The figures
are the longest of those and the memory at its peak, as ratios to what ``json.loads`` takes, the growth of the memory
after the attack, and how many lines the server wrote on stderr. A bad body is compared with ``json.loads`` of itself,
or, where that gives up at once, of a string of its size. Of the other attacks, none may delay anybody by more than
``json.loads`` takes for an object of 10 MB, nor take more memory than three such strings.
"""

import json
import resource
import socket
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from tempfile import TemporaryFile
from threading import Event, Thread
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from tests.bad_bodies import SHAPES
from tests.benchmarks.counting import read_memory, restart_peak
from tests.benchmarks.serving import bearer_of, process

MB = 1_000_000
MIB = 1024 * 1024
PIECE = bytes(256 * 1024)
BODY = 10 * MB
WITHOUT_BEARER = 300 * MB
CONNECTIONS = 1000
DOWNLOAD = 600 * MB
BEYOND_ANNOUNCED = 400 * MB

DELAY_LIMIT = 3.0
"""Times what ``json.loads`` takes; nobody else waits for longer."""
PEAK_LIMIT = 3.0
"""Times the memory that ``json.loads`` takes, or the body where that is larger: what a bad body may take meanwhile."""
GROWTH_LIMIT = 64.0
"""MiB that a server may hold in the end beyond what it held before, as freed memory is not all given back."""
FORM = b'--x\r\nContent-Disposition: form-data; name="Filedata"; filename="a"\r\n\r\n'
DRIVE = "/users/u-001/drive/files"


class Figures(NamedTuple):
    """What an attack cost.

    Attributes:
        delay: the longest request of another user, in times of ``json.loads``.
        peak: what the server took at its peak, in times of the memory of ``json.loads``.
        growth: MiB by which it had grown in the end.
    """

    delay: float
    peak: float
    growth: float


class Cost(NamedTuple):
    """What ``json.loads`` takes for a text, good or bad: seconds, and MiB beside those of the text."""

    seconds: float
    mebibytes: float

    @classmethod
    def of(cls, text: str) -> "Cost":
        """Measure it."""

        def read() -> None:
            with suppress(ValueError, RecursionError):
                json.loads(text)

        seconds = min(timed(read) for _ in range(3))
        tracemalloc.start()
        read()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return cls(seconds, (peak + len(text)) / MIB)

    def at_least(self, other: "Cost") -> "Cost":
        """Return the larger of each."""
        return Cost(*map(max, self, other))


class Server:
    """A served fake under attack."""

    def __init__(self, pid: int, facts: dict[str, Any]) -> None:
        self.facts = facts
        self._pid = pid
        self._bearer = bearer_of(facts)
        self._string = Cost.of(SHAPES["one string"](BODY))
        largest = Cost.of(SHAPES["unknown keys"](BODY))
        self._unit = Cost(largest.seconds / 3, self._string.mebibytes)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a call."""
        return {"Authorization": self._bearer}

    def attack(self, how: "Attack", body: str = "") -> Figures:
        """Attack once, while another user calls; a body is what the cost is compared with."""
        unit = Cost.of(body).at_least(self._string) if body else self._unit
        before = read_memory("VmRSS", self._pid)
        restart_peak(self._pid)
        with others(self.facts["base_url"], self.headers) as times:
            how(self)
        peak, growth = ((read_memory(name, self._pid) - before) / MIB for name in ("VmHWM", "VmRSS"))
        return Figures(max(times) / unit.seconds, peak / unit.mebibytes, growth)

    def send(self, url: str, headers: dict[str, str], size: int, begin: bytes = b"") -> int:
        """Send a body as far as the server takes it, and return the status of the response."""
        parts = urlsplit(url)
        lines = {"Host": parts.netloc, "Content-Length": str(size)} | headers
        head = "".join([f"{name}: {value}\r\n" for name, value in lines.items()])
        method = "PATCH" if begin == b"" else "POST"
        with socket.create_connection((parts.hostname, parts.port), timeout=120) as client:
            with suppress(ConnectionError):
                client.sendall(f"{method} {parts.path} HTTP/1.1\r\n{head}\r\n".encode() + begin)
                for _ in range((size - len(begin)) // len(PIECE)):
                    client.sendall(PIECE)
            return int(client.recv(1024).split()[1])


Attack = Callable[[Server], None]


def timed(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    start = perf_counter()
    work()
    return perf_counter() - start


@contextmanager
def others(base_url: str, headers: dict[str, str]) -> Iterator[list[float]]:
    """Have another user call all the time, and note how long each call takes."""
    times: list[float] = []
    done = Event()

    def call() -> None:
        with httpx.Client(trust_env=False, headers=headers, timeout=120) as http:
            while not times or not done.is_set():
                times.append(timed(lambda: http.patch(f"{base_url}/users/u-002", json={"task": "x"})))

    thread = Thread(target=call)
    thread.start()
    try:
        yield times
    finally:
        done.set()
        thread.join()


def bad_body(body: str) -> Attack:
    """A bad body for a partial update."""

    def send(server: Server) -> None:
        headers = server.headers | {"Content-Type": "application/json"}
        url = server.facts["base_url"] + "/users/u-001"
        assert (
            httpx.patch(url, content=body.encode(), headers=headers, timeout=120, trust_env=False).status_code
            == 400
        )

    return send


def without_bearer(server: Server) -> None:
    """A body that is too large, by nobody."""
    assert server.send(server.facts["base_url"] + "/users/u-001", {}, WITHOUT_BEARER) == 413


def silent_connections(server: Server) -> None:
    """Connections that say nothing, while a hundred calls are made."""
    parts = urlsplit(server.facts["base_url"])
    with ExitStack() as stack:
        for _ in range(CONNECTIONS):
            stack.enter_context(socket.create_connection((parts.hostname, parts.port), timeout=120))
        with httpx.Client(trust_env=False, headers=server.headers, timeout=120) as http:
            for _ in range(100):
                assert http.patch(server.facts["base_url"] + "/users/u-001", json={}).status_code == 200


def upload_url(server: Server, size: int) -> str:
    """A URL to upload so many bytes to."""
    request = {"fileName": "large", "fileSize": size}
    url = server.facts["base_url"] + DRIVE
    answer = httpx.post(url, json=request, headers=server.headers, trust_env=False)
    return str(answer.json()["uploadUrl"])


def abandoned_downloads(server: Server) -> None:
    """Three downloads of which only the beginning is read."""
    url = upload_url(server, DOWNLOAD)
    options = {"headers": server.headers, "trust_env": False, "timeout": 120}
    with TemporaryFile() as file:
        file.truncate(DOWNLOAD)
        file_id = httpx.post(url, files={"Filedata": ("large", file)}, **options).json()["fileId"]
    step = f"{server.facts['base_url']}{DRIVE}/{file_id}/download"
    location = httpx.get(step, **options).headers["Location"]
    for _ in range(3):
        with httpx.stream("GET", location, **options) as response:
            next(response.iter_raw(1024))


def beyond_announced(server: Server) -> None:
    """Content for a URL that was announced as 10 bytes."""
    headers = server.headers | {"Content-Type": "multipart/form-data; boundary=x"}
    assert server.send(upload_url(server, 10), headers, BEYOND_ANNOUNCED, FORM) == 400


ATTACKS: dict[str, Attack] = {
    "body without a bearer": without_bearer,
    "silent connections": silent_connections,
    "abandoned downloads": abandoned_downloads,
    "content beyond the announced size": beyond_announced,
}


def report(attack: str, figures: Figures) -> bool:
    """Print the figures of an attack, and return whether they are within the bounds."""
    delay, peak, growth = figures
    print(
        f"{attack}: others waited {delay:.2f} times json.loads (at most {DELAY_LIMIT}), memory at its peak was "
        f"{peak:.2f} times that of json.loads (at most {PEAK_LIMIT}), in the end it had grown by {growth:.0f} MiB (at "
        f"most {GROWTH_LIMIT:.0f})"
    )
    return delay <= DELAY_LIMIT and peak <= PEAK_LIMIT and growth <= GROWTH_LIMIT


def main() -> int:
    """Attack a server in every way, and report what it cost; the exit code says whether the bounds hold."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    with TemporaryFile() as errors:
        with process("-m", "svckit", "serve", "--port", "0", stderr=errors) as (running, facts):
            server = Server(running.pid, facts)
            for attack in ATTACKS.values():  # memory that is taken once is not growth
                server.attack(attack)
            fits = [report(name, server.attack(attack)) for name, attack in ATTACKS.items()]
            for shape, made in SHAPES.items():
                body = made(BODY)
                server.attack(bad_body(body), body)
                fits.append(report(f"bad body: {shape}", server.attack(bad_body(body), body)))
        errors.seek(0)
        _greeting, *lines = errors.read().decode().splitlines()
    print(f"{len(lines)} lines on stderr (none allowed)", *lines[:5], sep="\n")
    return 0 if all(fits) and not lines else 1


if __name__ == "__main__":
    sys.exit(main())
