"""Lesson 10: rely on what is known about a service, and not on what is assumed."""

from collections.abc import Mapping

from fakes.lessons import Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from svckit.course.exercises.responded import (
    gives_up,
    has_other_values,
    has_urls,
    is_patient,
    is_renamed,
    leaves_out,
    misses_access,
    names_refused,
    needs_200,
    needs_status,
    notices,
    overlooks,
    prepare,
    reads_text,
    repeats,
    says_otherwise,
    stops,
    summarize,
)

__all__ = ["EXERCISE"]


def make_variant(words: str, assume: Mapping[str, str], *, expired: bool = False) -> Variant:
    """Return a variant with alternatives and perhaps an expired token."""
    return Variant(words, {"assume": assume, "expired": expired})


FORBIDDEN = {"api.unauthorized": "403"}
OTHERS = {
    "file.upload-status": "201",
    "user.not-found": "400",
    "user.inactive": "not-found",
    "api.invalid": "422",
    "api.error-body": "oauth2",
}

EXERCISE = Exercise(
    name="welcome",
    title="What is known, what is assumed",
    minutes=15,
    section="Errors › Other operations",
    starter="""\
def welcome(http, newcomers):
    result = {}
    for user, nickname in newcomers.items():
        response = http.patch(f"/users/{user}", json={"nickName": nickname})
        if response.status_code == 401:
            return "no access"
        if response.status_code == 404 or response.json().get("code") == "INVALID_PARAMETER":
            result[user] = None
            continue
        photo = {"fileName": "photo.png", "fileSize": 1000}
        response = http.post(f"/users/{user}/photo", json=photo)
        if response.status_code == 200:
            result[user] = response.json()["uploadUrl"]
    return result
""",
    prepare=prepare,
    variants=(
        make_variant("the fake's own assumptions", {}),
        make_variant("an access token that has expired", {}, expired=True),
        make_variant("a service that refuses an expired token with 403", FORBIDDEN, expired=True),
        make_variant("a service that refuses unknown users with 400", {"user.not-found": "400"}),
        make_variant("a service that refuses invalid values with 422", {"api.invalid": "422"}),
        make_variant("a service to which suspended users are unknown", {"user.inactive": "not-found"}),
        make_variant("a service whose errors have other bodies", {"api.error-body": "oauth2"}),
        make_variant("a service that sends upload URLs with 201", {"file.upload-status": "201"}),
        make_variant("a service that does all of this", OTHERS | FORBIDDEN),
    ),
    goals=(
        Goal("everybody who can be renamed is", is_renamed),
        Goal("the result has an upload URL for each of them", has_urls),
        Goal("the result has None for everybody who was refused", names_refused),
        Goal("no refused request is sent again", is_patient),
        Goal("without a valid token it returns “no access” at once", notices),
    ),
    mistakes=(
        Mistake(
            "needless no access",
            gives_up,
            (
                "Was that refusal about who is calling, or about what was asked?",
                "Which statuses say that a token is not accepted, and which say that a value is not?",
                "See “Statuses come in families” above: which of them are about you?",
            ),
        ),
        Mistake(
            "other words",
            says_otherwise,
            (
                "Which words should the function return without a valid token?",
                "Another program compares them letter by letter. What does it expect?",
                "See “Exercise” above: what does it return if the token is not accepted?",
            ),
        ),
        Mistake(
            "token",
            misses_access,
            (
                "Which statuses can say that a token is not accepted?",
                "The description does not show which one it is. Which of them does your function treat alike?",
                "See “Statuses come in families” above: which of them are about you?",
            ),
        ),
        Mistake(
            "again",
            repeats,
            (
                "What has changed between the two requests?",
                "Except for 429, a refusal with 400 to 499 stays the same for the same request and the same token.",
                "See “Statuses come in families” above.",
            ),
        ),
        Mistake(
            "upload status",
            needs_200,
            (
                "What does the description promise about that response, and what does it not?",
                "It promises the uploadUrl. Which statuses mean that a request was accepted?",
                "See “Statuses come in families” above: success is more than one number.",
            ),
        ),
        Mistake(
            "error text",
            reads_text,
            (
                "Which part of a refusal does your function read?",
                "Only the body is different this time. Could your function decide without it?",
                "See “What is assumed” above: who chose the words of an error?",
            ),
        ),
        Mistake(
            "exact status",
            needs_status,
            (
                "Which statuses does your function know, and which one did it get?",
                "The exact number is assumed. What do all refusals have in common?",
                "See “Statuses come in families” above: is_success and is_client_error ask for a family.",
            ),
        ),
        Mistake(
            "overlooked",
            overlooks,
            (
                "Which of the two responses tells whether the nickname was accepted?",
                "Each request has a response of its own. When do you look at the first one?",
                "See “What is known” above: what does a response say before you read its body?",
            ),
        ),
        Mistake(
            "stops",
            stops,
            (
                "What should happen to the next newcomer when one is refused?",
                "A refusal is a result here, not an accident.",
                "See “Exercise” above: what stands in the result for somebody who was refused?",
            ),
        ),
        Mistake(
            "left out",
            leaves_out,
            (
                "What does the result say about each newcomer?",
                "Each path through the loop has to put something into the result.",
                "See “Exercise” above: what stands in the result for somebody who was refused?",
            ),
        ),
        Mistake(
            "other value",
            has_other_values,
            (
                "What should the result say about that user?",
                "A value is an upload URL or None, and depends on what became of the nickname as it was given.",
                "See “Exercise” above: which two values can a user have?",
            ),
        ),
    ),
    summarize=summarize,
)
