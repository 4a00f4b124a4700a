"""The audit log and the message content log of a domain as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence

from fakes import rulebook
from fakes.http.content import StoredContent
from fakes.parts.callbacks import Callbacks
from fakes.parts.journal import Journal
from fakes.parts.webhooks import Webhooks
from fakes.rulebook.rules import Rules

__all__ = ["write_audit_log", "write_message_log"]

LOGGED_ASSUMPTIONS = rulebook.callbacks.ISSUED_TIME, rulebook.callbacks.OTHER_EVENTS
"""The assumptions about events that a message log shows."""


def write_audit_log(journal: Journal, rules: Rules) -> StoredContent:
    """Return the log of calls in the domain: time, operation, target and status."""
    rows = (
        (entry.at.isoformat(), entry.operation, entry.url, str(entry.status))
        for entry in journal
        if entry.status is not None  # the service never saw a request that a fault stopped
    )
    return _write_csv(("time", "operation", "target", "status"), rows, rules)


def write_message_log(webhooks: Webhooks, callbacks: Callbacks, rules: Rules) -> StoredContent:
    """Return the log of messages in the domain: notifications in rooms, then messages to bots."""
    rows = [(m["sentAt"], m["channelId"], "notification", m["text"]) for m in webhooks.records()]
    for delivery in callbacks.deliveries:
        for rule in LOGGED_ASSUMPTIONS:
            if rule.id in delivery.assumed:
                rules.choice(rule)
        event = delivery.event
        source, content = event["source"], event.get("content", event)  # an event of another type has none
        text = content.get("text") or f"({content['type']})"
        rows.append((event["issuedTime"], source.get("channelId") or delivery.bot_id, source["userId"], text))
    return _write_csv(("time", "room", "sender", "text"), rows, rules)


def _write_csv(columns: Sequence[str], rows: Iterable[Sequence[str]], rules: Rules) -> StoredContent:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(rows)
    encoding = "utf-8-sig" if rules.choice(rulebook.files.LOGS) == "utf-8-bom" else "utf-8"
    return StoredContent(text.getvalue().encode(encoding))
