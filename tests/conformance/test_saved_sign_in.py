"""A run with a saved sign-in leaves one behind that works, whatever the service does with refresh tokens."""

import os
from contextlib import contextmanager

import pytest

from fakes import FakeService
from svckit.profiles.credentials import Credentials, SessionTokens
from svckit.profiles.file_store import FileStore
from svckit.profiles.profiles import Profile
from svckit.profiles.resolution import Configuration
from svckit.profiles.token_cache import StoredTokens
from svckit.session.connect import connect
from svckit.session.session import Session

from .real import ADDRESSES
from .test_against_real import CASES, configured, suite

NOBODY = {"BROWSER": "", "LOGIN_ID": "", "PASSWORD": ""}


@contextmanager
def signed_in(folder, monkeypatch, **options):
    """Yield a served fake whose tokens a profile's token file has, and the variables of the profile."""
    with FakeService.sample(**options).serve() as served:
        facts = configured(served)
        variables = {f"SVCKIT_{name.upper()}": facts[name] for name in (*ADDRESSES, "client_secret")}
        variables |= {"SVCKIT_PROFILE": "work", "SVCKIT_SCOPES": "user,file", "SVCKIT_TOKENS": "file"}
        variables |= {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        tokens = SessionTokens(StoredTokens(Configuration.load().profile("work"), FileStore()))
        with Session(Profile.from_facts(facts), Credentials.from_facts(facts), tokens=tokens) as session:
            session.sign_in()
        yield served.fake, facts


def run(facts, folder, *options, **variables):
    """Run the cases of tokens."""
    state = {"SVCKIT_TOKENS": "file", "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    options = ("--svckit-user=u-001", *options)
    return suite(facts, folder, *options, cases=f"{CASES}/test_tokens.py", verbosity=(), **state | variables)


def read_without_signing_in(fake):
    """Read a user as a later job does, which has to renew."""
    fake.clock.advance(hours=25)
    fake.journal.clear()
    with connect("work") as job:
        assert job.users.read("u-001").user_id == "u-001"
    assert "auth.login" not in [entry.operation for entry in fake.journal]


def test_saved_refresh_token_is_not_spent(tmp_path, monkeypatch):
    with signed_in(tmp_path, monkeypatch, assume={"token.refresh-reuse": "single-use"}) as (fake, facts):
        done = run(facts, tmp_path, **NOBODY)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "The cases that renew tokens were left out" in done.stdout
        assert "--own-sign-in" in done.stdout
        read_without_signing_in(fake)


@pytest.mark.long
def test_rotated_refresh_token_of_the_run_itself_is_saved(tmp_path, monkeypatch):
    with signed_in(tmp_path, monkeypatch, deviations={"token.refresh-rotation": "rotated"}) as (fake, facts):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "empty"))
        done = run(facts, tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "token.refreshed: a new refresh token is returned (accepted)" in done.stdout
        assert "were left out" not in done.stdout
        assert len(done.stdout.splitlines()) < 10  # the findings, without what held or was not tried
        read_without_signing_in(fake)
    rules = FakeService.sample(assume_from=tmp_path / "assumptions.toml").rules
    assert rules.deviations.chosen == {"token.refresh-rotation": "rotated"}


@pytest.mark.long
def test_token_refused_with_403_is_renewed(tmp_path, monkeypatch):
    with signed_in(tmp_path, monkeypatch, assume={"api.unauthorized": "403"}) as (fake, facts):
        fake.clock.advance(hours=25)  # which nobody who saved the token can tell
        done = run(facts, tmp_path, **NOBODY)
        assert done.returncode == 0, done.stdout + done.stderr
        monkeypatch.setenv("SVCKIT_RENEW_ON", "401,403")
        read_without_signing_in(fake)


@pytest.mark.long
def test_refresh_token_that_works_once_is_left_alone_if_asked_for(tmp_path, monkeypatch):
    with signed_in(tmp_path, monkeypatch, assume={"token.refresh-reuse": "single-use"}) as (fake, facts):
        assert "a refresh token once" not in run(facts, tmp_path, "--svckit-own-sign-in").stdout
        read_without_signing_in(fake)


@pytest.mark.long
def test_refresh_token_of_the_run_itself_that_worked_once_is_reported(tmp_path, monkeypatch):
    with signed_in(tmp_path, monkeypatch, assume={"token.refresh-reuse": "single-use"}) as (_, facts):
        said = run(facts, tmp_path, XDG_STATE_HOME=str(tmp_path / "empty")).stdout
    assert "The service takes a refresh token once and returns no other, so this sign-in ends at 20" in said


@pytest.mark.long
def test_rotated_token_of_a_variable_is_reported(tmp_path, monkeypatch):
    with signed_in(tmp_path, monkeypatch, deviations={"token.refresh-rotation": "rotated"}) as (fake, facts):
        user = fake.state.users.resolve("u-001")
        token = fake.state.tokens.issue(user, facts["client_id"], "user,file").refresh_token
        said = run(facts, tmp_path, SVCKIT_REFRESH_TOKEN=token, **NOBODY).stdout
    assert "returned another refresh token in place of that in SVCKIT_REFRESH_TOKEN" in said
    assert token not in said
