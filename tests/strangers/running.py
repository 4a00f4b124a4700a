"""A fake while strangers' clients run against it, and a person who signs in for them."""

from contextlib import contextmanager

import httpx
import pytest
import requests

from ..conformance.target import Form
from ..loopback import local_client


class Running:
    """A fake that is reached at the URLs of its facts.

    Attributes:
        facts: what its clients are configured with.
        http: what reaches it otherwise: a person's browser, and the administrator.
        fake: the fake; None if only its facts are known.
    """

    def __init__(self, facts, http, fake=None):
        self.facts = facts
        self.http = http
        self.fake = fake

    def sign_in(self, url):
        """Sign in at an authorization URL, as a person in a browser; return the URL that the browser ends at."""
        return sign_in(url, self.facts, self.http)

    def get_code(self, **parameters):
        """Sign in, and return the code of the redirect."""
        facts = self.facts
        asked = {
            "client_id": facts["client_id"],
            "redirect_uri": facts["redirect_uri"],
            "scope": "user,file",
            "response_type": "code",
            "state": "s-1",
        }
        url = httpx.URL(facts["auth_url"] + "/oauth2/v2.0/authorize", params=asked | parameters)
        return httpx.URL(self.sign_in(str(url))).params["code"]

    def administer(self, method, path, body=None):
        """Make an admin call; return the JSON of its response, if any."""
        headers = {"Authorization": f"Bearer {self.facts['admin_key']}"}
        response = self.http.request(method, self.facts["admin_url"] + path, headers=headers, json=body)
        assert response.is_success, response.text
        return response.json() if response.content else None

    def get_tokens(self):
        """Sign in, and return the tokens: what a client has that was set up earlier."""
        form = {"grant_type": "authorization_code", "code": self.get_code()}
        form |= {name: self.facts[name] for name in ("client_id", "client_secret")}
        return self.http.post(self.facts["auth_url"] + "/oauth2/v2.0/token", data=form).json()


@contextmanager
def reach(facts, fake=None):
    """A fake whose facts are known."""
    with local_client(verify=False) as http:  # it is quicker to make, and meets no TLS
        yield Running(facts, http, fake)


@contextmanager
def in_process(fake):
    """A fake that httpx and requests reach without a network, whoever calls them."""
    with fake.httpx(), fake.responses(), reach(fake.facts, fake) as running:
        yield running


@contextmanager
def serving(fake, **layout):
    """A fake over TCP, with an origin for each area unless its layout says otherwise."""
    with fake.serve(**{"origins": True} | layout) as served, reach(served.facts, fake) as running:
        yield running


def sign_in(url, facts, http):
    """Fill in the login screen at an authorization URL; return the URL that it redirects to."""
    form = Form(http.get(url).raise_for_status().text)
    filled = form.hidden | {"login_id": facts["login_id"], "password": facts["password"]}
    return http.post(form.action, data=filled).headers["Location"]


def refuse(run, running):
    """Run a client that is refused; return all that it is told, in the body and in the reason."""
    with pytest.raises((httpx.HTTPStatusError, requests.HTTPError)) as refused:
        run(running)
    response = refused.value.response
    return f"{response.text}\n{response.headers.get('X-Fake-Reason', '')}"
