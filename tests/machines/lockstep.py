"""What every machine stands on: two fakes of one seed, driven in lock-step by literal HTTP."""

import os
import re
from datetime import datetime, timedelta
from html import unescape
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

import httpx
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine

from fakes import FakeService

NOW = "2026-06-01T09:00:00+09:00"
USERS = ("u-001", "u-002", "u-003")
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')

if os.environ.get("SVCKIT_HYPOTHESIS") == "thorough":
    SEARCH = settings(max_examples=500, stateful_step_count=50, suppress_health_check=list(HealthCheck))
else:
    SEARCH = settings(derandomize=True, max_examples=25, stateful_step_count=30)
SEARCH = settings(SEARCH, deadline=None, database=None, report_multiple_bugs=False)
"""How the machines search: the same few sequences each time, or many new ones (SVCKIT_HYPOTHESIS=thorough).

In the long lane there are more (test_more_sequences.py).
"""


class Lockstep(RuleBasedStateMachine):
    """Sends each request to both fakes; their responses are the same to the byte, and a refusal changes nothing.

    Attributes:
        fake: the first of the fakes, to look into.
        facts: what its clients are configured with.
        now: the time by the machine's own reckoning.
        assume: the alternatives that the fakes are made with.
    """

    assume: ClassVar = {}

    def __init__(self):
        super().__init__()
        options = {"users": len(USERS), "seed": 3, "now": NOW, "assume": self.assume}
        self._fakes = [FakeService.sample(**options) for _ in range(2)]
        self._clients = [httpx.Client(transport=fake.transport(), trust_env=False) for fake in self._fakes]
        self._signed_in = {}
        self.fake = self._fakes[0]
        self.facts = self.fake.facts
        self.now = datetime.fromisoformat(NOW)

    def teardown(self):
        for client in self._clients:
            client.close()

    def call(self, method, url, **request):
        """Send a request; a URL that begins with a slash is one of the resource API."""
        url = self.facts["base_url"] + url if url.startswith("/") else url
        first, second = self._clients
        answer = first.request(method, url, **request)
        if (
            answer.status_code >= 400
        ):  # its twin, which has not been called yet, still has what was stored before
            assert stored(self.fake) == stored(self._fakes[1]), (
                f"refused, yet something changed: {answer.text}"
            )
        assert whole(answer) == whole(second.request(method, url, **request))
        return answer

    def both(self, do):
        """Do to both fakes what is done beside HTTP."""
        first, _ = [do(fake) for fake in self._fakes]
        return first

    def pass_time(self, span):
        self.now += span
        self.both(lambda fake: fake.clock.advance(seconds=span.total_seconds()))

    # -- signing in ---------------------------------------------------------------------------------------------

    def authorization(self, **changes):
        """An authorization request; a change to None leaves a parameter out."""
        parameters = {
            "client_id": self.facts["client_id"],
            "redirect_uri": self.facts["redirect_uri"],
            "scope": "user",
            "response_type": "code",
            "state": "s-1",
        }
        return self.call(
            "GET", self.facts["auth_url"] + "/oauth2/v2.0/authorize", params=sent(parameters | changes)
        )

    def log_in(self, screen, login_id, password):
        """Fill in the form of a login screen."""
        fields = {unescape(name): unescape(value) for name, value in HIDDEN.findall(screen)}
        fields |= {"login_id": login_id, "password": password}
        return self.call("POST", self.facts["auth_url"] + "/oauth2/v2.0/authorize", data=fields)

    def token(self, **form):
        """A token request."""
        client = {"client_id": self.facts["client_id"], "client_secret": self.facts["client_secret"]}
        return self.call("POST", self.facts["auth_url"] + "/oauth2/v2.0/token", data=sent(client | form))

    def account(self, user_id):
        """The login ID and the password of a user."""
        email = next(user["email"] for user in self.fake.records("users") if user["userId"] == user_id)
        return email, self.fake.auth.password(user_id)

    def bearer(self, user_id="u-001"):
        """The header of a call by a user, who signs in again when a day is over."""
        since, header = self._signed_in.get(user_id, (None, None))
        if since is None or self.now - since >= timedelta(hours=24):
            redirect = self.log_in(self.authorization().text, *self.account(user_id))
            issued = self.token(grant_type="authorization_code", code=query(redirect)["code"]).json()
            header = {"Authorization": f"Bearer {issued['access_token']}"}
            self._signed_in[user_id] = self.now, header
        return header


def stored(fake):
    """What a fake stores, but for what its responses will be said to rest on."""
    snapshot = fake.snapshot()
    del snapshot["decisions"], snapshot["api_rate"], snapshot["tokens"]["reused_codes"]
    del snapshot["webhooks"]["limiter"]["other"]
    for login in snapshot["auth"]["logins"].values():
        del login["failed"]
    return snapshot


def whole(answer):
    return answer.status_code, answer.headers.raw, answer.content


def sent(parameters):
    return {name: value for name, value in parameters.items() if value is not None}


def query(redirect):
    """The query parameters of where a response redirects to."""
    return {name: value for name, (value,) in parse_qs(urlsplit(redirect.headers["Location"]).query).items()}
