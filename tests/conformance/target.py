"""A target: the service as the cases reach it. What is behind its addresses only the conftest knows."""

from collections.abc import Container
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit

UNTELLING = (401, 403, 429)
"""What a service may answer for reasons of its own: who asks may not, or not so often."""
REFUSED = frozenset(range(400, 500)).difference(UNTELLING)
NOT_HIS = REFUSED | {403}  # what another user may not touch may be forbidden or not be there


class Unexpected(AssertionError):
    """A response whose status no case asked for: something was refused, or not, or with another status."""

    def __init__(self, words, status):
        super().__init__(words)
        self.status = status


@dataclass(frozen=True)
class Unshown:
    """A status that is not shown: the fake's is one exactly, a service's one of several."""

    fake: int
    service: Container[int] = REFUSED

    def allowed(self, is_fake):
        """The statuses that a target may answer with."""
        return (self.fake,) if is_fake else self.service


FAILED_LOGIN = Unshown(401, (200, 400, 401, 403))  # that it is no redirect, is shown


@dataclass(frozen=True)
class Sent:
    """A request, the status it was answered with, and whether it was to be refused."""

    method: str
    url: str
    status: int
    expects_refusal: bool


class Http:
    """Literal HTTP through a door; a refusal that no case asked for is a failure with the response's words."""

    def __init__(self, door):
        self.expects_refusal = False
        self.sent = []
        self._door = door

    def request(self, method, url, *, chunks=None, **options):
        """Send a request; ``chunks`` is a body in pieces of just these sizes. Redirects are not followed."""
        answer = self._door.send(method, url, chunks, **options)
        status = answer.status_code
        self.sent.append(Sent(method, url, status, self.expects_refusal))
        if status >= 400 and not self.expects_refusal:
            raise Unexpected(f"{method} {url} was answered {status}: {answer.text}", status)
        return answer

    def request_during(self, outer, inner):
        """Send a request while the body of another is on its way; the responses of both, the outer one first."""
        return self._door.send_during(outer, inner)

    def get(self, url, **options):
        return self.request("GET", url, **options)

    def post(self, url, **options):
        return self.request("POST", url, **options)

    def patch(self, url, **options):
        return self.request("PATCH", url, **options)


class Form(HTMLParser):
    """The one form of a page: its method, its action, its hidden fields and the names of its other inputs."""

    def __init__(self, page):
        super().__init__()
        self.method = self.action = None
        self.hidden = {}
        self.inputs = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self.method, self.action = given.get("method", "get").lower(), given.get("action", "")
        elif tag == "input" and given.get("type") == "hidden":
            self.hidden[given["name"]] = given.get("value", "")
        elif tag == "input":
            self.inputs.append(given.get("name"))


class Target:
    """What every target can do, by literal HTTP through a door."""

    is_fake = True  # and held to what the fake does where that is not shown

    def __init__(self, facts, door):
        self.facts = facts
        self.http = Http(door)

    @property
    def other(self):
        """The ID of a user other than the one who signs in: the one who is changed."""
        return self.facts["users"][1]

    def fresh(self, name):
        """The name of a file that no earlier case has stored."""
        return name

    @contextmanager
    def kept(self, kinds):
        """Put back, after a case, what it has written of some kinds; a fake is reset instead."""
        yield

    def api(self, path):
        """The address of a path of the resource API."""
        return self.facts["base_url"] + path

    @property
    def authorize_url(self):
        return self.facts["auth_url"] + "/oauth2/v2.0/authorize"

    @property
    def token_url(self):
        return self.facts["auth_url"] + "/oauth2/v2.0/token"

    def authorization(self, **changes):
        """The parameters of an authorization request; a change to None leaves one out."""
        return without_none(
            {
                "client_id": self.facts["client_id"],
                "redirect_uri": self.facts["redirect_uri"],
                "scope": "user,file",
                "response_type": "code",
                "state": "s-1",
            }
            | changes
        )

    def login_form(self, **changes):
        """Ask for authorization; the form of the login screen, and where it posts to."""
        form = Form(self.http.get(self.authorize_url, params=self.authorization(**changes)).text)
        return form, urljoin(self.authorize_url, form.action)

    def log_in(self, login_id=None, password=None, **changes):
        """Sign in on the login screen; the response that redirects to the application."""
        form, action = self.login_form(**changes)
        credentials = {
            "login_id": login_id or self.facts["login_id"],
            "password": password or self.facts["password"],
        }
        return self.http.post(action, data=form.hidden | credentials)

    def code(self, **changes):
        """A fresh authorization code."""
        return query(self.log_in(**changes).headers["Location"])["code"]

    def exchange_form(self, code, **changes):
        """The form of a token request with a code; a change to None leaves a parameter out."""
        return without_none(
            {
                "code": code,
                "grant_type": "authorization_code",
                "client_id": self.facts["client_id"],
                "client_secret": self.facts["client_secret"],
            }
            | changes
        )

    def refresh_form(self, refresh_token, **changes):
        """The form of a token request with a refresh token."""
        form = self.exchange_form(None, grant_type="refresh_token", refresh_token=refresh_token)
        return without_none(form | changes)

    def tokens(self, **changes):
        """A fresh token set."""
        return self.http.post(self.token_url, data=self.exchange_form(self.code(**changes))).json()

    def signed_in(self, **changes):
        """The header of a call by a user who has just signed in."""
        return bearer(self.tokens(**changes)["access_token"])

    def signed_in_as(self, user_id):
        """The header of a call by another user of the domain."""
        email = self.http.patch(self.api(f"/users/{user_id}"), json={}, headers=self.signed_in()).json()[
            "email"
        ]
        return self.signed_in_with(email, self.password(user_id))

    def signed_in_with(self, login_id, password):
        code = query(self.log_in(login_id, password).headers["Location"])["code"]
        return bearer(self.http.post(self.token_url, data=self.exchange_form(code)).json()["access_token"])

    def refuses(self, method, url, status, **options):
        """Send a request that must be refused, and hold the target to it that nothing has changed by it.

        Args:
            method: of the request.
            url: of the request.
            status: of the response; an `Unshown` where cases do not hold a service to the status of the fake.
            options: the rest of the request.
        """
        allowed = status.allowed(self.is_fake) if isinstance(status, Unshown) else (status,)
        before = self.digest()
        self.http.expects_refusal = True
        answer = self.http.request(method, url, **options)
        self.http.expects_refusal = False
        if answer.status_code not in allowed:
            raise Unexpected(f"answered {answer.status_code}: {answer.text}", answer.status_code)
        assert self.digest() == before, f"refused, and yet something has changed: {answer.text}"
        return answer

    def digest(self):
        """All observable state, comparable; None where a target cannot tell."""


def without_none(values):
    return {name: value for name, value in values.items() if value is not None}


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def query(url):
    """The query parameters of a URL; each must be there once."""
    found = parse_qs(urlsplit(url).query, keep_blank_values=True, strict_parsing=True)
    assert all(len(values) == 1 for values in found.values()), url
    return {name: values[0] for name, values in found.items()}
