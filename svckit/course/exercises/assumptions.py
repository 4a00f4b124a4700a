"""Lesson 10: rely on what is known about a service, and not on what is assumed."""

from collections.abc import Mapping, Sequence

import httpx

from fakes import FakeService
from fakes.lessons import Exercise, Goal, Mistake, Run, Variant
from fakes.parts.journal_entry import JournalEntry

__all__ = ["EXERCISE"]

UPDATE = "users.update"
PHOTO = "/photo"
NO_ACCESS = "no access"
NOBODY, SUSPENDED = "u-999", "u-017"
LONGEST = 100
LATER = 25
"""The hours after which an access token has expired."""


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Choose the alternatives of a variant, and return a client and the newcomers."""
    fake.rules.choose(variant.options["assume"])
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    if variant.options["expired"]:
        fake.clock.advance(hours=LATER)
    http = httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"], headers=headers)
    first, second, third = fake.facts["users"][4:7]
    names = {user: fake.directory.record(user)["userName"]["firstName"] for user in (first, third, SUSPENDED)}
    newcomers = {
        first: f"{names[first]} (new)",
        NOBODY: "Nobody",
        second: "Long " * LONGEST,
        SUSPENDED: f"{names[SUSPENDED]} (new)",
        third: f"{names[third]} (new)",
    }
    return http, newcomers


def assumed(run: Run) -> Mapping[str, str]:
    """Return the alternatives that are chosen in a run."""
    chosen: Mapping[str, str] = run.variant.options["assume"]
    return chosen


def is_expired(run: Run) -> bool:
    """Return whether the access token had expired."""
    return bool(run.variant.options["expired"])


def given(run: Run) -> dict[str, str]:
    """Return the newcomers that the function was called with."""
    newcomers: dict[str, str] = run.arguments[1]
    return newcomers


def result(run: Run) -> dict[str, object]:
    """Return the result, if it is a dictionary; an empty one otherwise."""
    return run.result if isinstance(run.result, dict) else {}


def refused(run: Run) -> list[str]:
    """Return the newcomers who cannot be renamed, by this run's alternatives."""
    inactive = [SUSPENDED] if "user.inactive" in assumed(run) else []
    return [
        user for user, name in given(run).items() if user == NOBODY or len(name) > LONGEST or user in inactive
    ]


def accepted(run: Run) -> list[str]:
    """Return the newcomers who can be renamed."""
    return [user for user in given(run) if user not in refused(run)]


def asked(run: Run) -> list[JournalEntry]:
    """Return the requests for upload URLs."""
    return [entry for entry in run.entries if entry.path.endswith(PHOTO)]


def is_url(value: object) -> bool:
    """Return whether a value is an upload URL."""
    return str(value).startswith("https://")


def describe(entry: JournalEntry) -> str:
    """Return a request and its status in words."""
    return f"Request {entry.number} ({entry.method} {entry.path}) got {entry.status}"


def describe_assumed(entry: JournalEntry) -> str:
    """Return a request, its status, and the assumptions behind it, in words."""
    rests = "the assumption" if len(entry.assumed) == 1 else "the assumptions"
    return f"{describe(entry)}. That rests on {rests} {', '.join(entry.assumed)}."


def describe_outcome(run: Run) -> str:
    """Return what the function returned or raised, in words."""
    if run.error is not None:
        where = f" in {run.line}" if run.line else ""
        return f"Your function raised {type(run.error).__name__}{where}. It says: {run.error}".partition(
            "\n"
        )[0]
    shown = {user: "https://…" if is_url(value) else value for user, value in result(run).items()}
    return f"Your function returned {shown or run.result!r:.200}."


def is_renamed(run: Run) -> bool | None:
    """Return whether all who can be renamed are."""
    if is_expired(run):
        return None
    return all(run.fake.directory.record(user)["nickName"] == given(run)[user] for user in accepted(run))


def has_urls(run: Run) -> bool | None:
    """Return whether the result has an upload URL for each of them."""
    if is_expired(run):
        return None
    return all(is_url(result(run).get(user)) for user in accepted(run))


def names_refused(run: Run) -> bool | None:
    """Return whether the result has None for those who were refused, and nobody else."""
    if is_expired(run):
        return None
    nobody = [user for user, value in result(run).items() if value is None]
    return sorted(nobody) == sorted(refused(run))


def notices(run: Run) -> bool | None:
    """Return whether an expired token stops the function, with the agreed result."""
    if not is_expired(run):
        return None
    return run.result == NO_ACCESS and len(run.entries) == 1


def is_patient(run: Run) -> bool | None:
    """Return whether no refused request was sent again."""
    return None if is_expired(run) else repeats(run) is None


def gives_up(run: Run) -> str | None:
    """Find “no access” as the result although the token was valid."""
    if is_expired(run) or run.result != NO_ACCESS:
        return None
    last = run.entries[-1]
    return f"{describe(last)}, and your function returned “{NO_ACCESS}”. The token was valid: request 1 was accepted."


def misses_access(run: Run) -> str | None:
    """Find an expired token that went unnoticed."""
    if not is_expired(run) or notices(run):
        return None
    happened = describe(run.entries[0]) + ", because its access token had expired."
    if assumed(run):
        happened = f"{describe_assumed(run.entries[0])} The access token had expired."
    if run.result == NO_ACCESS:
        return f"{happened} {len(run.entries) - 1} more requests were sent with it."
    return f"{happened} {describe_outcome(run)}"


def repeats(run: Run) -> str | None:
    """Find a refused request that was sent again."""
    sent: dict[tuple[str, str, str], JournalEntry] = {}
    for entry in run.entries:
        key = (entry.method, entry.path, entry.request_body)
        if key in sent and (sent[key].status or 0) >= 400:
            return f"{describe(sent[key])}. Request {entry.number} is the same again, and got {entry.status}."
        sent[key] = entry
    return None


def overlooks(run: Run) -> str | None:
    """Find that the refusal of a name was not noticed."""
    for entry in run.sent(UPDATE):
        user = entry.path.rpartition("/")[2]
        later = [each for each in asked(run) if each.path.split("/")[2] == user]
        if (entry.status or 0) >= 400 and later and not is_expired(run):
            return f"{describe(entry)}: the nickname was refused. Then came request {later[0].number}, for a photo."
    return None


def needs_200(run: Run) -> str | None:
    """Find that an upload URL got lost because its status was not the usual one."""
    if "file.upload-status" not in assumed(run) or len(assumed(run)) > 1 or has_urls(run) is not False:
        return None
    return f"{describe_assumed(asked(run)[0])} {describe_outcome(run)}" if asked(run) else None


def find_refusal(run: Run) -> JournalEntry | None:
    """Return the first refusal of a run whose result was not reached."""
    if is_expired(run) or (run.error is None and names_refused(run) and has_urls(run)):
        return None
    return next((entry for entry in run.entries if (entry.status or 0) >= 400), None)


def reads_text(run: Run) -> str | None:
    """Find that only the body of a refusal made a difference."""
    entry = find_refusal(run)
    if entry is None or list(assumed(run)) != ["api.error-body"]:
        return None
    return f"{describe_assumed(entry)} Its body is {entry.response_body:.60}… {describe_outcome(run)}"


def needs_status(run: Run) -> str | None:
    """Find that the exact status of a refusal made a difference."""
    entries = [entry for entry in run.entries if assumed(run).keys() & set(entry.assumed)]
    if find_refusal(run) is None or not entries:
        return None
    return f"{describe_assumed(entries[0])} {describe_outcome(run)}"


def stops(run: Run) -> str | None:
    """Find that newcomers after a refusal got no request."""
    entry = find_refusal(run)
    asked = {each.path.split("/")[2] for each in run.entries}
    left = [user for user in given(run) if user not in asked]
    if entry is None or not left:
        return None
    return f"{describe(entry)}, and no request was sent for {', '.join(left)}. {describe_outcome(run)}"


def leaves_out(run: Run) -> str | None:
    """Find newcomers whom the result does not name."""
    left = [user for user in given(run) if user not in result(run)]
    if is_expired(run) or run.error is not None or not left:
        return None
    return f"The result does not name {', '.join(left)}. {describe_outcome(run)}"


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    return f"{len(accepted(run))} accepted, {len(refused(run))} refused; six assumptions make no difference."


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
                "A refusal with 400 to 499 is about the request itself: the same request gets the same response.",
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
    ),
    summarize=summarize,
)
