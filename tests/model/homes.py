"""Homes: where a fake lives, which decides how it may be copied, closed and opened again, or killed."""

import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from base64 import b64decode
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import requests

from fakes import FakeService, Worlds
from fakes.serving import open_sample

from .doors import IN_PROCESS, Door, open_over_tcp
from .service.wire import Request

NOW = "2026-06-01T09:00:00+09:00"
USERS, SEED, KEY = 4, 5, "key-of-the-model"
ROOT = Path(__file__).parents[2]
CHEAP = ("engine",) * 27 + ("transport",) * 5 + ("httpx",) * 4 + ("async", "requests")
"""The doors in process: a call through the first costs least."""


class Home:
    """A fake and the doors that lead to it, each opened on its first use.

    Attributes:
        doors: the names of its doors, those that are used often more than once.
        large: the share of large content, which a state file keeps in a file of its own.
        each: after so many operations, it is copied, or closed and opened again.
        ways: how it may be changed so.
        folder: where its files are.
    """

    doors: tuple[str, ...] = (*CHEAP, "served")
    large = 0.01
    each = 150
    ways: tuple[str, ...] = ("reopen",)
    folder: Path | None = None

    def __init__(self) -> None:
        self._kept = ExitStack()  # until the end
        self._open = ExitStack()  # until the fake is another one
        self._doors: dict[str, Door] = {}
        self.start()

    def start(self) -> None:
        """Make the fake, or open it again."""
        raise NotImplementedError

    def stop(self) -> None:
        """Close all doors."""
        self._doors.clear()
        self._open.close()

    def facts(self) -> dict[str, Any]:
        """What clients in process are configured with."""
        raise NotImplementedError

    def door(self, name: str) -> Door:
        """Return a door, by its name."""
        if name not in self._doors:
            door = self._doors[name] = self.make_door(name)
            self._open.callback(door.close)
        return self._doors[name]

    def make_door(self, name: str) -> Door:
        raise NotImplementedError

    def read_stored(self) -> dict[str, Any] | None:
        """What the fake stores, except counts of calls and what labels later responses; None where it is not seen."""
        return None

    def change(self, how: str) -> str | None:
        """Copy the fake and go on with either, or close it or kill its process, and open it again.

        Returns:
            A token that is not valid here, if there is one.
        """
        self.stop()
        self.start()
        return None

    def diagnose(self, door: Door) -> str:
        """Say what may have kept a response: the disk, the machine, the fake, or a thread that waits."""
        with tempfile.TemporaryFile(dir=self.folder) as file:
            file.write(bytes(4096))
            before = time.perf_counter()
            os.fsync(file.fileno())
            disk = time.perf_counter() - before
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        try:
            health: object = door.call(Request("GET", "admin", "/health", {}))
        except (httpx.TimeoutException, requests.Timeout) as error:
            health = error
        stacks = ["".join(traceback.format_stack(frame)[-3:]) for frame in sys._current_frames().values()]
        return (
            f"afterwards an fsync beside it took {disk:.2f} s, the load of the machine is {load:.1f}, GET /health "
            f"gets {health!r}, and the threads of this process are at:\n" + "\n".join(stacks)
        )

    def close(self) -> None:
        self.stop()
        self._kept.close()


class Memory(Home):
    """A fake in this process, which may be forked, or restored from a snapshot into another one."""

    large = 0.001  # what is stored is read with nearly each operation, and all of its content
    ways = ("copy", "copy apart", "reopen")

    def start(self) -> None:
        self.fake = self._make()

    def _make(self) -> FakeService:
        return FakeService.sample(users=USERS, seed=SEED, now=NOW)

    def facts(self) -> dict[str, Any]:
        return dict(self.fake.facts)

    def make_door(self, name: str) -> Door:
        if name == "served":
            served = self._open.enter_context(self.fake.serve())
            return open_over_tcp(served.facts)
        return IN_PROCESS[name](self.fake, self.fake.facts)

    def read_stored(self) -> dict[str, Any]:
        snapshot = self.fake.snapshot()
        del snapshot["decisions"], snapshot["api_rate"], snapshot["tokens"]["reused_codes"]
        del snapshot["webhooks"]["limiter"]["other"]
        for login in snapshot["auth"]["logins"].values():
            del login["failed"]
        for stub in snapshot["stubs"]["stubs"]:
            del stub["used"]
        return snapshot

    def change(self, how: str) -> str | None:
        self.stop()
        old = self.fake
        if how == "reopen":
            other = self._make()
            other.restore(json.loads(json.dumps(old.snapshot())))
        else:
            other = old.fork()
        self.fake, apart = (old, other) if how == "copy apart" else (other, old)
        disturb(apart)
        return None


def disturb(fake: FakeService) -> None:
    """Change much of a fake that is used no more: none of it must reach its copy, or what it is a copy of."""
    fake.faults.clear()
    with httpx.Client(transport=fake.transport()) as http:
        for upload in fake.snapshot()["files"]["uploads"]["uploads"][-5:]:
            size, start = upload["request"]["fileSize"], len(b64decode(upload["received"]))
            headers = {
                "Authorization": f"Bearer {fake.access_token(upload['user_id'])}",
                "Content-Range": f"{start}-{start}/{size}",
            }
            url = f"{fake.facts['upload_url']}/uploads/{upload['address']}"
            http.post(url, files={"Filedata": ("a", b"!")}, headers=headers)
    fake.clock.advance(days=200)
    fake.faults.status("*", 500, times=None)
    fake.stubs.clear()
    fake.settings.profile_status_enabled = not fake.settings.profile_status_enabled
    fake.reset()


class Hosted(Home):
    """A world beside another one that is used as well."""

    each = 40

    def start(self) -> None:
        self.worlds = self._make()
        self.worlds.create("beside", users=USERS, seed=SEED)
        self.worlds.create("mine")

    def _make(self, **options: Any) -> Worlds:
        return Worlds(USERS, SEED, NOW, **options)

    def facts(self) -> dict[str, Any]:
        return dict(self.worlds.find("mine").facts)

    def make_door(self, name: str) -> Door:
        if name == "served":
            served = self._open.enter_context(self.worlds.serve())
            headers = {"Authorization": f"Bearer {served.facts['admin_key']}"}
            with httpx.Client(trust_env=False) as http:
                mine = http.get(f"{served.facts['admin_url']}/worlds/mine", headers=headers)
                return open_over_tcp(mine.json())
        return IN_PROCESS[name](self.worlds, self.facts())

    def change(self, how: str) -> str | None:
        """Use the world beside it, and return a token of that."""
        beside = self.worlds.find("beside")
        token = beside.access_token("u-001")
        with httpx.Client(transport=self.worlds.transport()) as http:
            headers = {"Authorization": f"Bearer {token}"}
            http.patch(
                f"{beside.facts['base_url']}/users/u-001", json={"nickName": "Beside"}, headers=headers
            )
        assert beside.directory["u-001"]["nickName"] == "Beside"
        beside.clock.advance(hours=1)
        beside.reset()
        return token


class HostedInFolder(Hosted):
    """A world in a folder, which is closed and loaded again."""

    ways = ("beside", "reopen", "reopen")
    large = 0.03
    each = 40

    def start(self) -> None:
        self.folder = Path(self._kept.enter_context(tempfile.TemporaryDirectory()))
        self.worlds = self._make(state=self.folder)
        self._kept.callback(self._save)
        self.worlds.create("beside", users=USERS, seed=SEED)
        self.worlds.create("mine")

    def _save(self) -> None:
        self.worlds.close()

    def change(self, how: str) -> str | None:
        if how == "beside":
            return super().change(how)
        self.stop()
        self._save()
        self.worlds = self._make(state=self.folder)
        return super().change(how)


class InFile(Home):
    """A fake with a state file, which is closed and opened again; calls in process are saved by then."""

    large = 0.03
    each = 40

    def start(self) -> None:
        if self.folder is None:
            self.folder = Path(self._kept.enter_context(tempfile.TemporaryDirectory()))
        path = self.folder / "fake.db"
        self.fake = self._open.enter_context(open_sample(KEY, users=USERS, seed=SEED, now=NOW, state=path))
        self._served = self._open.enter_context(self.fake.serve())

    def facts(self) -> dict[str, Any]:
        return dict(self.fake.facts)

    def make_door(self, name: str) -> Door:
        if name == "served":
            return open_over_tcp(self._served.facts)
        return IN_PROCESS[name](self.fake, self.fake.facts)


class Process(Home):
    """A server with a state file in a process of its own, which is killed and started again."""

    doors = ("tcp",)
    large = 0.03
    each = 40

    def start(self) -> None:
        if self.folder is None:
            self.folder = Path(self._kept.enter_context(tempfile.TemporaryDirectory()))
        options = ("--port", "0", "--users", str(USERS), "--seed", str(SEED), "--now", NOW)
        self._process = subprocess.Popen(
            (sys.executable, "-m", "svckit", "serve", *options, "--state", str(self.folder / "fake.db")),
            cwd=ROOT,
            env=os.environ | {"SVCKIT_ADMIN_KEY": KEY},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._facts = json.loads(self._process.stdout.readline())
        self._open.callback(self._end)

    def _end(self) -> None:
        """Kill the process: what a response has acknowledged is on the disk."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def facts(self) -> dict[str, Any]:
        return dict(self._facts)

    def make_door(self, name: str) -> Door:
        return open_over_tcp(self._facts)


HOMES: dict[str, type[Home]] = {
    "memory": Memory,
    "world": Hosted,
    "world in a folder": HostedInFolder,
    "state file": InFile,
    "process": Process,
}
