"""Lesson 13: another client that keeps all rules, with its own requests, waits, memory and messages."""

import csv
import hmac
import json
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from svckit.errors import NotFound, RateLimited, ServiceError
from svckit.models.secret import Secret
from svckit.places import Place, drive
from svckit.session.session import Session

__all__ = ["Report", "receive", "sync"]

COLUMNS = {"nickname": "nickName", "task": "task", "workplace": "location"}
LONGEST = 100
TRIES = 3
stored: dict[int, Place] = {}


@dataclass(frozen=True)
class Report:
    """Users by what became of them."""

    changed: list[str]
    unchanged: list[str]
    problems: dict[str, str]


class Unusable(Exception):
    """A row that cannot be brought to the directory, and why."""


def sync(svc: Session, sheet: str, webhook: str) -> Report:
    """Bring a sheet to the directory, upload the report, and post one notification."""
    head, *rows = csv.reader(sheet.splitlines())
    outcomes: dict[str, str | bool] = {}
    for cells in rows:
        row = dict(zip(head, (cell.strip() for cell in cells), strict=False))
        try:
            outcomes[row["user"]] = bring(svc, row)
        except Unusable as problem:
            outcomes[row["user"]] = f"{problem}"
    problems = {user: outcome for user, outcome in outcomes.items() if isinstance(outcome, str)}
    changed = [user for user, outcome in outcomes.items() if outcome is True]
    line = f"{len(changed)} changed, {len(problems)} problem{'s' * (len(problems) != 1)}"
    folder = drive(svc.users.read(str(svc.credentials.login_id)).user_id or "")
    text = "\r\n".join([line, "", *changed, *problems])
    uploaded = svc.files.upload(text.encode(), to=folder, name="hr-sync.txt", overwrite=True)
    stored[0] = folder.file(uploaded.file_id or "")
    post(svc, line, webhook)
    unchanged = [user for user, outcome in outcomes.items() if outcome is False]
    return Report(changed=changed, unchanged=unchanged, problems=problems)


def bring(svc: Session, row: Mapping[str, str]) -> bool:
    """Bring one row to the directory; return whether that changed the user."""
    try:
        known = svc.users.read(row["user"]).to_wire()
    except NotFound:
        raise Unusable(f"{row['user']} does not work here") from None
    except ServiceError:
        raise Unusable(f"{row['user']} could not be looked up") from None
    sent = dict(differing(known, row))
    if any(len(cell) > LONGEST for cell in sent.values()):
        raise Unusable(f"the row of {row['user']} is too long for the directory")
    if sent:
        send(svc, row["user"], sent)
    return bool(sent)


def differing(known: Mapping[str, Any], row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the fields whose cells are not blank and say something else than the directory."""
    for column, name in COLUMNS.items():
        if row.get(column) and row[column] != known.get(name):
            yield name, row[column]


def send(svc: Session, user: str, sent: Mapping[str, str]) -> None:
    """Send an update with plain HTTP, up to three times."""
    for rest in reversed(range(TRIES)):
        response = svc.http.patch(f"/users/{user}", json=sent)
        if response.is_success:
            return
        if response.status_code != 503 or not rest:
            raise Unusable(f"{user} was refused: {response.status_code}")
        time.sleep(3)


def post(svc: Session, line: str, webhook: str) -> None:
    """Post a line, after the minute if that is used up."""
    for _ in range(TRIES):
        try:
            svc.notify(line, webhook=webhook)
        except RateLimited as full:
            time.sleep(full.reset or 60)
        except ServiceError:
            return
        else:
            return


def receive(svc: Session, headers: Mapping[str, str], body: bytes, secret: str | Secret, webhook: str) -> int:
    """Handle one callback of the bot, and return the HTTP status of the response."""
    given = {name.lower(): value for name, value in headers.items()}.get("x-service-signature", "")
    expected = b64encode(hmac.digest(Secret(secret).reveal().encode(), body, "sha256")).decode()
    if not hmac.compare_digest(given.encode(), expected.encode()):
        return 401
    try:
        event = json.loads(body)
        asked = event["type"] == "message" and event["content"]["text"] == "hr report"
    except (ValueError, LookupError, TypeError):
        return 200
    if asked and stored:
        svc.notify(svc.files.download(stored[0]).decode().split("\r\n")[0], webhook=webhook)
    return 200
