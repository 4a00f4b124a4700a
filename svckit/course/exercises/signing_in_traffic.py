"""Mistakes of lesson 02, as its traffic shows them."""

import re
import string
from datetime import UTC, datetime
from math import log2
from urllib.parse import parse_qs, urlsplit

from fakes.lessons import Run
from fakes.parts.journal_entry import JournalEntry

__all__ = [
    "LOGIN",
    "SCREEN",
    "asks_for_scopes",
    "exchanges_forged",
    "exchanges_once",
    "guesses_state",
    "invents_domain",
    "keeps_secret",
    "lacks_parameters",
    "lacks_state",
    "leaves_unquoted",
    "misjoins_scopes",
    "never_exchanges",
    "refuses_forgery",
    "refuses_otherwise",
    "returns_other",
    "returns_tokens",
    "reveals_secret",
    "sends_no_domain",
    "sends_other_format",
    "sends_twice",
    "sends_unguessable_state",
    "summarize",
]

SCREEN, LOGIN, TOKEN = "auth.authorize", "auth.login", "auth.token"
FEWEST_BITS = 56
"""How many random bits a state has to look like; 64 of them may begin with zeros, which are not written."""
ALPHABETS = (string.digits, string.digits + "abcdef", string.digits + string.ascii_lowercase)
HOUR = 3600


def is_forged(run: Run) -> bool:
    """Return whether somebody else made the redirect of a run."""
    return bool(run.variant.options["forged"])


def exchanges(run: Run) -> tuple[JournalEntry, ...]:
    """Return the requests to the token endpoint."""
    return run.sent(TOKEN)


def refused_screens(run: Run) -> tuple[JournalEntry, ...]:
    """Return the authorization requests that got an error screen."""
    return tuple(entry for entry in run.sent(SCREEN) if entry.status != 200)


def read_scopes(entry: JournalEntry) -> list[str]:
    """Return the values of the parameter scope of an authorization request."""
    return parse_qs(urlsplit(entry.url).query, keep_blank_values=True).get("scope", [])


def read_state(run: Run) -> str | None:
    """Return the state that the service sent back; None if nobody signed in."""
    page = run.arguments[0].page
    return parse_qs(urlsplit(page.url).query).get("state", [""])[0] if run.sent(LOGIN, 302) and page else None


def asks_for_scopes(run: Run) -> bool | None:
    """Return whether the scopes are separated by commas; None if no login screen was shown."""
    screens = run.sent(SCREEN, 200)
    return (
        all(read_scopes(entry) == [",".join(run.arguments[2]["scopes"])] for entry in screens)
        if screens
        else None
    )


def sends_unguessable_state(run: Run) -> bool | None:
    """Return whether the state looks random; None if nobody signed in."""
    state = read_state(run)
    return None if state is None else count_bits(state) >= FEWEST_BITS and not is_time(run, state)


def count_bits(state: str) -> float:
    """Return how many random bits a text of these characters can have."""
    alphabet = next((len(each) for each in ALPHABETS if set(state) <= set(each)), 64)
    return len(state) * log2(min(alphabet, len(set(state)) ** 2) or 1)


def is_time(run: Run, state: str) -> bool:
    """Return whether a state is the time, by the fake's clock or the system's, as a date or a number of seconds."""
    digits = re.sub(r"\D", "", state)
    for now in (run.started, datetime.now(UTC)):
        if now.strftime("%Y%m%d") in digits:
            return True
        if len(digits) >= 10 and abs(int(digits[:10]) - now.timestamp()) < HOUR:
            return True
    return False


def exchanges_once(run: Run) -> bool | None:
    """Return whether the code was sent once, and accepted; None if the redirect was forged."""
    return None if is_forged(run) else [entry.status for entry in exchanges(run)] == [200]


def returns_tokens(run: Run) -> bool | None:
    """Return whether the result is the response of the token endpoint; None if the redirect was forged."""
    if is_forged(run):
        return None
    result = run.result
    return (
        isinstance(result, dict)
        and {"access_token", "refresh_token"} <= result.keys()
        and run.fake.state.tokens.is_valid(str(result["access_token"]))
    )


def refuses_forgery(run: Run) -> bool | None:
    """Return whether a forged redirect led to no exchange and no tokens; None if it was not forged."""
    if not is_forged(run):
        return None
    return not exchanges(run) and run.error is None and run.result is None


def keeps_secret(run: Run) -> bool:
    """Return whether no URL has the client secret."""
    return reveals_secret(run) is None


def reveals_secret(run: Run) -> str | None:
    """Find the client secret in a URL."""
    for entry in run.entries:
        if "client_secret=" in entry.url:
            return (
                f"The URL of request {entry.number} ({entry.method} {urlsplit(entry.url).path}) contains the client "
                "secret. Browsers and servers keep URLs in their histories and logs."
            )
    return None


def exchanges_forged(run: Run) -> str | None:
    """Find an exchange of a code that came with another state."""
    if not is_forged(run) or not exchanges(run):
        return None
    return (
        f"The redirect came with another state than your function had sent, and request {exchanges(run)[0].number} "
        "exchanged its code all the same. Whoever made that redirect has now connected an account of theirs."
    )


def refuses_otherwise(run: Run) -> str | None:
    """Find a forged redirect that was refused by anything but None."""
    if (
        not is_forged(run)
        or exchanges(run)
        or not run.sent(LOGIN, 302)
        or (run.error, run.result) == (None, None)
    ):
        return None
    did = f"raised {type(run.error).__name__}" if run.error else f"returned {type(run.result).__name__}"
    return f"The redirect came with another state, and no code was exchanged, which is right. Your function {did}."


def guesses_state(run: Run) -> str | None:
    """Find a state that is too short, or the time."""
    state = read_state(run)
    if state is None or sends_unguessable_state(run):
        return None
    if is_time(run, state):
        return "Request 1 had the time as its state. Whoever forges a redirect knows what time it is, too."
    return (
        f"Request 1 had a state of {len(state)} characters. Somebody who forges a redirect can try all of them, or "
        "knows it from the last time."
    )


def lacks_state(run: Run) -> str | None:
    """Find an authorization request without a state."""
    for entry in refused_screens(run):
        if (entry.reason or "").endswith("lacks state"):
            return f"Request {entry.number} got an error screen instead of the login: {entry.reason}."
    return None


def lacks_parameters(run: Run) -> str | None:
    """Find an authorization request that was refused for anything else."""
    for entry in refused_screens(run):
        return f"Request {entry.number} got an error screen instead of the login: {entry.reason}."
    return None


def leaves_unquoted(run: Run) -> str | None:
    """Find a redirect URL that breaks the query apart."""
    for entry in refused_screens(run):
        if "redirect_uri" in (entry.reason or "") and "lacks" not in (entry.reason or ""):
            return f"Request {entry.number} got an error screen instead of the login: {entry.reason}."
    return None


def sends_no_domain(run: Run) -> str | None:
    """Find a request that lacks the domain."""
    return find_refusal(run, "domain is required")


def invents_domain(run: Run) -> str | None:
    """Find a request with a domain that is not the company's, such as the text None."""
    return find_refusal(run, "domain '")


def find_refusal(run: Run, words: str) -> str | None:
    """Find a request that was refused for a reason with these words about the domain."""
    for entry in run.entries:
        reason = entry.reason or ""
        if entry.operation in (SCREEN, TOKEN) and words in reason:
            return (
                f"Request {entry.number} ({entry.method} {urlsplit(entry.url).path}) was refused: {reason}."
            )
    return None


def misjoins_scopes(run: Run) -> str | None:
    """Find scopes that are not separated by commas."""
    if asks_for_scopes(run) is not False:
        return None
    (entry, *_) = run.sent(SCREEN, 200)
    sent = " and again ".join(repr(scope) for scope in read_scopes(entry))
    return (
        f"Request {entry.number} sent the scope {sent} for {run.arguments[2]['scopes']}. This fake showed the login, "
        "but another service may not, or may grant something else."
    )


def sends_other_format(run: Run) -> str | None:
    """Find an exchange that is not a form."""
    for entry in exchanges(run):
        if "Content-Type" in (entry.reason or ""):
            return f"Request {entry.number} was refused with {entry.status}: {entry.reason}."
    return None


def sends_twice(run: Run) -> str | None:
    """Find a code that was sent again."""
    sent = exchanges(run)
    accepted = [entry for entry in sent if entry.status == 200]
    if not accepted or len(sent) <= 1:
        return None
    other = next(entry for entry in sent if entry is not accepted[0])
    return (
        f"Request {accepted[0].number} exchanged the code. Request {other.number} sent one as well, and got "
        f"{other.status}{f': {other.reason}' if other.reason else ''}."
    )


def never_exchanges(run: Run) -> str | None:
    """Find a sign-in after which nothing was sent."""
    if is_forged(run) or run.error is not None or exchanges(run):
        return None
    if not run.sent(LOGIN, 302):
        return "The login screen was shown, and nobody signed in."
    names = ", ".join(parse_qs(urlsplit(run.arguments[0].page.url).query))
    return (
        f"The person signed in with request {run.sent(LOGIN)[-1].number}, and the browser came back with "
        f"{names} in the URL. Your function then sent nothing."
    )


def returns_other(run: Run) -> str | None:
    """Find an exchange whose result was not returned."""
    if run.error is not None or returns_tokens(run) is not False or not run.sent(TOKEN, 200):
        return None
    return (
        f"Request {run.sent(TOKEN, 200)[0].number} was successful: its response has the tokens. Your function returned "
        f"{'None' if run.result is None else f'an object of the type {type(run.result).__name__}'}; the exercise asks "
        "for all that the response says, as a dictionary."
    )


def summarize(run: Run) -> str:
    """Return what a successful run did."""
    return f"{len(run.entries)} requests: the login screen, the login, and one exchange. A forged redirect was refused."
