"""Servers in processes of their own, a way into them, and many calls at once, for benchmarks."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import IO, Any
from urllib.parse import urlsplit

import httpx

ROOT = Path(__file__).parents[2]


@contextmanager
def process(
    *command: str, stderr: IO[bytes] | int | None = None
) -> Iterator[tuple[subprocess.Popen[str], Any]]:
    """A server, and what it printed when it was ready."""
    command = (sys.executable, *command)
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, cwd=ROOT)
    try:
        yield running, json.loads(running.stdout.readline())
    finally:
        running.terminate()
        running.communicate()


def bearer_of(facts: dict[str, Any]) -> str:
    """A bearer, issued by an admin call."""
    key = {"Authorization": f"Bearer {facts['admin_key']}"}
    issued = httpx.post(f"{facts['admin_url']}/tokens", json={}, headers=key, trust_env=False, timeout=60)
    return f"Bearer {issued.raise_for_status().json()['accessToken']}"


class Caller(asyncio.Protocol):
    """One connection that sends the same request again as soon as the response is complete."""

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


def write_request(method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """The bytes of a request."""
    parts, length = urlsplit(url), {"Content-Length": str(len(body))}
    lines = [
        f"{name}: {value}\r\n" for name, value in ({"Host": parts.netloc} | dict(headers) | length).items()
    ]
    return f"{method} {parts.path or '/'} HTTP/1.1\r\n{''.join(lines)}\r\n".encode() + body


async def load(url: str, request: bytes, calls: int, connections: int) -> list[float]:
    """Send so many calls, and return how long each took."""
    parts, left, times = urlsplit(url), [calls], []
    loop = asyncio.get_running_loop()
    made = [
        loop.create_connection(lambda: Caller(request, left, times), parts.hostname, parts.port)
        for _ in range(connections)
    ]
    for wrong in await asyncio.gather(*(caller.done for _, caller in await asyncio.gather(*made))):
        if wrong is not None:
            raise wrong
    return times


def percentile(times: list[float], share: float) -> float:
    """The time within which a share of the calls was answered."""
    return sorted(times)[int(share * (len(times) - 1))]
