"""An application whose redirect address is a free port here, and a person at a browser."""

import os
import socket
from collections.abc import Callable
from html.parser import HTMLParser
from queue import SimpleQueue
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from svckit.models.secret import Secret
from svckit.operations.authorization import AuthorizationRequest
from svckit.profiles import Profile


def free_port(host: str = "127.0.0.1") -> int:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as found:
        return int(found.getsockname()[1])


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variables of the machine that runs the tests."""
    for name in os.environ:
        if name.startswith(("SVCKIT_", "SSH_", "JUPYTERHUB_", "BINDER_")) or name in ("BROWSER", "DISPLAY"):
            monkeypatch.delenv(name)


@pytest.fixture
def profile() -> Profile:
    return Profile(
        name="work",
        base_url="https://api.work.test",
        auth_url="https://auth.work.test",
        upload_url="https://storage.work.test",
        webhook_url="https://hooks.work.test",
        client_id="client-1",
        redirect_uri=f"http://127.0.0.1:{free_port()}/callback",
        scopes=("user", "file"),
    )


@pytest.fixture
def sign_in_request(profile: Profile) -> AuthorizationRequest:
    return AuthorizationRequest(profile, Secret("state-1"))


def get(address: str) -> httpx.Response:
    """What a browser is shown at an address of this machine."""
    return httpx.get(address, timeout=10, trust_env=False)


class Form(HTMLParser):
    """The login form of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action = ""
        self.fields: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.action = given["action"]
        elif tag == "input":
            self.fields[given["name"]] = given.get("value", "")


def log_in(address: str, login_id: str, password: str, http: httpx.Client) -> str:
    """Do what a person does at the login screen; return where the browser is led."""
    form = Form(http.get(address).raise_for_status().text)
    answer = http.post(form.action, data={**form.fields, "login_id": login_id, "password": password})
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


def state_of(address: str) -> str:
    return dict(parse_qsl(urlsplit(address).query))["state"]


Told = list[str]


@pytest.fixture
def told() -> Told:
    """What the person was told."""
    return []


Redirecting = Callable[[str], object]


def led_back(redirect_uri: str, query: str, shown: SimpleQueue[httpx.Response] | None = None) -> Redirecting:
    """A browser that comes straight back with a query, in which ``{state}`` is that of the request."""

    def open_browser(address: str) -> None:
        answer = get(f"{redirect_uri}?{query.format(state=state_of(address))}")
        if shown is not None:
            shown.put(answer)

    return open_browser
