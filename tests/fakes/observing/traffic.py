"""Traffic that an application's own hook records, without anything that only a fake sends."""

from base64 import b64encode
from random import Random

from fakes.rulebook.rule import RULEBOOK

from ..caller import Caller, make
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
SEED = 7
"""That of the recorded fakes, so that nothing they make up is as in another fake."""


class Recorder:
    """A fake, and a HAR archive of what its clients send and get."""

    def __init__(self, **options):
        self.fake, self.entries = make(seed=SEED, **options), []

    @property
    def har(self):
        return {"log": {"entries": self.entries}}

    def caller(self):
        caller = Caller(self.fake)
        caller.http.event_hooks = {"response": [self._note]}
        return caller

    def _note(self, response):
        request = response.request
        response.read()
        kept = [each for each in response.headers.multi_items() if not each[0].startswith("x-fake-")]
        self.entries.append(
            {
                "startedDateTime": self.fake.clock.now().isoformat(),
                "request": {
                    "method": request.method,
                    "url": str(request.url),
                    "headers": pairs(request.headers.multi_items()),
                    "postData": body(request.read()),
                },
                "response": {
                    "status": response.status_code,
                    "headers": pairs(kept),
                    "content": body(response.content),
                },
            }
        )


def pairs(headers):
    return [{"name": name, "value": value} for name, value in headers]


def body(content):
    return {"text": b64encode(content).decode(), "encoding": "base64"}


def record(assume):
    """Record a day's work: all users are read, somebody signs in, and then each call of the list."""
    recorder = Recorder(assume=assume)
    me = recorder.caller()
    for user_id in me.facts["users"]:
        me.patch(user_id)
    me.exchange(), me.notify(), me.upload()
    for rule_id in CALLS:
        try:
            SCENARIOS[rule_id](recorder.caller())
        except KeyError:  # an alternative refused a step on the way
            recorder.entries.append(None)
    recorder.entries = list(filter(None, recorder.entries))
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
