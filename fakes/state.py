"""Everything one fake holds: its clock, rules and settings, and the parts of the service built on them."""

from dataclasses import dataclass, field

from fakes.clock import Clock
from fakes.ids import Ids
from fakes.parts.auth import Application, AuthorizationServer
from fakes.parts.callbacks import Bot, Callbacks
from fakes.parts.directory import Directory
from fakes.parts.files import FileStore
from fakes.parts.statuses import Statuses
from fakes.parts.tokens import TokenStore
from fakes.parts.webhooks import Webhooks
from fakes.population import Population
from fakes.rules import Rules
from fakes.settings import DomainSettings

__all__ = ["State", "sample_state"]

BOT_ID = "bot-1"
CHANNEL_ID = "channel-1"
REDIRECT_URI = "http://127.0.0.1:8731/callback"


@dataclass(slots=True)
class State:
    """The parts of one domain."""

    clock: Clock
    ids: Ids
    rules: Rules
    settings: DomainSettings
    directory: Directory
    auth: AuthorizationServer
    tokens: TokenStore
    files: FileStore
    statuses: Statuses
    webhooks: Webhooks
    callbacks: Callbacks
    admin_key: str = field(repr=False)


def sample_state(users: int, seed: int, clock: Clock, rules: Rules) -> State:
    """A domain with sample users, one application, one bot, and one room with a webhook."""
    ids = Ids(seed)
    settings = DomainSettings()
    directory = Directory(Population(users, seed), settings, rules=rules)
    application = Application("client-1", ids.secret("cs"), REDIRECT_URI)
    webhooks = Webhooks(clock=clock, ids=ids, rules=rules)
    webhooks.add_app()
    webhooks.invite_bot(CHANNEL_ID)
    webhooks.add("Notices", CHANNEL_ID)
    callbacks = Callbacks(directory, settings, clock=clock, rules=rules)
    callbacks.bots[BOT_ID] = Bot(BOT_ID, ids.secret("bs"))
    return State(
        clock=clock,
        ids=ids,
        rules=rules,
        settings=settings,
        directory=directory,
        auth=AuthorizationServer(application, directory, settings, clock=clock, ids=ids, rules=rules),
        tokens=TokenStore(clock=clock, ids=ids, rules=rules),
        files=FileStore(clock=clock, ids=ids, rules=rules),
        statuses=Statuses(settings, clock=clock, ids=ids, rules=rules),
        webhooks=webhooks,
        callbacks=callbacks,
        admin_key=ids.secret("ak"),
    )
