"""What a call of the served fake costs, as ratios to other servers.

Run it with ``python -m tests.benchmarks.served_ratio``. The others are a bare uvicorn app on h11 that responds with a
constant, and, if it is installed, Starlette doing the same work on uvloop and httptools. Then it compares fakes that
keep their state in a file, new and with 100,000 touched users, with one that does not. All run in processes of their
own, and are asked in turns by the same load generator, over so many connections that each always has the next call
waiting; the figures are medians of the ratios of each round, with their quartiles. At the end it sends 100,000 calls
more, and says by how much the fake's process has grown since its journal was full.
"""

import asyncio
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from statistics import quantiles
from time import clock_gettime, perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import uvicorn
from pydantic_core import from_json, to_json

from fakes import FakeService
from fakes.doors.served import listen
from svckit.models.user import UserChange
from tests.benchmarks.serving import bearer_of, process
from tests.benchmarks.touched_ratio import save, touched

NOW = "2026-06-01T09:00:00+09:00"
CONNECTIONS = 16
ROUNDS = 9
CALLS = 3000
TOUCHED = 100_000
TOKEN = "Bearer benchmark"
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


def write_request(method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """The bytes of a request."""
    parts, length = urlsplit(url), {"Content-Length": str(len(body))}
    lines = [
        f"{name}: {value}\r\n" for name, value in ({"Host": parts.netloc} | dict(headers) | length).items()
    ]
    return f"{method} {parts.path or '/'} HTTP/1.1\r\n{''.join(lines)}\r\n".encode() + body


async def load(
    url: str, request: bytes, calls: int, connections: int = CONNECTIONS
) -> tuple[float, list[float]]:
    """Send so many calls: how many a second came through, and how long each took."""
    parts, left, times = urlsplit(url), [calls], []
    loop, begun = asyncio.get_running_loop(), perf_counter()
    made = [
        loop.create_connection(lambda: Caller(request, left, times), parts.hostname, parts.port)
        for _ in range(connections)
    ]
    for wrong in await asyncio.gather(*(caller.done for _, caller in await asyncio.gather(*made))):
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


def starlette() -> Any:
    """An app without a fake: the same checks and the same response."""
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Route

    users = {f"u-{n:03d}": to_json(each) for n, each in enumerate(FakeService.sample().records("users"), 1)}

    async def patch(request: Any) -> Response:
        if request.headers.get("Authorization") != TOKEN:
            return Response(status_code=401)
        user_id = request.path_params["user_id"]
        record = from_json(users[user_id])
        record.update(UserChange.model_validate_json(await request.body()).to_wire())
        users[user_id] = body = to_json(record)
        return Response(body, media_type="application/json; charset=UTF-8")

    return Starlette(routes=[Route("/users/{user_id}", patch, methods=["PATCH"])])


def serve(app: Any, **options: Any) -> None:
    """Serve an app; print its address when it is ready."""
    listener = listen("127.0.0.1", 0)
    options |= {"ws": "none", "lifespan": "off", "log_config": None, "timeout_keep_alive": 60}
    options |= {"access_log": False, "proxy_headers": False, "server_header": False}
    listener.listen(2048)
    print(json.dumps(f"http://127.0.0.1:{listener.getsockname()[1]}/users/u-001"), flush=True)
    uvicorn.Server(uvicorn.Config(app, **options)).run([listener])


class Side(NamedTuple):
    """A server to ask."""

    name: str
    running: subprocess.Popen[str]
    url: str
    bearer: str

    @property
    def request(self) -> bytes:
        """The update of a user."""
        headers = {"Authorization": self.bearer, "Content-Type": "application/json"}
        return write_request("PATCH", self.url, headers, BODY)

    def cpu(self) -> float:
        """Seconds of CPU time that its process has used."""
        return clock_gettime(~self.running.pid << 3 | 2)  # clock_getcpuclockid of Linux, which Python lacks


def start_fake(stack: ExitStack, name: str, *options: str) -> Side:
    """Start a served fake."""
    running, facts = stack.enter_context(
        process("-m", "svckit", "serve", "--port", "0", *options, stderr=subprocess.DEVNULL)
    )
    return Side(name, running, f"{facts['base_url']}/users/u-001", bearer_of(facts))


def start_other(stack: ExitStack, name: str, *options: str) -> Side:
    """Start another server."""
    running, url = stack.enter_context(process("-m", "tests.benchmarks.served_ratio", *options))
    return Side(name, running, url, TOKEN)


def size_of_response(fake: Side) -> int:
    """The bytes of the body of each response."""
    headers = {"Authorization": fake.bearer}
    return len(httpx.patch(fake.url, json={"nickName": "Mina"}, headers=headers, trust_env=False).content)


def main() -> None:
    """Print the ratios and the growth."""
    with ExitStack() as stack:
        fake = start_fake(stack, "the fake", "--now", NOW)
        others = [start_other(stack, "a bare h11 app", "bare", str(size_of_response(fake)))]
        if find_spec("starlette"):
            others.append(start_other(stack, "Starlette and the same work", "starlette"))
        for other in others:
            compare(fake, other)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        save(touched(TOUCHED), folder / "touched.db")
        for name in ("new", "touched"):
            kept = start_fake(
                stack, f"the fake, its state in a {name} file", "--now", NOW, "--state", f"{folder / name}.db"
            )
            compare(kept, fake)
        asyncio.run(load(fake.url, fake.request, JOURNAL))
        before = resident(fake.running)
        rate, _ = asyncio.run(load(fake.url, fake.request, MANY))
        print(
            f"{MANY} calls at {rate:.0f}/s: {before:.0f} MiB before, {resident(fake.running):.0f} MiB after"
        )


def compare(ours: Side, theirs: Side) -> None:
    """Ask both in turns, and print the ratios."""
    found: dict[str, list[float]] = {
        "CPU time": [],
        "throughput": [],
        "median latency": [],
        "99th percentile": [],
    }
    for number in range(ROUNDS + 1):
        figures = [ask(side) for side in (ours, theirs)]
        if number:  # the first warms both up
            for ratios, one, other in zip(found.values(), *figures, strict=True):
                ratios.append(one / other)
    print(f"{ours.name}, compared with {theirs.name}:")
    for name, ratios in found.items():
        low, middle, high = quantiles(ratios, n=4)
        print(f"  {name}: {middle:.2f} ({low:.2f} to {high:.2f})")


def ask(side: Side) -> tuple[float, float, float, float]:
    """Return the CPU time of a round, its throughput, and its median and 99th percentile of latency."""
    before = side.cpu()
    rate, times = asyncio.run(load(side.url, side.request, CALLS))
    return side.cpu() - before, rate, percentile(times, 0.5), percentile(times, 0.99)


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        serve(constant(b"x" * int(sys.argv[2])), loop="asyncio", http="h11")
    elif sys.argv[1:2] == ["starlette"]:
        serve(starlette(), loop="uvloop", http="httptools")
    else:
        main()
