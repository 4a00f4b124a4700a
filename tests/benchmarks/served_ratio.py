"""What a call of the served fake costs over TCP, as ratios to a bare uvicorn app that responses a constant.

Run it with ``python -m tests.benchmarks.served_ratio``; with ``--state`` the fake keeps its state in a file. Both
servers run in processes of their own, with the same protocol and settings, and are asked in turns by the same load
generator, over so many connections that each always has the next call waiting; the figures are the medians over the
rounds. Then it sends 100,000 calls more, and says by how much the fake's process has grown since its journal was full.
"""

import asyncio
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import httpx
import uvicorn

from fakes.doors.served import listen
from tests.benchmarks.serving import bearer_of, process

NOW = "2026-06-01T09:00:00+09:00"
CONNECTIONS = 16
ROUNDS = 7
CALLS = 3000
JOURNAL = 10_000
MANY = 100_000
BODY = b'{"nickName": "Mina"}'


class Caller(asyncio.Protocol):
    """One connection that sends the same request again as soon as it is answered."""

    def __init__(self, request: bytes, left: list[int], times: list[float]) -> None:
        self._request = request
        self._left = left
        self._times = times
        self._buffer = b""
        self._refusal: RuntimeError | None = None
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        """Begin."""
        self._transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        """Take a piece of a response, and ask again where it was the last."""
        self._buffer += data
        head, blank, body = self._buffer.partition(b"\r\n\r\n")
        if not blank or len(body) < int(re.search(rb"(?i)content-length: (\d+)", head)[1]):
            return
        if not head.startswith(b"HTTP/1.1 200"):
            self._refusal = RuntimeError(head.decode())
            self._transport.close()
            return
        self._times.append(perf_counter() - self._begun)
        self._buffer = b""
        self._send()

    def connection_lost(self, error: Exception | None) -> None:
        """End, with what was refused or went wrong, if anything did."""
        self.done.set_result(self._refusal or error)

    def _send(self) -> None:
        if not self._left[0]:
            self._transport.close()
            return
        self._left[0] -= 1
        self._begun = perf_counter()
        self._transport.write(self._request)


async def load(url: str, bearer: str, calls: int) -> tuple[float, list[float]]:
    """Send so many calls: how many a second came through, and how long each took."""
    parts, left, times = urlsplit(url), [calls], []
    head = f"PATCH {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: {bearer}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
    loop, begun = asyncio.get_running_loop(), perf_counter()
    made = [
        loop.create_connection(lambda: Caller(head.encode() + BODY, left, times), parts.hostname, parts.port)
        for _ in range(CONNECTIONS)
    ]
    connections = await asyncio.gather(*made)
    for wrong in await asyncio.gather(*(caller.done for _, caller in connections)):
        if wrong is not None:
            raise wrong
    return calls / (perf_counter() - begun), times


def resident(running: subprocess.Popen[str]) -> float:
    """The memory of a process, in MiB."""
    status = Path(f"/proc/{running.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) / 1024


def percentile(times: list[float], share: float) -> float:
    """The time within which a share of the calls was answered."""
    return sorted(times)[int(share * (len(times) - 1))]


def constant(body: bytes) -> Any:
    """An app that reads the request and responses always the same."""
    length = str(len(body)).encode()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        headers = [(b"content-type", b"application/json; charset=UTF-8"), (b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


def serve_bare(size: int) -> None:
    """Serve the constant; print its address when it is ready."""
    listener = listen("127.0.0.1", 0)
    options = {"loop": "asyncio", "http": "h11", "ws": "none", "lifespan": "off", "log_config": None}
    options |= {"access_log": False, "proxy_headers": False, "server_header": False, "timeout_keep_alive": 60}
    listener.listen(2048)
    print(json.dumps(f"http://127.0.0.1:{listener.getsockname()[1]}/users/u-001"), flush=True)
    uvicorn.Server(uvicorn.Config(constant(b"x" * size), **options)).run([listener])


def main(*options: str) -> None:
    """Print the ratios and the growth."""
    with tempfile.TemporaryDirectory() as folder:
        state = ["--state", f"{folder}/fake.db"] if "--state" in options else []
        with process("-m", "svckit", "serve", "--port", "0", "--now", NOW, *state) as (fake, facts):
            url, bearer = f"{facts['base_url']}/users/u-001", bearer_of(facts)
            headers = {"Authorization": bearer}
            size = len(httpx.patch(url, json={"nickName": "Mina"}, headers=headers, trust_env=False).content)
            with process("-m", "tests.benchmarks.served_ratio", "bare", str(size)) as (_, bare_url):
                compare(url, bare_url, bearer)
            asyncio.run(load(url, bearer, JOURNAL))
            before = resident(fake)
            rate, _ = asyncio.run(load(url, bearer, MANY))
            print(f"{MANY} calls at {rate:.0f}/s: {before:.0f} MiB before, {resident(fake):.0f} MiB after")


def compare(url: str, bare_url: str, bearer: str) -> None:
    """Ask both in turns."""
    rates, middles, slowest = [], [], []
    for number in range(ROUNDS + 1):
        bare_rate, bare_times = asyncio.run(load(bare_url, bearer, CALLS))
        rate, times = asyncio.run(load(url, bearer, CALLS))
        if number:  # the first warms both up
            rates.append((rate, rate / bare_rate))
            middles.append(percentile(times, 0.5) / percentile(bare_times, 0.5))
            slowest.append(percentile(times, 0.99) / percentile(bare_times, 0.99))
    print(f"throughput: {median(ratio for _, ratio in rates):.2f} times the bare app's")
    print(
        f"latency: median {median(middles):.2f} times, 99th percentile {median(slowest):.2f} times the bare app's"
    )
    print(f"({median(rate for rate, _ in rates):.0f} calls/s over {CONNECTIONS} connections on this machine)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        serve_bare(int(sys.argv[2]))
    else:
        main(*sys.argv[1:])
