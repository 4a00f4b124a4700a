"""Lesson 01: make the journal show three given lines."""

from collections.abc import Sequence
from urllib.parse import quote, unquote, urlsplit

import httpx

from fakes import FakeService
from fakes.lessons import Run, Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from fakes.parts.journal_entry import JournalEntry

__all__ = ["EXERCISE"]

UPDATE, STATUS, POST = "users.update", "users.set_status", "notifications.post"
LINES = (("PATCH", UPDATE), ("POST", STATUS), ("POST", POST))
"""The methods and operations that the journal should show."""
UNMATCHED = "unmatched"
STATUSES = "/user-profile-statuses"


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Give a user the external key of a variant, and return a client, facts, a token, and how the user is addressed."""
    http = httpx.Client(transport=fake.transport())
    token, user = fake.access_token(), variant.options["user"]
    _, separator, key = user.partition(":")
    if separator:
        headers = {"Authorization": f"Bearer {token}"}
        http.patch(f"{fake.facts['base_url']}/users/u-009", headers=headers, json={"userExternalKey": key})
    return http, fake.facts, token, user


def find_user(entry: JournalEntry) -> str | None:
    """Return how a request addresses a user; None if its path is another."""
    path = urlsplit(entry.url).path.removesuffix(STATUSES)
    return unquote(path.removeprefix("/users/")) if path.startswith("/users/") else None


def find_line(run: Run, operation: str) -> JournalEntry | None:
    """Return the first successful request of an operation, about the right user if about any."""
    users = (None, run.variant.options["user"])
    return next((entry for entry in run.sent(operation, 200) if find_user(entry) in users), None)


def is_exact(run: Run) -> bool | None:
    """Return whether exactly the three lines were made, in order; None before all of them are there."""
    if any(find_line(run, operation) is None for _, operation in LINES):
        return None
    return [entry.operation for entry in run.entries] == [operation for _, operation in LINES]


def keeps_token(run: Run) -> bool | None:
    """Return whether no access token was sent to the webhook; None if nothing was posted."""
    return reveals_token(run) is None if run.sent(POST) else None


def has_authorization(entry: JournalEntry) -> bool:
    """Return whether a request has an Authorization header."""
    return any(name.lower() == "authorization" for name, _ in entry.request_headers)


def host(url: str) -> str:
    """Return the host of a URL."""
    return urlsplit(url).netloc


def describe(entry: JournalEntry) -> str:
    """Return the number, method, URL and status of a request, for the beginning of a sentence."""
    return f"Request {entry.number} ({entry.method} {entry.url}) was refused with {entry.status}"


def reveals_token(run: Run) -> str | None:
    """Find an access token sent to a webhook."""
    for entry in run.sent(POST):
        if has_authorization(entry) or "token=" in entry.url:
            return f"Request {entry.number} sent your access token to the webhook, which does not need one."
    return None


def lacks_bearer(run: Run) -> str | None:
    """Find a request without a valid access token."""
    for entry in run.entries:
        if entry.status == 401:
            return f"{describe(entry)}: {entry.reason}."
    return None


def asks_elsewhere(run: Run) -> str | None:
    """Find a request whose path belongs to another host."""
    api = host(run.fake.facts["base_url"])
    for entry in run.sent(UNMATCHED):
        if find_user(entry) is not None and host(entry.url) != api:
            return f"{describe(entry)}: {host(entry.url)} is another host of the service, and knows no users."
    return None


def is_webhook(entry: JournalEntry) -> bool:
    """Return whether a request that is not a POST went to the URL of a webhook."""
    return entry.method != "POST" and urlsplit(entry.url).path.startswith("/message/")


def misses_webhook(run: Run) -> str | None:
    """Find a message that was sent to a URL that is not a webhook."""
    for entry in run.entries:
        if entry.status == 400 and entry.method == "POST" and "invalid webhook URL" in entry.response_body:
            return f"{describe(entry)}, invalid webhook URL: it belongs to no room."
        if entry.operation == UNMATCHED and "/message" in entry.url and not is_webhook(entry):
            return f"{describe(entry)}: no message can be posted at this URL."
    return None


def leaves_unquoted(run: Run) -> str | None:
    """Find a path in which a user's key is not quoted."""
    user = run.variant.options["user"]
    for entry in run.entries:
        if entry.is_error and quote(user, safe="") != user and quote(user, safe="") not in entry.url:
            return (
                f"Request {entry.number} was refused with {entry.status}. The user is addressed by {user!r}, and the "
                f"URL of the request is {entry.url}: where does the service see its parts begin and end?"
            )
    return None


def takes_other_method(run: Run) -> str | None:
    """Find a request with a method that its path does not have."""
    for entry in run.entries:
        if entry.operation == UNMATCHED and (is_webhook(entry) or "the method is" in (entry.reason or "")):
            return f"{describe(entry)}: nothing is described there for {entry.method}."
    return None


def misspells_path(run: Run) -> str | None:
    """Find any other path that does not exist."""
    for entry in run.sent(UNMATCHED):
        return f"{describe(entry)}: {(entry.reason or '').partition(' (section')[0]}."
    return None


def sends_form(run: Run) -> str | None:
    """Find a body that is not JSON."""
    for entry in run.entries:
        if entry.status == 400 and "Content-Type" in (entry.reason or ""):
            return f"{describe(entry)}: {entry.reason}. Its body was {entry.request_body!r}."
    return None


def addresses_other(run: Run) -> str | None:
    """Find a request about another user."""
    for entry in run.entries:
        user = find_user(entry)
        if user is not None and user != run.variant.options["user"]:
            return (
                f"Request {entry.number} ({entry.method} {entry.path}) is about {user}. Your function was called with "
                f"{run.variant.options['user']!r}."
            )
    return None


def shows_other_lines(run: Run) -> str | None:
    """Find lines that are missing, superfluous or in another order."""
    got = [(entry.method, entry.operation) for entry in run.entries]
    if run.error is not None or got == list(LINES) or any(entry.status != 200 for entry in run.entries):
        return None
    shown = ", ".join(f"{number} {method} {operation}" for number, (method, operation) in enumerate(got, 1))
    given = ", ".join(f"{number} {method} {operation}" for number, (method, operation) in enumerate(LINES, 1))
    return f"The journal shows the lines {shown}. It should show {given}."


def summarize(run: Run) -> str:
    """Return what a successful run did."""
    return f"{len(run.entries)} requests, {len(run.entries)} lines in the journal, and no token where none belongs."


EXERCISE = Exercise(
    name="send_three",
    title="What goes over the wire",
    minutes=12,
    section="Endpoints",
    starter="""\
def send_three(http, facts, token, user):
    for method in ("PATCH", "POST", "POST"):
        ...
""",
    prepare=prepare,
    variants=(
        Variant("the user u-006", {"user": "u-006"}),
        Variant("a user with a key that contains a slash", {"user": "externalKey:Sales/7 #2"}),
    ),
    goals=(
        Goal("line 1: the user is updated", lambda run: find_line(run, UPDATE) is not None),
        Goal("line 2: the user has a status", lambda run: find_line(run, STATUS) is not None),
        Goal("line 3: a message is posted", lambda run: find_line(run, POST) is not None),
        Goal("there are these three lines, in this order", is_exact),
        Goal("the webhook gets no access token", keeps_token),
    ),
    mistakes=(
        Mistake(
            "token",
            reveals_token,
            (
                "What does the webhook do with your access token?",
                "The URL of a webhook is the only secret that it needs. Compare this request with the other two.",
                "See “A call without a token” above: compare its arguments with those of the other calls.",
            ),
        ),
        Mistake(
            "unquoted",
            leaves_unquoted,
            (
                "Which characters have a meaning of their own in a URL?",
                "A slash in a key has to become something else before it may be in a path.",
                'See “Names in a URL” above: quote, with safe="", does that for any text.',
            ),
        ),
        Mistake(
            "host",
            asks_elsewhere,
            (
                "Which part of the service keeps the users?",
                "The facts name several URLs. Which of them did the lesson use to change a user?",
                "See “A request is a value” above: the first line there takes one of the facts.",
            ),
        ),
        Mistake(
            "webhook URL",
            misses_webhook,
            (
                "Which of the facts is the complete URL of a room's webhook?",
                "One of the facts is only the beginning of such URLs, and another is a list of complete ones.",
                "See “A call without a token” above: the first line there takes a URL as it is.",
            ),
        ),
        Mistake(
            "method",
            takes_other_method,
            (
                "What does the method of a request say?",
                "Compare the methods of your three requests with the three lines, one by one.",
                "See “Predict, then run” above: one of the four requests there differs only in its method.",
            ),
        ),
        Mistake(
            "bearer",
            lacks_bearer,
            (
                "How does the service know on whose behalf a request comes?",
                "Look at the headers of that request: feedback.journal has them, as request_headers.",
                "See “A request is a value” above: which header says who is calling, and in which form?",
            ),
        ),
        Mistake(
            "path",
            misspells_path,
            (
                "How does the path of that request differ from the one in the line?",
                "Compare it letter by letter: slashes, plurals, and what stands before and after the user.",
                "See “Exercise” above: each line ends with its path.",
            ),
        ),
        Mistake(
            "form",
            sends_form,
            (
                "In which format does the service read a body?",
                "httpx has several arguments for a body, and each of them writes another format.",
                "See “A request is a value” above: which argument held the body there?",
            ),
        ),
        Mistake(
            "user",
            addresses_other,
            (
                "Whom should the three lines be about?",
                "The function is called with a user. Where does your URL take its user from?",
                "See “Names in a URL” above: there, the path is made from a variable.",
            ),
        ),
        Mistake(
            "lines",
            shows_other_lines,
            (
                "Which line differs first?",
                "Each call that you send makes one line, when it is sent. Count yours.",
                "See “Send it” above: one request that is sent, and one line in the journal.",
            ),
        ),
    ),
    summarize=summarize,
)
