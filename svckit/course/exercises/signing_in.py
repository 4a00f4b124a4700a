"""Lesson 02: sign somebody in, and exchange the code for tokens."""

from collections.abc import Sequence

import httpx

from fakes import FakeService
from fakes.lessons import Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from svckit.course.exercises.signing_in_traffic import (
    LOGIN,
    SCREEN,
    asks_for_scopes,
    exchanges_forged,
    exchanges_once,
    guesses_state,
    invents_domain,
    keeps_secret,
    lacks_parameters,
    lacks_state,
    leaves_unquoted,
    misjoins_scopes,
    never_exchanges,
    refuses_forgery,
    refuses_otherwise,
    returns_other,
    returns_tokens,
    reveals_secret,
    sends_no_domain,
    sends_other_format,
    sends_twice,
    sends_unguessable_state,
    summarize,
)

__all__ = ["EXERCISE"]

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
                "In which requests does a company with single sign-on want its domain?",
                "Compare what your two requests send with what app holds. Which entry is missing in which request?",
                "See “Break it” above: the last attempt there, and what made it work.",
            ),
        ),
        Mistake(
            "domain of nobody",
            invents_domain,
            (
                "Which domain did that request name, and where does it come from?",
                "What does urlencode make of None? Print your URL.",
                "See “Exercise” above: what app['domain'] can be, and when there is a name to be sent.",
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
