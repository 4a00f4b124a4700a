"""Lesson 02: sign somebody in, and exchange the code for tokens."""

from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

import httpx

from fakes import FakeService
from fakes.lessons import Exercise, Goal, Mistake, Run, Variant
from fakes.parts.journal_entry import JournalEntry

__all__ = ["EXERCISE"]

SCREEN, LOGIN, TOKEN = "auth.authorize", "auth.login", "auth.token"
SHORTEST_STATE = 16
"""The fewest characters of a state that nobody guesses."""
OTHER_REDIRECT = "https://intranet.example/callback?app=planner&lang=en"


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
    """Return whether the state is long enough; None if nobody signed in."""
    state = read_state(run)
    return None if state is None else len(state) >= SHORTEST_STATE


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
    """Find a state that is too short."""
    state = read_state(run)
    if state is None or len(state) >= SHORTEST_STATE:
        return None
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
    """Find a request that lacks the domain, or has it although there is none."""
    for entry in run.entries:
        reason = entry.reason or ""
        if entry.operation in (SCREEN, TOKEN) and ("domain is required" in reason or "domain '" in reason):
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


EXERCISE = Exercise(
    name="sign_in",
    title="Sign in",
    minutes=20,
    section="Endpoints › Token endpoints",
    starter="""\
def sign_in(browser, http, app):
    url = f"{app['auth_url']}/oauth2/v2.0/authorize"
    browser.open(url)
""",
    prepare=prepare,
    variants=(
        Variant("an application of this company", {"forged": False, "single_sign_on": False}),
        Variant("the browser comes back with a forged redirect", {"forged": True, "single_sign_on": False}),
        Variant(
            "another application, in a company with single sign-on", {"forged": False, "single_sign_on": True}
        ),
    ),
    goals=(
        Goal("the login screen is shown once", lambda run: len(run.sent(SCREEN, 200)) == 1),
        Goal("it names all scopes, separated by commas", asks_for_scopes),
        Goal("the state cannot be guessed", sends_unguessable_state),
        Goal("the code is sent once, and accepted", exchanges_once),
        Goal("the tokens are returned", returns_tokens),
        Goal("a forged redirect is refused", refuses_forgery),
        Goal("no URL contains the client secret", lambda run: keeps_secret(run) if run.sent(LOGIN) else None),
    ),
    mistakes=(
        Mistake(
            "secret in a URL",
            reveals_secret,
            (
                "Who gets to see a URL?",
                "httpx can put the same names and values into the URL or into the body. Which argument does which?",
                "See “Exchange the code” above: which argument has the client secret there?",
            ),
        ),
        Mistake(
            "state ignored",
            exchanges_forged,
            (
                "How can your function know that this redirect belongs to the login that it began?",
                "Two values have to be the same before anything is sent. Which two, and when do you know both?",
                "See “A forged redirect” above: what differs, and what does not?",
            ),
        ),
        Mistake(
            "refused otherwise",
            refuses_otherwise,
            (
                "What does the caller expect when nobody was signed in?",
                "Your comparison works. Only what happens after it has to change.",
                "See “Exercise” above: it says what to return in that case.",
            ),
        ),
        Mistake(
            "no state",
            lacks_state,
            (
                "How will your function recognize its own login when the browser comes back?",
                "This parameter is not agreed on beforehand: you make a new one for each login.",
                "See “Open the login screen” above: its parameters are listed there.",
            ),
        ),
        Mistake(
            "state guessed",
            guesses_state,
            (
                "Could somebody else come up with this state?",
                "It has to be new for each login, and long. Python has a module for secrets.",
                "See “Open the login screen” above: where does the state come from?",
            ),
        ),
        Mistake(
            "domain",
            sends_no_domain,
            (
                "When does the service want a domain, and in which requests?",
                "app['domain'] is None or a name. Send it in both requests if there is one, and not at all otherwise.",
                "See “Break it” above: the last attempt there, and what made it work.",
            ),
        ),
        Mistake(
            "unquoted",
            leaves_unquoted,
            (
                "Which redirect_uri did the service read from your URL, and which one is registered?",
                "Was it cut off, at a character with a meaning of its own? Or does it belong to another client_id?",
                "See “Open the login screen” above: a function writes the parameters there.",
            ),
        ),
        Mistake(
            "parameters",
            lacks_parameters,
            (
                "Which parameters does the login screen need, and which ones does your URL have?",
                "app has three of the five. One is always the same word, and one you make yourself.",
                "See “Open the login screen” above: all five are listed there.",
            ),
        ),
        Mistake(
            "scopes",
            misjoins_scopes,
            (
                "What does the service expect between two scopes?",
                "app['scopes'] is a list, and the parameter is one text. What joins a list?",
                "See “Open the login screen” above: how are the scopes written there?",
            ),
        ),
        Mistake(
            "format",
            sends_other_format,
            (
                "In which format does the token endpoint read a body?",
                "httpx has several arguments for a body: one writes JSON, and another a form.",
                "See “Exchange the code” above: which argument holds the body there?",
            ),
        ),
        Mistake(
            "code sent twice",
            sends_twice,
            (
                "How many times does a code work?",
                "Your function has the tokens after the first exchange. Where does it send the second one?",
                "See “Predict, then run” above: what becomes of the code that is sent again?",
            ),
        ),
        Mistake(
            "not exchanged",
            never_exchanges,
            (
                "What is the code good for?",
                "If your function compares states before it goes on: print both of them.",
                "See “Exchange the code” above: the request there comes after the login.",
            ),
        ),
        Mistake(
            "not returned",
            returns_other,
            (
                "What will the caller need in an hour, and what in a month?",
                "An access token alone is not enough. What does the body of the response hold?",
                "See “Exchange the code” above: the values that are printed there, and those that are not.",
            ),
        ),
    ),
    summarize=summarize,
)
