"""The page of faults; each one is injected, and the page says what a client and a session see."""

import inspect
import re
from operator import attrgetter
from typing import Any

import httpx

import svckit
from binder.reference.markdown import code, fence, page, paragraphs, prose, table
from fakes import FakeService
from fakes.faults.injection import OPTIONS, Faults
from fakes.faults.kinds import KINDS
from fakes.faults.targets import CALLS

INTRO = """\
`fake.faults` injects faults into the responses of a fake; so does the [admin call](admin.md#adminfaultsadd)
`POST /faults`, which writes options in camel case, and returns `after` as `afterBytes`.
"""
NOW = "2026-06-01T09:00:00+09:00"
EXAMPLE = re.compile(r">>> Faults\(\)\.(.+)")
"""The call in the docstring of a kind."""


def write() -> str:
    """Return the page."""
    options = [(code(name.removesuffix("_bytes")), prose(words)) for name, words in OPTIONS.items()]
    calls = [(code(f"svc.{call}"), prose(words)) for call, words in CALLS.items() if is_method(call)]
    return page(
        "Faults",
        INTRO,
        *paragraphs(inspect.getdoc(Faults))[1:],
        "## Options",
        table(("option", "value"), options),
        "## Targets",
        "The target names an operation of the service, not a method of a session. These are the operations behind "
        "methods:",
        table(("method", "operations"), calls),
        "## Kinds of faults",
        "Each call below is followed by what happens when a client then updates a user, first with httpx, then with a "
        "session. The clock of the fake stands, so nobody waits.",
        *map(describe, KINDS),
    )


def describe(kind: str) -> str:
    """Return the part of the page about one kind of fault."""
    doc = inspect.getdoc(getattr(Faults, kind)) or ""
    call = f"fake.faults.{EXAMPLE.findall(doc)[0]}"
    fake = FakeService.sample(now=NOW)
    shown = repr(inject(fake, call))
    lines = [f"### {kind}", *paragraphs(doc)]
    lines.append(fence(f">>> {call}\n{shown}", "pycon"))
    if kind == "drop_callback":
        fake.callbacks.connect("bot-1", lambda headers, body: None)
        outcome = fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})
        rows = [("a message to the bot", prose(f"{outcome.outcome}: {outcome.error}"))]
    else:
        rows = [("httpx", prose(try_httpx(fake)))]
        svc = svckit.connect("fake", now=NOW)
        assert svc.fake is not None
        inject(svc.fake, call)
        rows.append(("a session", prose(try_session(svc))))
    return "\n\n".join([*lines, table(("by", "outcome"), rows)])


def is_method(name: str) -> bool:
    """Return whether a session has a method; the table also has names that people try in vain."""
    try:
        return callable(attrgetter(name)(svckit.connect("fake", now=NOW)))
    except AttributeError:
        return False


def inject(fake: FakeService, call: str) -> Any:
    """Make a call that injects a fault, and return the fault."""
    return eval(call, {"fake": fake})


def try_httpx(fake: FakeService) -> str:
    """Update a user with httpx, and say what happens."""
    bearer = {"Authorization": f"Bearer {fake.access_token()}"}
    before = fake.clock.now()
    with httpx.Client(transport=fake.transport(), headers=bearer) as http:
        try:
            response = http.patch(f"{fake.facts['base_url']}/users/u-001", json={"task": "Sales"})
        except httpx.TransportError as error:
            return f"raises `httpx.{type(error).__name__}`: {error}"
    headers = [f"`{name}: {response.headers[name]}`" for name in ("Retry-After",) if name in response.headers]
    later = (fake.clock.now() - before).total_seconds()
    took = [f"the clock has moved by {later:g} seconds"] if later else []
    return "; ".join([f"gets {response.status_code}", *headers, *took])


def try_session(svc: svckit.Session) -> str:
    """Update a user with a session, and say what happens."""
    try:
        svc.users.update("u-001", task="Sales")
    except svckit.ServiceError as error:
        return f"raises `{type(error).__name__}`: {error}"
    return "succeeds"
