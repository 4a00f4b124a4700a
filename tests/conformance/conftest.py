"""The targets the suite runs on. This is the one place that knows what is behind the addresses."""

import asyncio
import re

import httpx
import pytest

from fakes import FakeService
from fakes.refusals import Refused

from .target import SetUpRefused, Target

NOW = "2026-06-01T09:00:00+09:00"


def pytest_configure(config):
    config.addinivalue_line("markers", "section(*names): sections of the service's description")
    config.addinivalue_line(
        "markers", "assumed(*keys): what the case rests on where the description is silent"
    )


class SyncDoor:
    """httpx.Client."""

    def __init__(self, transport):
        self._client = httpx.Client(transport=transport, trust_env=False)

    def send(self, method, url, chunks, **options):
        if chunks is not None:
            options["content"] = iter(chunks)
        return self._client.request(method, url, **options)

    def send_during(self, outer, inner):
        answers = []

        def body():
            yield outer["content"][:1]
            answers.append(self._client.request(**inner))
            yield outer["content"][1:]

        return self._client.request(**outer | {"content": body()}), *answers

    def close(self):
        self._client.close()


class AsyncDoor:
    """httpx.AsyncClient, each call driven to its end."""

    def __init__(self, transport):
        self._runner = asyncio.Runner()
        self._client = httpx.AsyncClient(transport=transport, trust_env=False)

    def send(self, method, url, chunks, **options):
        async def one_by_one():
            for chunk in chunks:
                yield chunk

        if chunks is not None:
            options["content"] = one_by_one()
        return self._runner.run(self._client.request(method, url, **options))

    def send_during(self, outer, inner):
        answers = []

        async def body():
            yield outer["content"][:1]
            answers.append(await self._client.request(**inner))
            yield outer["content"][1:]

        return self._runner.run(self._client.request(**outer | {"content": body()})), *answers

    def close(self):
        self._runner.run(self._client.aclose())
        self._runner.close()


class InProcess(Target):
    """The fake in this process, through one of its doors."""

    def __init__(self, door):
        self._fake = FakeService.sample(users=20, seed=0, now=NOW)
        self._door = door(self._fake.transport())
        super().__init__(self._fake.facts, self._door)

    def close(self):
        self._door.close()

    def digest(self):
        fake = self._fake
        return {
            "users": list(fake.records("users")),
            "files": [(stored.record(), revisions(stored)) for stored in fake.files.stored()],
            "statuses": {user: fake.statuses.of(user) for user in self.facts["users"]},
            "messages": list(fake.records("messages")),
            "rate": fake.webhooks.limiter.state(),
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

    def password(self, user_id):
        return self._fake.auth.password(user_id)

    def link_id(self, user_id):
        return self._fake.directory.link_id(user_id)

    def statuses(self, user_id):
        return self._fake.statuses.of(user_id)

    def invite_bot(self, channel_id):
        self._fake.webhooks.invite_bot(channel_id)

    def add_webhook(self, title, channel_id):
        try:
            webhook = self._fake.webhooks.add(title, channel_id)
        except Refused as refused:
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
        except Refused as refused:
            raise SetUpRefused(refused.description) from None
        names = ("delivered", "status", "error", "event")
        return {name: getattr(delivery, name) for name in names}


def revisions(stored):
    return [(kept.number, kept.content_type, kept.content.read()) for kept in stored.revisions]


TARGETS = {
    "in-process": lambda: InProcess(SyncDoor),
    "in-process-async": lambda: InProcess(AsyncDoor),
}


@pytest.fixture(params=TARGETS)
def target(request):
    made = TARGETS[request.param]()
    yield made
    made.close()


@pytest.fixture
def me(target):
    """The headers of a call by the signed-in user."""
    return target.signed_in()
