"""Traffic that an application's own hook records, without anything that only a fake sends."""

import re
from base64 import b64encode
from datetime import UTC
from random import Random

from fakes import FakeService
from fakes.rulebook.rule import RULEBOOK

from ..caller import NOW, Caller
from ..scenarios import SCENARIOS

CALLS = (
    "api.unauthorized",
    "api.error-body",
    "api.invalid",
    "api.not-found",
    "api.content-type",
    "api.extra-fields",
    "api.duplicate-key",
    "api.query",
    "api.unmatched",
    "api.unmatched-bearer",
    "auth.failure-status",
    "auth.request-refused",
    "auth.scope-separator",
    "auth.login-id-case",
    "auth.repeated-parameter",
    "auth.unknown-parameter",
    "auth.scope-names",
    "auth.pkce",
    "auth.redirect-status",
    "token.redirect-uri",
    "token.error-body",
    "token.error-status",
    "token.code-reuse",
    "token.refresh-reuse",
    "token.refresh-scope",
    "token.earlier-access",
    "user.merge",
    "user.telephone",
    "user.time-zone",
    "file.upload-status",
    "file.upload-reuse",
    "file.part-name",
    "notification.other-fields",
    "notification.empty-text",
    "notification.empty-label",
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


def record(assume, calls=CALLS, scenarios=SCENARIOS, **options):
    """Record a day's work: all users are read, somebody signs in, and then each call of the list."""
    recorder = Recorder(assume=assume, **options)
    me = recorder.caller()
    for user_id in me.facts["users"]:
        me.patch(user_id)
    me.exchange(), me.notify(), me.upload()
    for rule_id in calls:
        try:
            scenarios[rule_id](recorder.caller())
        except (KeyError, IndexError):  # an alternative refused a step on the way
            continue
    return recorder.har


def draw(seed):
    """Draw ten alternatives."""
    random = Random(seed)
    return {
        rule_id: random.choice(RULEBOOK[rule_id].alternatives[1:]) for rule_id in random.sample(CALLS, 10)
    }


def list_revealed(assume):
    """Return the alternatives that show: with any other one of the same rule, something sent is not the same."""
    traffic = record(assume)
    return {
        rule_id: alternative
        for rule_id, alternative in assume.items()
        if all(
            record(assume | {rule_id: other}) != traffic
            for other in RULEBOOK[rule_id].alternatives
            if other != alternative
        )
    }
