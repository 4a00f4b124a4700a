"""The clients beside each other, at one `svckit serve` with all the settings that they need."""

import pytest

from ..svckit.cli.serving import serving
from .running import reach
from .runs import (
    add_service_account,
    back_up,
    download,
    exchange,
    finish_sign_in,
    hear,
    post_too_many,
    rename,
    send_picture,
    work_as_service_account,
)

ASSUMED = (
    "token.jwt-bearer=issued",
    "auth.pkce=checked",
    "file.raw=accepted",
    "notification.refused-headers=sent",
)
DEVIATING = (
    "token.client-auth=form-or-basic",
    "file.request=name-only-for-bots",
    "file.step1-id=sent",
    "file.storage-bearer=not-needed",
)
OPTIONS = (
    "--origins",
    "--header-word=ACME",
    "--stubs=common",
    *(f"--assume={choice}" for choice in ASSUMED),
    *(f"--deviate={choice}" for choice in DEVIATING),
)


@pytest.fixture(scope="module")
def running():
    with serving(*OPTIONS) as served, reach(served.facts) as running:
        add_service_account(running)
        yield running


@pytest.mark.parametrize(
    ("run", "outcome"),
    [
        (rename, "Mina"),
        (work_as_service_account, "Reports"),
        (exchange, "Bearer"),
        (finish_sign_in, "Bearer"),
        (download, b"content"),
        (hear, ["hello"]),
    ],
)
def test_a_client_does_its_work(running, run, outcome):
    assert run(running) == outcome


@pytest.mark.parametrize("run", [send_picture, back_up])
def test_a_client_uploads(running, run):
    file_id = run(running)
    files = running.administer("GET", "/snapshot")["files"]["files"]
    assert file_id in [file["file_id"] for file in files]


def test_client_waits_and_retries(running):
    (waited,) = post_too_many(running)
    assert 0 < waited <= 60
    posted = running.administer("GET", "/rooms/channel-1/messages")["messages"]
    assert posted[-1]["text"] == "one too many"
