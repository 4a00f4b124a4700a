"""A server of worlds for a whole run of pytest, also with xdist, and a world of it for each test."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from filelock import FileLock

from fakes.parts.facts import Facts
from fakes.testing.configured_fakes import blame, collect_arguments
from fakes.worlds.hosting import Worlds

__all__ = ["create_world", "share_server"]

PATIENCE = 60
"""Seconds for a response of a server on the same machine."""


@contextmanager
def share_server(config: pytest.Config, folder: Path) -> Iterator[Facts]:
    """Serve worlds in the first process of a run that needs them, and yield the facts of that server in all.

    Without xdist, the server stops with the block. A worker's server must outlast the worker's own tests, as others may
    still use it; it stops with the process, which xdist ends after the last test of all.

    Args:
        config: the configuration of the run, whose settings are those of all worlds.
        folder: the folder of the run for temporary files; that of a worker is inside.
    """
    with blame():
        server = Worlds(**collect_arguments(config)).serve()
    if not hasattr(config, "workerinput"):
        with server:
            yield server.facts
        return
    shared = folder.parent / "svckit-worlds.json"
    with FileLock(shared.with_suffix(".lock")):
        if not shared.exists():
            server.__enter__()
            shared.write_text(json.dumps(server.facts.to_wire()), encoding="utf-8")
    yield Facts(json.loads(shared.read_text(encoding="utf-8")))


@contextmanager
def create_world(server: Facts, test: pytest.Item) -> Iterator[Facts]:
    """Create a world for a test on a server, and delete it after the block.

    Args:
        server: the facts of the server.
        test: the test, whose markers configure the world.
    """
    settings, arguments = collect_arguments(test.config), collect_arguments(test.config, test)
    differing = {name: value for name, value in arguments.items() if settings.get(name) != value}
    url, headers = f"{server['admin_url']}/worlds", {"Authorization": f"Bearer {server['admin_key']}"}
    with httpx.Client(headers=headers, trust_env=False, timeout=PATIENCE) as http:
        response = http.post(url, content=json.dumps(differing, default=str))
        with blame(test):
            if response.is_error:
                raise ValueError(response.json()["description"])
        facts = response.json()
        yield Facts(facts)
        http.delete(f"{url}/{facts['name']}")
