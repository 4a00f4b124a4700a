"""The page of errors; the example of each one is run, and its message is what was raised."""

import textwrap
import warnings
from contextlib import chdir
from tempfile import TemporaryDirectory
from typing import TypeVar

import svckit.errors
from binder.reference.markdown import attributes, code, fence, page, paragraphs, table
from fakes import AssumptionRefused, BudgetSpent, NoRedirect
from fakes.persistence import NotSaved
from fakes.store.database import Damaged
from svckit.events import BadSignature

Raised = TypeVar("Raised", bound=BaseException)

INTRO = """\
An error says what happened, what the service said, and what to do next. Failures of the service or of the
connection are [`ServiceError`](#serviceerror), and each subclass is one kind of failure. Bad input that a
session finds before it sends anything is [`InvalidInput`](#invalidinput), a `ValueError`. The examples begin
with the lines below; each message is the one that was raised when this page was written.
"""
BEGINNING = """\
import svckit
from svckit import operations, places

svc = svckit.connect("fake", now="2026-06-01T09:00:00+09:00")
"""
EXAMPLES: dict[type[BaseException], str] = {
    svckit.errors.ServiceError: """\
        svc.fake.faults.status("users.update", 500)
        svc.users.update("u-001", task="Sales")
        """,
    svckit.errors.Refused: """\
        svc.fake.settings.profile_status_enabled = False
        svc.users.set_status("u-001", "BUSY")
        """,
    svckit.errors.Unauthorized: """\
        svc.fake.reset()
        svc.users.read("u-001")
        """,
    svckit.errors.SignInStopped: """\
        profile = svckit.Profile.from_facts(svc.fake.facts)
        without_user = svckit.Credentials(client_secret=svckit.Secret("secret"))
        svckit.Session(profile, without_user).sign_in()
        """,
    svckit.errors.NotFound: """\
        svc.users.read("u-999")
        """,
    svckit.errors.Conflict: """\
        taken = svc.users.read("u-002").email
        svc.users.update("u-001", email=taken)
        """,
    svckit.errors.RateLimited: """\
        for number in range(121):
            svc.notify(f"Message {number}")
        """,
    svckit.errors.Retired: """\
        svc.request("DELETE", "/users/u-001/mail")
        """,
    svckit.errors.Unreachable: """\
        svc.fake.faults.connect_error("users.update", times=None)
        svc.users.read("u-001")
        """,
    svckit.errors.SizeDiffers: """\
        from svckit.http.messages import Response

        # A fake never does this, so here the responses are made up.
        upload = operations.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
        next(upload)
        upload.send(Response(200, content=b'{"uploadUrl": "https://storage.fake.test/uploads/1"}'))
        stored = b'{"fileId": "file-1", "fileSize": 4}'
        upload.send(Response(201, content=stored, request="POST https://storage.fake.test/uploads/1"))
        """,
    svckit.errors.ForeignOrigin: """\
        svc.request("GET", "https://elsewhere.example/users")
        """,
    svckit.errors.Cancelled: """\
        import threading

        cancel = threading.Event()
        cancel.set()
        svc.files.upload(b"hello", to=places.drive("u-001"), name="a.txt", cancel=cancel)
        """,
    svckit.errors.UnusableProfile: """\
        from svckit.profiles.environment import Environment
        from svckit.profiles.resolution import Configuration

        variables = {"SVCKIT_WORK_BASE_URL": "https://api.example.com/v1"}
        Configuration([], Environment(variables)).profile("work")
        """,
    svckit.errors.InvalidInput: """\
        svc.users.update("u-001", nickname="Mina", employee_number="")
        """,
    BadSignature: """\
        headers = {"X-SERVICE-Signature": "AAAA", "X-SERVICE-BotId": "bot-1"}
        svckit.events.parse(headers, b"{}", secret="secret")
        """,
    AssumptionRefused: """\
        svc.fake.rules.choose({}, "refuse")
        svc.users.set_status("u-001", "BUSY")
        """,
    BudgetSpent: """\
        with svc.fake.budget(calls=10):
            while True:
                svc.users.read("u-001")
        """,
    NoRedirect: """\
        svc.fake.browser().sign_in()
        """,
    Damaged: """\
        import sqlite3
        from contextlib import closing
        from fakes import FakeService
        from fakes.store.state_file import Beginning, StateFile

        # `svckit serve --state fake.db` does the same with its file; here the file is damaged between two starts.
        beginning = Beginning(users=20, seed=0, now="2026-06-01T09:00:00+09:00")
        with closing(StateFile("fake.db")) as file:
            file.attach(FakeService.sample(*beginning), beginning)
        with closing(sqlite3.connect("fake.db")) as database, database:
            database.execute("DELETE FROM beginning")
        with closing(StateFile("fake.db")) as file:
            file.attach(FakeService.sample(*beginning), beginning)
        """,
    NotSaved: """\
        import sqlite3
        from pathlib import Path
        from fakes.store.database import make_not_saved

        # As if the disk were full: here the cause is made up.
        full = sqlite3.OperationalError("database or disk is full")
        full.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise make_not_saved(Path("fake.db"), full)
        """,
}
SEE = {
    svckit.errors.RateLimited: "See [How to stay within the notification limit]"
    "(../how-to/stay-within-the-notification-limit.ipynb).",
}
"""A link for those who want to do more about an error."""
HOMES = {
    AssumptionRefused: "fakes",
    BudgetSpent: "fakes",
    NoRedirect: "fakes",
    BadSignature: "svckit.events",
    **{each: each.__module__ for each in (Damaged, NotSaved)},
}


def write() -> str:
    """Return the page."""
    known = {getattr(svckit.errors, name) for name in svckit.errors.__all__}
    missing = {each for each in known if isinstance(each, type) and issubclass(each, Exception)} - set(
        EXAMPLES
    )
    if missing:
        raise LookupError(f"errors without an example: {missing}")
    return page("Errors", INTRO, fence(BEGINNING, "python"), *map(describe, EXAMPLES))


def describe(error: type[BaseException]) -> str:
    """Return the part of the page about one error."""
    home = HOMES.get(error, "svckit")
    if home == "svckit" and error.__name__ not in svckit.__all__:
        home = "svckit.errors"
    bases = [base.__name__ for base in error.__bases__ if issubclass(base, BaseException)]
    lines = [f"## {error.__name__}", *paragraphs(error.__doc__)]
    lines.append(f"{code(f'{home}.{error.__name__}')}, a subclass of {', '.join(map(code, bases))}")
    rows = [(code(name), words) for name, words in attributes(error.__doc__)]
    lines += [table(("attribute", "meaning"), rows), SEE.get(error, "")]
    example = textwrap.dedent(EXAMPLES[error])
    lines += [fence(example, "python"), fence("\n".join(wrap(message_of(error, example))))]
    return "\n\n".join(filter(None, lines))


def message_of(error: type[BaseException], example: str) -> str:
    """Run an example, and return the message of the error that it raises, with its notes."""
    raised = run(example, error)
    if type(raised) is not error:
        raise raised
    return "\n".join([f"{error.__name__}: {raised}", *getattr(raised, "__notes__", ())])


def run(example: str, error: type[Raised]) -> Raised:
    """Run an example in a folder of its own, and return the error that it raises."""
    try:
        with warnings.catch_warnings(action="ignore"), TemporaryDirectory() as folder, chdir(folder):
            exec(BEGINNING + textwrap.dedent(example), {})
    except error as raised:
        return raised
    raise LookupError(f"the example raises no {error.__name__}: {example}")


def wrap(message: str) -> list[str]:
    """Return a message in lines that fit on a page."""
    return [part for line in message.splitlines() for part in textwrap.wrap(line, 84) or [""]]
