"""Lesson 10: rely on what is known about a service, and not on what is assumed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx

from fakes import FakeService
from fakes.lessons import JournalEntry, Options, Run, Seen, said
from svckit.course.exercises.requests import find_user, open_client
from svckit.display.masking import mask

__all__ = ["prepare", "summarize"]

UPDATE, PHOTO, NO_ACCESS = "users.update", "/photo", "no access"
NOBODY, SUSPENDED = "u-999", "u-017"
LONGEST = 100
"""The most characters of a nickname."""
LATER = 25
"""The hours after which an access token has expired."""


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Return a client, whose token may have expired, and the newcomers."""
    http = open_client(fake)
    if options["expired"]:
        fake.clock.advance(hours=LATER)
    first, second, third = fake.facts["users"][4:7]
    names = {user: fake.directory[user]["userName"]["firstName"] for user in (first, third, SUSPENDED)}
    newcomers = {
        first: f"{names[first]} (new)",
        NOBODY: "Nobody",
        second: "Long " * LONGEST,
        SUSPENDED: f"{names[SUSPENDED]} (new)",
        third: f"{names[third]} (new)",
    }
    return http, newcomers


def list_refused(run: Run) -> list[str]:
    """Return the newcomers who cannot be renamed, by this run's alternatives."""
    gone = {NOBODY, SUSPENDED} if "user.inactive" in run.options["assume"] else {NOBODY}
    return [user for user, name in run.arguments[1].items() if user in gone or len(name) > LONGEST]


def list_accepted(run: Run) -> list[str]:
    """Return the newcomers who can be renamed."""
    return [user for user in run.arguments[1] if user not in list_refused(run)]


def read_result(run: Run) -> Mapping[str, object]:
    """Return the result, if it is a dictionary; an empty one otherwise."""
    return run.result if isinstance(run.result, dict) else {}


def renames(run: Run) -> Seen:
    """Look for somebody who can be renamed, and is not."""
    names, users = run.arguments[1], list_accepted(run)
    return judge(run, all(run.fake.directory[user]["nickName"] == names[user] for user in users))


def has_both(run: Run) -> Seen:
    """Look for somebody without an upload URL in the result, or without None after a refusal."""
    result = read_result(run)
    placed = all(str(result.get(user)).startswith("https://") for user in list_accepted(run))
    nobody = [user for user, value in result.items() if value is None]
    return judge(run, placed and sorted(nobody) == sorted(list_refused(run)))


def is_patient(run: Run) -> Iterator[Seen]:
    """Look for a refused request that was sent again."""
    sent: dict[tuple[str, str, str], JournalEntry] = {}
    for entry in () if run.options["expired"] else run.entries:
        first = sent.setdefault((entry.method, entry.path, entry.request_body), entry)
        is_again = first is not entry and first.is_error
        yield said("again", first, second=entry.number) if is_again else True


def notices_expiry(run: Run) -> Seen:
    """Look at what an expired token led to: one request, and the agreed result."""
    if not run.options["expired"]:
        return None
    return (run.result == NO_ACCESS and len(run.entries) == 1) or find_cause(run)


def judge(run: Run, reached: bool) -> Seen:
    """Return what a run with a valid token shows about a goal: that it is reached, or why not."""
    return None if run.options["expired"] else reached or find_cause(run)


def find_cause(run: Run) -> Seen:
    """Say what the function made of a response: under an alternative, it is what that changes."""
    assume = run.options["assume"]
    changed = [entry for entry in run.entries if assume.keys() & set(entry.assumed)]
    if isinstance(run.result, str) and run.result != NO_ACCESS:
        return said("other words", run.entries[-1])
    if run.options["expired"]:
        return said("token", run.entries[0], more=len(run.entries) - 1)
    if run.result == NO_ACCESS:
        return said("needless no access", run.entries[-1])
    if changed:
        alone = {("file.upload-status",): "upload status", ("api.error-body",): "error text"}
        return said(alone.get((*assume,), "exact status"), changed[0])
    return find_left_out(run) or find_other_value(run)


def find_left_out(run: Run) -> Seen:
    """Say that a refusal was overlooked, or what became of the others after one."""
    users, refused = run.arguments[1], [entry for entry in run.entries if entry.is_error]
    asked = {find_user(entry): entry for entry in run.entries}
    for entry in run.sent(UPDATE):
        later = asked[find_user(entry)]
        if entry.is_error and later.path.endswith(PHOTO):
            return said("overlooked", entry, second=later.number)
    if refused and asked.keys() < users.keys():
        return said("stops", refused[0], left=", ".join(user for user in users if user not in asked))
    left = [user for user in users if user not in read_result(run)]
    return said("left out", run.entries[-1], left=", ".join(left)) if left and not run.error else False


def find_other_value(run: Run) -> Seen:
    """Say which nickname or value of the result is another one."""
    for user, nickname in run.arguments[1].items():
        sent = [entry for entry in run.sent(UPDATE) if entry.path.endswith(f"/{user}")]
        value = read_result(run).get(user)
        if any(entry.json != {"nickName": nickname} for entry in sent):
            return said("other nickname", sent[0], user=user)
        if value is not None and (user in list_refused(run) or not str(value).startswith("https://")):
            return said("other value", sent[0], user=user, value=f"{mask(repr(value)):.80}")
    return False


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    return {"accepted": len(list_accepted(run)), "refused": len(list_refused(run))}


def solution_asks_for_success(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    """Look at the family of each status."""
    result: dict[str, Any] = {}
    for user, nickname in newcomers.items():
        response = http.patch(f"/users/{user}", json={"nickName": nickname})
        if response.status_code in (401, 403):
            return "no access"
        if response.is_success:
            response = http.post(f"/users/{user}/photo", json={"fileName": "photo.png", "fileSize": 1000})
        result[user] = response.json()["uploadUrl"] if response.is_success else None
    return result


def solution_catches_refusals(http: httpx.Client, newcomers: dict[str, str]) -> Any:
    """Let httpx raise, and catch what is about one newcomer."""
    result: dict[str, Any] = dict.fromkeys(newcomers)
    for user, nickname in newcomers.items():
        try:
            http.patch(f"/users/{user}", json={"nickName": nickname}).raise_for_status()
            asked = http.post(f"/users/{user}/photo", json={"fileName": "photo.png", "fileSize": 1000})
            result[user] = asked.raise_for_status().json()["uploadUrl"]
        except httpx.HTTPStatusError as error:
            if error.response.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
                return "no access"
    return result
