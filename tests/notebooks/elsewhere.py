"""Run the cells of a notebook with another fake behind its sessions: served, or a world of a server.

``FakeService.sample`` starts a server and returns what ``svc.fake`` is there, and ``svckit.connect`` connects to it by
the settings of a profile. Nothing else of the notebook is changed, except that waiting moves the clock of its fake.

The kind of fake and a file with a JSON list of sources are given. What is printed last is a JSON object of the errors
of the cells that failed, by their numbers.
"""

import json
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import svckit
from fakes import FakeService, RemoteFake, Worlds
from svckit.profiles.profiles import Profile


def serve(kind: str, stack: ExitStack, options: dict[str, Any]) -> dict[str, Any]:
    """Serve a fake, and return its facts."""
    if kind == "served":
        return stack.enter_context(make_sample(**options).serve()).facts
    server = stack.enter_context(Worlds().serve()).facts
    key = {"Authorization": f"Bearer {server['admin_key']}"}
    made = httpx.post(f"{server['admin_url']}/worlds/mina", json=options, headers=key, trust_env=False)
    facts: dict[str, Any] = made.raise_for_status().json()
    return facts


make_sample, connect = FakeService.sample, svckit.connect


def replace(kind: str, stack: ExitStack) -> None:
    """Have each fake that is made be one elsewhere, and each session one with that."""
    made: list[dict[str, Any]] = []

    def sample(**options: Any) -> RemoteFake:
        facts = serve(kind, stack, options)
        made.append(facts)
        return RemoteFake(facts["admin_url"], facts["admin_key"])

    def connect_elsewhere(target: Any = None, **options: Any) -> svckit.Session:
        if not isinstance(target, RemoteFake):
            target = sample(**options)
        facts = target.facts
        profile, credentials = Profile.from_facts(facts, name="class"), svckit.Credentials.from_facts(facts)
        return connect(profile, credentials=credentials, sign_in="form")

    def pass_time(seconds: float) -> None:
        RemoteFake(made[-1]["admin_url"], made[-1]["admin_key"]).clock.advance(seconds=seconds)

    FakeService.sample = sample  # type: ignore[method-assign, assignment]
    svckit.connect = connect_elsewhere  # type: ignore[assignment]
    time.sleep = pass_time


def main(kind: str, file: str) -> None:
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    failed = {}
    with ExitStack() as stack:
        replace(kind, stack)
        for number, source in enumerate(json.loads(Path(file).read_text("utf-8"))):
            done = shell.run_cell(source)
            error = done.error_in_exec or done.error_before_exec
            if error is not None:
                failed[number] = f"{type(error).__name__}: {error}"
    print(json.dumps(failed))


if __name__ == "__main__":
    main(*sys.argv[1:])
