"""The audit log and the message content log of a domain as CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from fakes.http.content import StoredContent
from fakes.parts.callbacks import Callbacks
from fakes.parts.decisions import ADMITTED, MESSAGES, Decisions
from fakes.parts.journal import Journal
from fakes.parts.journal_entry import JournalEntry
from fakes.parts.webhooks import Webhooks
from fakes.rulebook import api, directory, drive, files, lifecycle, notifications, statuses, tokens
from fakes.rulebook import callbacks as callbacks_rules
from fakes.rulebook.rule import RULEBOOK, Rule
from fakes.rulebook.rules import Rules

__all__ = ["LOGGED", "write_audit_log", "write_message_log"]

TOO_MANY: Final = 429
OF_DELIVERY = frozenset(
    {
        callbacks_rules.SIGNATURE,
        callbacks_rules.BOT_ID_HEADER,
        callbacks_rules.BODY,
        callbacks_rules.OLD_CLIENTS,
        callbacks_rules.DELIVERED,
        callbacks_rules.TIMEOUT,
    }
)
"""The assumptions about how an event is sent and received: the message log is the same under each alternative."""
OF_RATE = frozenset({notifications.WINDOW, notifications.REFUSED_CALLS, notifications.ERROR_ORDER})
"""The assumptions that may decide a status of 429, but mostly decide only headers and descriptions."""
OF_CONTENT = frozenset(
    {
        *OF_RATE,
        *(
            rule
            for module in (callbacks_rules, drive)
            for rule in vars(module).values()
            if isinstance(rule, Rule)
        ),
        api.ERROR_BODY,
        api.UTC_OFFSET,
        tokens.ERROR_BODY,
        tokens.REFRESH_SCOPE,
        files.OVERWRITE,
        files.OVERWRITE_TARGET,
        files.REVISION_NAME,
        files.NAME,
        files.DEFAULT_TYPE,
        files.DRIVE_FIELDS,
        files.LOGS,
        files.RESUME_OFFSET,
        directory.NOT_READABLE,
        directory.LINK_ID_KEPT,
        directory.LINK_ID_REMOVED,
        directory.MERGE,
        directory.SUSPENDED_REASON,
        statuses.NAME,
        statuses.ICON,
        statuses.TRANSITION,
        statuses.PRECEDENCE,
        notifications.EMPTY_TITLE,
        notifications.MENTION_FORM,
        lifecycle.HEADERS,
    }
)
"""The assumptions about what a response contains or leaves behind: its status is the same under each alternative."""
LOGGED = tuple(
    rule
    for rule in RULEBOOK.values()
    if rule.alternatives and (rule in OF_RATE or rule not in OF_CONTENT or rule.id.startswith("callback."))
    if rule not in OF_DELIVERY
)
"""The assumptions that the rows of a log may rest on."""


def write_audit_log(journal: Journal, decisions: Decisions, rules: Rules) -> StoredContent:
    """Return the log of calls in the domain: time, operation, target and status."""
    entries = [entry for entry in journal if entry.status is not None]  # others were stopped by a fault
    _note(rules, _find_status_rules(entries))
    decisions.follow(ADMITTED)
    rows = ((entry.at.isoformat(), entry.operation, entry.url, str(entry.status)) for entry in entries)
    return _write_csv(("time", "operation", "target", "status"), rows, rules)


def write_message_log(
    webhooks: Webhooks, callbacks: Callbacks, journal: Journal, decisions: Decisions, rules: Rules
) -> StoredContent:
    """Return the log of messages in the domain: notifications in rooms, then messages to bots."""
    calls = (entry for entry in journal if entry.operation == "notifications.post")
    _note(rules, (rule for rule in _find_status_rules(calls) if not _is_about_errors(rule)))
    for made_before in (ADMITTED, MESSAGES):
        decisions.follow(made_before)
    rows = [(m["sentAt"], m["channelId"], "notification", m["text"]) for m in webhooks.records()]
    deciding = {rule_id: None for delivery in callbacks.deliveries for rule_id in delivery.assumed}
    _note(rules, (RULEBOOK[rule_id] for rule_id in deciding if RULEBOOK[rule_id] not in OF_DELIVERY))
    for delivery in callbacks.deliveries:
        event = delivery.event
        source, content = event["source"], event.get("content", event)  # an event of another type has none
        text = content.get("text") or f"({content['type']})"
        rows.append((event["issuedTime"], source.get("channelId") or delivery.bot_id, source["userId"], text))
    return _write_csv(("time", "room", "sender", "text"), rows, rules)


def _find_status_rules(entries: Iterable[JournalEntry]) -> Iterator[Rule]:
    """Yield the assumptions that decided the statuses of calls."""
    for used, status in {(entry.used, entry.status): None for entry in entries}:
        beside = OF_CONTENT - OF_RATE if status == TOO_MANY else OF_CONTENT
        yield from (rule for rule in used if rule.alternatives and rule not in beside)


def _is_about_errors(rule: Rule) -> bool:
    """Return whether the alternatives of an assumption are all errors, so that no message is there under any."""
    return rule is notifications.ERROR_ORDER or all(
        alternative.isdigit() for alternative in rule.alternatives
    )


def _note(rules: Rules, deciding: Iterable[Rule]) -> None:
    """Note that a log rests on assumptions."""
    for rule in dict.fromkeys(deciding):
        rules.apply(rule)


def _write_csv(columns: Sequence[str], rows: Iterable[Sequence[str]], rules: Rules) -> StoredContent:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(rows)
    encoding = "utf-8-sig" if rules.apply(files.LOGS) == "utf-8-bom" else "utf-8"
    return StoredContent(text.getvalue().encode(encoding))
