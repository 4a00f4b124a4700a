"""Worlds on two processes behind nginx: each has its own, and a kill takes nothing away that was acknowledged."""

import shutil
import socket
import subprocess
from contextlib import ExitStack, contextmanager, suppress
from itertools import permutations
from threading import Event, Thread

import httpx
import pytest
import yaml

from fakes import Worlds
from fakes.http.errors import Refusal

from ...loopback import PATIENCE, free_port, local_client
from .serving import ROOT, serving_process

FILES = ROOT / "binder" / "worlds"
NAMES = [f"class-{number}" for number in range(12)]
KEY = "a-key-of-your-own"

needs_nginx = pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx")


@contextmanager
def proxy(folder, *ports):
    """Run nginx with the file of the repository, but other ports; yield its URL."""
    port = free_port()
    text = (FILES / "nginx.conf").read_text()
    for given, ours in zip((8000, 8001, 8002), (port, *ports), strict=True):
        text = text.replace(f"127.0.0.1:{given}", f"127.0.0.1:{ours}")
    (folder / "nginx.conf").write_text(text)
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        with local_client() as http:
            while running.poll() is None:
                try:
                    http.get(f"http://127.0.0.1:{port}/admin/health")
                    break
                except httpx.ConnectError:  # not yet listening
                    continue
        assert running.poll() is None, running.communicate()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        logged = running.communicate(timeout=PATIENCE)[1]
    assert "upstream" not in logged


@contextmanager
def sharded(folder):
    """Two processes with worlds in one folder, and a client of the proxy; a function restarts one of them."""
    ports = free_port(), free_port()
    options = ("--worlds", "--forwarded", "--state", folder / "worlds", "--users", 2)

    with ExitStack() as stack:

        def start(number):
            options_of_it = (*options, "--port", ports[number])
            running[number] = stack.enter_context(serving_process(*options_of_it, SVCKIT_ADMIN_KEY=KEY))

        running = [None, None]
        start(0)
        start(1)
        url = stack.enter_context(proxy(folder, *ports))
        http = stack.enter_context(local_client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}))
        yield http, running, start


def post(world, text):
    """Post a message into the room of a world; the status."""
    with local_client() as http:
        return http.post(world["webhooks"][0], json={"body": {"text": text}}).status_code


def texts(world):
    """The messages in the room of a world."""
    with local_client(headers={"Authorization": f"Bearer {world['admin_key']}"}) as http:
        messages = http.get(f"{world['admin_url']}/rooms/channel-1/messages").json()["messages"]
    return [message["text"] for message in messages]


@needs_nginx
@pytest.mark.long
def test_worlds_are_shared_out_by_name_and_a_kill_loses_nothing(tmp_path):
    with sharded(tmp_path) as (http, running, start):
        worlds = {name: http.post(f"/admin/worlds/{name}", json={}).json() for name in NAMES}
        assert http.get("/admin/worlds").json() == {"worlds": sorted(NAMES)}
        assert all(world["base_url"].startswith(str(http.base_url)) for world in worlds.values())
        owned = [
            {name for name in NAMES if one.admin("GET", f"/worlds/{name}").status_code == 200}
            for one in running
        ]
        assert owned[0] | owned[1] == set(NAMES)
        assert owned[0] & owned[1] == set()
        assert all(owned)
        acknowledged, killed = {name: [] for name in NAMES}, Event()

        def post_until_killed(name):
            number = 0
            while number < 40:
                text = f"{name} {number}"
                try:
                    status = post(worlds[name], text)
                except httpx.TransportError:
                    continue
                if status == 200:
                    acknowledged[name].append(text)
                    number += 1
                    if number == 20 and name in owned[0]:
                        killed.set()

        threads = [Thread(target=post_until_killed, args=(name,)) for name in NAMES]
        for thread in threads:
            thread.start()
        killed.wait(PATIENCE)
        running[0].process.kill()
        running[0].process.wait()
        start(0)
        for thread in threads:
            thread.join(PATIENCE)
        for name in NAMES:
            found = texts(worlds[name])
            assert len(acknowledged[name]) == 40
            assert set(acknowledged[name]) <= set(found)
        assert {
            name for name in NAMES if running[0].admin("GET", f"/worlds/{name}").status_code == 200
        } == owned[0]


@needs_nginx
def test_proxy_logs_no_secrets_while_a_process_is_down(tmp_path):
    with proxy(tmp_path, free_port(), free_port()) as url, local_client() as http:
        assert http.post(f"{url}/w/mina/hooks/message/SECRET").status_code == 502


@needs_nginx
@pytest.mark.long
def test_worlds_without_a_name_in_the_path_are_not_created(tmp_path):
    with sharded(tmp_path) as (http, *_):
        response = http.post("/admin/worlds", json={"name": "mina"})
        assert response.status_code == 421
        assert "POST /admin/worlds/NAME" in response.json()["description"]
        assert http.get("/admin/worlds").json() == {"worlds": []}


@contextmanager
def two_shards(folder):
    """Two fakes with worlds in one folder, as two processes have them, behind nginx; the URL of the proxy."""
    shards = [Worlds(users=2, state=folder / "worlds") for _ in range(2)]
    with ExitStack() as stack:
        served = [stack.enter_context(shard.serve(forwarded=True)) for shard in shards]
        for shard in shards:
            shard.state.admin_key = KEY
            stack.callback(shard.close)
        url = stack.enter_context(proxy(folder, *(each.url.rpartition(":")[2] for each in served)))
        yield url, shards


def read_status(url, path):
    """The status for a path that no client normalizes."""
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as connection:
        lines = (f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Connection: close", "", "")
        connection.sendall("\r\n".join(lines).encode())
        return int(connection.makefile("rb").read().split()[1])


@needs_nginx
def test_no_stray_request_takes_a_world_from_its_process(tmp_path):
    key = {"Authorization": f"Bearer {KEY}"}
    with two_shards(tmp_path) as (url, shards), local_client(base_url=url, headers=key) as http:
        worlds = {name: http.post(f"/admin/worlds/{name}", json={}).json() for name in NAMES}
        for shard in shards:
            shard.close()  # as after a restart
        for name, other in permutations(NAMES, 2):
            for dots in ("..", "%2e%2E", "a%2f..%2F.."):
                assert read_status(url, f"/w/{name}/{dots}/{other}/x") == 400
            for path in (f"/x/../w/{name}/x", f"/w//{name}/x", f"/admin/worlds/{other}/../{name}"):
                assert read_status(url, path) in (400, 401, 404)
        assert {http.get(f"/admin/worlds/{name}").status_code for name in NAMES} == {200}
        assert {post(world, "hello") for world in worlds.values()} == {200}


@needs_nginx
def test_proxy_keeps_paths_and_drops_prefixes(tmp_path):
    key = {"Authorization": f"Bearer {KEY}"}
    with two_shards(tmp_path) as (url, shards), local_client(base_url=url, headers=key) as http:
        world = http.post("/admin/worlds/mina", json={}).json()
        read_status(url, "/w/mina/api/users/externalKey%3Aa%2Fb")
        spoofed = {"X-Forwarded-Prefix": "/evil", "X-Forwarded-Host": "evil", "X-Forwarded-Proto": "evil"}
        assert http.get("/admin/facts", headers=spoofed).json()["base_url"] == f"{url}/api"
        assert world["base_url"] == f"{url}/w/mina/api"
        for shard in shards:
            with suppress(Refusal):  # the other one has it
                assert shard.find("mina").journal[-1].url.endswith("/users/externalKey%3Aa%2Fb")
                break
        else:
            pytest.fail("no process has the world")


def test_the_files_for_kubernetes_belong_together():
    service, workload, deployment, front, ingress = yaml.safe_load_all(
        (FILES / "kubernetes.yaml").read_text()
    )
    assert [each["kind"] for each in (service, workload, deployment, front, ingress)] == [
        "Service",
        "StatefulSet",
        "Deployment",
        "Service",
        "Ingress",
    ]
    assert workload["spec"]["serviceName"] == service["metadata"]["name"]
    for owner in (workload, deployment):
        assert owner["spec"]["selector"]["matchLabels"] == owner["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"] == workload["spec"]["selector"]["matchLabels"]
    assert front["spec"]["selector"] == deployment["spec"]["selector"]["matchLabels"]
    (container,) = workload["spec"]["template"]["spec"]["containers"]
    (claim,) = workload["spec"]["volumeClaimTemplates"]
    (mount,) = container["volumeMounts"]
    assert mount["name"] == claim["metadata"]["name"]
    assert mount["mountPath"] == container["args"][container["args"].index("--state") + 1]
    path = ingress["spec"]["rules"][0]["http"]["paths"][0]
    assert path["backend"]["service"]["name"] == front["metadata"]["name"]
