"""What a real run tells of services that are otherwise: fakes in this process stand in for them, one after the other.

    python3 binder/run.py python -m tests.conformance.standing_in [RULE...]

runs the cases of a real run, with writes, against a fake with each alternative of each assumption, or of the RULEs,
and against some that refuse a whole area or are otherwise in several things at once. Of each, the rules that are
refuted have to be those that are otherwise, and no other.
"""

import contextlib
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fakes import FakeService
from fakes.rulebook.rule import RULEBOOK
from svckit.profiles.credentials import Credentials, SessionTokens
from svckit.profiles.profiles import Profile
from svckit.session.session import Session

from . import real
from .against_real import AgainstReal
from .coverage import cited
from .doors import WireDoor
from .real import MayWrite, Real, Watching
from .told_apart import TOLD_APART

HERE = Path(__file__).parent
NOW = "2026-06-01T09:00:00+09:00"
USERS = ["u-001", "u-005"]
OPTIONS = ["--svckit-target=real", "--svckit-profile=work", "--svckit-user=u-001", "--svckit-writes"]
OPTIONS += ["--svckit-throw-away-user=u-005", "--svckit-throw-away-webhook=build"]


@dataclass(frozen=True)
class Service:
    """A service that is otherwise.

    Attributes:
        name: what is said of it.
        assume: the alternatives that it has.
        refuses: the operations that it refuses, with the status.
        broken: the documented rules that it breaks by that.
    """

    name: str
    assume: dict[str, str] = field(default_factory=dict)
    refuses: tuple[tuple[str, int], ...] = ()
    broken: tuple[str, ...] = ()

    def fake(self):
        """A fake that stands in for it."""
        return FakeService.sample(users=20, seed=0, now=NOW, assume=self.assume)

    @property
    def reachable(self):
        """The rules in which it is otherwise that a real run can tell of."""
        return {rule_id for rule_id, each in self.assume.items() if each in TOLD_APART.get(rule_id, {})}


ALTERNATIVES = [
    Service(f"{rule.id}={alternative}", {rule.id: alternative})
    for rule in RULEBOOK.values()
    for alternative in rule.alternatives[1:]
]
AREAS = [
    Service(f"{operation} answered {status}", refuses=((operation, status),), broken=(rule_id,))
    for operation, rule_id, statuses in (
        ("users.update", "user.partial", (400, 401, 403, 409, 429, 500)),
        ("users.set_status", "status.registered", (400, 403, 404)),
        ("upload.*", "file.upload-url", (400, 403, 404, 413)),
        ("storage.receive", "file.stored", (400, 403, 413, 503)),
        ("download.*", "file.location", (403, 404)),
        ("storage.send", "file.content", (401, 404)),
        ("notifications.post", "notification.success", (400, 403, 503)),
        ("auth.token", "token.refreshed", (400, 401, 403)),
    )
    for status in statuses
]
SEVERAL = [
    Service(" and ".join(assume), assume)
    for assume in (
        {"api.unauthorized": "403", "api.error-body": "oauth2", "api.invalid": "422"},
        {"api.error-body": "oauth2", "user.telephone": "prefix", "user.custom-properties": "accepted"},
        {"api.invalid": "422", "status.order": "accepted", "status.past": "accepted"},
        {"drive.type": "extension", "drive.permission": "false"},
        {"status.name": "absent", "status.icon": "absent"},
        {
            "notification.empty-text": "refused",
            "notification.empty-label": "refused",
            "notification.mentions": "checked",
            "notification.button-url": "http-only",
        },
        {"file.overwrite": "replace", "file.revision-ids": "from-0"},
        {"token.error-status": "always-401", "token.earlier-access": "ended"},
        {"file.part-name": "Filedata-only", "file.content-field": "any", "file.upload-status": "201"},
    )
]


class Standing:
    """A pytest plugin that runs all cases against one service after another, and notes what they say of each."""

    def __init__(self, services):
        self.services = services
        self.said = {}

    def pytest_runtestloop(self, session):
        for service in self.services:
            run = AgainstReal("unwritten.json", MayWrite("u-005", "build"))
            run.pytest_collection_modifyitems(session.config, list(session.items))
            make = self._target(service, run)
            for item in session.items:
                run.sent.clear()
                tried(item, make(), run)
            self.said[service.name] = run.findings
        return True

    def _target(self, service, run):
        fake, tokens = service.fake(), SessionTokens()
        facts = dict(fake.facts) | {"users": USERS, "user_id": USERS[-1]}
        profile = Profile.from_facts(facts)
        credentials, clock = Credentials.from_facts(facts), fake.clock
        with Session(
            profile, credentials, tokens=tokens, transport=fake.transport(), fake=fake, clock=clock
        ) as session:
            session.sign_in()
        for operation, status in service.refuses:
            fake.faults.status(operation, status, times=None)
        run.begin(facts)
        door = Watching(WireDoor(fake.transport()), run.accepting, run.secrets, tokens)
        return lambda: Real(facts, door, profile, tokens, run, renews=True)


def tried(item, target, run):
    """Run a case as pytest does, without the time that pytest takes for it."""
    given = {"target": target, "me": target.signed_in()} | {
        name: value for name, value in item.callspec.params.items() if name != "target"
    }
    names = item._fixtureinfo.argnames
    assert set(names) <= set(given), f"{item.nodeid} needs {names}"
    excinfo, is_set_up = None, False
    try:
        with target.kept(cited(item, "writes")):
            is_set_up = True
            item.obj(**{name: given[name] for name in names})
    except pytest.skip.Exception:
        return
    except Exception:  # noqa: BLE001 - whatever fails a case is a finding
        excinfo = pytest.ExceptionInfo.from_current()
    run.note(item, excinfo, is_set_up=is_set_up)


def wrong(service, findings):
    """What of the findings is not as the service is, in sentences."""
    refuted = {rule_id for each in findings if "refuted" in each.standing for rule_id in each.rules}
    broken = {rule_id for each in findings if each.standing == "broken" for rule_id in each.rules}
    for rule_id in sorted(refuted ^ service.reachable):
        words = "refuted, and is not otherwise" if rule_id in refuted else "otherwise, and not refuted"
        yield f"{service.name}: {rule_id} is {words}"
    for rule_id in sorted(broken ^ set(service.broken)):
        yield f"{service.name}: {rule_id} is {'broken' if rule_id in broken else 'not broken'}"
    for each in findings:
        if each.standing == "not told" and not each.why:
            yield f"{service.name}: {each.rules} is not told, and it is not said why"


def against(services):
    """The findings of each service, by its name."""
    standing = Standing(services)
    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    facts = FakeService().facts
    with contextlib.redirect_stdout(sys.stderr), pytest.MonkeyPatch.context() as patched:
        for name in real.ADDRESSES:  # of the profile that the options name
            patched.setenv(f"SVCKIT_{name.upper()}", facts[name])
        patched.setenv("SVCKIT_PROFILE", "work")
        patched.setenv("SVCKIT_SCOPES", "user,file")
        code = pytest.main([*options, *OPTIONS, str(HERE)], plugins=[standing])
    assert code == 0, code
    return standing.said


def main(*rule_ids):
    """Print what is wrong; the exit code is 1 where anything is."""
    services = [*ALTERNATIVES, *AREAS, *SEVERAL]
    if rule_ids:
        services = [each for each in services if any(name in each.name for name in rule_ids)]
    said = against(services)
    found = [words for service in services for words in wrong(service, said[service.name])]
    print("\n".join(found) or f"Of {len(services)} services each was told as it is.")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
