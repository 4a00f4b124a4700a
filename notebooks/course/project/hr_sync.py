"""Bring what HR keeps in a sheet to the directory of the service; README.md has the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from svckit import Secret, Session


@dataclass
class Report:
    """What one sync did; users are in the order of the sheet.

    Attributes:
        changed: the IDs of users who changed.
        unchanged: the IDs of users for whom nothing had to be sent.
        problems: a message for each other user, by ID.
    """

    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)


def sync(svc: Session, sheet: str, webhook: str) -> Report:
    """Bring a sheet to the directory, upload the report, and post one notification.

    Args:
        svc: a session.
        sheet: the text of a CSV file with the columns user, nickname, task and workplace.
        webhook: the webhook URL of the room that is notified.
    """
    return Report()


def receive(svc: Session, headers: Mapping[str, str], body: bytes, secret: str | Secret, webhook: str) -> int:
    """Handle one callback of the bot, and return the HTTP status of the response.

    Args:
        svc: the session that synced.
        headers: the headers of the callback.
        body: its body, exactly as received.
        secret: the bot's secret.
        webhook: the webhook URL of the room that is notified.
    """
    return 200
