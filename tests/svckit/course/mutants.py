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
    lessons: str = ""


PARTS = "fakes/parts"
WEBHOOKS = f"{PARTS}/webhooks.py"
LIMITS = "svckit/models/limits.py"
TOKENS = f"{PARTS}/tokens.py"
AUTH = f"{PARTS}/sign_in/auth.py"
FILES = "fakes/handlers/files.py"
UPLOADS = f"{PARTS}/uploads.py"
EVENTS = f"{PARTS}/events.py"
STATUSES = f"{PARTS}/statuses.py"
USERS = "svckit/models/user.py"

MUTANTS = (
    Mutant("120 becomes 60 a minute", LIMITS, "_MINUTE: Final = 120", "_MINUTE: Final = 60", "08"),
    Mutant("the limiter never refuses", WEBHOOKS, "if not admitted", "if False", "08"),
    Mutant(
        "the minute has 30 seconds",
        f"{PARTS}/limiter.py",
        "timedelta(minutes=1)",
        "timedelta(seconds=30)",
        "08",
    ),
    Mutant(
        "the reset is a minute away", f"{PARTS}/limiter.py", "ceil(until_reset.total_seconds())", "60", "08"
    ),
    Mutant(
        "one call too many is left",
        f"{PARTS}/limiter.py",
        "limit - used)",
        "limit - used + 1)",
        "08",
    ),
    Mutant("50 webhooks", LIMITS, "PER_DOMAIN: Final = 5", "PER_DOMAIN: Final = 50", "00 08"),
    Mutant(
        "mentions lose their users",
        WEBHOOKS,
        "mentions=mentions,",
        "mentions=(),",
        "00",
    ),
    Mutant(
        "the title in the webhook list is not used",
        WEBHOOKS,
        "return webhook.title",
        "return ''",
        "00",
    ),
    Mutant("an unknown webhook is found", WEBHOOKS, "if webhook is None:", "if False:", "00 08"),
    Mutant(
        "a code works twice",
        AUTH,
        "        self._mark_used(code)\n        self._decisions.forget",
        "        self._decisions.forget",
        "02",
    ),
    Mutant("a code lives 100 minutes", LIMITS, "timedelta(minutes=10)", "timedelta(minutes=100)", "02"),
    Mutant("state is not echoed", AUTH, "'state': request.state}", "'state': 'other'}", "02"),
    Mutant(
        "any password is right",
        AUTH,
        "compare_digest(password.encode(), self.password(user_id).encode())",
        "True",
        "02",
    ),
    Mutant(
        "any client secret is right",
        f"{PARTS}/sign_in/clients.py",
        "compare_digest(client_secret.encode(), client.client_secret.encode())",
        "True",
        "02",
    ),
    Mutant(
        "any redirect URL is accepted",
        AUTH,
        "if request.redirect_uri not in (application.redirect_uri, *application.redirect_uris):",
        "if False:",
        "02",
    ),
    Mutant("response_type does not matter", AUTH, 'if request.response_type != "code":', "if False:", "02"),
    Mutant(
        "parameters may be missing",
        AUTH,
        '        if missing:\n            raise Refusal("missing", f"the authorization',
        '        if False:\n            raise Refusal("missing", f"the authorization',
        "02",
    ),
    Mutant("an access token lives 25 days", LIMITS, "timedelta(hours=24)", "timedelta(days=25)", "03"),
    Mutant("a refresh token lives 9 days", LIMITS, "timedelta(days=90)", "timedelta(days=9)", "03"),
    Mutant(
        "a refresh issues a new refresh token",
        TOKENS,
        "issued = self._issue_access(token, None)",
        "issued = self._issue_access(token, refresh_token)",
        "03",
    ),
    Mutant("expires_in is a number", TOKENS, "str(self.expires_in)", "self.expires_in", "02 03"),
    Mutant(
        "expired tokens are accepted", TOKENS, "if self._clock.now() >= token.ends_at:", "if False:", "03"
    ),
    Mutant(
        "an unknown bearer token is accepted",
        TOKENS,
        "token = self._access.get(access_token)\n        if token is None:",
        "token = self._access.get(access_token, next(iter(self._access.values()), None))\n        if token is None:",
        "01 02",
    ),
    Mutant(
        "a missing bearer is 404",
        "fakes/handlers/error_formats.py",
        '"unauthorized": (rulebook.api.UNAUTHORIZED, "UNAUTHORIZED"),',
        '"unauthorized": (404, "UNAUTHORIZED"),',
        "01",
    ),
    Mutant("step 1 has no URL", FILES, '"uploadUrl":', '"uploadURL":', "06"),
    Mutant("an upload is 200", FILES, "(deviations.STORED) or 201)", "(deviations.STORED) or 200)", "06"),
    Mutant(
        "storage needs no bearer token",
        FILES,
        "return call.authorize(SCOPE).user_id",
        'return find_user() or ""',
        "06",
    ),
    Mutant("any size fits", f"{PARTS}/files.py", "if not is_announced and", "if False and", "06"),
    Mutant("ranges may start anywhere", UPLOADS, "elif sent.start != expected:", "elif False:", "07"),
    Mutant("an incomplete upload tells no offset", FILES, '"offset": sent.end + 1', '"offset": 0', "07"),
    Mutant(
        "a download is not redirected", FILES, "return FakeResponse(302,", "return FakeResponse(200,", "07"
    ),
    Mutant("a download lacks its length", FILES, ', ("Content-Length", str(len(content)))]', "]", "07"),
    Mutant(
        "a field of 100 may have 200 characters",
        "svckit/models/user_parts.py",
        "Text100 = Annotated[str, AtMost(100)]",
        "Text100 = Annotated[str, AtMost(200)]",
        "04",
    ),
    Mutant(
        "11 sub e-mail addresses",
        USERS,
        "list[str], Field(max_length=10)",
        "list[str], Field(max_length=11)",
        "04",
    ),
    Mutant(
        "an update is not kept",
        f"{PARTS}/users.py",
        "body = self.keep(user_id, record)",
        "body = to_json(record)",
        "04 00",
    ),
    Mutant(
        "an unknown user is 409",
        "fakes/handlers/error_formats.py",
        '"no_user": (rulebook.directory.NOT_FOUND, "NOT_FOUND"),',
        '"no_user": (409, "NOT_FOUND"),',
        "04",
    ),
    Mutant(
        "two people have one external key",
        f"{PARTS}/users.py",
        'raise Refusal("conflict", f"{name} {sent[name]!r}',
        'str(f"{name} {sent[name]!r}',
        "04 12",
    ),
    Mutant(
        "an update adds no field",
        f"{PARTS}/users.py",
        "        record.update(sent)\n",
        "        record.update(dict(list(sent.items())[:1]))\n",
        "04 12",
    ),
    Mutant(
        "a status message of 500 characters",
        "svckit/models/status.py",
        "AtMost(50)",
        "AtMost(500)",
        "05",
    ),
    Mutant(
        "each status is current",
        STATUSES,
        'schedule = "RESERVED" if reserved else "PRESENT"',
        'schedule = "PRESENT"',
        "05",
    ),
    Mutant(
        "a reserved status never becomes current",
        STATUSES,
        'if reserved and _has_passed(reserved["startTime"], now):',
        "if False:",
        "05",
    ),
    Mutant(
        "a status never ends",
        STATUSES,
        'if current and _has_passed(current["endTime"], now):',
        "if False:",
        "05",
    ),
    Mutant(
        "the setting does not matter",
        STATUSES,
        "        if not self.is_enabled:\n            self._rules.follow",
        "        if False:\n            self._rules.follow",
        "05",
    ),
    Mutant(
        "another text for a wrong status",
        "fakes/handlers/directory.py",
        '"Not used status."',
        '"Unknown status."',
        "05",
    ),
    Mutant(
        "events are signed with another key",
        EVENTS,
        "hmac.digest(secret.encode(), body",
        "hmac.digest(b'key', body",
        "09",
    ),
    Mutant(
        "events of one-to-one rooms have a channel",
        EVENTS,
        "        if message.channel_id is None:",
        "        if False:",
        "09",
    ),
    Mutant("events are of another type", EVENTS, '"type": "message",', '"type": "event",', "09"),
    Mutant(
        "events are JSON with spaces",
        EVENTS,
        "text = javascript_json.write(event)",
        "text = json.dumps(event, ensure_ascii=False)",
        "09",
    ),
    Mutant(
        "a refusal says 503",
        "fakes/handlers/error_formats.py",
        '(429 if refusal.kind == "too_many" else 400)',
        '(503 if refusal.kind == "too_many" else 400)',
        "08",
    ),
    Mutant(
        "features retire a month later",
        "svckit/models/lifecycle.py",
        "date(2026, 12, 5)",
        "date(2027, 1, 5)",
        "11",
    ),
    Mutant(
        "nothing ever retires",
        f"{PARTS}/lifecycle.py",
        "return day is not None and self._clock.now().date() >= day",
        "return False",
        "11",
    ),
    Mutant(
        "the messenger value switches a year later",
        "svckit/models/lifecycle.py",
        "date(2026, 7, 31)",
        "date(2027, 7, 31)",
        "11",
    ),
    Mutant(
        "a retired operation is not described",
        f"{PARTS}/lifecycle.py",
        '"ended", f"this feature',
        '"not_described", f"this feature',
        "11",
    ),
)


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
