"""The safe part of the suite against a real service: a fake that is served stands in for it, in another process."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fakes import FakeService

from .shapes import differences, shape_of
from .shapes import main as check

ROOT = Path(__file__).parents[2]
BROWSER = ROOT / "tests" / "sign_in" / "browser.py"
ADDRESSES = ("base_url", "auth_url", "upload_url", "webhook_url", "client_id", "redirect_uri")


class Run:
    """What a run of the suite against a served fake led to."""

    def __init__(self, folder, before=lambda fake: None, **options):
        fake = FakeService.sample(**options)
        before(fake)
        application = fake.auth.register(f"http://127.0.0.1:{free_port()}/callback")
        with fake.serve() as served:
            self.facts = dict(served.facts) | {
                name: getattr(application, name) for name in ("client_id", "client_secret", "redirect_uri")
            }
            first = lasting(fake)
            self.done = suite(self.facts, folder, "--svckit-user=u-001")
            self.changed = lasting(fake) != first
            self.rooms = fake.webhooks.messages(self.facts["channel_id"])
        self.text = self.done.stdout + self.done.stderr
        written = folder / "conformance-shapes.json"
        self.shapes = written.read_text(encoding="utf-8") if written.exists() else None


def free_port():
    """A port of this machine that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


def lasting(fake):
    """What of a fake's state a person would find changed; tokens come and go."""
    kept = [stored.record() for stored in fake.files.stored()]
    statuses = {user["userId"]: fake.statuses.of(user["userId"]) for user in fake.records("users")}
    settings = fake.settings.model_dump(mode="json")
    return json.dumps([list(fake.records("users")), kept, statuses, settings], default=str)


def suite(facts, folder, *options, **variables):
    """Run it in a process of its own, signed in to by a program that is the person and the browser."""
    machine = ("SVCKIT_", "SSH_", "JUPYTERHUB_", "BINDER_", "DISPLAY", "PYTEST_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(machine)}
    environment |= {f"SVCKIT_{name.upper()}": facts[name] for name in (*ADDRESSES, "client_secret")}
    environment |= {
        "SVCKIT_PROFILE": "work",
        "SVCKIT_SCOPES": "user,file",
        "BROWSER": f"{sys.executable} {BROWSER} %s",
        "LOGIN_ID": facts["login_id"],
        "PASSWORD": facts["password"],
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        "HOME": str(folder),
        "COLUMNS": "200",
    } | variables
    command = [sys.executable, "-m", "pytest", "tests/conformance", "--svckit-target=real"]
    command += [
        "-q",
        "-p",
        "no:cacheprovider",
        f"--svckit-shapes={folder / 'conformance-shapes.json'}",
        *options,
    ]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture(scope="module")
def like(tmp_path_factory):
    """A service that is as the fake has it."""
    return Run(tmp_path_factory.mktemp("like"))


@pytest.fixture(scope="module")
def unlike(tmp_path_factory):
    """A service that does otherwise in one thing that is not shown."""
    return Run(tmp_path_factory.mktemp("unlike"), assume={"token.error-body": "code-description"})


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """A service that does not what its description says."""
    return Run(
        tmp_path_factory.mktemp("broken"),
        before=lambda fake: fake.faults.status("notifications.post", 503, times=None),
    )


def test_what_is_documented_holds_and_what_is_assumed_is_confirmed(like):
    assert like.done.returncode == 0, like.text
    assert "documented, held: test_tokens::test_refresh_answers_no_refresh_token (" in like.text
    assert re.search("assumed, confirmed by [0-9]+ of its [0-9]+ cases: token errors: ", like.text)
    assert "assumed, not tried: signature: " in like.text
    assert not re.search("broken|refuted|in doubt|could not be tried", like.text)


def test_nothing_is_changed(like, unlike, broken):
    for run in (like, unlike, broken):
        assert not run.changed
        assert not run.rooms


def test_neither_the_report_nor_the_shapes_show_secrets(like, unlike, broken):
    for run in (like, unlike, broken):
        shown = run.text + run.shapes
        for name in ("client_secret", "password", "login_id"):
            assert run.facts[name] not in shown
        assert not re.search(r"\b(at|rt|ac|up)_[0-9a-f]{16}", shown)


def test_shapes_have_no_values(like):
    recorded = json.loads(like.shapes)["exchanges"]
    user = next(each for each in recorded if (each["method"], each["status"]) == ("PATCH", 200))
    assert user["path"] == "/users/{userId}"
    assert user["body"]["email"] == "string"
    assert user["body"]["userName"]["lastName"] == "string"
    values = re.findall(r'"(?:u-001|Hana|Nakamura|10000001|127[.].*|http.*|client-.*|.*@.*)"', like.shapes)
    assert values == []


def test_an_assumption_that_is_not_shared_is_told_and_fails_nothing(unlike):
    assert unlike.done.returncode == 0, unlike.text
    assert "assumed, refuted by test_tokens::test_refused_refresh_leaves" in unlike.text
    assert re.search("[0-9]+ xfailed", unlike.text)


def test_what_is_documented_and_does_not_hold_fails(broken):
    assert broken.done.returncode == 1
    assert "documented, broken: test_notifications::test_invalid_webhook_url[unknown id] (" in broken.text
    assert "answered 503" in broken.text


def test_shapes_are_checked_without_the_service(like, unlike, tmp_path, capsys):
    path = tmp_path / "shapes.json"
    path.write_text(like.shapes, encoding="utf-8")
    assert check(path) == 0, capsys.readouterr().out
    path.write_text(unlike.shapes, encoding="utf-8")
    assert check(path) == 1
    assert "POST /oauth2/v2.0/token answered 400: the body has no error" in capsys.readouterr().out


def exchange(**changes):
    """A recording of one answer, the user's, with changes."""
    body = {"domainId": "integer", "email": "string", "userName": {"lastName": "null"}}
    line = {"area": "api", "method": "PATCH", "path": "/users/{userId}", "status": 200}
    return {"version": 1, "exchanges": [line | {"type": "application/json", "body": body} | changes]}


USER = exchange()["exchanges"][0]["body"]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, None),
        ({"path": "*"}, None),
        ({"status": 418}, "answered 418; the fake answers 200, 400"),
        ({"type": "text/html", "body": None}, "answered 200 as text/html; the fake, as application/json"),
        ({"body": USER | {"email": "integer"}}, "the body.email is of the type integer, not string"),
        ({"body": USER | {"aliasEmails": ["string", "null"]}}, "the body.aliasEmails[] is of the type null"),
        ({"body": USER | {"userName": {"lastName": []}}}, "the body.userName.lastName is of the type array"),
        ({"body": {"domainId": "integer", "email": "string"}}, "the body has no userName"),
    ],
)
def test_differences_from_the_document_are_told(changes, found):
    told = differences(exchange(**changes))
    assert [found in each for each in told] == [True] * (found is not None), told


def test_names_that_the_description_has_not_are_no_part_of_a_shape():
    value = {"email": "x", "mina@example.com": 1, "Mina": 2, "rows": [{"email": None}, {"email": None}]}
    assert shape_of(value, frozenset({"email"})) == {
        "email": "string",
        "*1": "integer",
        "*2": [{"email": "null"}],
    }


def test_who_signs_in_has_to_be_said():
    command = [
        sys.executable,
        "-m",
        "pytest",
        "tests/conformance",
        "--svckit-target=real",
        "--svckit-profile=work",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "needs --svckit-user=ID" in done.stderr


def test_without_a_sign_in_nothing_is_tried(like, tmp_path):
    done = suite(like.facts, tmp_path, "--svckit-user=u-001", "--svckit-profile=wrok", SVCKIT_PROFILE="")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "Nothing was tried: there is no profile 'wrok'" in done.stdout + done.stderr
