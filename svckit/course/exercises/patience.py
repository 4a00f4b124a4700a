"""Lesson 08: post more messages than fit into a minute."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import httpx

from fakes import FakeService
from fakes.lessons import Exercise, Run, Said, Variant, said
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises import read_words
from svckit.course.exercises.request_bodies import read_fields

__all__ = ["EXERCISE"]

POST = "notifications.post"
LIMIT, MINUTE = 120, 60
SPARE = 2
"""How many seconds longer than necessary each wait may take."""


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Let a colleague's program post before, and return a client, a webhook's URL and messages."""
    webhook, http = fake.facts["webhooks"][0], httpx.Client(transport=fake.transport())
    for number in range(variant.options["before"]):
        http.post(webhook, json={"body": {"text": f"Build {number} is green."}})
    fake.clock.advance(seconds=variant.options["seconds"])
    names = [fake.directory[user]["userName"]["firstName"] for user in fake.facts["users"]]
    texts = [f"Parcel {n + 1} is for {names[n % len(names)]}." for n in range(variant.options["count"])]
    return http, webhook, texts


def text(entry: JournalEntry) -> str:
    """Return the text of a post; empty if there is none."""
    body = read_fields(entry).get("body")
    return str(body.get("text", "")) if isinstance(body, dict) else ""


def list_posted(run: Run) -> list[str]:
    """Return the texts that were accepted, in order."""
    return [text(entry) for entry in run.sent(POST, 200)]


def full_minutes(run: Run) -> int:
    """Return how often the limit is reached before the last message."""
    return int((run.variant.options["before"] + run.variant.options["count"] - 1) // LIMIT)


def posts_each_once(run: Run) -> bool | Said:
    """Look for messages that are missing, or there twice."""
    messages, posted = run.arguments[2], list_posted(run)
    twice = [each for each, count in Counter(posted).items() if count > 1]
    refused = run.sent(POST, 429)
    lost = [entry for entry in refused if text(entry) not in posted]
    if sorted(posted) == sorted(messages):
        return True
    if isinstance(run.error, Exception) and refused and refused[-1] is run.entries[-1]:
        return stops_at(run, refused[-1], len(set(messages) - set(posted)))
    if twice:
        first, second = [entry.number for entry in run.sent(POST, 200) if text(entry) == twice[0]][:2]
        return said("starting over", text=twice[0], first=first, request=second, count=len(twice))
    if lost and not isinstance(run.error, Exception) and not hammers(run):
        posts = {"posted": len(posted), "all": len(messages)}
        return said("dropping", **posts, request=lost[0].number, text=text(lost[0]))
    return False


def stops_at(run: Run, refused: JournalEntry, left: int) -> Said | bool:
    """Say why a refusal ended the function: it raised, or it looked there for a header."""
    before = next((each for each in run.sent(POST) if each.number == refused.number - 1), None)
    missed = before and before.at == refused.at and before.rate_limit and not before.rate_limit.remaining
    if isinstance(run.error, httpx.HTTPStatusError):
        return said("giving up", request=refused.number, error=type(run.error).__name__, count=left)
    if isinstance(run.error, KeyError):
        zero = missed and f"{run.error.args[0]}".lower() == "ratelimit-remaining"
        name = "zero missed" if zero else "header of a refusal"
        return said(name, before=refused.number - 1, request=refused.number, header=run.error, line=run.line)
    return False


def keeps_order(run: Run) -> bool | Said | None:
    """Look for a message that was posted before an earlier one."""
    order = {message: place for place, message in enumerate(run.arguments[2])}
    accepted = [entry for entry in run.sent(POST, 200) if text(entry) in order]
    for before, after in pairwise(accepted):
        if order[text(before)] > order[text(after)]:
            return said(
                "order", request=after.number, text=text(after), before=before.number, later=text(before)
            )
    return True if len(accepted) > 1 else None


def hammers(run: Run) -> JournalEntry | None:
    """Return a refusal that others follow while no time passes, with the same message."""
    refused = run.sent(POST, 429)
    for first, last in zip(refused, refused[3:], strict=False):
        if first.at == last.at and text(first) == text(last) and last.number == first.number + 3:
            return first
    return None


def is_refused_seldom(run: Run) -> bool | Said:
    """Look for refusals that a wait would have spared."""
    refused, least, first = run.sent(POST, 429), full_minutes(run), hammers(run)
    if first:
        more = sum(entry.at == first.at for entry in refused) - 1
        return said("hammering", request=first.number, count=more)
    if len(refused) <= least:
        return True
    seconds = int((refused[1].at - refused[0].at).total_seconds())
    both = {"request": refused[0].number, "second": refused[1].number}
    return said("polling", **both, seconds=seconds, count=len(refused), least=least)


def wastes_no_time(run: Run) -> bool | Said | None:
    """Look for a wait that was longer than the service had said, once all are posted."""
    full, waited = full_minutes(run), run.waited.total_seconds()
    necessary = max(MINUTE * full - run.variant.options["seconds"], 0)
    quick = waited <= necessary + SPARE * max(full, 1)
    done = len(list_posted(run)) >= len(run.arguments[2])
    if done and quick:
        return True
    for before, after in pairwise(run.sent(POST)):
        seconds = (after.at - before.at).total_seconds()
        if seconds and before.rate_limit and before.rate_limit.remaining:
            left = before.rate_limit.remaining
            return said("pacing", request=before.number, left=left, seconds=f"{seconds:g}")
    if not done:
        return None
    for told in run.sent(POST, 200):
        if told.rate_limit and not told.rate_limit.remaining:
            reset, least = told.rate_limit.reset, necessary
            return said("whole minutes", request=told.number, reset=reset, waited=f"{waited:g}", least=least)
    return False


def sends_no_token(run: Run) -> bool | Said:
    """Look for a post with an access token."""
    for entry in run.sent(POST):
        if any(name.lower() == "authorization" for name, _ in entry.request_headers):
            return said("token", request=entry.number)
    return True


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    waited = f"{run.waited.total_seconds():g}"
    return {"posted": len(list_posted(run)), "refused": len(run.sent(POST, 429)), "waited": waited}


EXERCISE = Exercise(
    words=read_words("08-wait-when-told"),
    prepare=prepare,
    options=({"count": 150, "before": 0, "seconds": 0}, {"count": 260, "before": 45, "seconds": 25}),
    checks={
        "once": posts_each_once,
        "order": keeps_order,
        "refusals": is_refused_seldom,
        "time": wastes_no_time,
        "token": sends_no_token,
    },
    summarize=summarize,
)
