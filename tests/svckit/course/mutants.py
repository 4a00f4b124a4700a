"""Product mutants across the whole description: which of them do the lessons notice?

    python3 binder/run.py python -m tests.svckit.course.mutants [NAME...]

makes each change in a copy of the source, runs the lessons there, as published and solved, and lists the survivors.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from .replaying import ENVIRONMENT

ROOT = Path(__file__).parents[3]
COPIED = ("svckit", "fakes", "notebooks", "tests/svckit/course")
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*")
SECONDS = 300
MOST_SURVIVORS = 0.1
"""The share of mutants that no lesson has to notice."""


@dataclass(frozen=True)
class Mutant:
    """A change that breaks a rule of the service.

    Attributes:
        name: what the product then does.
        path: the file.
        before: a text that occurs once in it.
        after: what stands there instead.
        lessons: the lessons on this topic, which are run first; all others follow.
    """

    name: str
    path: str
    before: str
    after: str
    lessons: str


BY_FILE: dict[str, list[tuple[str, str, str, str]]] = {
    "fakes/parts/webhooks.py": [
        ("the limiter never refuses", "if not admitted", "if False", "08"),
        ("mentions lose their users", "mentions=mentions,", "mentions=(),", "00"),
        ("the title in the webhook list is not used", "return webhook.title", "return ''", "00"),
        ("an unknown webhook is found", "if webhook is None:", "if False:", "00 08"),
    ],
    "svckit/models/limits.py": [
        ("120 becomes 60 a minute", "_MINUTE: Final = 120", "_MINUTE: Final = 60", "08"),
        ("50 webhooks", "PER_DOMAIN: Final = 5", "PER_DOMAIN: Final = 50", "00 08"),
        ("a code lives 100 minutes", "timedelta(minutes=10)", "timedelta(minutes=100)", "02"),
        ("an access token lives 25 days", "timedelta(hours=24)", "timedelta(days=25)", "03"),
        ("a refresh token lives 9 days", "timedelta(days=90)", "timedelta(days=9)", "03"),
    ],
    "fakes/parts/tokens.py": [
        (
            "a refresh issues a new refresh token",
            "issued = self._issue_access(token, None)",
            "issued = self._issue_access(token, refresh_token)",
            "03",
        ),
        ("expires_in is a number", "str(self.expires_in)", "self.expires_in", "02 03"),
        ("expired tokens are accepted", "if self._clock.now() >= token.ends_at:", "if False:", "03"),
        (
            "an unknown bearer token is accepted",
            "token = self._access.get(access_token)\n        if",
            "token = self._access.get(access_token, next(iter(self._access.values()), None))\n        if",
            "01 02",
        ),
    ],
    "fakes/handlers/error_formats.py": [
        (
            "a missing bearer is 404",
            '"unauthorized": (rulebook.api.UNAUTHORIZED, "UNAUTHORIZED"),',
            '"unauthorized": (404, "UNAUTHORIZED"),',
            "01",
        ),
        (
            "an unknown user is 409",
            '"no_user": (rulebook.directory.NOT_FOUND, "NOT_FOUND"),',
            '"no_user": (409, "NOT_FOUND"),',
            "04",
        ),
        (
            "a refusal says 503",
            '(429 if refusal.kind == "too_many" else 400)',
            '(503 if refusal.kind == "too_many" else 400)',
            "08",
        ),
    ],
    "fakes/parts/sign_in/auth.py": [
        (
            "a code works twice",
            "        self._mark_used(code)\n        self._decisions.forget",
            "        self._decisions.forget",
            "02",
        ),
        ("state is not echoed", "'state': request.state}", "'state': 'other'}", "02"),
        (
            "any password is right",
            "compare_digest(password.encode(), self.password(user_id).encode())",
            "True",
            "02",
        ),
        (
            "any redirect URL is accepted",
            "if request.redirect_uri not in (application.redirect_uri, *application.redirect_uris):",
            "if False:",
            "02",
        ),
        ("response_type does not matter", 'if request.response_type != "code":', "if False:", "02"),
        (
            "parameters may be missing",
            '        if missing:\n            raise Refusal("missing", f"the authorization',
            '        if False:\n            raise Refusal("missing", f"the authorization',
            "02",
        ),
    ],
    "fakes/parts/sign_in/clients.py": [
        (
            "any client secret is right",
            "compare_digest(client_secret.encode(), client.client_secret.encode())",
            "True",
            "02",
        ),
    ],
    "fakes/parts/users.py": [
        ("an update is not kept", "body = self.keep(user_id, record)", "body = to_json(record)", "04 00"),
        (
            "two people have one external key",
            'raise Refusal("conflict", f"{name} {sent[name]!r}',
            'str(f"{name} {sent[name]!r}',
            "04 12",
        ),
        (
            "an update adds no field",
            "        record.update(sent)\n",
            "        record.update(dict(list(sent.items())[:1]))\n",
            "04 12",
        ),
    ],
    "svckit/models/user.py": [
        (
            "11 sub e-mail addresses",
            "list[str], Field(max_length=10)",
            "list[str], Field(max_length=11)",
            "04",
        ),
    ],
    "svckit/models/user_parts.py": [
        (
            "a field of 100 may have 200 characters",
            "Text100 = Annotated[str, AtMost(100)]",
            "Text100 = Annotated[str, AtMost(200)]",
            "04",
        ),
    ],
    "fakes/handlers/directory.py": [
        ("another text for a wrong status", '"Not used status."', '"Unknown status."', "05"),
    ],
    "fakes/parts/statuses.py": [
        (
            "each status is current",
            'schedule = "RESERVED" if reserved else "PRESENT"',
            'schedule = "PRESENT"',
            "05",
        ),
        (
            "a reserved status never becomes current",
            'if reserved and _has_passed(reserved["startTime"], now):',
            "if False:",
            "05",
        ),
        ("a status never ends", 'if current and _has_passed(current["endTime"], now):', "if False:", "05"),
        (
            "the setting does not matter",
            "        if not self.is_enabled:\n            self._rules.follow",
            "        if False:\n            self._rules.follow",
            "05",
        ),
    ],
    "svckit/models/status.py": [
        ("a status message of 500 characters", "AtMost(50)", "AtMost(500)", "05"),
    ],
    "fakes/handlers/files.py": [
        ("step 1 has no URL", '"uploadUrl":', '"uploadURL":', "06"),
        ("an upload is 200", "(deviations.STORED) or 201)", "(deviations.STORED) or 200)", "06"),
        (
            "storage needs no bearer token",
            "return call.authorize(SCOPE).user_id",
            'return find_user() or ""',
            "06",
        ),
        ("an incomplete upload tells no offset", '"offset": sent.end + 1', '"offset": 0', "07"),
        ("a download is not redirected", "return FakeResponse(302,", "return FakeResponse(200,", "07"),
        ("a download lacks its length", ', ("Content-Length", str(len(content)))]', "]", "07"),
    ],
    "fakes/parts/files.py": [
        ("any size fits", "if not is_announced and", "if False and", "06"),
    ],
    "fakes/parts/uploads.py": [
        ("ranges may start anywhere", "elif sent.start != expected:", "elif False:", "07"),
    ],
    "fakes/parts/limiter.py": [
        ("the minute has 30 seconds", "timedelta(minutes=1)", "timedelta(seconds=30)", "08"),
        ("the reset is a minute away", "ceil(until_reset.total_seconds())", "60", "08"),
        ("one call too many is left", "limit - used)", "limit - used + 1)", "08"),
    ],
    "fakes/parts/events.py": [
        (
            "events are signed with another key",
            "hmac.digest(secret.encode(), body",
            "hmac.digest(b'key', body",
            "09",
        ),
        (
            "events of one-to-one rooms have a channel",
            "        if message.channel_id is None:",
            "        if False:",
            "09",
        ),
        ("events are of another type", '"type": "message",', '"type": "event",', "09"),
        (
            "events are JSON with spaces",
            "text = javascript_json.write(event)",
            "text = json.dumps(event, ensure_ascii=False)",
            "09",
        ),
    ],
    "fakes/parts/lifecycle.py": [
        (
            "nothing ever retires",
            "return day is not None and self._clock.now().date() >= day",
            "return False",
            "11",
        ),
        (
            "a retired operation is not described",
            '"ended", f"this feature',
            '"not_described", f"this feature',
            "11",
        ),
    ],
    "svckit/models/lifecycle.py": [
        ("features retire a month later", "date(2026, 12, 5)", "date(2027, 1, 5)", "11"),
        ("the messenger value switches a year later", "date(2026, 7, 31)", "date(2027, 7, 31)", "11"),
    ],
}
"""What each mutant does, the text that it replaces, the text that stands there instead, and its lessons; by file."""

MUTANTS = [Mutant(name, path, *change) for path, rows in BY_FILE.items() for name, *change in rows]


@contextmanager
def copied() -> Iterator[Path]:
    """Copy what lessons need, until the block is left."""
    with TemporaryDirectory(prefix="svckit-course-") as folder:
        for name in COPIED:
            shutil.copytree(ROOT / name, Path(folder, name), ignore=LEFT_OUT)
        yield Path(folder)


def find_reason(mutant: Mutant, tree: Path) -> str:
    """Run the lessons with a mutant, and return what the first one that fails says; empty for a survivor."""
    path = tree / mutant.path
    source = path.read_text("utf-8")
    path.write_text(source.replace(mutant.before, mutant.after), "utf-8")
    try:
        return run_lessons(tree, mutant.lessons.split()) or run_lessons(tree, [])
    finally:
        path.write_text(source, "utf-8")


def run_lessons(tree: Path, numbers: list[str]) -> str:
    """Run lessons in a copy of the source, and return what the first one that fails says."""
    command = [sys.executable, "-m", "tests.svckit.course.replaying", *numbers]
    environment = os.environ | ENVIRONMENT | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "it does not end"
    return (done.stdout or done.stderr) if done.returncode else ""


def main(names: list[str]) -> int:
    """Report on the mutants with these names, or all."""
    chosen = [mutant for mutant in MUTANTS if not names or mutant.name in names]
    survivors = []
    with copied() as tree:
        for mutant in chosen:
            reason = find_reason(mutant, tree)
            print(f"{'caught' if reason else 'SURVIVED'}: {mutant.name}: {reason[:100]!r}", flush=True)
            if not reason:
                survivors.append(mutant.name)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} caught")
    return len(survivors) > MOST_SURVIVORS * len(chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
