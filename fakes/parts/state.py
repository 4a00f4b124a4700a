"""The state of a fake: its clock, rules and settings, and the parts of the service that use them."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from fakes.clock import Clock
from fakes.data.population import Population
from fakes.faults.injection import Faults
from fakes.http.errors import Refusal
from fakes.parts.api_rate import ApiRate
from fakes.parts.callbacks import Callbacks
from fakes.parts.changes import ChangeLog
from fakes.parts.decisions import Decisions
from fakes.parts.directory import Directory
from fakes.parts.files import FileStore
from fakes.parts.ids import Ids
from fakes.parts.journal import Journal
from fakes.parts.lifecycle import Lifecycle
from fakes.parts.logs import write_audit_log, write_message_log
from fakes.parts.outbox import Outbox
from fakes.parts.part import Shared
from fakes.parts.settings import DomainSettings
from fakes.parts.sign_in.auth import AuthorizationServer
from fakes.parts.sign_in.authorization_data import FIRST_APPLICATION, REDIRECT_URI, RegisteredClient
from fakes.parts.statuses import Statuses
from fakes.parts.tokens import IssuedTokens, TokenStore
from fakes.parts.users import Users
from fakes.parts.webhooks import Webhooks
from fakes.rulebook.rules import AssumptionRefused, Rules
from fakes.stubs.registry import ExplainRefusal, Stubs

if TYPE_CHECKING:
    from fakes.parts.own_data import OwnData

__all__ = ["ALL_SCOPES", "BOT_ID", "CHANNEL_ID", "FIRST_USER", "State"]

FIRST_USER = "u-001"
ALL_SCOPES = "user,file"
BOT_ID = "bot-1"
CHANNEL_ID = "channel-1"
FORM_RESPONSE = ("form_response", "form-1", "response-1")
CSV = "text/csv; charset=UTF-8"


class State:
    """The parts of one domain.

    It begins with a sample: users, one application, one bot, one room with a webhook, logs, and a form response.

    Args:
        users: the number of users.
        seed: determines the users, IDs and secrets.
        clock: the clock of all parts.
        rules: the chosen alternatives.
        faults: the faults, which also apply to callbacks.
        lock: held while the state is used.
        own: data of your own, instead of the sample's.
        ids: issues the IDs and secrets, by default those of the seed.
        explain_refusal: says why a call cannot be stubbed.

    Raises:
        ValueError: the data contradict the sample users, or name users or bots that are not there.
    """

    def __init__(
        self,
        users: int,
        seed: int,
        clock: Clock,
        rules: Rules,
        faults: Faults,
        lock: AbstractContextManager[Any],
        own: "OwnData | None" = None,
        ids: Ids | None = None,
        explain_refusal: ExplainRefusal | None = None,
    ) -> None:
        self.clock: Clock = clock
        self.rules: Rules = rules
        self.faults: Faults = faults
        self.stubs: Stubs = Stubs(lock, explain_refusal)
        self.ids: Ids = ids or Ids(seed)
        self.journal: Journal = Journal(faults.operations)
        self.settings: DomainSettings = DomainSettings()
        self.changes: ChangeLog = ChangeLog()
        self.decisions: Decisions = Decisions(rules, self.changes)
        shared = Shared(
            clock=clock,
            ids=self.ids,
            rules=rules,
            settings=self.settings,
            changes=self.changes,
            decisions=self.decisions,
            lock=lock,
        )
        self.lifecycle: Lifecycle = Lifecycle(shared)
        self.users: Users = Users(Population(users, seed), shared, self.lifecycle)
        self.directory: Directory = Directory(self.users, shared)
        application = _make_application(self.ids, own)
        self.webhooks: Webhooks = Webhooks(shared)
        self.webhooks.add_app()
        if own is None or not (own.rooms or own.webhooks):
            self.webhooks.invite_bot(CHANNEL_ID)
            self.webhooks.add("Notices", CHANNEL_ID)
        self.files: FileStore = FileStore(shared)
        self.callbacks: Callbacks = Callbacks(self.users, self.files, faults, shared)
        self.outbox: Outbox = Outbox(self.callbacks, shared)
        if own is None or not own.bots:
            self.callbacks.add_bot(BOT_ID)
        write_messages = partial(write_message_log, webhooks=self.webhooks, callbacks=self.callbacks)
        for name, write in (("audit_logs", write_audit_log), ("message_logs", write_messages)):
            self.files.offer(
                (name,), CSV, partial(write, journal=self.journal, decisions=self.decisions, rules=rules)
            )
        if own is None or not own.files:
            self.files.seed(
                FORM_RESPONSE, "attachment-1", "answer.txt", "text/plain", b"Yes, with pleasure.\n"
            )
        self.files.find_container = self._find_container
        if own is not None:
            self._put(own)
        rules.forget()  # the setup does not count as a use
        self.auth: AuthorizationServer = AuthorizationServer(application, self.users, shared)
        if own is not None:
            self._register_further(own)
        self.tokens: TokenStore = TokenStore(self.users, shared)
        self.statuses: Statuses = Statuses(shared)
        self.api_rate: ApiRate = ApiRate(shared)
        self.admin_key: str = self.ids.secret("ak")
        forgetting = self.auth, self.tokens, self.statuses, self.callbacks
        self.users.when_removed += (part.forget_user for part in forgetting)

    def _put(self, own: "OwnData") -> None:
        """Put data of your own into this new state.

        Raises:
            ValueError: an e-mail address or external key is a sample user's, or the user or bot of a file's place is
                not found.
        """
        from fakes.parts.own_data import refuse  # most fakes have none

        users = self.users
        if own.custom_properties:  # as copies, as settings can be changed
            self.settings.custom_properties = [entry.model_copy(deep=True) for entry in own.custom_properties]
        if len(users):
            refuse(
                own.name,
                [
                    f"{own.rows.get(user_id, user_id)}: {problem}"
                    for user_id, user in own.users.items()
                    for problem in users.find_taken(user.read())
                ],
            )
        for user_id, user in own.users.items():
            users.add(user, user_id)
        if own.users:
            users.choose_first(own.users)
        problems = self._set_up(own)
        numbered = sorted(enumerate(own.files), key=lambda item: item[1].file_id is None)
        for at, file in numbered:  # those with an ID first, so that it is not issued to another
            try:
                file.put_into(self.files)
            except Refusal as wrong:
                problems.append(f"files[{at}]: {wrong}")
        refuse(own.name, problems)

    def _register_further(self, own: "OwnData") -> None:
        """Register the applications after the first, those with an ID first, so that it is not issued to another."""
        for application in sorted(own.applications[1:], key=lambda given: given.client_id is None):
            application.register_with(self.auth)

    def _set_up(self, own: "OwnData") -> list[str]:
        """Set up the rooms, webhooks and bots of data of your own, and return what was wrong."""
        webhooks = self.webhooks
        for room in own.rooms:
            webhooks.invite_bot(room.channel_id)
            for title in room.webhooks:
                webhooks.add(title, room.channel_id)
            if not room.bot:
                webhooks.remove_bot(room.channel_id)
        for webhook in own.webhooks:
            webhooks.invite_bot(webhook.channel_id)
            webhooks.add(webhook.title, webhook.channel_id, webhook.webhook_id)
        problems = []
        for at, bot in enumerate(own.bots):
            try:
                self.callbacks.add_bot(bot.bot_id, bot.callback_url, secret=bot.bot_secret)
            except Refusal as wrong:
                problems.append(f"bots[{at}]: {wrong}")
        return problems

    def _find_container(self, name: str, value: str) -> str:
        """Return the ID of the user or bot in the path of a place; other containers are not known.

        Raises:
            Refusal: the user or bot is not found.
        """
        if name == "botId":
            return self.callbacks.bot(value).bot_id
        if name != "userId" or value in self.users:
            return value
        return self.users.look_up(value) or self.users.resolve(value)

    def issue_tokens(self, user_id: str | None, scope: str) -> IssuedTokens:
        """Issue tokens to the sample's application without a sign-in, by default for the first user.

        Raises:
            Refusal: no such user.
        """
        user = self.users.resolve(self.users.first if user_id is None else user_id)
        return self.tokens.issue(user, self.auth.application.client_id, scope)

    @contextmanager
    def undo_if_refused(self) -> Iterator[None]:
        """Undo the changes of a call of the service that rests on a refused assumption.

        Besides the stored collections, calls change only counters: administrators set clock, rules and settings, and
        faults apply before or after a call.
        """
        counting = self.ids, self.webhooks, self.api_rate
        before = [part.dump() for part in counting]
        self.changes.begin()
        try:
            yield
        except AssumptionRefused:
            self.changes.undo()
            for part, data in zip(counting, before, strict=True):
                part.load(data)  # type: ignore[attr-defined]
            raise
        finally:
            self.changes.keep()


def _make_application(ids: Ids, own: "OwnData | None") -> RegisteredClient:
    """Return the first application: that of data of your own, or the sample's."""
    if own is None or not own.applications:
        return RegisteredClient(FIRST_APPLICATION, ids.secret("cs"), REDIRECT_URI)
    first = own.applications[0]
    return RegisteredClient(
        first.client_id or FIRST_APPLICATION,
        first.client_secret or ids.secret("cs"),
        first.redirect_uri,
        public_key=first.public_key or "",
        redirect_uris=tuple(first.redirect_uris),
    )
