"""Correct ways to write the exercise of lesson 02."""

import base64
import hmac
import os
import secrets
import uuid
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlparse, urlsplit

import httpx


def sign_in(browser, http, app, make=secrets.token_urlsafe):
    state = make()
    query = {
        "client_id": app["client_id"],
        "redirect_uri": app["redirect_uri"],
        "scope": ",".join(app["scopes"]),
        "response_type": "code",
        "state": state,
    }
    if app["domain"]:
        query["domain"] = app["domain"]
    browser.open(f"{app['auth_url']}/oauth2/v2.0/authorize?" + urlencode(query))
    answer = parse_qs(urlparse(browser.sign_in()).query)
    if answer["state"][0] != state:
        return None
    form = {
        "grant_type": "authorization_code",
        "code": answer["code"][0],
        "client_id": app["client_id"],
        "client_secret": app["client_secret"],
    }
    if app["domain"]:
        form["domain"] = app["domain"]
    return http.post(f"{app['auth_url']}/oauth2/v2.0/token", data=form).json()


@dataclass
class Flow:
    browser: Any
    http: Any
    app: dict

    def run(self):
        self.state = str(uuid.uuid4())
        self.browser.open(self.url)
        code = self.read(self.browser.sign_in())
        return code and self.exchange(code)

    @property
    def client(self):
        return {"client_id": self.app["client_id"]} | (
            {"domain": self.app["domain"]} if self.app["domain"] else {}
        )

    @property
    def url(self):
        given = {"scope": ",".join(self.app["scopes"]), "redirect_uri": self.app["redirect_uri"]}
        given |= {"response_type": "code", "state": self.state}
        return f"{self.app['auth_url']}/oauth2/v2.0/authorize?{urlencode(self.client | given)}"

    def read(self, redirect):
        answer = dict(parse_qsl(urlsplit(redirect).query))
        return answer["code"] if answer["state"] == self.state else None

    def exchange(self, code):
        form = {"code": code, "grant_type": "authorization_code", "client_secret": self.app["client_secret"]}
        response = self.http.post(f"{self.app['auth_url']}/oauth2/v2.0/token", data=self.client | form)
        return response.raise_for_status().json()


def by_hand(browser, http, app):
    state = secrets.token_hex(8)
    names = ("client_id", "redirect_uri")
    query = "&".join(f"{name}={quote(app[name], safe='')}" for name in names)
    query += f"&scope={quote(','.join(app['scopes']))}&response_type=code&state={state}"
    query += f"&domain={app['domain']}" if app["domain"] else ""
    browser.open(app["auth_url"] + "/oauth2/v2.0/authorize?" + query)
    came_back = httpx.URL(browser.sign_in())
    if not hmac.compare_digest(came_back.params["state"], state):
        return None
    form = f"grant_type=authorization_code&code={quote(came_back.params['code'], safe='')}"
    form += f"&client_id={quote(app['client_id'])}&client_secret={quote(app['client_secret'])}"
    form += f"&domain={app['domain']}" if app["domain"] else ""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return http.post(app["auth_url"] + "/oauth2/v2.0/token", content=form, headers=headers).json()


async def coroutine(browser, http, app):
    async with httpx.AsyncClient(transport=http._transport) as client:
        state = base64.urlsafe_b64encode(os.urandom(12)).decode()
        domain = {"domain": app["domain"]} if app["domain"] else {}
        query = {"client_id": app["client_id"], "redirect_uri": app["redirect_uri"], "state": state}
        query |= {"scope": ",".join(app["scopes"]), "response_type": "code", **domain}
        browser.open(str(httpx.URL(app["auth_url"] + "/oauth2/v2.0/authorize", params=query)))
        answer = httpx.URL(browser.sign_in()).params
        if answer["state"] == state:
            form = {"grant_type": "authorization_code", "code": answer["code"], "client_id": app["client_id"]}
            form |= {"client_secret": app["client_secret"], **domain}
            response = await client.post(app["auth_url"] + "/oauth2/v2.0/token", data=form)
            return response.json()


class Forged(Exception):
    pass


def catching(function):
    @wraps(function)
    def wrapper(*given):
        try:
            return function(*given)
        except Forged:
            return None

    return wrapper


@catching
def raises_inside(browser, http, app):
    tokens = Flow(browser, http, app).run()
    if tokens is None:
        raise Forged
    return tokens


class SignIn:
    def __call__(self, browser, http, app):
        return Flow(browser, http, app).run()


VARIANTS = {
    "plain": sign_in,
    "class behind": lambda browser, http, app: Flow(browser, http, app).run(),
    "object": SignIn(),
    "by hand": by_hand,
    "coroutine": coroutine,
    "decorated": raises_inside,
    "64 random bits": partial(sign_in, make=lambda: str(secrets.randbits(64))),
    "8 bytes": partial(sign_in, make=lambda: secrets.token_urlsafe(8)),
    "letters": partial(sign_in, make=lambda: "".join(secrets.choice("abcdefghijklmnop") for _ in range(24))),
}
