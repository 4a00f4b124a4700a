"""Traffic that an application's own hook records, without anything that only a fake sends."""

import re
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC
from random import Random

from fakes import FakeService
from fakes.rulebook.deviations import DEVIATIONS
from fakes.rulebook.rule import RULEBOOK

from ..caller import NOW, Caller
from ..scenarios import SCENARIOS
from .own_calls import OWN_CALLS

CALLS = tuple(
    f"{area}.{each}"
    for area, names in {
        "api": (
            "unauthorized error-body invalid not-found content-type extra-fields duplicate-key query "
            "unmatched unmatched-bearer"
        ),
        "auth": (
            "failure-status request-refused scope-separator login-id-case repeated-parameter "
            "unknown-parameter scope-names pkce redirect-status"
        ),
        "token": "redirect-uri error-body error-status code-reuse refresh-reuse refresh-scope earlier-access",
        "user": "merge telephone time-zone",
        "file": "upload-status upload-reuse part-name",
        "notification": "other-fields empty-text empty-label",
    }.items()
    for each in names.split()
)
"""Rules whose scenarios an application can play, as they do not reach into the fake."""
MADE_UP = "\\b[0-9a-f]{32}\\b"
SEED = 7
"""That of the recorded fakes, so that nothing they make up is as in another fake."""


class Recorder:
    """A fake, and a HAR archive of what its clients send and get, with times in UTC or as the fake's clock has them."""

    def __init__(self, *, now=NOW, in_utc=False, **options):
        self.fake, self.entries = FakeService.sample(now=now, seed=SEED, **options), []
        self._in_utc = in_utc

    @property
    def har(self):
        return {"log": {"entries": self.entries}}

    def caller(self):
        caller = Caller(self.fake)
        caller.http.event_hooks = {"response": [self._note]}
        return caller

    def _note(self, response):
        request, at = response.request, self.fake.clock.now()
        response.read()
        sent = [(name, strip(value)) for name, value in request.headers.multi_items()]
        kept = [each for each in response.headers.multi_items() if not each[0].startswith("x-fake-")]
        self.entries.append(
            {
                "startedDateTime": (at.astimezone(UTC) if self._in_utc else at).isoformat(),
                "request": {
                    "method": request.method,
                    "url": str(request.url),
                    "headers": pairs(sent),
                    "postData": body(strip(request.read())),
                },
                "response": {
                    "status": response.status_code,
                    "headers": pairs(kept),
                    "content": body(response.content),
                },
            }
        )


def strip(text):
    """Return text without the boundary that httpx makes up, so that two recordings can be compared."""
    empty, pattern = (b"boundary", MADE_UP.encode()) if isinstance(text, bytes) else ("boundary", MADE_UP)
    return re.sub(pattern, empty, text)


def pairs(headers):
    return [{"name": name, "value": value} for name, value in headers]


def body(content):
    return {"text": b64encode(content).decode(), "encoding": "base64"}


def record(assume, calls=CALLS, **options):
    """Record a day's work: some users are read, somebody signs in, and then each call of the list."""
    recorder = Recorder(assume=assume, **options)
    me = recorder.caller()
    for user_id in me.facts["users"][:5]:
        me.patch(user_id)
    me.exchange(), me.notify(), me.upload()
    for name in calls:
        with suppress(KeyError, IndexError):  # an alternative may refuse a step on the way
            (OWN_CALLS.get(name) or SCENARIOS[name])(recorder.caller())
    return recorder.har


@dataclass(frozen=True)
class Service:
    """A service that differs from the default fake: its choices, the calls that are recorded, and the clocks.

    Attributes:
        assume: alternatives by rule ID.
        deviations: values by the ID of the deviation.
        calls: the rules and deviations whose calls are recorded.
        now: the start, at the offset of the service's clock.
        in_utc: whether the recording has times in UTC, not at that offset.
    """

    assume: dict
    deviations: dict
    calls: tuple
    now: str = NOW
    in_utc: bool = False

    def record(self):
        """Record a day's work with the service."""
        clock = {"now": self.now, "in_utc": self.in_utc}
        return record(self.assume, self.calls, deviations=self.deviations, **clock)

    def list_revealed(self):
        """Return what shows: with any other value, or none, something that is sent is not the same."""
        traffic = self.record()
        assume = {
            name: value
            for name, value in self.assume.items()
            for others in [set(RULEBOOK[name].alternatives) - {value}]
            if all(replace(self, assume=self.assume | {name: each}).record() != traffic for each in others)
        }
        if self.assume.get("api.unauthorized") == "403":  # a token that only ever got 403 may lack a scope
            assume.pop("token.earlier-access", None)
        deviations = {
            name: value
            for name, value in self.deviations.items()
            for others in [{each: kept for each, kept in self.deviations.items() if each != name}]
            if replace(self, deviations=others).record() != traffic
        }
        return assume, deviations


OFFSETS = ("+09:00", "Z", "-05:00")


def draw_service(seed, *, alternatives, deviations, others):
    """Draw a service with up to so many alternatives and deviations, and so many calls beside those that show them."""
    random = Random(seed)
    rules = random.sample(CALLS, random.randint(0, alternatives))
    deviating = random.sample(sorted(DEVIATIONS), random.randint(0, deviations))
    calls = [*rules, *deviating, *random.sample(CALLS, others)]
    random.shuffle(calls)
    return Service(
        {name: random.choice(RULEBOOK[name].alternatives[1:]) for name in rules},
        {name: DEVIATIONS[name].values[0] for name in deviating},
        tuple(dict.fromkeys(calls)),
        "2026-06-01T09:00:00" + random.choice(OFFSETS),
        in_utc=random.random() < 0.5,
    )
