"""The parts of a fake by the names that people use."""

from fakes.clock import Clock
from fakes.engine.engine import Engine
from fakes.faults.injection import Faults
from fakes.parts.callbacks import Callbacks
from fakes.parts.directory import Directory
from fakes.parts.facts import Facts
from fakes.parts.files import FileStore
from fakes.parts.journal import Journal
from fakes.parts.settings import DomainSettings
from fakes.parts.sign_in.auth import AuthorizationServer
from fakes.parts.statuses import Statuses
from fakes.parts.webhooks import Webhooks
from fakes.rulebook.rules import Rules
from fakes.stubs.registry import Stubs

__all__ = ["PartsByName"]


class PartsByName(Engine):
    """The engine with its parts by name."""

    @property
    def clock(self) -> Clock:
        """The clock of the fake."""
        return self.state.clock

    @property
    def journal(self) -> Journal:
        """The latest requests and their responses."""
        return self.state.journal

    @property
    def faults(self) -> Faults:
        """The injected faults: ``fake.faults.status("users.update", 503, times=2)``."""
        return self.state.faults

    @property
    def settings(self) -> DomainSettings:
        """The settings of the domain; assign to change one."""
        return self.state.settings

    @property
    def rules(self) -> Rules:
        """The documented rules, the assumptions, and which of them were used."""
        return self.state.rules

    @property
    def auth(self) -> AuthorizationServer:
        """The authorization server."""
        return self.state.auth

    @property
    def files(self) -> FileStore:
        """The file store."""
        return self.state.files

    @property
    def directory(self) -> Directory:
        """The user directory."""
        return self.state.directory

    @property
    def statuses(self) -> Statuses:
        """The profile statuses."""
        return self.state.statuses

    @property
    def webhooks(self) -> Webhooks:
        """The notification endpoint and the rooms it posts into."""
        return self.state.webhooks

    @property
    def callbacks(self) -> Callbacks:
        """The bots and their callback events."""
        return self.state.callbacks

    @property
    def stubs(self) -> Stubs:
        """The stubs: responses to calls that the service's description does not have; see `stub`."""
        return self.state.stubs

    @property
    def facts(self) -> Facts:
        """URLs, credentials and IDs to configure a client; the keys of a served fake's ready line."""
        return Facts.of(self.state, self.base_urls)
