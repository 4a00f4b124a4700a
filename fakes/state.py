"""Everything one fake holds: its clock, rules and settings, and the parts of the service built on them."""

from dataclasses import dataclass, field

from fakes.clock import Clock
from fakes.ids import Ids
from fakes.injection import Faults
from fakes.journal import Journal
from fakes.parts.api_rate import ApiRate
from fakes.parts.auth import AuthorizationServer
from fakes.parts.callbacks import Callbacks
from fakes.parts.directory import Directory
from fakes.parts.files import FileStore
from fakes.parts.lifecycle import Lifecycle
from fakes.parts.statuses import Statuses
from fakes.parts.tokens import TokenStore
from fakes.parts.webhooks import Webhooks
from fakes.rules import Rules
from fakes.settings import DomainSettings

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
    faults: Faults
    journal: Journal
    admin_key: str = field(repr=False)

    def access_token(self, user_id: str, scope: str) -> str:
        """An access token without the steps of signing in.

        Raises:
            Refused: there is no such user.
        """
        user = self.directory.find(user_id)
        return self.tokens.issue(user, self.auth.application.client_id, scope).access_token
