"""The state of a fake: its clock, rules and settings, and the parts of the service that use them."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

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
from fakes.parts.notification_endpoint import NotificationEndpoint
from fakes.parts.own_data import OwnData, refuse
from fakes.parts.part import Shared
from fakes.parts.settings import DomainSettings
from fakes.parts.sign_in.auth import AuthorizationServer
from fakes.parts.sign_in.authorization_data import RegisteredClient
from fakes.parts.statuses import Statuses
from fakes.parts.tokens import TokenStore
from fakes.parts.users import Users
from fakes.parts.webhooks import Webhooks
from fakes.rulebook.rules import AssumptionRefused, Rules
from fakes.stubs.registry import Describe, Stubs

__all__ = ["ALL_SCOPES", "BOT_ID", "CHANNEL_ID", "FIRST_USER", "State"]

FIRST_USER = "u-001"
ALL_SCOPES = "user,file"
BOT_ID = "bot-1"
CHANNEL_ID = "channel-1"
REDIRECT_URI = "http://127.0.0.1:8731/callback"
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
        own: data of your own, instead of the sample's users, files and rooms.
        ids: issues the IDs and secrets, by default those of the seed.
        describe: says why a call cannot be stubbed.

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
        own: OwnData | None = None,
        ids: Ids | None = None,
        describe: Describe | None = None,
    ) -> None:
        self.clock: Clock = clock
        self.rules: Rules = rules
        self.faults: Faults = faults
        self.stubs: Stubs = Stubs(lock, describe)
        ids = ids or Ids(seed)
        self.ids: Ids = ids
        journal = Journal(faults.operations)
        self.journal: Journal = journal
        settings = DomainSettings()
        self.settings: DomainSettings = settings
        changes = ChangeLog()
        self.changes: ChangeLog = changes
        decisions = Decisions(rules, changes)
        self.decisions: Decisions = decisions
        shared = Shared(
            clock=clock,
            ids=ids,
            rules=rules,
            settings=settings,
            changes=changes,
            decisions=decisions,
            lock=lock,
        )
        self.lifecycle: Lifecycle = Lifecycle(shared)
        people = Users(Population(users, seed), shared, self.lifecycle)
        self.users: Users = people
        self.directory: Directory = Directory(people, shared)
        application = RegisteredClient("client-1", ids.secret("cs"), REDIRECT_URI)
        notifications = NotificationEndpoint(shared)
        self.notifications: NotificationEndpoint = notifications
        webhooks = Webhooks(notifications, shared)
        self.webhooks: Webhooks = webhooks
        webhooks.add_app()
        own = own or OwnData()
        if not own.rooms:
            webhooks.invite_bot(CHANNEL_ID)
            webhooks.add("Notices", CHANNEL_ID)
        files = FileStore(shared)
        self.files: FileStore = files
        callbacks = Callbacks(people, files, faults, shared)
        self.callbacks: Callbacks = callbacks
        callbacks.add_bot(BOT_ID)
        write_messages = partial(write_message_log, notifications=notifications, callbacks=callbacks)
        for name, write in (("audit_logs", write_audit_log), ("message_logs", write_messages)):
            files.offer((name,), CSV, partial(write, journal=journal, decisions=decisions, rules=rules))
        if not own.files:
            files.seed(FORM_RESPONSE, "attachment-1", "answer.txt", "text/plain", b"Yes, with pleasure.\n")
        files.find_container = self._find_container
        self._put(own)
        rules.forget()  # the setup does not count as a use
        self.auth: AuthorizationServer = AuthorizationServer(application, people, shared)
        self.tokens: TokenStore = TokenStore(people, shared)
        self.statuses: Statuses = Statuses(shared)
        self.api_rate: ApiRate = ApiRate(shared)
        self.admin_key: str = ids.secret("ak")
        forgetting = self.auth, self.tokens, self.statuses, callbacks
        people.when_removed += (part.forget_user for part in forgetting)

    def _put(self, own: OwnData) -> None:
        """Put data of your own into this new state.

        Raises:
            ValueError: an e-mail address or external key is a sample user's, or the user or bot of a file's place is
                not found.
        """
        users, webhooks = self.users, self.webhooks
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
        for room in own.rooms:
            webhooks.invite_bot(room.channel_id)
            for title in room.webhooks:
                webhooks.add(title, room.channel_id)
            if not room.bot:
                webhooks.remove_bot(room.channel_id)
        problems = []
        numbered = sorted(enumerate(own.files), key=lambda item: item[1].file_id is None)
        for at, file in numbered:  # those with an ID first, so that it is not issued to another
            try:
                file.put_into(self.files)
            except Refusal as wrong:
                problems.append(f"files[{at}]: {wrong}")
        refuse(own.name, problems)

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

    @contextmanager
    def undo_if_refused(self) -> Iterator[None]:
        """Undo the changes of a call of the service that rests on a refused assumption.

        Besides the stored collections, calls change only counters: administrators set clock, rules and settings, and
        faults apply before or after a call.
        """
        counting = self.ids, self.notifications, self.api_rate
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
