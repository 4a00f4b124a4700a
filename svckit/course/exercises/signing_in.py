"""Lesson 02: sign somebody in, and exchange the code for tokens."""

import re
import secrets
import string
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import log2
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx

from fakes import FakeService
from fakes.doors.browser import FakeBrowser
from fakes.lessons import Options, Run, Seen, said

__all__ = ["prepare"]

SCREEN, LOGIN, TOKEN = "auth.authorize", "auth.login", "auth.token"
OTHER_REDIRECT = "https://intranet.example/callback?app=planner&lang=en"
FEWEST_BITS = 56
"""How many random bits a state has to look like; 64 of them may begin with zeros, which are not written."""
ALPHABETS = (string.digits, string.digits + "abcdef", string.digits + string.ascii_lowercase)
HOUR = 3600


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Return a browser, a client, and what the service and the application have agreed on."""
    application = fake.auth.application
    if options["single_sign_on"]:
        application = fake.auth.register(OTHER_REDIRECT)
        fake.settings.single_sign_on = True
    app = {
        "auth_url": fake.facts["auth_url"],
        "client_id": application.client_id,
        "client_secret": application.client_secret,
        "redirect_uri": application.redirect_uri,
        "scopes": ["user", "file"],
        "domain": fake.settings.domain_name if options["single_sign_on"] else None,
    }
    browser = fake.browser(forge_state=options["forged"])
    return browser, httpx.Client(transport=fake.transport()), app


def read_state(run: Run) -> str | None:
    """Return the state that the service sent back; None if nobody signed in."""
    page = run.arguments[0].page
    return parse_qs(urlsplit(page.url).query).get("state", [""])[0] if run.sent(LOGIN, 302) and page else None


def shows_screen(run: Run) -> bool:
    """Return whether the login screen was shown once, and never refused."""
    return [entry.status for entry in run.sent(SCREEN)] == [200]


def asks_for_scopes(run: Run) -> Iterator[Seen]:
    """Look for scopes that are missing, or not separated by commas."""
    scopes = run.arguments[2]["scopes"]
    for entry in run.sent(SCREEN, 200):
        sent = parse_qs(urlsplit(entry.url).query, keep_blank_values=True).get("scope", [])
        shown = " and again ".join(map(repr, sent))
        yield sent == [",".join(scopes)] or said("scopes", entry, sent=shown, scopes=scopes)


def sends_unguessable_state(run: Run) -> Seen:
    """Look for a state that does not look random."""
    state = read_state(run)
    if not state:
        return None
    return said("state guessed", run.entries[0], count=len(state)) if is_guessable(run, state) else True


def is_guessable(run: Run, state: str) -> bool:
    """Return whether a state has few random bits, or is the time."""
    alphabet = next((len(characters) for characters in ALPHABETS if set(state) <= set(characters)), 64)
    bits = len(state) * log2(min(alphabet, len(set(state)) ** 2) or 1)
    return bits < FEWEST_BITS or is_time(run, state)


def is_time(run: Run, state: str) -> bool:
    """Return whether a state is the time, by the fake's clock or the system's, as a date or a number of seconds."""
    digits = re.sub(r"\D", "", state)
    return any(
        now.strftime("%Y%m%d") in digits
        or (len(digits) >= 10 and abs(int(digits[:10]) - now.timestamp()) < HOUR)
        for now in (run.started, datetime.now(UTC))
    )


def keeps_secret(run: Run) -> Seen:
    """Look for the client secret in a URL."""
    for entry in run.entries:
        if "client_secret=" in entry.url:
            return said("secret in a URL", entry)
    return True if run.sent(LOGIN) else None


def returns_tokens(run: Run) -> Seen:
    """Look for a code that was not exchanged once, and for what was returned in place of its tokens."""
    if run.options["forged"]:
        return None
    exchanges, accepted = run.sent(TOKEN), run.sent(TOKEN, 200)
    if accepted and (later := exchanges[exchanges.index(accepted[0]) + 1 :]):
        return said("code sent twice", later[0], first=accepted[0].number)
    if run.error is None and not exchanges and not any(entry.is_error for entry in run.entries):
        return said("not exchanged", run.entries[-1])
    if run.error is not None or not accepted or exchanges != accepted:
        return False
    tokens = run.result if isinstance(run.result, dict) else {}
    is_whole = "refresh_token" in tokens and run.fake.state.tokens.is_valid(str(tokens.get("access_token")))
    return is_whole or said("not returned", accepted[0])


def refuses_forgery(run: Run) -> Seen:
    """Look for what was done after a forged redirect."""
    if not run.options["forged"]:
        return None
    if exchanges := run.sent(TOKEN):
        return said("state ignored", exchanges[0])
    if run.sent(LOGIN, 302) and (run.error, run.result) != (None, None):
        return said("refused otherwise", run.entries[-1])
    return run.error is None and run.result is None


def solution_in_steps(browser: FakeBrowser, http: httpx.Client, app: dict[str, Any]) -> Any:
    """Write down each step."""
    state = secrets.token_urlsafe()
    query = {"client_id": app["client_id"], "redirect_uri": app["redirect_uri"]}
    query |= {"scope": ",".join(app["scopes"]), "response_type": "code", "state": state}
    if app["domain"]:
        query["domain"] = app["domain"]
    browser.open(f"{app['auth_url']}/oauth2/v2.0/authorize?{urlencode(query)}")
    came_back = dict(parse_qsl(urlsplit(browser.sign_in()).query))
    if came_back["state"] != state:
        return None
    form = {name: app[name] or "" for name in ("client_id", "client_secret", "domain")}
    form |= {"grant_type": "authorization_code", "code": came_back["code"]}
    response = http.post(f"{app['auth_url']}/oauth2/v2.0/token", data=form)
    return response.raise_for_status().json()


def solution_with_httpx(browser: FakeBrowser, http: httpx.Client, app: dict[str, Any]) -> Any:
    """Let httpx write the URLs, and send the redirect URL once more, as other services want."""
    client = {name: app[name] for name in ("client_id", "redirect_uri", "domain") if app[name]}
    state = secrets.token_hex(16)
    url = httpx.URL(app["auth_url"] + "/oauth2/v2.0/authorize").copy_merge_params(
        {**client, "scope": ",".join(app["scopes"]), "response_type": "code", "state": state}
    )
    browser.open(str(url))
    answer = httpx.URL(browser.sign_in()).params
    if not secrets.compare_digest(answer["state"], state):
        return None
    form = {**client, "client_secret": app["client_secret"], "code": answer["code"]}
    form["grant_type"] = "authorization_code"
    return http.post(app["auth_url"] + "/oauth2/v2.0/token", data=form).json()
