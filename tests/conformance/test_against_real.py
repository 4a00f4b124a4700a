"""The safe part of the suite against a real service: a fake that is served stands in for it, in another process."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from fakes import FakeService
from svckit.models.user import UserChange

from ..loopback import free_port
from .real import ADDRESSES
from .shapes import main as check

ROOT = Path(__file__).parents[2]
BROWSER = ROOT / "tests" / "svckit" / "sign_in" / "browser.py"
SUITE = [
    sys.executable,
    "-m",
    "pytest",
    "-c",
    "tests/conformance/installed.ini",
    "--rootdir=.",
]
"""The command, as `svckit conformance` starts it, but without the plugins of pytest that it does not need."""
SUITE += ["--disable-plugin-autoload", "-p", "svckit.fakes_plugin", "-p", "svckit.pytest_plugin"]
CASES = "tests/conformance"


class Run:
    """What a run of the suite against a served fake led to."""

    def __init__(self, folder, before=lambda fake: None, given=(), cases=CASES, **options):
        fake = FakeService.sample(**options)
        before(fake)
        with fake.serve() as served:
            self.facts = configured(served)
            first, first_users = lasting(fake), users(fake)
            self.done = suite(
                self.facts,
                folder,
                "--svckit-user=u-001",
                *given,
                cases=cases,
                SVCKIT_WEBHOOKS="build",
                SVCKIT_WEBHOOK_BUILD=served.facts["webhooks"][0],
            )
            self.changed = lasting(fake) != first
            self.users_changed = users(fake) != first_users
            self.drives = {
                stored.place for stored in fake.files.list_files() if stored.place[0] != "form_response"
            }
            self.with_status = [
                user["userId"] for user in fake.records("users") if fake.statuses.of(user["userId"])
            ]
            self.rooms = fake.webhooks.messages(self.facts["channel_id"])
            self.sent = {(each.method, each.path) for each in fake.journal}
        self.text = self.done.stdout + self.done.stderr
        written = folder / "conformance-shapes.json"
        self.measured = folder / "assumptions.toml"
        self.shapes = written.read_text(encoding="utf-8") if written.exists() else None


def configured(served):
    """The facts of a served fake, with an application whose redirect URL is at a free port."""
    application = served.fake.auth.register(f"http://127.0.0.1:{free_port()}/callback")
    names = ("client_id", "client_secret", "redirect_uri")
    return dict(served.facts) | {name: getattr(application, name) for name in names}


def users(fake):
    """What an update can write of each user of a fake."""
    return [UserChange.from_response(user).to_wire() for user in fake.records("users")]


def lasting(fake):
    """What of a fake's state a person would find changed; tokens come and go."""
    kept = [stored.record() for stored in fake.files.list_files()]
    statuses = {user["userId"]: fake.statuses.of(user["userId"]) for user in fake.records("users")}
    settings = fake.settings.model_dump(mode="json")
    return json.dumps([list(fake.records("users")), kept, statuses, settings], default=str)


def suite(facts, folder, *options, cases=CASES, verbosity=("-vv",), **variables):
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
    command = [*SUITE, "--svckit-target=real", f"--svckit-shapes={folder / 'conformance-shapes.json'}"]
    command += [*verbosity, *options, cases]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.fixture(scope="module")
def like(tmp_path_factory):
    """A service that is as the fake has it."""
    return Run(tmp_path_factory.mktemp("like"))


THROW_AWAY = ("--svckit-writes", "--svckit-throw-away-user=u-005", "--svckit-throw-away-webhook=build")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A service that is as the fake has it, and has a user and a webhook to throw away."""
    return Run(tmp_path_factory.mktemp("written"), given=THROW_AWAY)


@pytest.fixture(scope="module")
def unlike(tmp_path_factory):
    """A service that does otherwise in two things that are not shown, and in one that can be accepted."""
    options = {
        "assume": {"api.unauthorized": "403", "token.error-body": "code-description"},
        "deviations": {"token.expires-in": "number"},
    }
    return Run(tmp_path_factory.mktemp("unlike"), **options)


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """A service that does not what its description says."""
    return Run(
        tmp_path_factory.mktemp("broken"),
        cases=f"{CASES}/test_notifications.py",
        before=lambda fake: fake.faults.status("notifications.post", 503, times=None),
    )


def test_what_is_documented_holds_and_what_is_assumed_is_confirmed(like):
    assert like.done.returncode == 0, like.text
    assert re.search(
        "^token.refreshed: documented, held by [0-9]+ of its [0-9]+ cases: A refresh returns", like.text, re.M
    )
    assert re.search("^api.unauthorized: assumed, confirmed by [0-9]+ of its [0-9]+ cases: ", like.text, re.M)
    assert re.search("^token.error-body: assumed, confirmed by [0-9]+ of its [0-9]+ cases: ", like.text, re.M)
    for rule_id in ("callback.signature", "callback.timeout", "token.content-type"):
        assert f"\n{rule_id}: assumed, not tried: " in like.text
    assert re.search("Of [0-9]+ documented rules, the run tells of [0-9]+.\n", like.text)
    assert not re.search("broken by|refuted|in doubt|could not be tried", like.text)
    findings, _, rest = like.text.partition("Shapes of the answers")
    assert ": documented, " not in findings
    assert "\napi.unauthorized: " in rest


def test_each_thing_that_is_otherwise_refutes_one_rule(unlike):
    refuted = re.findall("^(.*): assumed, .*refuted by [0-9]+ cases?(, as under \\S+)?: ", unlike.text, re.M)
    assert refuted == [
        ("api.unauthorized", ", as under 403"),
        ("token.error-body", ", as under code-description"),
    ]
    assert "set renew_on = [401, 403] in its profile" in unlike.text
    doubted = re.findall("in doubt by [0-9]+ cases?, unless (.*) explains them", unlike.text)
    assert set(doubted) == {"api.unauthorized", "token.error-body"}
    assert "broken by" not in unlike.text
    report = unlike.text.partition("the service beside its description")[2]
    assert max(map(len, report.splitlines())) < 500


@pytest.mark.long
def test_the_recording_has_the_rules_too(like, unlike):
    rules = {each["id"]: each for each in json.loads(like.shapes)["rules"]}
    assert rules["token.refreshed"]["standing"] == "held"
    assert rules["api.unauthorized"]["standing"] == "confirmed"
    assert (rules["status.order"]["standing"], rules["status.order"]["cases"]) == ("not tried", 1)
    assert set(rules) == {rule.id for rule in FakeService.sample().rules}
    error_body = next(each for each in json.loads(unlike.shapes)["rules"] if each["id"] == "token.error-body")
    assert (error_body["standing"], error_body["like"]) == ("refuted", ["code-description"])
    assert error_body["or"] == []


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
    values = re.findall(r'"(?:u-001|Hana|Nakamura|10000001|127[.].*|https?:.*|client-.*|.*@.*)"', like.shapes)
    assert values == []


def test_an_assumption_that_is_not_shared_fails_nothing(unlike):
    assert unlike.done.returncode == 0, unlike.text
    assert re.search("[0-9]+ xfailed", unlike.text)


def test_what_can_be_accepted_is_a_finding_and_stops_nothing(like, unlike):
    assert "\ntoken.issued: expires_in is a number (accepted)\n" in unlike.text
    assert "(accepted)" not in like.text


def test_fakes_can_be_made_from_what_was_measured(like, unlike):
    for run, value, deviations in (
        (like, "oauth2", {}),
        (unlike, "code-description", {"token.expires-in": "number"}),
    ):
        rules = FakeService.sample(assume_from=run.measured, assumptions="refuse-unobserved").rules
        rule = rules["token.error-body"]
        assert (rule.provenance, rule.chosen) == ("observed", value)
        assert rules.deviations.chosen == deviations


def test_what_is_documented_and_does_not_hold_fails(broken):
    assert broken.done.returncode == 1
    assert re.search(
        "^notification.webhook-url: documented, broken by [0-9]+ cases: A URL", broken.text, re.M
    )
    assert "\n    test_notifications::test_invalid_webhook_url[" in broken.text
    assert "answered 503" in broken.text


def test_shapes_are_checked_without_the_service(like, unlike, tmp_path, capsys):
    path = tmp_path / "shapes.json"
    path.write_text(like.shapes, encoding="utf-8")
    assert check(str(path)) == 0, capsys.readouterr().out
    path.write_text(unlike.shapes, encoding="utf-8")
    assert check(str(path)) == 1
    assert "POST /oauth2/v2.0/token answered 400: the body has no error" in capsys.readouterr().out


@pytest.mark.long
def test_more_is_tried_where_a_user_and_a_webhook_may_be_written_to(like, written):
    assert written.done.returncode == 0, written.text
    assert not re.search("broken by|refuted|in doubt|could not be tried|could not be put back", written.text)
    assert re.search("\nuser.merge: assumed, not tried by any of its [0-9]+ cases?: ", like.text)
    for untried in ("file.upload-lifetime", "user.references"):  # on which cases rest that hold either way
        assert f"\n{untried}: assumed, not tried: " in written.text
    for confirmed in ("user.merge", "file.part-name", "notification.empty-text", "status.past"):
        assert re.search(f"\n{confirmed}: assumed, confirmed by [0-9]+ of its [0-9]+ cases?: ", written.text)
    assert counted(like) < counted(written)


def counted(run):
    """How many rules were tried: the documented ones, the assumed ones."""
    return [int(count) for count in re.findall(r"Of [0-9]+ [a-z ]+, the run tells of ([0-9]+)", run.text)]


def test_what_will_be_written_is_said_before_anything_is(written):
    before, _, after = written.text.partition("This run writes to a real service. Of the user u-005:")
    assert not re.search(r"^[.x]+", before, re.MULTILINE)
    assert re.search(
        "- [0-9]+ cases change fields; what they change is put back after each of them;\n", after
    )
    assert re.search(
        "- [0-9]+ cases upload small files to the drive, which stay: none can be deleted.", after
    )
    assert re.search("[0-9]+ cases post to the webhook 'build'; the messages stay in its room.", after)


def test_only_the_throw_away_user_and_webhook_are_written_to(written):
    assert not written.users_changed  # all was put back
    assert written.with_status == ["u-005"]
    assert {place[:2] for place in written.drives} == {("drive", "u-005")}
    assert written.rooms


def test_who_was_not_named_is_sent_nothing(like, written):
    """What a service is to refuse it might take, such as an update without a bearer."""
    assert users_sent_to(like) == {"001", "999"}  # the user who signs in, and one whom there is not
    assert users_sent_to(written) == {"001", "005", "999"}
    assert not [path for _, path in like.sent if "user-profile-statuses" in path]


def users_sent_to(run):
    """The last three digits of the users, however they are addressed, that something was sent to."""
    paths = (unquote(path) for method, path in run.sent if method != "GET" and "/users/" in path)
    return {re.search("[0-9]{3}", path)[0] for path in paths}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--svckit-writes"], "--svckit-writes needs --svckit-throw-away-user=ID"),
        (["--svckit-throw-away-user=u-005"], "is written to with --svckit-writes only"),
        (["--svckit-throw-away-webhook=build"], "is written to with --svckit-writes only"),
    ],
)
@pytest.mark.long
def test_nobody_is_written_to_who_was_not_named_for_it(options, words):
    done = bare("--svckit-target=real", "--svckit-profile=work", "--svckit-user=u-001", *options)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert words in done.stderr


@pytest.mark.long
def test_unknown_webhook_stops_the_run_first(like, tmp_path):
    options = ("--svckit-user=u-001", *THROW_AWAY[:2], "--svckit-throw-away-webhook=biuld")
    done = suite(like.facts, tmp_path, *options, SVCKIT_WEBHOOKS="build")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    text = done.stdout + done.stderr
    assert "Nothing was tried: the profile 'work' has no webhook 'biuld'; it has: build" in text
    assert "not tried" not in text  # of every rule, in which the reason would be lost


@pytest.mark.parametrize(
    "options",
    [["--svckit-user=u-999"], ["--svckit-user=u-001", *THROW_AWAY[:1], "--svckit-throw-away-user=u-999"]],
)
@pytest.mark.long
def test_a_user_whom_there_is_not_is_no_finding_about_the_service(tmp_path, options):
    with FakeService.sample().serve() as served:
        facts = configured(served)
        done = suite(facts, tmp_path, *options)
    text = done.stdout + done.stderr
    assert done.returncode == pytest.ExitCode.USAGE_ERROR, text
    assert "Nothing was tried: there is no user 'u-999'" in text
    assert not re.search("broken|refuted|not tried", text)
    assert not (tmp_path / "conformance-shapes.json").exists()


def bare(*options):
    """Run the suite as it is run by somebody who has set nothing up."""
    command = [sys.executable, "-m", "pytest", "tests/conformance", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.long
def test_who_signs_in_has_to_be_said():
    done = bare("--svckit-target=real", "--svckit-profile=work")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "needs --svckit-user=ID" in done.stderr


@pytest.mark.long
def test_without_a_sign_in_nothing_is_tried(like, tmp_path):
    done = suite(like.facts, tmp_path, "--svckit-user=u-001", "--svckit-profile=wrok", SVCKIT_PROFILE="")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "no profile 'wrok'" in done.stdout + done.stderr


@pytest.mark.long
def test_a_kept_sign_in_that_has_ended_is_followed_by_another(tmp_path):
    with FakeService.sample().serve() as served:
        facts = configured(served)
        kept = {
            "PYTHON_KEYRING_BACKEND": "file_keyring.FileKeyring",
            "PYTHONPATH": str(BROWSER.parent),
            "FILE_KEYRING": str(tmp_path / "keyring.json"),
        }
        some = ("--svckit-user=u-001", "-k", "test_response_always_has")
        assert suite(facts, tmp_path, *some, **kept).returncode == 0
        assert "/tokens" in Path(kept["FILE_KEYRING"]).read_text(encoding="utf-8")
        served.fake.clock.advance(days=91)
        again = suite(facts, tmp_path, *some, **kept)
        asked = [entry.operation for entry in served.fake.journal]
    assert again.returncode == 0, again.stdout + again.stderr
    assert asked.count("auth.login") == 2
