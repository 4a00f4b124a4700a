"""The sample domain: users, one application, one bot, one room with a webhook, logs, and a form response."""

from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from fakes.clock import Clock
from fakes.faults.injection import Faults
from fakes.parts.api_rate import ApiRate
from fakes.parts.auth import AuthorizationServer, RegisteredClient
from fakes.parts.callbacks import Callbacks
from fakes.parts.changes import ChangeLog
from fakes.parts.decisions import Decisions
from fakes.parts.directory import Directory
from fakes.parts.files import FileStore
from fakes.parts.ids import Ids
from fakes.parts.journal import Journal
from fakes.parts.lifecycle import Lifecycle
from fakes.parts.logs import write_audit_log, write_message_log
from fakes.parts.population import Population
from fakes.parts.settings import DomainSettings
from fakes.parts.state import State
from fakes.parts.statuses import Statuses
from fakes.parts.tokens import TokenStore
from fakes.parts.webhooks import Webhooks
from fakes.rulebook.rules import Rules

__all__ = ["ALL_SCOPES", "BOT_ID", "CHANNEL_ID", "FIRST_USER", "make_sample_state"]

FIRST_USER = "u-001"
ALL_SCOPES = "user,file"
BOT_ID = "bot-1"
CHANNEL_ID = "channel-1"
REDIRECT_URI = "http://127.0.0.1:8731/callback"
FORM_RESPONSE = ("form_response", "form-1", "response-1")
CSV = "text/csv; charset=UTF-8"


def make_sample_state(
    users: int, seed: int, clock: Clock, rules: Rules, faults: Faults, lock: AbstractContextManager[Any]
) -> State:
    """Return the sample domain, the same under the same seed; ``lock`` is held while its state is used."""
    ids, journal, settings, changes = Ids(seed), Journal(), DomainSettings(), ChangeLog()
    lifecycle = Lifecycle(settings, clock=clock, rules=rules)
    population, decisions = Population(users, seed), Decisions(rules, changes)
    directory = Directory(
        population, settings, lifecycle=lifecycle, rules=rules, changes=changes, decisions=decisions
    )
    application = RegisteredClient("client-1", ids.secret("cs"), REDIRECT_URI)
    webhooks = Webhooks(clock=clock, ids=ids, rules=rules, changes=changes)
    webhooks.add_app()
    webhooks.invite_bot(CHANNEL_ID)
    webhooks.add("Notices", CHANNEL_ID)
    files = FileStore(clock=clock, ids=ids, rules=rules, changes=changes, decisions=decisions)
    callbacks = Callbacks(
        directory,
        files,
        settings,
        clock=clock,
        ids=ids,
        rules=rules,
        faults=faults,
        lock=lock,
        changes=changes,
        decisions=decisions,
    )
    callbacks.add_bot(BOT_ID)
    files.offer(("audit_logs",), CSV, partial(write_audit_log, journal, decisions, rules))
    files.offer(
        ("message_logs",), CSV, partial(write_message_log, webhooks, callbacks, journal, decisions, rules)
    )
    files.seed(FORM_RESPONSE, "attachment-1", "answer.txt", "text/plain", b"Yes, with pleasure.\n")
    rules.forget()  # the setup does not count as a use
    return State(
        clock=clock,
        ids=ids,
        rules=rules,
        settings=settings,
        lifecycle=lifecycle,
        directory=directory,
        auth=AuthorizationServer(
            application,
            directory,
            settings,
            clock=clock,
            ids=ids,
            rules=rules,
            changes=changes,
            decisions=decisions,
        ),
        tokens=TokenStore(directory, clock=clock, ids=ids, rules=rules, changes=changes),
        files=files,
        statuses=Statuses(settings, clock=clock, ids=ids, rules=rules, changes=changes),
        webhooks=webhooks,
        callbacks=callbacks,
        api_rate=ApiRate(settings, clock=clock, rules=rules),
        decisions=decisions,
        faults=faults,
        journal=journal,
        changes=changes,
        admin_key=ids.secret("ak"),
    )
