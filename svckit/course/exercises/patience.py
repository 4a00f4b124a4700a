"""Lesson 08: post more messages than fit into a minute."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import httpx

from fakes import FakeService
from fakes.lessons import JournalEntry, Options, Run, Seen, said
from svckit.course.exercises.requests import keeps_token, read_text

__all__ = ["keeps_token", "prepare", "summarize"]

POST = "notifications.post"
LIMIT, MINUTE = 120, 60
SPARE = 2
"""How many seconds longer than necessary each wait may take."""


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Let a colleague's program post before, and return a client, a webhook's URL and messages."""
    webhook, http = fake.facts["webhooks"][0], httpx.Client(transport=fake.transport())
    for number in range(options["before"]):
        http.post(webhook, json={"body": {"text": f"Build {number} is green."}})
    fake.clock.advance(seconds=options["seconds"])
    names = [fake.directory[user]["userName"]["firstName"] for user in fake.facts["users"]]
    texts = [f"Parcel {n + 1} is for {names[n % len(names)]}." for n in range(options["count"])]
    return http, webhook, texts


def list_posted(run: Run) -> list[str]:
    """Return the texts that were accepted, in order."""
    return [read_text(entry) for entry in run.sent(POST, 200)]


def full_minutes(run: Run) -> int:
    """Return how often the limit is reached before the last message."""
    return int((run.options["before"] + run.options["count"] - 1) // LIMIT)


def posts_each_once(run: Run) -> Seen:
    """Look for messages that are missing, or there twice."""
    messages, posted, refused = run.arguments[2], list_posted(run), run.sent(POST, 429)
    if sorted(posted) == sorted(messages):
        return True
    if refused and refused[-1] is run.entries[-1] and isinstance(run.error, httpx.HTTPStatusError | KeyError):
        return stops_at(run, refused[-1], run.error)
    twice = [text for text, count in Counter(posted).items() if count > 1]
    if twice:
        first, second = [entry for entry in run.sent(POST, 200) if read_text(entry) == twice[0]][:2]
        return said("starting over", second, text=twice[0], first=first.number, count=len(twice))
    lost = next((entry for entry in refused if read_text(entry) not in posted), None)
    if lost and run.error is None:
        return said("dropping", lost, posted=len(posted), all=len(messages), text=read_text(lost))
    return False


def stops_at(run: Run, refused: JournalEntry, error: httpx.HTTPStatusError | KeyError) -> Seen:
    """Say why a refusal ended the function: it raised, or it looked there for a header."""
    if isinstance(error, httpx.HTTPStatusError):
        return said("giving up", refused, count=len(set(run.arguments[2]) - set(list_posted(run))))
    before = next((entry for entry in run.sent(POST, 200) if entry.number == refused.number - 1), None)
    told = before and before.at == refused.at and before.rate_limit and not before.rate_limit.remaining
    missed = told and f"{error.args[0]}".lower() == "ratelimit-remaining"
    name = "zero missed" if missed else "header of a refusal"
    return said(name, refused, before=refused.number - 1, header=error)


def keeps_order(run: Run) -> Iterator[Seen]:
    """Look for a message that was posted before an earlier one."""
    order = {message: place for place, message in enumerate(run.arguments[2])}
    for before, after in pairwise(entry for entry in run.sent(POST, 200) if read_text(entry) in order):
        text, later = read_text(after), read_text(before)
        is_next = order[later] <= order[text]
        yield is_next or said("order", after, before=before.number, text=text, later=later)


def is_refused_seldom(run: Run) -> Seen:
    """Look for refusals that a wait would have spared."""
    refused, least = run.sent(POST, 429), full_minutes(run)
    if len(refused) <= least:
        return True
    first, second = refused[:2]
    seconds = int((second.at - first.at).total_seconds())
    return said("polling", first, second=second.number, seconds=seconds, count=len(refused), least=least)


def wastes_no_time(run: Run) -> Seen:
    """Look for a wait that was longer than the service had said, once all are posted."""
    full, waited = full_minutes(run), run.waited.total_seconds()
    necessary = max(MINUTE * full - run.options["seconds"], 0)
    is_done = len(list_posted(run)) >= len(run.arguments[2])
    if is_done and waited <= necessary + SPARE * max(full, 1):
        return True
    for before, after in pairwise(run.sent(POST)):
        seconds, limit = (after.at - before.at).total_seconds(), before.rate_limit
        if seconds and limit and limit.remaining:
            return said("pacing", before, left=limit.remaining, seconds=seconds)
    told = next((e for e in run.sent(POST, 200) if e.rate_limit and not e.rate_limit.remaining), None)
    if not is_done or told is None or told.rate_limit is None:
        return False if is_done else None
    return said("whole minutes", told, reset=told.rate_limit.reset, waited=waited, least=necessary)


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    return {
        "posted": len(list_posted(run)),
        "refused": len(run.sent(POST, 429)),
        "waited": run.waited.total_seconds(),
    }


def solution_waits_before(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    """Wait when a response says that no calls are left."""
    for text in messages:
        response = http.post(webhook, json={"body": {"text": text}})
        response.raise_for_status()
        if response.headers["RateLimit-Remaining"] == "0" and text != messages[-1]:
            time.sleep(int(response.headers["RateLimit-Reset"]))


def solution_waits_after(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    """Send a message until it is accepted, and wait after a refusal for as long as the response before it said."""
    reset = 60
    for text in messages:
        response = http.post(webhook, json={"body": {"text": text}})
        while response.status_code == 429:
            time.sleep(reset)
            response = http.post(webhook, json={"body": {"text": text}})
        response.raise_for_status()
        reset = int(response.headers["RateLimit-Reset"])
