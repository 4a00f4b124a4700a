"""Lesson 01: make the journal show three given lines."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from fakes import FakeService
from fakes.lessons import JournalEntry, Options, Run, Seen, said, say_first
from svckit.course.exercises.requests import find_user, keeps_token, open_client, read_fields

__all__ = ["OPTIONS", "keeps_token", "prepare"]

UPDATE, STATUS, POST = "users.update", "users.set_status", "notifications.post"
LINES = (("PATCH", UPDATE), ("POST", STATUS), ("POST", POST))
"""The methods and operations that the journal should show."""
AWAY = {"profileStatusId": "AWAY"}


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Give a user the external key of a variant, and return a client, facts, a token, and how the user is addressed."""
    http, token, user = httpx.Client(transport=fake.transport()), fake.access_token(), options["user"]
    _, separator, key = user.partition(":")
    if separator:
        open_client(fake).patch("/users/u-009", json={"userExternalKey": key})
    return http, fake.facts, token, user


def is_made(run: Run, operation: str) -> bool:
    """Return whether a request of an operation succeeded, about the right user if about any."""
    users = ("", run.options["user"])
    return any(find_user(entry) in users for entry in run.sent(operation, 200))


def shows_line(run: Run, operation: str) -> Seen:
    """Look for what is in place of a line that should be there."""
    if is_made(run, operation):
        return True
    user = run.options["user"]
    refused = next((entry for entry in run.entries if entry.is_error), None)
    if refused is not None:
        return explain_refusal(refused, user, run.fake.facts["base_url"])
    for entry in run.entries:
        if find_user(entry) not in ("", user):
            return said("user", entry, other=find_user(entry))
    return shows_three(run) or False


def sets_status(run: Run) -> Seen:
    """Look for the second line, and for the status that it sets."""
    for entry in run.sent(STATUS, 200):
        if (status := read_fields(entry).get("profileStatusId")) not in AWAY.values():
            return said("status", entry, given=status, **AWAY)
    return shows_line(run, STATUS)


def explain_refusal(entry: JournalEntry, user: str, api: str) -> Seen:
    """Say what a refused request has to do with this lesson; False if the reason says it all."""
    quoted, is_user, reason = quote(user, safe=""), "/users/" in entry.url, entry.reason or ""
    mistakes = {
        "webhook URL": entry.method == "POST" and not is_user,
        "unquoted": is_user and quoted != user and quoted not in entry.url,
        "bearer": entry.status == 401,
        "host": is_user and urlsplit(entry.url).netloc != urlsplit(api).netloc,
        "method": "the method is" in reason,
        "form": "Content-Type" in reason,
    }
    return say_first(mistakes, entry) or False


def shows_three(run: Run) -> Seen:
    """Look for lines that are missing, superfluous or in another order."""
    got = [(entry.method, entry.operation) for entry in run.entries]
    if got == list(LINES):
        return True if all(is_made(run, operation) for _, operation in LINES) else None
    if run.error is not None or any(entry.is_error for entry in run.entries):
        return None
    shown, given = (
        ", ".join(f"{n} {method} {name}" for n, (method, name) in enumerate(lines, 1))
        for lines in (got, LINES)
    )
    return said("lines", shown=shown, given=given)


update = partial(shows_line, operation=UPDATE)
post = partial(shows_line, operation=POST)
OPTIONS = ({"user": "u-006"}, {"user": "externalKey:Sales/7 #2"})


Facts = Mapping[str, Any]


def solution_calls(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    """Send one call after the other."""
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    http.patch(url, headers=headers, json={"task": "On leave"})
    http.post(f"{url}/user-profile-statuses", headers=headers, json={"profileStatusId": "AWAY"})
    http.post(facts["webhooks"][0], json={"body": {"text": "I am away until Monday."}})


def solution_builds(http: httpx.Client, facts: Facts, token: str, user: str) -> None:
    """Build three requests as values, then send them."""
    api, bearer = facts["base_url"], {"Authorization": f"bearer {token}"}
    user, status = quote(user, safe=":"), {"profileStatusId": "AWAY"}
    requests = [
        http.build_request("PATCH", f"{api}/users/{user}", headers=bearer, json={}),
        http.build_request("POST", f"{api}/users/{user}/user-profile-statuses", headers=bearer, json=status),
        httpx.Request(
            "POST", facts["webhooks"][0], json={"title": "Leave", "body": {"text": "Until Monday."}}
        ),
    ]
    for request in requests:
        http.send(request).raise_for_status()
