"""The fake as a target, set up through its admin interface."""

from contextlib import contextmanager
from urllib.parse import quote

import pytest

from fakes import FakeService

from .doors import HeldToHeaders
from .target import Target, bearer

NOW = "2026-06-01T09:00:00+09:00"


class SetUpRefused(Exception):
    """The fake refused something that is done beside the service's HTTP operations."""


@contextmanager
def set_up_refused(target):
    """Hold a target to it that what is done beside the service's operations is refused, and nothing has changed."""
    before = target.digest()
    with pytest.raises(SetUpRefused):
        yield
    assert target.digest() == before


class Remote(Target):
    """A fake of which its facts, a door and the admin interface are known; one for many cases, reset between them."""

    def __init__(self, facts, door, receiving):
        super().__init__(facts, door)
        self._door = door
        self._receiving = receiving
        self._admin("POST", "/reset")

    def close(self):
        """The next case goes on with the same server and the same connections."""

    def digest(self):
        state = self._admin("GET", "/snapshot")
        # No client sees what was counted, half a file, or what a response will be said to rest on.
        del state["ids"], state["files"]["uploads"], state["decisions"], state["api_rate"]
        del state["webhooks"]["limiter"]["other"], state["tokens"]["reused_codes"]
        for login in state["auth"]["logins"].values():
            del login["failed"]
        return state

    def advance(self, seconds):
        """Let time pass."""
        self._admin("POST", "/clock", {"advance": seconds})

    def to(self, instant):
        """Let time pass until an instant, ISO 8601 with an offset."""
        self._admin("POST", "/clock", {"to": instant})

    def domain(self):
        """The domain's settings."""
        return self._admin("GET", "/domain")

    def set_domain(self, **settings):
        """Change settings of the domain, as its administrator."""
        self._admin("PATCH", "/domain", settings)

    def register_application(self, redirect_uri):
        """Register another application; its client_id, client_secret and redirect_uri."""
        made = self._admin("POST", "/applications", {"redirectUri": redirect_uri})
        return {
            "client_id": made["clientId"],
            "client_secret": made["clientSecret"],
            "redirect_uri": redirect_uri,
        }

    def password(self, user_id):
        """The password of a user."""
        return self._admin("GET", f"/users/{user_id}")["password"]

    def link_id(self, user_id):
        """The external chat-link ID of a user: an e-mail address."""
        return self._admin("GET", f"/users/{user_id}")["linkId"]

    def statuses(self, user_id):
        """The profile statuses of a user now."""
        return self._admin("GET", f"/users/{user_id}")["statuses"]

    def invite_bot(self, channel_id):
        """Invite the notification app's bot to a room."""
        self._admin("PUT", f"/rooms/{quote(channel_id, safe='')}/bot")

    def add_webhook(self, title, channel_id):
        """Add an entry to the webhook list; its URL. May raise `SetUpRefused`."""
        return self._admin("POST", "/webhooks", {"title": title, "channelId": channel_id})["url"]

    def room(self, channel_id):
        """The messages of a room, oldest first: dicts of title, text, button, mentions."""
        messages = self._admin("GET", f"/rooms/{quote(channel_id, safe='')}/messages")["messages"]
        return [{name: m[name] for name in ("title", "text", "button", "mentions")} for m in messages]

    def receive(self, bot_id, answer=200):
        """Become the receiving server of a bot; the list to which its requests go as (headers, body).

        ``answer`` is the status it answers, or an exception for a server that breaks the connection.
        """
        url, received = self._receiving.receiver(answer)
        self._admin("PUT", f"/bots/{quote(bot_id, safe='')}/callback", {"url": url})
        return received

    def say(self, bot, user, content, channel=None, client_version=None):
        """Let a member write to a bot; dict of delivered, status, error, event. May raise `SetUpRefused`."""
        optional = {"channelId": channel, "clientVersion": client_version}
        given = {name: value for name, value in optional.items() if value is not None}
        return self._admin("POST", "/messages", {"botId": bot, "userId": user, "content": content} | given)

    def _admin(self, method, path, body=None):
        options = {} if body is None else {"json": body}
        url = self.facts["admin_url"] + path
        answer = self._door.send(method, url, None, headers=bearer(self.facts["admin_key"]), **options)
        if answer.status_code in (400, 404, 409):
            raise SetUpRefused(answer.json()["description"])
        assert answer.status_code in (200, 201, 204), (
            f"{method} {path} was answered {answer.status_code}: {answer.text}"
        )
        return answer.json() if answer.content else None


class InProcess(Remote):
    """A new fake in this process for each case.

    Attributes:
        assume: the alternatives of the fakes that are made.
    """

    assume = None

    def __init__(self, make_door, receiving):
        fake = FakeService.sample(users=20, seed=0, now=NOW, assume=self.assume)
        super().__init__(fake.facts, HeldToHeaders(make_door(fake)), receiving)

    def close(self):
        self._door.close()
