"""Lesson 02: sign somebody in, and exchange the code for tokens."""

import re
import string
from collections.abc import Sequence
from datetime import UTC, datetime
from math import log2
from urllib.parse import parse_qs, urlsplit

import httpx

from fakes import FakeService
from fakes.lessons import Exercise, Run, Said, Variant, describe_refusal, said
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises import read_words

__all__ = ["EXERCISE"]

SCREEN, LOGIN, TOKEN = "auth.authorize", "auth.login", "auth.token"
OTHER_REDIRECT = "https://intranet.example/callback?app=planner&lang=en"
REFUSALS = {
    "lacks state": "no state",
    "domain is required": "domain",
    "domain '": "domain of nobody",
    "the redirect_uri '": "unquoted",
    "Content-Type": "format",
}
"""Sentences about refused requests, by words of the reason."""
FEWEST_BITS = 56
"""How many random bits a state has to look like; 64 of them may begin with zeros, which are not written."""
ALPHABETS = (string.digits, string.digits + "abcdef", string.digits + string.ascii_lowercase)
HOUR = 3600


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Return a browser, a client, and what the service and the application have agreed on."""
    application = fake.auth.application
    if variant.options["single_sign_on"]:
        application = fake.auth.register(OTHER_REDIRECT)
        fake.settings.single_sign_on = True
    app = {
        "auth_url": fake.facts["auth_url"],
        "client_id": application.client_id,
        "client_secret": application.client_secret,
        "redirect_uri": application.redirect_uri,
        "scopes": ["user", "file"],
        "domain": fake.settings.domain_name if variant.options["single_sign_on"] else None,
    }
    browser = fake.browser(forge_state=variant.options["forged"])
    return browser, httpx.Client(transport=fake.transport()), app


def read_scopes(entry: JournalEntry) -> list[str]:
    """Return the values of the parameter scope of an authorization request."""
    return parse_qs(urlsplit(entry.url).query, keep_blank_values=True).get("scope", [])


def read_state(run: Run) -> str | None:
    """Return the state that the service sent back; None if nobody signed in."""
    page = run.arguments[0].page
    return parse_qs(urlsplit(page.url).query).get("state", [""])[0] if run.sent(LOGIN, 302) and page else None


def shows_screen(run: Run) -> bool | Said:
    """Look for a login screen that was shown never or twice."""
    return len(run.sent(SCREEN, 200)) == 1 or find_cause(run)


def asks_for_scopes(run: Run) -> bool | Said | None:
    """Look for scopes that are missing, or not separated by commas."""
    screens, scope = run.sent(SCREEN, 200), ",".join(run.arguments[2]["scopes"])
    return (all(read_scopes(entry) == [scope] for entry in screens) or find_cause(run)) if screens else None


def sends_unguessable_state(run: Run) -> bool | Said | None:
    """Look for a state that does not look random."""
    state = read_state(run)
    return None if state is None else not is_guessable(run, state) or find_cause(run)


def is_guessable(run: Run, state: str) -> bool:
    """Return whether a state has few random bits, or is the time."""
    alphabet = next((len(each) for each in ALPHABETS if set(state) <= set(each)), 64)
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


def returns_tokens(run: Run) -> bool | Said | None:
    """Look for a code that was not exchanged once, and for what was returned in place of its tokens."""
    if run.variant.options["forged"]:
        return None
    tokens = run.result if isinstance(run.result, dict) else {}
    return (
        [entry.status for entry in run.sent(TOKEN)] == [200]
        and "refresh_token" in tokens
        and run.fake.state.tokens.is_valid(str(tokens.get("access_token")))
    ) or find_cause(run)


def refuses_forgery(run: Run) -> bool | Said | None:
    """Look for what was done after a forged redirect."""
    if not run.variant.options["forged"]:
        return None
    return (not run.sent(TOKEN) and run.error is None and run.result is None) or find_cause(run)


def keeps_secret(run: Run) -> bool | Said | None:
    """Look for the client secret in a URL."""
    leaks = any("client_secret=" in entry.url for entry in run.entries)
    return (not leaks or find_cause(run)) if run.sent(LOGIN) else None


def find_cause(run: Run) -> Said | bool:
    """Say which request is not as it should be, or what is missing after the last one."""
    exchanges, state, forged = run.sent(TOKEN), read_state(run), run.variant.options["forged"]
    for entry in run.entries:
        if "client_secret=" in entry.url:
            return tell("secret in a URL", run, entry)
    if forged and exchanges:
        return tell("state ignored", run, exchanges[0])
    if forged and run.sent(LOGIN, 302) and (run.error, run.result) != (None, None):
        return tell("refused otherwise", run, run.entries[-1])
    if state is not None and not forged and is_guessable(run, state):
        return tell("state guessed", run, run.entries[0], count=len(state))
    return find_odd_request(run) or find_ending(run)


def find_odd_request(run: Run) -> Said | None:
    """Say which request was refused, or has its scopes joined otherwise."""
    scopes = run.arguments[2]["scopes"]
    for entry in run.sent(SCREEN) + run.sent(TOKEN):
        known = [name for words, name in REFUSALS.items() if words in (entry.reason or "")]
        if known or (entry.operation == SCREEN and entry.is_error):
            return tell([*known, "parameters"][0], run, entry)
        if entry.operation == SCREEN and read_scopes(entry) != [",".join(scopes)]:
            sent = " and again ".join(map(repr, read_scopes(entry)))
            return tell("scopes", run, entry, sent=sent, scopes=scopes)
    return None


def find_ending(run: Run) -> Said | bool:
    """Say which code was sent twice or never, or that its tokens were not returned."""
    exchanges, accepted = run.sent(TOKEN), run.sent(TOKEN, 200)
    if accepted and len(exchanges) > 1:
        other = next(entry for entry in exchanges if entry is not accepted[0])
        return tell("code sent twice", run, other, first=accepted[0].number)
    if run.error is not None or run.variant.options["forged"]:
        return False
    if not exchanges:
        return tell("not exchanged", run, run.entries[-1])
    return tell("not returned", run, accepted[0]) if accepted else False


def tell(name: str, run: Run, entry: JournalEntry, **more: object) -> Said:
    """Say what happened at a request, and with what the function ended."""
    ending = type(run.result if run.error is None else run.error).__name__
    return said(name, **describe_refusal(entry), ending=ending, **more)


EXERCISE = Exercise(
    words=read_words("02-sign-in"),
    prepare=prepare,
    options=(
        {"forged": False, "single_sign_on": False},
        {"forged": True, "single_sign_on": False},
        {"forged": False, "single_sign_on": True},
    ),
    checks={
        "screen": shows_screen,
        "scopes": asks_for_scopes,
        "state": sends_unguessable_state,
        "tokens": returns_tokens,
        "forgery": refuses_forgery,
        "secret": keeps_secret,
    },
    summarize=lambda run: {"count": len(run.entries)},
)
