"""Applications, bots and webhooks as data of your own: the setup that a program needs before its first call."""

import re
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator

from fakes.http.errors import Refusal
from fakes.parts.callbacks import find_id_problem
from fakes.parts.receivers import make_receiver
from fakes.parts.sign_in.assertions import read_public_key
from fakes.parts.sign_in.authorization_data import REDIRECT_URI, RegisteredClient
from fakes.parts.sign_in.clients import ClientRegistry, find_url_problem
from svckit.models.base import OrAbsent, WireModel, absent
from svckit.models.problems import shorten

__all__ = ["OwnApplication", "OwnBot", "OwnWebhook"]

WEBHOOK_URL = re.compile(r"https?://.+/message/([0-9A-Za-z_-]+)")
Text = Annotated[str, Field(min_length=1)]


def _write_number(given: object) -> object:
    """Return an ID that was given as a number as text."""
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


BotId = Annotated[str, BeforeValidator(_write_number), WithJsonSchema({"type": ["string", "integer"]})]


class OwnApplication(WireModel):
    """An application with its credentials.

    Examples:
        >>> OwnApplication(client_id="my-app", redirect_uri="https://app.example/callback").redirect_uris
        []
    """

    redirect_uri: str = Field(default=REDIRECT_URI, description="The redirect URL of the application.")
    redirect_uris: list[str] = Field(default=[], description="Further redirect URLs of the application.")
    client_id: OrAbsent[Text] = absent("The client ID; without it, one is issued.")
    client_secret: OrAbsent[Text] = absent("The client secret; without it, one is issued.")
    public_key: OrAbsent[str] = absent(
        "The key that checks its assertions: an RSA public key of at least 2048 bits, as PEM."
    )

    @field_validator("redirect_uri", "redirect_uris")
    @classmethod
    def _check_urls(cls, given: str | list[str]) -> str | list[str]:
        for url in [given] if isinstance(given, str) else given:
            if problem := find_url_problem(url):
                raise ValueError(problem)
        return given

    @field_validator("public_key")
    @classmethod
    def _check_key(cls, given: str | None) -> str | None:
        try:
            return None if given is None else read_public_key(given)
        except (Refusal, ModuleNotFoundError) as wrong:
            raise ValueError(f"cannot be used: {wrong}") from None

    def register_with(self, clients: ClientRegistry) -> RegisteredClient:
        """Register the application.

        Raises:
            Refusal: there is one with its ID.
        """
        return clients.register(
            self.redirect_uri,
            *self.redirect_uris,
            client_id=self.client_id,
            client_secret=self.client_secret,
            public_key=self.public_key or "",
        )


class OwnBot(WireModel):
    """A bot, and the URL that receives its callbacks."""

    bot_id: OrAbsent[BotId] = absent("ID of the bot, text or a number; without it, one is issued.")
    callback_url: str | None = Field(default=None, description="The URL of the receiver; null for none.")
    bot_secret: OrAbsent[Text] = absent("The secret that signs its callbacks; without it, one is issued.")

    def find_problem(self) -> str:
        """Return why there cannot be such a bot, or an empty text."""
        if self.bot_id is not None and (problem := find_id_problem(self.bot_id)):
            return f"botId {problem}"
        try:
            make_receiver(self.callback_url)
        except (TypeError, ValueError) as wrong:
            return f"callbackUrl cannot receive callbacks: {wrong}"
        return ""


class OwnWebhook(WireModel):
    """An entry of the webhook list."""

    title: str = Field(description="Title of its messages that have no title.")
    channel_id: str = Field(description="ID of the room.")
    url: OrAbsent[str] = absent("URL of an earlier entry, to restore it.")

    @property
    def webhook_id(self) -> str | None:
        """The secret part of the URL, if one was given; its host is that of each door."""
        found = None if self.url is None else WEBHOOK_URL.fullmatch(self.url)
        return None if found is None else found[1]

    def find_problem(self) -> str:
        """Return why there cannot be such an entry, or an empty text."""
        for name, value in (("title", self.title), ("channelId", self.channel_id)):
            if not value:
                return f"{name} must not be empty"
        if self.url is not None and self.webhook_id is None:
            return (
                "url must be that of a webhook, such as https://hooks.fake.test/message/wh_1, of which the fake keeps "
                f"what follows /message/; given {shorten(self.url)!r}"
            )
        return ""
