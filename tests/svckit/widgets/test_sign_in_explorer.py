"""The sign-in explorer from Python: the steps, what goes wrong in them, what ends when, and no secret anywhere."""

from dataclasses import replace
from threading import Event
from typing import Any

import httpx
import pytest

from fakes.parts.sign_in.authorization_data import AuthorizationParameters
from svckit.errors import InvalidInput, SignInStopped, Unauthorized
from svckit.models.secret import Secret
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets import SignInExplorer

from ...loopback import PATIENCE, free_port
from .conftest import NOW, as_real, ask


@pytest.fixture
def explorer(svc: Session) -> SignInExplorer:
    return SignInExplorer(svc)


def take(explorer: SignInExplorer, *steps: str) -> None:
    for step in steps:
        ask(explorer, do=step)


def states(explorer: SignInExplorer) -> list[str]:
    return [step["state"] for step in explorer.view["steps"]]


def redirect_of(explorer: SignInExplorer, user: str = "u-002") -> str:
    """What the browser of a person who logs in ends at."""
    fake = explorer.svc.fake
    assert explorer.flow.request is not None
    call = explorer.flow.request.call
    state = explorer.flow.request.state.reveal()
    params = {name: str(value) for name, value in call.params.items()} | {"state": state}
    with fake.lock:
        ticket = fake.auth.begin(AuthorizationParameters(**params))
        return fake.auth.log_in(ticket, fake.directory[user]["email"], fake.auth.password(user))


def test_all_steps_are_shown_with_request_response_and_curl(svc: Session, explorer: SignInExplorer) -> None:
    before = svc._driver.tokens.current
    take(explorer, "request", "log_in", "check", "exchange", "renew")
    assert svc._driver.tokens.current is before  # the session keeps its own
    assert states(explorer) == ["done"] * 5
    assert [name for name, _, _ in explorer.view["params"]] == [
        *("client_id", "redirect_uri", "scope", "response_type", "state")
    ]
    assert all(meaning for _, _, meaning in explorer.view["params"])
    [exchange] = explorer.view["steps"][3]["requests"]
    assert "grant_type=authorization_code" in exchange["request"]
    assert '"expires_in":"86400"' in exchange["response"]
    assert exchange["curl"].startswith("curl -X POST https://auth.fake.test/oauth2/v2.0/token")


def test_a_step_without_those_before_it_says_what_is_missing(explorer: SignInExplorer) -> None:
    for step in ("log_in", "check", "exchange", "renew"):
        with pytest.raises(InvalidInput, match="there is no"):
            getattr(explorer, step)()
    assert [step["name"] for step in explorer.view["steps"] if step["able"]] == ["request"]


def test_a_wrong_password_shows_the_error_screen_and_can_be_mended(explorer: SignInExplorer) -> None:
    explorer.request()
    ask(explorer, do="write", field="wrong", text=True)
    with pytest.raises(Unauthorized, match="the password is wrong"):
        explorer.log_in()
    step = explorer.view["steps"][1]
    assert (step["state"], "401 Unauthorized" in step["requests"][0]["response"]) == ("failed", True)
    ask(explorer, do="write", field="wrong", text=False)
    ask(explorer, do="write", field="user", text="u-003")
    explorer.log_in()
    assert states(explorer)[:3] == ["done", "done", "not done yet"]


def test_wrong_state_stops_before_the_exchange(explorer: SignInExplorer) -> None:
    take(explorer, "request", "log_in")
    ask(explorer, do="write", field="tampered", text=True)
    with pytest.raises(SignInStopped, match="may be forged"):
        explorer.check()
    assert states(explorer)[2] == "failed"
    with pytest.raises(InvalidInput, match="no code yet"):
        explorer.exchange()
    ask(explorer, do="write", field="tampered", text=False)
    take(explorer, "check", "exchange")
    assert states(explorer)[2:4] == ["done", "done"]


def test_a_code_works_once(explorer: SignInExplorer) -> None:
    take(explorer, "request", "log_in", "check", "exchange")
    with pytest.raises(Unauthorized, match="it works once"):
        explorer.exchange()
    step = explorer.view["steps"][3]
    assert (step["state"], "invalid_grant" in step["requests"][0]["response"]) == ("failed", True)


def test_what_ends_is_counted_by_the_clock_and_refused_after_its_end(explorer: SignInExplorer) -> None:
    take(explorer, "request", "log_in", "check")
    assert [(each["credential"], each["words"]) for each in explorer.view["lifetimes"]] == [
        ("code", "10 min left")
    ]
    ask(explorer, do="move_past_expiry", credential="code")
    assert explorer.view["lifetimes"][0]["state"] == "expired"
    with pytest.raises(Unauthorized, match="expired after 10 minutes"):
        explorer.exchange()
    take(explorer, "request", "log_in", "check", "exchange")
    assert [each["words"] for each in explorer.view["lifetimes"]] == ["used", "24 h left", "90 days left"]
    ask(explorer, do="move_past_expiry", credential="access token")
    explorer.renew()
    assert explorer.view["lifetimes"][1]["words"] == "24 h left"
    ask(explorer, do="move_past_expiry", credential="refresh token")
    with pytest.raises(Unauthorized, match="expired after 90 days"):
        explorer.renew()
    with pytest.raises(ValueError, match="only past the expiry of a code or token"):
        explorer.move_past_expiry("password")


def test_at_a_real_service_a_person_logs_in_and_the_url_is_pasted(svc: Session) -> None:
    svc.profile = replace(as_real(svc).profile, redirect_uri="https://app.example.com/callback")
    svc.fake.state.auth.application = replace(
        svc.fake.auth.application, redirect_uri="https://app.example.com/callback"
    )
    explorer = SignInExplorer(svc)
    sent: list[Any] = []
    explorer.send = lambda content, buffers=None: sent.append(content)
    take(explorer, "request", "link")
    assert explorer.flow.request is not None
    assert sent == [{"link": explorer.flow.request.url.reveal(), "number": explorer.view["link"]}]
    assert explorer.flow.request.state.reveal() not in f"{explorer.get_state()} {explorer.to_html()}"
    assert "nothing can listen" in explorer.view["listening"]
    with pytest.raises(InvalidInput, match="a person has to log in"):
        explorer.log_in()
    with pytest.raises(InvalidInput, match="there is no code yet"):
        explorer.exchange()
    with pytest.raises(InvalidInput, match="there is no refresh token yet"):
        explorer.renew()
    assert explorer.view["asking"] == ""
    with pytest.raises(InvalidInput, match="no URL was pasted"):
        ask(explorer, do="paste", url="")
    ask(explorer, do="paste", url=redirect_of(explorer))
    ask(explorer, do="write", field="tampered", text=True)
    with pytest.raises(SignInStopped, match="may be forged"):
        explorer.check()
    ask(explorer, do="write", field="tampered", text=False)
    take(explorer, "check", "exchange")
    assert "exchanges the code for tokens at work" in explorer.view["asking"]
    assert states(explorer)[3] == "not done yet"
    take(explorer, "confirm", "renew")
    assert states(explorer)[3:] == ["done", "not done yet"]
    take(explorer, "cancel")
    assert [credential for credential, *_ in explorer.view["own"]][:1] == ["access token"]


def test_the_redirect_is_caught_on_this_machine_and_its_state_checked(svc: Session) -> None:
    address = f"http://127.0.0.1:{free_port()}/callback"
    svc.profile = replace(as_real(svc).profile, redirect_uri=address)
    svc.fake.state.auth.application = replace(svc.fake.auth.application, redirect_uri=address)
    explorer = SignInExplorer(svc)
    explorer.request()
    assert explorer.view["listening"].endswith(f"Listening at {address}, on this machine only.")
    arrived = Event()
    explorer.observe(lambda _: states(explorer)[2] == "done" and arrived.set(), "view")
    page = httpx.get(redirect_of(explorer), timeout=PATIENCE, trust_env=False)
    assert "Sign-in received" in page.text
    assert arrived.wait(PATIENCE)
    assert states(explorer)[:3] == ["done"] * 3
    assert explorer.view["listening"] == ""
    assert [each["credential"] for each in explorer.view["lifetimes"]] == ["code"]


def test_a_port_that_is_taken_leaves_pasting(svc: Session) -> None:
    address = f"http://127.0.0.1:{free_port()}/callback"
    svc.profile = replace(as_real(svc).profile, redirect_uri=address)
    first = SignInExplorer(svc)
    first.request()
    with connect(now=NOW) as another:
        another.profile = svc.profile
        second = SignInExplorer(another)
        second.request()
        assert "paste the URL" in second.view["listening"]


def test_a_fake_that_is_elsewhere_is_signed_in_to_by_a_person(svc: Session) -> None:
    facts = svc.fake.facts
    elsewhere = Session(Profile.from_facts(facts), Credentials(client_secret=Secret(facts["client_secret"])))
    explorer = SignInExplorer(elsewhere)
    assert "this fake is not in this process" in explorer.view["about"]
    assert explorer.view["own"] == []
    elsewhere.close()


def test_new_explorer_starts_from_the_beginning(svc: Session) -> None:
    SignInExplorer(svc).request()
    assert states(SignInExplorer(svc)) == ["not done yet"] * 5
