"""The door for people: a small browser that opens the login screen, fills in its form and follows redirects."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from fakes.engine.engine import Engine
from fakes.faults.kinds import BrokenConnection
from fakes.http.addresses import UnknownURL
from fakes.http.messages import FakeResponse, RequestHead
from svckit.display.masking import mask
from svckit.display.page_reader import PageReader

__all__ = ["BrowserForm", "BrowserPage", "FakeBrowser", "NoRedirect"]

REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_REDIRECTS = 20
FORGED = "forged"
LOGIN, PASSWORD = "login_id", "password"


class NoRedirect(Exception):
    """The sign-in led to no redirect, so the application waits in vain."""


@dataclass(frozen=True, slots=True)
class BrowserForm:
    """The form of a page.

    Attributes:
        method: in capitals.
        action: the URL that it is sent to, absolute.
        fields: the names of all fields, with the values that they already have.
    """

    method: str
    action: str
    fields: dict[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class BrowserPage:
    """A page as the browser shows it; its repr leaves out the form's values, and masks the URL.

    Attributes:
        status: the HTTP status.
        url: the URL in the location bar, with its secrets.
        title: the title.
        text: the visible text, a line for each element that has some.
        form: the form; None if the page has none.
    """

    status: int
    url: str = field(repr=False)
    title: str
    text: str
    form: BrowserForm | None = field(repr=False)

    def __repr__(self) -> str:
        return f"<BrowserPage: {self.status} {self.title or 'no title'!r} at {mask(self.url)}>"


class FakeBrowser:
    """A browser with a person at it, who signs in to an in-process fake at the login screen.

    A redirect is followed if it leads to the fake. One that leads to the application is not: its URL is what the
    application gets. The journal records what the browser sends.

    Args:
        engine: the fake.
        forge_state: whether the redirect has another state than the application sent, as if it came from somebody else.
        cancel: whether the person closes the login screen instead.
        mistype: whether the person mistypes the password.

    Attributes:
        page: the page that is open; None if no page is open.

    Examples:
        >>> from urllib.parse import urlencode
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> query = {"scope": "user", "response_type": "code", "state": "s-1", "client_id": fake.facts["client_id"]}
        >>> query |= {"redirect_uri": fake.facts["redirect_uri"]}
        >>> url = fake.facts["auth_url"] + "/oauth2/v2.0/authorize?" + urlencode(query)
        >>> browser = fake.browser()
        >>> page = browser.open(url)
        >>> print(page.text.splitlines()[0], *page.form.fields, sep="; ")
        Log in; login_ticket; login_id; password
        >>> redirect = browser.sign_in()
        >>> redirect.partition("?")[0], redirect.endswith("&state=s-1")
        ('http://127.0.0.1:8731/callback', True)
        >>> browser.open(url)
        <BrowserPage: 200 'Log in' at https://auth.fake.test/oauth2/v2.0/authorize?...&state=***&...>
        >>> browser.sign_in(password="wrong")
        Traceback (most recent call last):
        ...
        fakes.doors.browser.NoRedirect: the login led to no redirect but to a page with the status 401: This did not ...
        >>> browser.close()
        >>> browser.page is None
        True
    """

    def __init__(
        self, engine: Engine, *, forge_state: bool = False, cancel: bool = False, mistype: bool = False
    ) -> None:
        self.page: BrowserPage | None = None
        self._engine = engine
        self._forges, self._cancels, self._mistypes = forge_state, cancel, mistype
        self._redirect: str | None = None  # to the application, until `sign_in` returns it

    def open(self, url: str) -> BrowserPage:
        """Open a URL of the fake, such as that of an authorization request, and follow redirects.

        Args:
            url: the URL, in process.

        Returns:
            The page. If a redirect leads to the application at once, it is empty, and `sign_in` returns the redirect.

        Raises:
            LookupError: the URL is not one of this fake.
            ConnectionError: a fault broke the connection.
        """
        return self._visit("GET", url)

    def sign_in(self, login_id: str | None = None, password: str | None = None) -> str:
        """Fill in the login form, send it, and return the redirect to the application.

        Args:
            login_id: the login ID to type; by default that of the first user.
            password: the password to type; by default that of the user with the login ID.

        Returns:
            The URL of the redirect, with the code and the state.

        Raises:
            NoRedirect: the person cancelled, the login failed, or another page is open.
            ConnectionError: a fault broke the connection.
        """
        if self._redirect is None:
            self._send_login(login_id, password)
        redirect, self._redirect = self._redirect, None
        if redirect is None:
            raise NoRedirect(f"the login led to no redirect but to {describe(self.page)}")
        return forge_state(redirect) if self._forges else redirect

    def close(self) -> None:
        """Leave the login page, as a person does who does not want to sign in."""
        self.page = self._redirect = None

    def _send_login(self, login_id: str | None, password: str | None) -> None:
        if self._cancels:
            self.close()
            raise NoRedirect("the person closed the login screen, so there is no redirect")
        form = None if self.page is None else self.page.form
        if form is None or not {LOGIN, PASSWORD} <= form.fields.keys():
            raise NoRedirect(
                f"there is no login form to fill in ({describe(self.page)}); "
                "open the URL of the authorization request first: browser.open(url)"
            )
        state = self._engine.state
        typed = login_id or str(state.directory[next(iter(state.directory))]["email"])
        if password is None:
            user_id = state.users.by_email(typed)
            password = "" if user_id is None else state.auth.password(user_id)
        if self._mistypes:
            password = password[::-1] + "x"
        self._visit(form.method, form.action, form.fields | {LOGIN: typed, PASSWORD: password})

    def _visit(self, method: str, url: str, fields: dict[str, str] | None = None) -> BrowserPage:
        """Send a request, and follow its redirects; the last page is then open."""
        for _ in range(MOST_REDIRECTS):
            response = self._send(method, url, fields)
            location = dict(response.headers).get("Location") if response.status in REDIRECTS else None
            if location is None:
                break
            method, url, fields = "GET", urljoin(url, location), None
            try:
                self._engine.base_urls.locate(url)
            except UnknownURL:
                self._redirect = url
                self.page = BrowserPage(response.status, url, title="", text="", form=None)
                return self.page
        self._redirect = None
        self.page = read_page(response, url)
        return self.page

    def _send(self, method: str, url: str, fields: dict[str, str] | None) -> FakeResponse:
        headers: Sequence[tuple[bytes, bytes]] = ((b"Accept", b"text/html"),)
        if fields is not None:
            headers = (*headers, (b"Content-Type", b"application/x-www-form-urlencoded"))
        try:
            body = urlencode(fields or {}).encode()
            response = self._engine.respond(RequestHead(method, url, headers), [body])
        except BrokenConnection as broken:
            raise ConnectionError(str(broken)) from None
        if response.wait:
            time.sleep(response.wait)
        return response


def describe(page: BrowserPage | None) -> str:
    """Describe the page that is open, with its first two lines."""
    if page is None:
        return "no page is open"
    return f"a page with the status {page.status}: {', '.join(page.text.splitlines()[:2])[:200]}"


def forge_state(redirect: str) -> str:
    """Return a redirect with another state.

    Examples:
        >>> forge_state("https://app.example/callback?code=c-1&state=s-1")
        'https://app.example/callback?code=c-1&state=forged'
    """
    parts = urlsplit(redirect)
    query = [(name, FORGED if name == "state" else value) for name, value in parse_qsl(parts.query)]
    return urlunsplit(parts._replace(query=urlencode(query)))


def read_page(response: FakeResponse, url: str) -> BrowserPage:
    """Return a response as the page that a browser shows."""
    body = response.read()
    text = body.decode("utf-8", "replace")
    if not dict(response.headers).get("Content-Type", "").startswith("text/html"):
        return BrowserPage(response.status, url, title="", text=text, form=None)
    reader = PageReader.of(text)
    form = None
    if reader.form is not None:
        method = reader.form.get("method") or "get"
        form = BrowserForm(method.upper(), urljoin(url, reader.form.get("action") or ""), reader.fields)
    return BrowserPage(response.status, url, reader.title, text="\n".join(reader.lines), form=form)
