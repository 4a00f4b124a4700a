"""The state of a fake: its clock, rules and settings, and the parts of the service that use them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fakes.clock import Clock
from fakes.faults.injection import Faults
from fakes.parts.api_rate import ApiRate
from fakes.parts.auth import AuthorizationServer
from fakes.parts.callbacks import Callbacks
from fakes.parts.changes import ChangeLog
from fakes.parts.decisions import Decisions
from fakes.parts.directory import Directory
from fakes.parts.files import FileStore
from fakes.parts.ids import Ids
from fakes.parts.journal import Journal
from fakes.parts.lifecycle import Lifecycle
from fakes.parts.settings import DomainSettings
from fakes.parts.statuses import Statuses
from fakes.parts.tokens import TokenStore
from fakes.parts.webhooks import Webhooks
from fakes.rulebook.rules import AssumptionRefused, Rules

__all__ = ["State"]


@dataclass(slots=True)
class State:
    """The parts of one domain."""

    clock: Clock
    ids: Ids
    rules: Rules
    settings: DomainSettings
    lifecycle: Lifecycle
    directory: Directory
    auth: AuthorizationServer
    tokens: TokenStore
    files: FileStore
    statuses: Statuses
    webhooks: Webhooks
    callbacks: Callbacks
    api_rate: ApiRate
    decisions: Decisions
    faults: Faults
    journal: Journal
    changes: ChangeLog
    admin_key: str = field(repr=False)

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

    def access_token(self, user_id: str, scope: str) -> str:
        """Issue an access token without signing in.

        Raises:
            Refusal: the user is not found.
        """
        user = self.directory.find(user_id)
        return self.tokens.issue(user, self.auth.application.client_id, scope).access_token
