"""Lesson 02: what learners write, by the sentence that each of them gets."""

import secrets
import time
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx

from fakes.doors.browser import FakeBrowser

App = dict[str, Any]


def begin(browser: FakeBrowser, app: App, **changes: Any) -> dict[str, str]:
    """Open the login screen, sign in, and return the parameters of the redirect; None leaves a parameter out."""
    query = {
        "client_id": app["client_id"],
        "redirect_uri": app["redirect_uri"],
        "scope": ",".join(app["scopes"]),
        "response_type": "code",
        "state": secrets.token_urlsafe(),
        "domain": app["domain"],
        **changes,
    }
    given = {name: value for name, value in query.items() if value is not None}
    browser.open(f"{app['auth_url']}/oauth2/v2.0/authorize?{urlencode(given)}")
    return dict(parse_qsl(urlsplit(browser.sign_in()).query)) | {"sent": str(given.get("state"))}


def make_form(app: App, code: str) -> dict[str, str]:
    """Return the parameters of an exchange."""
    form = {"client_id": app["client_id"], "client_secret": app["client_secret"], "code": code}
    return {"grant_type": "authorization_code", "domain": app["domain"] or "", **form}


def exchange(http: httpx.Client, app: App, code: str) -> Any:
    """Exchange a code."""
    return http.post(f"{app['auth_url']}/oauth2/v2.0/token", data=make_form(app, code)).json()


def finish(http: httpx.Client, app: App, answer: dict[str, str]) -> Any:
    """Exchange the code of a redirect that has the state that was sent."""
    return exchange(http, app, answer["code"]) if answer["state"] == answer["sent"] else None


def puts_secret_into_url(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    answer = begin(browser, app)
    return http.post(f"{app['auth_url']}/oauth2/v2.0/token", params=make_form(app, answer["code"])).json()


def puts_secret_into_screen(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    answer = begin(browser, app, client_secret=app["client_secret"])
    return exchange(http, app, answer["code"])


def ignores_state(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return exchange(http, app, begin(browser, app)["code"])


def compares_too_late(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    answer = begin(browser, app)
    tokens = exchange(http, app, answer["code"])
    return tokens if answer["state"] == answer["sent"] else None


def checks_presence(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    answer = begin(browser, app)
    return exchange(http, app, answer["code"]) if answer["state"] else None


def raises_at_forgery(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    answer = begin(browser, app)
    if answer["state"] != answer["sent"]:
        raise ValueError("forged")
    return exchange(http, app, answer["code"])


def returns_at_forgery(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    answer = begin(browser, app)
    return exchange(http, app, answer["code"]) if answer["state"] == answer["sent"] else "forged"


def lacks_state(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return exchange(http, app, begin(browser, app, state=None)["code"])


def opens_again(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    answer = begin(browser, app)
    query = {"client_id": app["client_id"], "redirect_uri": app["redirect_uri"], "response_type": "code"}
    browser.open(f"{app['auth_url']}/oauth2/v2.0/authorize?{urlencode(query | {'scope': 'user'})}")
    return exchange(http, app, answer["code"])


def guesses_state(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return finish(http, app, begin(browser, app, state="xyz"))


def counts_state(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return finish(http, app, begin(browser, app, state=str(secrets.randbelow(1_000_000))))


def states_time(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return finish(http, app, begin(browser, app, state=str(time.time())))


def sends_no_domain(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return finish(http, app, begin(browser, app, domain=None))


def sends_domain_once(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return finish(http, app | {"domain": None}, begin(browser, app))


def sends_none_as_domain(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return finish(http, app, begin(browser, app, domain=str(app["domain"])))


def sends_another_domain(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return finish(http, app, begin(browser, app, domain="intranet"))


def leaves_unquoted(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    state, scopes = secrets.token_urlsafe(), ",".join(app["scopes"])
    query = (
        f"client_id={app['client_id']}&redirect_uri={app['redirect_uri']}&scope={scopes}&response_type=code"
    )
    query += f"&state={state}&domain={app['domain'] or ''}"
    browser.open(f"{app['auth_url']}/oauth2/v2.0/authorize?{query}")
    answer = parse_qs(urlsplit(browser.sign_in()).query)
    return exchange(http, app, answer["code"][0]) if answer["state"] == [state] else None


def opens_bare_url(browser: FakeBrowser, http: httpx.Client, app: App) -> None:
    browser.open(f"{app['auth_url']}/oauth2/v2.0/authorize")


def asks_for_token(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return exchange(http, app, begin(browser, app, response_type="token")["code"])


def takes_another_id(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return exchange(http, app, begin(browser, app, client_id="planner")["code"])


def lacks_secret(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    form = make_form(app, begin(browser, app)["code"])
    return http.post(f"{app['auth_url']}/oauth2/v2.0/token", data=form | {"client_secret": ""}).json()


def joins_by_spaces(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return exchange(http, app, begin(browser, app, scope=" ".join(app["scopes"]))["code"])


def sends_list(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return exchange(http, app, begin(browser, app, scope=app["scopes"])["code"])


def sends_json(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    form = make_form(app, begin(browser, app)["code"])
    return http.post(f"{app['auth_url']}/oauth2/v2.0/token", json=form).json()


def tries_json_first(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    form = make_form(app, begin(browser, app)["code"])
    http.post(f"{app['auth_url']}/oauth2/v2.0/token", json=form)
    return http.post(f"{app['auth_url']}/oauth2/v2.0/token", data=form).json()


def sends_twice(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    answer = begin(browser, app)
    if exchange(http, app, answer["code"]):
        return exchange(http, app, answer["code"])
    return None


def retries(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    answer = begin(browser, app)
    first, *_ = [exchange(http, app, answer["code"]) for _ in range(3)]
    return first


def never_exchanges(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return begin(browser, app)["code"]


def compares_other(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    answer = begin(browser, app)
    return exchange(http, app, answer["code"]) if answer["state"] is answer["sent"] else None


def opens_only(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    query = {"client_id": app["client_id"], "redirect_uri": app["redirect_uri"], "response_type": "code"}
    query |= {"scope": ",".join(app["scopes"]), "state": secrets.token_urlsafe()}
    return browser.open(f"{app['auth_url']}/oauth2/v2.0/authorize?{urlencode(query)}")


def returns_access_token(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    return exchange(http, app, begin(browser, app)["code"])["access_token"]


def returns_nothing(browser: FakeBrowser, http: httpx.Client, app: App) -> None:
    exchange(http, app, begin(browser, app)["code"])


def returns_response(browser: FakeBrowser, http: httpx.Client, app: App) -> Any:
    form = make_form(app, begin(browser, app)["code"])
    return http.post(f"{app['auth_url']}/oauth2/v2.0/token", data=form)


WRONG = {
    "secret in a URL": (puts_secret_into_url, puts_secret_into_screen),
    "state ignored": (ignores_state, compares_too_late, checks_presence),
    "refused otherwise": (raises_at_forgery, returns_at_forgery),
    "no state": (lacks_state, opens_again),
    "state guessed": (guesses_state, counts_state, states_time),
    "domain": (sends_no_domain, sends_domain_once),
    "domain of nobody": (sends_none_as_domain, sends_another_domain),
    "unquoted": (leaves_unquoted,),
    "parameters": (opens_bare_url, asks_for_token, takes_another_id),
    "refused": (lacks_secret,),
    "scopes": (joins_by_spaces, sends_list),
    "format": (sends_json, tries_json_first),
    "code sent twice": (sends_twice, retries),
    "not exchanged": (never_exchanges, compares_other, opens_only),
    "not returned": (returns_access_token, returns_nothing, returns_response),
}
