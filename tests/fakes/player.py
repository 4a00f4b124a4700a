"""A caller that takes steps drawn at random, and notes all that the service sends."""

from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
from hypothesis import strategies as st

from .caller import Caller

OWN = "x-fake-"
"""How the headers begin that are the fake's and not the service's."""


@dataclass
class Seen:
    """Something the service sent, a response or an event: what the service decided of it, and the assumptions named."""

    content: tuple[Any, ...]
    assumed: set[str] = field(compare=False)


class Player(Caller):
    """A caller who keeps what was issued, to use it in later calls, and notes all that the service sends."""

    def __init__(self, fake):
        super().__init__(fake)
        self.codes, self.tokens, self.uploads, self.files, self.downloads = [], [], [], [], []
        self.seen: list[Seen] = []
        self.http.event_hooks = {"response": [self._note]}

    def on(self, fake):
        """Return the same caller on another fake, with what was issued to this one."""
        other = copy(self)
        other.__dict__ |= {name: list(kept) for name, kept in vars(self).items() if isinstance(kept, list)}
        other.fake, other.seen = fake, []
        other.http = httpx.Client(transport=fake.transport(), trust_env=False)
        other.http.event_hooks = {"response": [other._note]}
        return other

    def _note(self, response):
        response.read()
        raw = [
            (name, value) for name, value in response.headers.raw if not name.lower().startswith(OWN.encode())
        ]
        content = (
            response.request.method,
            str(response.request.url),
            response.status_code,
            raw,
            response.content,
        )
        named = response.headers.get("X-Fake-Assumed", "")
        self.seen.append(Seen(content, set(filter(None, named.split(", ")))))

    def play(self, steps):
        """Take steps, however they end, and return what the service sent."""
        deliveries = self.fake.callbacks.deliveries
        with self.http:
            for step in steps:
                told, sent, named = len(deliveries), [], set()
                try:
                    step(self)
                except Exception as failed:  # noqa: BLE001 - a step may need what earlier ones have changed
                    self.seen.append(Seen((type(failed).__name__,), set()))
                for delivery in list(deliveries)[told:]:
                    sent.append((delivery.outcome, delivery.status, delivery.headers, delivery.body))
                    named |= set(delivery.assumed)
                if sent:  # one event may be followed by another, which is one thing to see
                    self.seen.append(Seen(tuple(sent), named))
        return self.seen


def step(function, **arguments):
    """Steps of a kind: a function of a player, with arguments drawn at random."""
    return st.builds(partial, st.just(function), **arguments)


def some(**choices):
    """Some of the keyword arguments, each with one of its values."""
    values = {name: st.sampled_from(each) for name, each in choices.items()}
    return st.fixed_dictionaries({}, optional=values)
