"""What `svckit login` advises when a sign-in fails: a command, and what to correct where there is something."""

from collections.abc import Callable, Mapping
from typing import Any

import httpx
import pytest

from fakes import FakeService

from ....loopback import PATIENCE
from ...command import run_command as run
from ...sign_in.browser import log_in
from ...sign_in.conftest import get, led_back

Facts = Mapping[str, Any]
Browser = Callable[[str], object]
AGAIN = "Run the command again."


def log_in_and_redeem(served: Facts) -> Browser:
    """Return a browser whose code another program redeems first."""

    def browse(address: str) -> None:
        with httpx.Client(trust_env=False, timeout=PATIENCE) as http:
            redirect = log_in(address, served["login_id"], served["password"], http)
            form = {name: served[name] for name in ("client_id", "client_secret")}
            form |= {"grant_type": "authorization_code", "code": httpx.URL(redirect).params["code"]}
            http.post(f"{served['auth_url']}/oauth2/v2.0/token", data=form).raise_for_status()
        get(redirect)

    return browse


def log_in_late(served: Facts, fake: FakeService) -> Browser:
    """Return a browser that comes back with a code after its ten minutes."""

    def browse(address: str) -> None:
        with httpx.Client(trust_env=False, timeout=PATIENCE) as http:
            redirect = log_in(address, served["login_id"], served["password"], http)
        fake.clock.advance(minutes=11)
        get(redirect)

    return browse


def fail(monkeypatch: pytest.MonkeyPatch, served: Facts, browser: Browser, *arguments: str) -> str:
    """Return the last line of what a sign-in that fails says."""
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", served["client_secret"])
    monkeypatch.setattr("webbrowser.open", browser)
    done = run("login", "work", "--browser", *arguments)
    assert done.exit_code == 1
    assert "svc.sign_in()" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_a_sign_in_that_nobody_ends_or_the_service_refuses_is_to_be_run_again(
    served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = fail(monkeypatch, served, lambda _: True, "--timeout", "1")
    assert late == f"the sign-in was stopped: nobody had signed in after 1 s. {AGAIN}"
    denied = led_back(served["redirect_uri"], "error=access_denied&state={state}")
    assert fail(monkeypatch, served, denied).endswith(f"access_denied. {AGAIN}")


def test_a_code_that_cannot_be_redeemed_leaves_nothing_to_correct(
    served: Facts, fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    for browser, why in (
        (log_in_and_redeem(served), "has been used"),
        (led_back(served["redirect_uri"], "code=c-1&state={state}"), "is not an authorization code"),
        (log_in_late(served, fake), "expired after 10 minutes"),
    ):
        said = fail(monkeypatch, served, browser)
        assert why in said
        assert said.endswith(f"/oauth2/v2.0/token). {AGAIN}")


def test_a_wrong_client_secret_is_to_be_corrected_before_anything_else(
    served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    back = led_back(served["redirect_uri"], "code=c-1&state={state}")
    said = fail(monkeypatch, {**served, "client_secret": "canary"}, back)
    assert said == (
        "The client secret comes from the environment variable SVCKIT_WORK_CLIENT_SECRET: correct it there."
    )
    said = run("login", "work", "--browser").stderr
    assert "). Correct what it names and run the command again.\nThe client secret comes from" in said
    assert "canary" not in said


def test_with_a_token_file_and_no_terminal_neither_is_advised_again(
    served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", served["client_secret"])
    for tokens, is_advised in (("keyring", True), ("file", False)):
        said = run("login", "work", SVCKIT_WORK_TOKENS=tokens).stderr
        assert "Run `svckit login work` in a terminal, or `svckit login work --browser` if" in said
        assert ('tokens = "file"' in said) is is_advised
