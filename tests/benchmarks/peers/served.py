"""Calls over TCP: what they cost the process of the server, and how long the slowest take.

Each server gets 1, 8 and 64 connections, of which each always has the next call waiting, so that the time that a
process spends on waking up for a single call does not make servers look alike. Those that close a connection after
each call get one call after another.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from subprocess import Popen
from typing import Any, NamedTuple

import httpx
from boto3.dynamodb.types import TypeSerializer
from pydantic_core import to_json

from tests.benchmarks.counting import read_cpu_time
from tests.benchmarks.serving import bearer_of, load, percentile, process, write_request

from .calls import CHANGE
from .sampling import OURS, Row, compare
from .servers import SERVERS
from .straight import BEARER, Straight

SERVE = ("-m", "svckit", "serve", "--port", "0")
MOTO = "moto server"
CONNECTIONS = 1, 8, 64
KEEP_CONNECTIONS = "uvicorn", "uvicorn (uvloop, httptools)", "uvicorn (asyncio, h11)"
"""The ends of the names of the servers that take many calls of a connection, and many connections."""


class Target(NamedTuple):
    """A running server, and the request that is sent to it."""

    running: Popen[str]
    request: dict[str, Any]

    @property
    def written(self) -> bytes:
        """The bytes of the request."""
        sent, body = self.request, to_json(self.request["json"])
        headers = {"Content-Type": "application/json"} | sent["headers"]
        return write_request(sent["method"], sent["url"], headers, body)


def patch(base: str, bearer: str) -> dict[str, Any]:
    """Return the update of a user."""
    headers = {"Authorization": bearer}
    return {"method": "PATCH", "url": f"{base}/users/u-001", "headers": headers, "json": CHANGE}


def update_item(base: str, http: httpx.Client) -> dict[str, Any]:
    """Store the same user in moto's DynamoDB, and return the update that comes nearest to ours."""
    typed = TypeSerializer().serialize
    credential = "AWS4-HMAC-SHA256 Credential=key/20260601/us-east-1/dynamodb/aws4_request"
    headers = {"Authorization": credential, "Content-Type": "application/x-amz-json-1.0"}

    def call(operation: str, **body: Any) -> dict[str, Any]:
        target = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        return {
            "method": "POST",
            "url": base,
            "headers": headers | target,
            "json": {"TableName": "users"} | body,
        }

    key = {"AttributeName": "userId"}
    create = call(
        "CreateTable",
        AttributeDefinitions=[key | {"AttributeType": "S"}],
        KeySchema=[key | {"KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
    )
    user = Straight().users["u-001"]
    for setup in (create, call("PutItem", Item={name: typed(value) for name, value in user.items()})):
        http.request(**setup).raise_for_status()
    return call(
        "UpdateItem",
        Key={"userId": typed("u-001")},
        UpdateExpression="SET " + ", ".join(f"{name} = :{name}" for name in CHANGE),
        ExpressionAttributeValues={f":{name}": typed(value) for name, value in CHANGE.items()},
        ReturnValues="ALL_NEW",
    )


def send(http: httpx.Client, target: Target, calls: int) -> None:
    """Send a request so many times."""
    for _ in range(calls):
        http.request(**target.request).raise_for_status()


def start(stack: ExitStack, name: str, http: httpx.Client) -> Target:
    """Start a server that stops with the stack."""
    command = SERVE if name == OURS else ("-m", "tests.benchmarks.peers.servers", name)
    running, ready = stack.enter_context(process(*command))
    if name == OURS:
        request = patch(ready["base_url"], bearer_of(ready))
    else:
        request = update_item(ready, http) if name == MOTO else patch(ready, BEARER)
    return Target(running, request)


def measure(rounds: int, calls: int) -> Iterator[Row]:
    """Yield the rows of calls of servers."""
    kept = {name: name == OURS or name.endswith(KEEP_CONNECTIONS) for name in (OURS, *SERVERS)}
    with ExitStack() as stack, httpx.Client(trust_env=False, timeout=60) as http:
        targets = {name: start(stack, name, http) for name in kept}
        costs: dict[str, list[float]] = {name: [] for name in targets}
        for number in range(rounds + 1):
            for name, target in targets.items():
                begun = read_cpu_time(target.running.pid)
                send(http, target, calls)
                if number:  # the first warms all up
                    costs[name].append(read_cpu_time(target.running.pid) - begun)
        others = {name: taken for name, taken in costs.items() if name == OURS or not kept[name]}
        yield from compare("calls served", "httpx.Client, one after another", others)
        of = {name: target for name, target in targets.items() if kept[name]}
        for connections in CONNECTIONS:
            case = "1 connection" if connections == 1 else f"{connections} connections"
            times, slowest = measure_connections(of, rounds, 10 * calls, connections)
            yield from compare("calls served", case, times)
            yield from compare("calls served", case, slowest, "99th percentile")


def measure_connections(
    targets: Mapping[str, Target], rounds: int, calls: int, connections: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return what the calls of each round cost the servers in CPU time, and the 99th percentile of their latency."""
    times: dict[str, list[float]] = {name: [] for name in targets}
    slowest: dict[str, list[float]] = {name: [] for name in targets}
    for _ in range(rounds):
        for name, target in targets.items():
            begun = read_cpu_time(target.running.pid)
            taken = asyncio.run(load(target.request["url"], target.written, calls, connections))
            times[name].append(read_cpu_time(target.running.pid) - begun)
            slowest[name].append(percentile(taken, 0.99))
    return times, slowest
