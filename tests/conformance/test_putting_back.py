"""What a case has written to the throw-away user of a real service is put back, or it is said that it could not be."""

import pytest

from fakes import FakeService
from svckit.models.secret import Secret
from svckit.profiles.credentials import SessionTokens, Tokens
from svckit.profiles.profiles import Profile

from .against_real import AgainstReal
from .doors import SyncDoor
from .real import Real, Watching

NOW = "2026-06-01T09:00:00+09:00"


@pytest.fixture
def fake():
    return FakeService.sample(now=NOW)


@pytest.fixture
def run(tmp_path):
    return AgainstReal(tmp_path / "shapes.json")


@pytest.fixture
def service(fake, run):
    """The fake as a real service, whose user u-005 is thrown away."""
    run.begin(fake.facts)
    door = SyncDoor(fake.transport())
    facts = dict(fake.facts) | {"users": ["u-001", "u-005"]}
    tokens = SessionTokens()
    tokens.current = Tokens(Secret(fake.access_token()), None, fake.clock.now())
    watching = Watching(door, run.accepting, run.secrets, tokens)
    yield Real(facts, watching, Profile.from_facts(facts), tokens, run, renews=True)
    door.close()


CHANGES = (
    {"nickName": "Mina", "task": None},
    {"birthdayCalendarType": "LUNAR", "birthday": "1990-02-30"},
    {"aliasEmails": ["x@example.com"], "relations": [], "userName": {"lastName": "x"}},
)


def thrown_away(fake):
    """The throw-away user, with what only the service writes."""
    return next(each for each in fake.records("users") if each["userId"] == "u-005")


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_what_was_changed_is_put_back(fake, service, run, change):
    before = thrown_away(fake)
    with service.kept(["user"]):
        service.http.patch(service.api("/users/u-005"), json=change, headers=service.signed_in())
        assert thrown_away(fake) != before
    assert thrown_away(fake) == before
    assert run.left == []


def test_what_cannot_be_put_back_is_said(fake, service, run):
    with service.kept(["user"]):
        service.http.patch(service.api("/users/u-005"), json={"task": "x"}, headers=service.signed_in())
        fake.faults.status("users.update", 503, times=None)
    (said,) = run.left
    assert said.startswith("Of the user u-005 could not be put back: what a case has changed (PATCH ")
    assert "was answered 503" in said


def test_nothing_is_sent_for_a_case_that_writes_to_no_user(fake, service):
    with service.kept(["drive"]):
        pass
    assert len(fake.journal) == 0
