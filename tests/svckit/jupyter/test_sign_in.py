"""Signing in from a notebook far away, in a real kernel: the link is shown, and the pasted address is not."""

import os
import re
from collections.abc import Iterator, Mapping
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager
from traitlets.config import Config

from svckit.jupyter.running import choose_sockets

from ...loopback import local_client
from ..sign_in.browser import log_in
from ..sign_in.conftest import bare_machine, fake, memory_keyring, served

__all__ = ["bare_machine", "fake", "memory_keyring", "served"]

Facts = Mapping[str, Any]
LINK = "/oauth2/v2.0/authorize?"
USE = "svc.users.read('u-003').user_id, svc.is_fake"


@pytest.fixture
def kernel(served: Facts, monkeypatch: pytest.MonkeyPatch) -> Iterator[BlockingKernelClient]:
    """A kernel as a JupyterHub starts it."""
    environment = {
        **os.environ,
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTERHUB_SERVICE_PREFIX": "/user/mina/",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        "SVCKIT_WORK_CLIENT_SECRET": served["client_secret"],
    }
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    with TemporaryDirectory() as folder:
        config = Config(KernelManager=choose_sockets(folder))
        manager = KernelManager(kernel_name="python3", config=config)
        manager.start_kernel(env=environment)
        client = manager.client()
        client.start_channels()
        client.wait_for_ready(timeout=60)
        yield client
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def run(
    kernel: BlockingKernelClient, code: str, answers: list[Any], *, people: bool = True
) -> tuple[str, list[bool]]:
    """Run a cell and answer what it asks; return all that shows below it, and whether the answers were hidden.

    Each answer is made from what shows by then, and waits for `LINK` to show: what a cell shows and what it asks come
    by separate sockets, in either order.
    """
    outputs: list[str] = []
    hidden: list[bool] = []

    def show(message: dict[str, Any]) -> None:
        outputs.append(str(message["content"]))

    def answer(message: dict[str, Any]) -> None:
        hidden.append(message["content"]["password"])
        while LINK not in "".join(outputs):
            show(kernel.iopub_channel.get_msg(timeout=60))
        kernel.input(answers.pop(0)("".join(outputs)))

    kernel.execute_interactive(code, allow_stdin=people, stdin_hook=answer, output_hook=show, timeout=60)
    return "".join(outputs), hidden


@pytest.mark.parametrize("cell", ["svc = svckit.connect('work')", "svc = await svckit.connect_async('work')"])
def test_the_link_is_shown_and_the_address_pasted(
    cell: str, kernel: BlockingKernelClient, served: Facts
) -> None:
    led_to: list[str] = []

    def sign_in(shown: str) -> str:
        (link,) = re.findall(re.escape(served["auth_url"]) + r"/oauth2/v2\.0/authorize\?[^\\\s']+", shown)
        with local_client() as http:
            led_to.append(log_in(link, served["login_id"], served["password"], http))
        return led_to[0]

    use = (
        USE.replace("svc.users.read('u-003')", "(await svc.users.read('u-003'))") if "await" in cell else USE
    )
    shown, hidden = run(kernel, f"import svckit\n{cell}\n{use}", [lambda _: "not an address", sign_in])
    assert "That is not the right URL" in shown
    assert "('u-003', False)" in shown
    assert hidden == [True, True]
    code = httpx.URL(led_to[0]).params["code"]
    assert code not in shown


def test_empty_answer_or_absent_person_cancels(kernel: BlockingKernelClient) -> None:
    shown, _ = run(kernel, "import svckit; svckit.connect('work').sign_in()", [lambda _: ""])
    assert "the sign-in was stopped: it was cancelled" in shown
    shown, hidden = run(kernel, "import svckit; svckit.connect('work').users.read('u-003')", [], people=False)
    assert "there is nobody to ask" in shown
    assert "SVCKIT_WORK_REFRESH_TOKEN" in shown
    assert hidden == []
