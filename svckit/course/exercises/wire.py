"""Lesson 01: make the journal show three given lines."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

import httpx

from fakes import FakeService
from fakes.lessons import Options, Run, Seen, said
from svckit.course.exercises.requests import find_user, keeps_token, open_client, read_fields

__all__ = ["keeps_token", "prepare"]

UPDATE, STATUS, POST = "users.update", "users.set_status", "notifications.post"
LINES = (("PATCH", UPDATE), ("POST", STATUS), ("POST", POST))
"""The methods and operations that the journal should show."""
AWAY = "AWAY"


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
    for entry in run.entries:
        if (other := find_user(entry)) not in ("", user):
            return said("unquoted" if user.startswith(other) else "user", entry, other=other)
    return shows_three(run) or False


def sets_status(run: Run) -> Seen:
    """Look for the second line, and for the status that it sets."""
    for entry in run.sent(STATUS, 200):
        if (given := read_fields(entry).get("profileStatusId")) != AWAY:
            return said("status", entry, given=given)
    return shows_line(run, STATUS)


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


def solution_calls(http: httpx.Client, facts: Mapping[str, Any], token: str, user: str) -> None:
    """Send one call after the other."""
    headers = {"Authorization": f"Bearer {token}"}
    url = f"{facts['base_url']}/users/{quote(user, safe='')}"
    http.patch(url, headers=headers, json={"task": "On leave"})
    http.post(f"{url}/user-profile-statuses", headers=headers, json={"profileStatusId": "AWAY"})
    http.post(facts["webhooks"][0], json={"body": {"text": "I am away until Monday."}})


def solution_builds(http: httpx.Client, facts: Mapping[str, Any], token: str, user: str) -> None:
    """Build three requests as values, then send them."""
    api, bearer = facts["base_url"], {"Authorization": f"bearer {token}"}
    user, status = quote(user, safe=":"), {"profileStatusId": "AWAY"}
    requests = [
        http.build_request("PATCH", f"{api}/users/{user}", headers=bearer, json={}),
        http.build_request("POST", f"{api}/users/{user}/user-profile-statuses", headers=bearer, json=status),
        httpx.Request("POST", facts["webhooks"][0], json={"body": {"text": "I am away until Monday."}}),
    ]
    for request in requests:
        http.send(request).raise_for_status()
