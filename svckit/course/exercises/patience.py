"""Lesson 08: post more messages than fit into a minute."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import httpx

from fakes import FakeService
from fakes.lessons import Exercise, Goal, Mistake, Run, Variant
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises.request_bodies import read_fields
from svckit.display.card import quantity

__all__ = ["EXERCISE"]

POST = "notifications.post"
LIMIT, MINUTE = 120, 60
SPARE = 2
"""How many seconds longer than necessary each wait may take."""
LOOP = 3
"""How many refusals within the same second are a loop."""


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Let a colleague's program post before, and return a client, a webhook's URL and messages."""
    webhook = fake.facts["webhooks"][0]
    http = httpx.Client(transport=fake.transport())
    for number in range(variant.options["before"]):
        http.post(webhook, json={"body": {"text": f"Build {number} is green."}})
    fake.clock.advance(seconds=variant.options["seconds"])
    users = fake.facts["users"]
    names = [fake.directory[user]["userName"]["firstName"] for user in users]
    return (
        http,
        webhook,
        [
            f"Parcel {number + 1} is for {names[number % len(names)]}."
            for number in range(variant.options["count"])
        ],
    )


def text(entry: JournalEntry) -> str:
    """Return the text of a post; empty if there is none."""
    body = read_fields(entry).get("body")
    return str(body.get("text", "")) if isinstance(body, dict) else ""


def list_messages(run: Run) -> list[str]:
    """Return the messages that the function was called with."""
    messages: list[str] = run.arguments[2]
    return messages


def list_posted(run: Run) -> list[str]:
    """Return the texts that were accepted, in order."""
    return [text(entry) for entry in run.sent(POST, 200)]


def list_refused(run: Run) -> tuple[JournalEntry, ...]:
    """Return the posts that exceeded the rate limit."""
    return run.sent(POST, 429)


def full_minutes(run: Run) -> int:
    """Return how often the limit is reached before the last message."""
    before: int = run.variant.options["before"]
    return (before + len(list_messages(run)) - 1) // LIMIT


def necessary_wait(run: Run) -> int:
    """Return the seconds until the minute of the last message begins."""
    full = full_minutes(run)
    if not full:
        return 0
    first = MINUTE - (run.variant.options["seconds"] if run.variant.options["before"] else 0)
    return first + MINUTE * (full - 1)


def is_quick(run: Run) -> bool | None:
    """Return whether all messages were posted, in hardly more than the necessary time."""
    if len(list_posted(run)) < len(list_messages(run)):
        return None
    return run.waited.total_seconds() <= necessary_wait(run) + SPARE * max(full_minutes(run), 1)


def is_in_order(run: Run) -> bool | None:
    """Return whether no message was posted before an earlier one; None if there are too few to tell."""
    return None if len(list_posted(run)) <= 1 else reorders(run) is None


def sends_token(run: Run) -> str | None:
    """Find a post with an access token."""
    for entry in run.sent(POST):
        if any(name.lower() == "authorization" for name, _ in entry.request_headers):
            return f"Request {entry.number} sent an access token to the webhook, which does not need one."
    return None


def hammers(run: Run) -> str | None:
    """Find refusals that follow one another while no time passes, with the same message."""
    rejected = list_refused(run)
    for first, last in zip(rejected, rejected[LOOP:], strict=False):
        if first.at == last.at and text(first) == text(last) and last.number == first.number + LOOP:
            count = sum(entry.at == first.at for entry in rejected)
            return (
                f"Request {first.number} was refused with 429. {count - 1} more were sent before any time had "
                "passed, and refused as well."
            )
    return None


def is_refused(run: Run) -> str | None:
    """Find a post that no wait would help: its body or its URL was refused."""
    rejected = run.sent(POST, 400)
    if not rejected:
        return None
    first = rejected[0]
    more = f" In all, {len(rejected)} posts were refused like this." if len(rejected) > 1 else ""
    return f"Request {first.number} was refused with 400: {(first.reason or '').rstrip('.')}.{more}"


def recall(run: Run, refused: JournalEntry) -> str:
    """Return what the post right before a refusal said, if that was that no calls were left."""
    before = next((entry for entry in run.sent(POST) if entry.number == refused.number - 1), None)
    if before is None or before.rate_limit is None or before.rate_limit.remaining or before.at != refused.at:
        return ""
    return f" The response to request {before.number} had said RateLimit-Remaining: 0, and no time passed after it."


def gives_up(run: Run) -> str | None:
    """Find an error that was raised at a refusal."""
    if not isinstance(run.error, httpx.HTTPStatusError) or run.entries[-1].status != 429:
        return None
    left = len(list_messages(run)) - len(set(list_posted(run)))
    return (
        f"Request {run.entries[-1].number} was refused with 429, your function raised {type(run.error).__name__}, and "
        f"{left} messages were never posted.{recall(run, run.entries[-1])}"
    )


def reads_refusal(run: Run) -> str | None:
    """Find a header about the limit that was read from a refusal."""
    last = run.entries[-1]
    if last.status != 429 or not isinstance(run.error, KeyError):
        return None
    return (
        f"Request {last.number} was refused with 429, and its response has no header {run.error}: your function raised "
        f"KeyError in {run.line}.{recall(run, last)}"
    )


def misses_zero(run: Run) -> str | None:
    """Find that no calls were left, which was asked for and not noticed: the next response lacks that header."""
    asked = isinstance(run.error, KeyError) and f"{run.error.args[0]}".lower() == "ratelimit-remaining"
    last = run.entries[-1]
    if not asked or last.status != 429 or not recall(run, last):
        return None
    return (
        f"The response to request {last.number - 1} said RateLimit-Remaining: 0. Your function did not wait, and "
        f"request {last.number} was refused with 429. That response has no such header: KeyError in {run.line}."
    )


def drops(run: Run) -> str | None:
    """Find messages that were refused and never posted."""
    if isinstance(run.error, Exception):  # the error is what to talk about
        return None
    missing = set(list_messages(run)) - set(list_posted(run))
    lost = [entry for entry in list_refused(run) if text(entry) in missing]
    if not lost:
        return None
    return (
        f"{len(list_posted(run))} of {len(list_messages(run))} messages were posted. Request {lost[0].number}, "
        f"“{text(lost[0])}”, was refused with 429, and this message was not sent again."
    )


def repeats(run: Run) -> str | None:
    """Find messages that were posted twice."""
    twice = [message for message, count in Counter(list_posted(run)).items() if count > 1]
    if not twice:
        return None
    first, second = [entry.number for entry in run.sent(POST, 200) if text(entry) == twice[0]][:2]
    return (
        f"“{twice[0]}” was posted by request {first}, and again by request {second}; {len(twice)} messages were posted "
        "twice."
    )


def reorders(run: Run) -> str | None:
    """Find messages that were posted before an earlier one."""
    order = {message: place for place, message in enumerate(list_messages(run))}
    accepted = [entry for entry in run.sent(POST, 200) if text(entry) in order]
    for before, after in pairwise(accepted):
        if order[text(before)] > order[text(after)]:
            return (
                f"Request {after.number} posted “{text(after)}” after request {before.number} had posted "
                f"“{text(before)}”: people read them in the wrong order."
            )
    return None


def paces(run: Run) -> str | None:
    """Find waits between posts although calls were left."""
    for before, after in pairwise(run.sent(POST)):
        seconds = (after.at - before.at).total_seconds()
        if (
            before.rate_limit is not None
            and before.rate_limit.remaining
            and seconds
            and is_quick(run) is not True
        ):
            return (
                f"After request {before.number}, {before.rate_limit.remaining} calls were left in that minute. The "
                f"next request was sent {seconds:g} seconds later."
            )
    return None


def polls(run: Run) -> str | None:
    """Find refusals again and again, with short waits between them."""
    rejected = list_refused(run)
    if len(rejected) <= full_minutes(run):
        return None
    first, second = rejected[:2]
    later = quantity(int((second.at - first.at).total_seconds()), "second")
    return (
        f"Request {first.number} was refused with 429, and {later} later so was request {second.number}. In all, "
        f"{len(rejected)} requests were refused; {full_minutes(run)} would have been enough."
    )


def oversleeps(run: Run) -> str | None:
    """Find a wait that was longer than the service had said."""
    if is_quick(run) is not False:
        return None
    told = next(
        (e for e in run.sent(POST, 200) if e.rate_limit is not None and not e.rate_limit.remaining), None
    )
    if told is None or told.rate_limit is None:
        return None
    return (
        f"The response to request {told.number} said that the minute resets in {told.rate_limit.reset} seconds. "
        f"Posting took {run.waited.total_seconds():g} seconds where {necessary_wait(run)} were necessary."
    )


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    return f"{len(list_posted(run))} posted, {len(list_refused(run))} refused, {run.waited.total_seconds():g} s waited."


EXERCISE = Exercise(
    name="post_all",
    title="120 a minute",
    minutes=15,
    section="Incoming notification endpoint",
    starter="""\
def post_all(http, webhook, messages):
    for text in messages:
        ...
""",
    prepare=prepare,
    variants=(
        Variant("150 messages", {"count": 150, "before": 0, "seconds": 0}),
        Variant(
            "260 messages, and a colleague's program had posted 45, the first of them 25 seconds before",
            {"count": 260, "before": 45, "seconds": 25},
        ),
    ),
    goals=(
        Goal(
            "every message is posted once", lambda run: sorted(list_posted(run)) == sorted(list_messages(run))
        ),
        Goal("they are posted in order", is_in_order),
        Goal(
            "at most one refusal for each full minute",
            lambda run: len(list_refused(run)) <= full_minutes(run),
        ),
        Goal("no time is lost by waiting longer than necessary", is_quick),
        Goal("no access token is sent", lambda run: sends_token(run) is None),
    ),
    mistakes=(
        Mistake(
            "token",
            sends_token,
            (
                "What does a webhook's URL contain that makes a token unnecessary?",
                "Look at the headers of that request, and remove the one that other calls need.",
                "See “Post once” above: the request there has a URL and a body, and nothing else.",
            ),
        ),
        Mistake(
            "refused body",
            is_refused,
            (
                "What does that post lack, or what is not as the service expects it?",
                "Time does not help here. Compare the URL and the body with those of a post that was accepted.",
                "See “Post once” above: the body there has a dictionary in a dictionary.",
            ),
        ),
        Mistake(
            "hammering",
            hammers,
            (
                "What has to change before the same request can succeed?",
                "Only time helps. Which header of an earlier response says how much?",
                "See “What a response says” above: RateLimit-Reset is in seconds.",
            ),
        ),
        Mistake(
            "giving up",
            gives_up,
            (
                "Is a 429 a failure, or a request to come back later?",
                "Which statuses should raise an error here, and which one should not?",
                "See “Break it” above: what happened to the message that was refused?",
            ),
        ),
        Mistake(
            "zero missed",
            misses_zero,
            (
                "With what did your function compare the header of the response before?",
                'The value of a header is text. Is "0" == 0?',
                "See “What a response says” above, and the quotes around each value there.",
            ),
        ),
        Mistake(
            "header of a refusal",
            reads_refusal,
            (
                "Which responses have headers about the limit, and what did the one before the refusal say?",
                "Accepted posts have them. How could your function remember what the last of them said?",
                "See “What a response says” above, and what “Break it” shows about the limit.",
            ),
        ),
        Mistake(
            "starting over",
            repeats,
            (
                "Where does your function continue after a wait?",
                "Which messages are already in the room at that moment?",
                "See “Break it” above: a refusal concerns one message; those before it were posted.",
            ),
        ),
        Mistake(
            "dropping",
            drops,
            (
                "What became of that message?",
                "What should the loop do with a message before it takes the next one?",
                "See “Break it” above: a refused message is not posted later by itself.",
            ),
        ),
        Mistake(
            "order",
            reorders,
            (
                "Which message should come next after a refusal?",
                "What happens to a refused message: is it sent again at once after the wait, or after all others?",
                "See “Break it” above, and look at the texts in the room from top to bottom.",
            ),
        ),
        Mistake(
            "polling",
            polls,
            (
                "How could your function know how long to wait, without trying?",
                "Each response that was not refused has a header with the seconds until the reset.",
                "See “What a response says” above: RateLimit-Remaining and RateLimit-Reset belong together.",
            ),
        ),
        Mistake(
            "pacing",
            paces,
            (
                "Was that wait necessary?",
                "When does a response say that no calls are left?",
                "See “What a response says” above: compare RateLimit-Remaining before and after a post.",
            ),
        ),
        Mistake(
            "whole minutes",
            oversleeps,
            (
                "Does the minute begin when your function is refused?",
                "It begins with its first call, perhaps somebody else's (notification.window). Who knows when it ends?",
                "See “What a response says” above: RateLimit-Reset counts down.",
            ),
        ),
    ),
    summarize=summarize,
)
