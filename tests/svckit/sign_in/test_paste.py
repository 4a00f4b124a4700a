"""Signing in with a browser somewhere else; and which way is taken where."""

import io
import sys
from dataclasses import replace

import pytest

from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.profiles.profiles import Profile
from svckit.sign_in.account import choose, make_visitor
from svckit.sign_in.browser import BrowserVisitor
from svckit.sign_in.paste import PasteVisitor
from svckit.sign_in.prompt import ask

from ..canaries import shown
from .conftest import Told, visit


class Prompt:
    """Answers as it was told to, one question after another."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    def __call__(self, question: str) -> Secret:
        if not self.answers:
            raise SignInStopped("cancelled", "it was cancelled")
        return Secret(self.answers.pop(0))


def test_the_pasted_address_brings_the_code(way: str, sign_in_request: SignInRequest, told: Told) -> None:
    prompt = Prompt(f"{sign_in_request.profile.redirect_uri}?code=c-1&state=state-1")
    person = PasteVisitor(prompt=prompt)
    assert visit(person, sign_in_request, way) == Secret("c-1")
    assert sign_in_request.url.reveal() in told[0]


def test_what_is_no_redirect_is_asked_for_again(sign_in_request: SignInRequest, told: Told) -> None:
    good = f"{sign_in_request.profile.redirect_uri}?code=c-1&state=state-1"
    prompt = Prompt("canary", sign_in_request.url.reveal(), sign_in_request.profile.redirect_uri, good)
    assert PasteVisitor(prompt=prompt).visit(sign_in_request) == Secret("c-1")
    assert len(told) == 4
    assert all("That is not the right URL: the redirect does not go to" in text for text in told[1:3])
    assert "That is not the right URL: the redirect has no authorization code" in told[3]
    assert "canary" not in "".join(told)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (["{uri}?code=CANARY&state=forged"], "state"),
        (["{uri}?error=access_denied&code=CANARY&state=state-1"], "refused"),
        (["{uri}?code=CANARY&code=CANARY&state=state-1"], "cancelled"),
        ([], "cancelled"),
        (["what?"], "cancelled"),
    ],
)
def test_what_ends_it(answers: list[str], reason: str, sign_in_request: SignInRequest, told: Told) -> None:
    given = [answer.format(uri=sign_in_request.profile.redirect_uri) for answer in answers]
    with pytest.raises(SignInStopped) as caught:
        PasteVisitor(prompt=Prompt(*given)).visit(sign_in_request)
    assert caught.value.reason == reason
    assert "CANARY" not in shown(caught.value) + "".join(told)


def test_where_nobody_is_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("canary\n"))
    with pytest.raises(SignInStopped, match="nobody to ask") as caught:
        ask("Address: ")
    assert caught.value.reason == "nobody"


def test_where_nobody_is_no_link_is_shown(
    monkeypatch: pytest.MonkeyPatch, sign_in_request: SignInRequest, told: Told
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    with pytest.raises(SignInStopped, match="nobody to ask to sign in") as caught:
        PasteVisitor().visit(sign_in_request)
    assert caught.value.reason == "nobody"
    for way in ("SVCKIT_WORK_REFRESH_TOKEN", 'tokens = "file"', "`svckit login work`"):
        assert way in str(caught.value)
    assert "pytest can ask you with -s" in str(caught.value)
    assert told == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("answer", "reason"), [("", "cancelled"), (EOFError, "cancelled"), (KeyboardInterrupt, "cancelled")]
)
def test_no_answer_cancels(
    answer: str | type[BaseException], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def getpass(question: str) -> str:
        if isinstance(answer, str):
            return answer
        raise answer

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr("getpass.getpass", getpass)
    with pytest.raises(SignInStopped) as caught:
        ask("Address: ")
    assert caught.value.reason == reason


def test_a_prompt_that_the_browser_does_not_show_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr("getpass.getpass", lambda _: None)  # as Pyodide does
    with pytest.raises(SignInStopped, match=r"no prompt here.*JupyterLab.*svckit\.connect\(\)") as caught:
        ask("Secret: ")
    assert caught.value.reason == "nobody"


def test_an_answer_is_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr("getpass.getpass", lambda _: "  s3cr3t \n")
    assert ask("Secret: ") == Secret("s3cr3t")


@pytest.mark.parametrize(
    ("variables", "platform", "way"),
    [
        ({}, "darwin", "browser"),
        ({}, "win32", "browser"),
        ({}, "linux", "paste"),
        ({"DISPLAY": ":0"}, "linux", "browser"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", "browser"),
        ({"DISPLAY": ":0", "SSH_CONNECTION": "x"}, "linux", "paste"),
        ({"SSH_TTY": "/dev/pts/1"}, "darwin", "paste"),
        ({"BROWSER": "firefox"}, "linux", "browser"),
        ({"BROWSER": "helper", "SSH_CONNECTION": "x"}, "linux", "browser"),
        ({"DISPLAY": ":0", "JUPYTERHUB_SERVICE_PREFIX": "/user/mina/"}, "linux", "paste"),
        ({"BROWSER": "firefox", "BINDER_SERVICE_HOST": "x"}, "linux", "paste"),
    ],
)
def test_the_way_that_works_here(
    variables: dict[str, str], platform: str, way: str, profile: Profile
) -> None:
    assert choose(profile, variables, platform) == way
    elsewhere = replace(profile, redirect_uri="https://app.example.com/callback")
    assert choose(elsewhere, variables, platform) == "paste"


def test_who_has_a_person_sign_in() -> None:
    assert isinstance(make_visitor("browser"), BrowserVisitor)
    assert isinstance(make_visitor("paste"), PasteVisitor)
    assert make_visitor("form") is None
