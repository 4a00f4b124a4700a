"""The fake in this process, set up through its Python names."""

import re

import httpx

from fakes import FakeService
from fakes.http.errors import Refusal

from .target import SetUpRefused, Target


class InProcess(Target):
    """The fake in this process, through one of its doors."""

    def __init__(self, door, now):
        self._fake = FakeService.sample(users=20, seed=0, now=now)
        self._door = door(self._fake)
        super().__init__(self._fake.facts, self._door)

    def close(self):
        self._door.close()

    def digest(self):
        fake = self._fake
        return {
            "users": list(fake.records("users")),
            "files": [(stored.record(), revisions(stored)) for stored in fake.files.list_files()],
            "statuses": {user: fake.statuses.of(user) for user in self.facts["users"]},
            "messages": list(fake.records("messages")),
            "rate": fake.state.webhooks.limiter.stats(),
            "webhooks": fake.webhooks.all(),
            "callbacks": len(fake.callbacks.deliveries),
            "domain": self.domain(),
        }

    def advance(self, seconds):
        self._fake.clock.advance(seconds=seconds)

    def to(self, instant):
        self._fake.clock.to(instant)

    def domain(self):
        return self._fake.settings.model_dump(mode="json", by_alias=True)

    def set_domain(self, **settings):
        for name, value in settings.items():
            setattr(self._fake.settings, re.sub("[A-Z]", lambda found: "_" + found[0].lower(), name), value)

    def register_application(self, redirect_uri):
        made = self._fake.auth.register(redirect_uri)
        return {
            "client_id": made.client_id,
            "client_secret": made.client_secret,
            "redirect_uri": redirect_uri,
        }

    def password(self, user_id):
        return self._fake.auth.password(user_id)

    def link_id(self, user_id):
        return self._fake.state.users.link_id(user_id)

    def statuses(self, user_id):
        return self._fake.statuses.of(user_id)

    def invite_bot(self, channel_id):
        self._fake.webhooks.invite_bot(channel_id)

    def add_webhook(self, title, channel_id):
        try:
            webhook = self._fake.webhooks.add(title, channel_id)
        except Refusal as refused:
            raise SetUpRefused(refused.description) from None
        return f"{self.facts['webhook_url']}/message/{webhook.webhook_id}"

    def room(self, channel_id):
        return [
            {"title": m.title, "text": m.text, "button": m.button, "mentions": list(m.mentions)}
            for m in self._fake.webhooks.messages(channel_id)
        ]

    def receive(self, bot_id, answer=200):
        received = []

        def receiver(headers, body):
            received.append((httpx.Headers(headers), body))
            if isinstance(answer, Exception):
                raise answer
            return answer

        self._fake.callbacks.connect(bot_id, receiver)
        return received

    def say(self, bot, user, content, channel=None, client_version=None):
        version = {} if client_version is None else {"client_version": client_version}
        try:
            delivery = self._fake.callbacks.send(bot, user, content, channel_id=channel, **version)
        except Refusal as refused:
            raise SetUpRefused(refused.description) from None
        names = ("delivered", "status", "error", "event")
        return {name: getattr(delivery, name) for name in names}


def revisions(stored):
    return [(kept.number, kept.content_type, kept.content.read()) for kept in stored.revisions]
