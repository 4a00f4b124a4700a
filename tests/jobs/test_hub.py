"""A class on a real JupyterHub: three learners, each with a world of their own, and a trainer who sees all of them."""

import asyncio
import json
import os
import re
import runpy
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from types import SimpleNamespace

import httpx
import pytest
import yaml
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from fakes import Worlds
from fakes.worlds.folder import NAME

from ..loopback import PATIENCE, find_five_ports, local_client
from .conftest import ROOT

FILES = ROOT / "binder" / "hub"
LEARNERS = ("ada", "mina", "noor")
TOKEN = "a-token-of-the-test"
PASSWORD = "of the trainer"
ROLE = {"name": "test", "scopes": ["admin:users", "admin:servers", "access:servers"], "services": ["test"]}
CELL = """
import os, svckit
svc = svckit.connect()
svc.users.update("u-001", nick_name=os.environ["SVCKIT_LEARNER"])
svc.notify("hello from " + os.environ["SVCKIT_LEARNER"])
print(os.environ["SVCKIT_GROUP"], svc.users.read("u-001").nick_name, svc.is_fake, "SVCKIT_ADMIN_KEY" in os.environ)
"""
USERS = "__import__('svckit').connect().users"


@contextmanager
def hub(installed, folder, **variables):
    """Run the hub of the repository, with other ports and a token for the test; yield a client of its API."""
    first = find_five_ports()
    url = f"http://127.0.0.1:{first}"
    (folder / "hub.py").write_text(
        f"load_subconfig({str(FILES / 'jupyterhub_config.py')!r})\n"
        f"c = get_config()\n"
        f"c.JupyterHub.bind_url = {url!r}\n"
        f"c.JupyterHub.hub_port = {first + 1}\n"
        f"c.ConfigurableHTTPProxy.api_url = 'http://127.0.0.1:{first + 2}'\n"
        f"c.JupyterHub.services = [{{'name': 'test', 'api_token': {TOKEN!r}}}]\n"
        f"c.Spawner.args = [*c.Spawner.args, '--LabApp.expose_app_in_browser=True']\n"
        f"c.JupyterHub.load_roles = [{ROLE!r}]\n",
        "utf-8",
    )
    variables |= {"SVCKIT_TRAINER_PASSWORD": PASSWORD, "SVCKIT_GROUP": "spring"}
    variables["PATH"] = os.pathsep.join([str(installed.scripts), os.environ["PATH"]])
    with (folder / "log").open("w") as log:
        running = subprocess.Popen(
            [installed.scripts / "jupyterhub", "-f", folder / "hub.py"],
            cwd=folder,
            env={**os.environ, **variables},
            stdout=log,
            stderr=log,
        )
    try:
        with local_client(base_url=url, headers={"Authorization": f"token {TOKEN}"}) as http:
            deadline = time.monotonic() + PATIENCE
            while running.poll() is None and time.monotonic() < deadline:
                with suppress(httpx.TransportError):  # not yet listening
                    if http.get("/hub/api/health", timeout=1).status_code == 200:
                        break
            else:
                pytest.fail((folder / "log").read_text())
            yield http
    finally:
        running.terminate()
        running.wait(PATIENCE)


def start_server(http, name):
    """Create a user, and start their server."""
    http.post(f"/hub/api/users/{name}").raise_for_status()
    http.post(f"/hub/api/users/{name}/server").raise_for_status()
    with http.stream("GET", f"/hub/api/users/{name}/server/progress") as progress:
        events = [json.loads(line.removeprefix("data:")) for line in progress.iter_lines() if "data:" in line]
    assert events[-1].get("ready"), events


def run_cell(http, name, code):
    """Run a cell in a new kernel of a user's server, and return what it prints."""
    kernel = http.post(f"/user/{name}/api/kernels", json={}).raise_for_status().json()["id"]
    url = http.base_url.copy_with(scheme="ws", path=f"/user/{name}/api/kernels/{kernel}/channels")
    request = {
        "msg_id": "cell",
        "msg_type": "execute_request",
        "username": "",
        "session": "",
        "version": "5.3",
    }
    message = {"header": request, "parent_header": {}, "metadata": {}, "channel": "shell"}

    async def run():
        socket = await websocket_connect(HTTPRequest(str(url), headers=dict(http.headers)))
        await socket.write_message(json.dumps(message | {"content": {"code": code, "silent": False}}))
        printed = []
        while True:
            got = json.loads(await socket.read_message())
            if got["parent_header"].get("msg_id") != "cell":
                continue
            printed += [got["content"][key] for key in ("text", "evalue") if key in got["content"]]
            if got["content"].get("execution_state") == "idle":
                socket.close()
                while await socket.read_message() is not None:
                    pass
                return "".join(printed)

    return asyncio.run(asyncio.wait_for(run(), PATIENCE))


@pytest.mark.long
def test_trainer_sees_all_worlds(installed, tmp_path):
    installed.install("-r", FILES / "requirements.txt", "-c", ROOT / "binder" / "requirements.txt")
    worlds = Worlds(users=3, now="2026-06-01T09:00:00+09:00")
    with worlds.serve() as server:
        admin = {
            "SVCKIT_ADMIN_URL": server.facts["admin_url"],
            "SVCKIT_ADMIN_KEY": server.facts["admin_key"],
        }
        with hub(installed, tmp_path, **admin) as http:
            for name in LEARNERS:
                start_server(http, name)
                assert run_cell(http, name, CELL) == f"spring {name} True False\n"
            assert worlds.names() == list(LEARNERS)
            for name in LEARNERS:
                world = worlds.find(name)
                (message,) = world.webhooks.messages(world.facts["channel_id"])
                assert message.text == f"hello from {name}"
                assert "users.update" in {entry.operation for entry in world.journal}
                world.faults.status("users.update", 503)
            for name in LEARNERS:
                assert "503" in run_cell(http, name, f"{USERS}.update('u-001', task='x')"), name
                worlds.find(name).reset()
            assert run_cell(http, "ada", f"print({USERS}.read('u-001').nick_name)") != "ada\n"


class Configuration(SimpleNamespace):
    """A configuration as JupyterHub passes it to a file: sections, each with the settings that were made."""

    def __getattr__(self, section):
        setattr(self, section, SimpleNamespace(environment={}))
        return getattr(self, section)


def configure(name, monkeypatch):
    """Run a file of the hub's configuration; what it defines, and the configuration."""
    monkeypatch.setenv("SVCKIT_TRAINER_PASSWORD", PASSWORD)
    authenticator = SimpleNamespace(FirstUseAuthenticator=object)  # installed where the hub is
    monkeypatch.setitem(sys.modules, "firstuseauthenticator", authenticator)
    monkeypatch.delenv("SVCKIT_ADMIN_URL", raising=False)
    configuration = Configuration()
    defined = runpy.run_path(str(FILES / name), {"get_config": lambda: configuration})
    return defined, configuration


HANGUL = "\ud64d\uae38\ub3d9" * 5
NAMES = [
    "ada",
    "Ada",
    "ada lovelace",
    "-ada",
    "_",
    "x5f_",
    "\ud64d\uae38\ub3d9",
    HANGUL,
    HANGUL + "\ud64d",
    "\u6d69" * 60,
    "a" * 63,
    "a" * 64,
    "a" * 300,
]


def test_learners_have_valid_worlds(monkeypatch):
    name_world = configure("worlds.py", monkeypatch)[0]["name_world"]
    worlds = [name_world(name) for name in NAMES]
    assert [name for name, world in zip(NAMES, worlds, strict=True) if not NAME.fullmatch(world)] == []
    assert len(set(worlds)) == len(NAMES)
    assert worlds[0] == "ada"


def test_names_never_share_a_world(monkeypatch):
    name_world = configure("worlds.py", monkeypatch)[0]["name_world"]
    given = name_world(HANGUL)
    for end in range(len(given)):  # as if the start were escaped characters, and the rest typed as it is
        letters = re.sub("x([0-9a-f]+)_", lambda found: chr(int(found[1], 16)), given[:end]) + given[end:]
        assert name_world(letters) != given


def test_long_name_is_refused_at_login(monkeypatch):
    configuration = configure("jupyterhub_config.py", monkeypatch)[1]
    allowed = re.compile(configuration.Authenticator.username_pattern).match  # as the hub does
    longest = "\U0001f600" * 60
    assert allowed("ada")
    assert allowed(longest)
    assert len(longest.encode()) <= 255
    assert not allowed("a" * 61)
    assert not allowed("a" * 300)
    assert "60 characters" in configuration.JupyterHub.template_vars["announcement_login"]


def test_values_are_those_of_the_chart():
    values = yaml.safe_load((FILES / "values.yaml").read_text("utf-8"))
    assert set(values) <= {"hub", "singleuser"}
    for name in ("worlds.py", "jupyterhub_config.py"):
        compile((FILES / name).read_text("utf-8"), name, "exec")
    compile(values["hub"]["extraConfig"]["learner"], "learner", "exec")
