"""Lesson 02: sign somebody in, and exchange the code for tokens."""

import secrets
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx

from fakes.doors.browser import FakeBrowser

__all__ = ["SOLUTIONS"]

App = dict[str, Any]


def solution_in_steps(browser: FakeBrowser, http: httpx.Client, app: App) -> dict[str, str] | None:
    """Write down each step."""
    state = secrets.token_urlsafe()
    query = {
        "client_id": app["client_id"],
        "redirect_uri": app["redirect_uri"],
        "scope": ",".join(app["scopes"]),
        "response_type": "code",
        "state": state,
    }
    if app["domain"] is not None:
        query["domain"] = app["domain"]
    browser.open(f"{app['auth_url']}/oauth2/v2.0/authorize?{urlencode(query)}")
    came_back = dict(parse_qsl(urlsplit(browser.sign_in()).query))
    if came_back["state"] != state:
        return None
    form = {
        "grant_type": "authorization_code",
        "code": came_back["code"],
        "client_id": app["client_id"],
        "client_secret": app["client_secret"],
        "domain": app["domain"] or "",
    }
    response = http.post(f"{app['auth_url']}/oauth2/v2.0/token", data=form)
    response.raise_for_status()
    tokens: dict[str, str] = response.json()
    return tokens


def solution_with_httpx(browser: FakeBrowser, http: httpx.Client, app: App) -> dict[str, str] | None:
    """Let httpx write the URLs, and send the redirect URL once more, as other services want."""
    domain = {"domain": app["domain"]} if app["domain"] else {}
    client = {"client_id": app["client_id"], "redirect_uri": app["redirect_uri"], **domain}
    state = secrets.token_hex(16)
    url = httpx.URL(app["auth_url"] + "/oauth2/v2.0/authorize").copy_merge_params(
        {**client, "scope": ",".join(app["scopes"]), "response_type": "code", "state": state}
    )
    browser.open(str(url))
    answer = httpx.URL(browser.sign_in()).params
    if not secrets.compare_digest(answer["state"], state):
        return None
    form = {**client, "client_secret": app["client_secret"], "code": answer["code"]}
    response = http.post(
        app["auth_url"] + "/oauth2/v2.0/token", data={"grant_type": "authorization_code", **form}
    )
    tokens: dict[str, str] = response.json()
    return tokens


SOLUTIONS = (solution_in_steps, solution_with_httpx)
