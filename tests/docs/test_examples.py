"""The examples of the operations' page, run by a shell, get the statuses that it shows."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from binder.reference.examples import QUERIES, VARIABLES, choose_success, make_id, write_curl
from binder.reference.operations import list_operations
from fakes import FakeService
from fakes.doors.served import Served
from fakes.handlers.routes import AUTHORIZE
from fakes.openapi import openapi
from fakes.openapi.examples import PARAMETERS
from svckit.models.paths import DOWNLOAD_PLACES

from ..loopback import PATIENCE, local_client

pytestmark = pytest.mark.skipif(not all(map(shutil.which, ("sh", "curl"))), reason="runs curl in a shell")

OPERATIONS = {each[3]["operationId"]: each for each in list_operations(openapi())}
CONTENT = bytes(1024)  # as large as the document's upload announces
QUIET = """curl() { command curl --silent --output "$(mktemp -p .)" --write-out '%{http_code}\\n' "$@"; }\n"""


@pytest.fixture(scope="module")
def fake() -> FakeService:
    return FakeService.sample(now="2026-06-01T09:00:00+09:00")


@pytest.fixture(scope="module")
def served(fake: FakeService) -> Iterator[Served]:
    with fake.serve() as served:
        yield served


def put_file(fake: FakeService, key: str) -> None:
    """Put a file where an example downloads from; logs are there."""
    place = next(place for place in DOWNLOAD_PLACES if place.key == key)
    ids = {name: PARAMETERS.get(name) or make_id(name) for name in place.parameters}
    container = (place.store, *(ids[name] for name in place.container))
    if not key.endswith("_logs"):
        file_id = ids.get("fileId") or ids.get("attachmentId") or "photo-1"
        fake.files.seed(container, file_id, "report.pdf", "application/pdf", CONTENT)


@pytest.fixture
def values(fake: FakeService, served: Served) -> dict[str, str]:
    """The values of the page's variables, from where it says they come."""
    facts = served.facts
    put_file(fake, "drive_file")
    tokens = fake.tokens()
    headers = {"Authorization": f"Bearer {tokens.access_token.reveal()}"}
    announced = {"fileName": "report.pdf", "fileSize": len(CONTENT)}
    with local_client() as http:
        ask = f"{facts['auth_url']}{AUTHORIZE}?{QUERIES['auth.authorize']}"
        ticket = re.search('name="login_ticket" value="([^"]+)"', http.get(ask).text)
        assert ticket is not None
        upload = http.post(facts["base_url"] + "/users/u-001/drive/files", json=announced, headers=headers)
        download = http.get(facts["base_url"] + "/users/u-001/drive/files/file-1/download", headers=headers)
    values = {
        "BASE_URL": facts["base_url"],
        "AUTH_URL": facts["auth_url"],
        "WEBHOOK_URL": facts["webhooks"][0],
        "ACCESS_TOKEN": tokens.access_token.reveal(),
        "UPLOAD_URL": upload.json()["uploadUrl"],
        "DOWNLOAD_URL": download.headers["Location"],
        "CODE": parse_qs(urlsplit(fake.auth.follow(ask)).query)["code"][0],
        "REFRESH_TOKEN": tokens.refresh_token.reveal(),
        "CLIENT_SECRET": facts["client_secret"],
        "LOGIN_TICKET": ticket[1],
        "PASSWORD": facts["password"],
        "STATE": "a-state",
    }
    assert set(values) == set(VARIABLES)
    return values


def run(name: str, values: dict[str, str], folder: Path) -> list[str]:
    """Run the example of an operation in a folder with its files, and return the statuses that it gets."""
    for file in ("report.pdf", "body"):
        (folder / file).write_bytes(CONTENT)
    commands = write_curl(*OPERATIONS[name])
    done = subprocess.run(
        ["/bin/sh", "-c", QUIET + commands],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **values},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    statuses = done.stdout.split()
    assert len(statuses) == commands.count("curl ")
    return statuses


@pytest.mark.parametrize("name", [name for name in OPERATIONS if not name.startswith("retired.")])
def test_an_example_gets_the_response_that_is_shown(
    name: str, fake: FakeService, values: dict[str, str], tmp_path: Path
) -> None:
    if name.startswith("download."):
        put_file(fake, name.removeprefix("download."))
    assert {*run(name, values, tmp_path)} == {choose_success(OPERATIONS[name][3])}


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name.startswith("retired.")])
def test_a_retired_operation_gets_the_responses_that_are_shown(
    name: str, fake: FakeService, values: dict[str, str], tmp_path: Path
) -> None:
    today = fake.clock.now().date()
    for day, status in ((today + timedelta(days=1), "501"), (today, "404")):
        fake.settings.retirement_dates = {name.split(".")[1]: day}
        assert run(name, values, tmp_path) == [status]
        assert f"retire{'s' if status == '501' else 'd'} on {day}" in (fake.journal[-1].reason or "")
