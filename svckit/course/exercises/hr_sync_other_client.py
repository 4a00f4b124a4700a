"""Lesson 13: another client that keeps all rules, with its own requests, waits, memory and messages."""

import csv
import hmac
import io
import json
import time
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from types import SimpleNamespace

from svckit.errors import RateLimited, ServiceError
from svckit.models.secret import Secret
from svckit.places import Place, drive
from svckit.session.session import Session

__all__ = ["receive", "sync"]

COLUMNS = {"nickname": "nickName", "task": "task", "workplace": "location"}
LONGEST = 100
TRIES = 3
stored: dict[int, Place] = {}


def sync(svc: Session, sheet: str, webhook: str) -> SimpleNamespace:
    """Bring a sheet to the directory, upload the report, and post one notification."""
    outcomes: dict[str, str | bool] = {}
    for row in csv.DictReader(io.StringIO(sheet.lstrip("\ufeff"))):
        cells = {column: (row.get(column) or "").strip() for column in ("user", *COLUMNS)}
        if user := cells.pop("user"):
            outcomes[user] = bring(svc, user, cells)
    problems = {user: outcome for user, outcome in outcomes.items() if isinstance(outcome, str)}
    changed = [user for user, outcome in outcomes.items() if outcome is True]
    unchanged = [user for user, outcome in outcomes.items() if outcome is False]
    line = f"{len(changed)} changed, {len(problems)} problem{'s' * (len(problems) != 1)}"
    folder = drive(str(svc.credentials.login_id))
    text = "\r\n".join([line, "", *changed, *problems])
    uploaded = svc.files.upload(text.encode(), to=folder, name="hr-sync.txt", overwrite=True)
    stored[0] = folder.file(uploaded.file_id or "")
    post(svc, line, webhook)
    return SimpleNamespace(changed=changed, unchanged=unchanged, problems=problems)


def bring(svc: Session, user: str, cells: Mapping[str, str]) -> bool | str:
    """Bring one row to the directory; return whether that changed the user, or what the problem is."""
    try:
        known = svc.users.read(user).to_wire()
    except ServiceError:
        return f"{user} could not be looked up"
    fields = {name: cells[column] for column, name in COLUMNS.items()}
    sent = {name: cell for name, cell in fields.items() if cell not in ("", known.get(name))}
    if any(len(cell) > LONGEST for cell in sent.values()):
        return f"the row of {user} is too long for the directory"
    for rest in reversed(range(TRIES if sent else 0)):
        response = svc.http.patch(f"/users/{user}", json=sent)
        if response.is_success:
            break
        if response.status_code != 503 or not rest:
            return f"{user} was refused: {response.status_code}"
        time.sleep(3)
    return bool(sent)


def post(svc: Session, line: str, webhook: str) -> None:
    """Post a line, after the minute if that is used up."""
    with suppress(ServiceError):
        try:
            svc.notify(line, webhook=webhook)
        except RateLimited as full:
            time.sleep(full.reset or 60)
            svc.notify(line, webhook=webhook)


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
