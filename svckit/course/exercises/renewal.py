"""Lesson 03: keep a program at work for months, while its tokens expire."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from fakes import FakeService
from fakes.lessons import JournalEntry, Options, Run, Seen, said
from svckit.course.exercises.requests import read_fields

__all__ = ["prepare", "summarize"]

UPDATE, TOKEN = "users.update", "auth.token"
ACCESS, REFRESH = timedelta(hours=24), timedelta(days=90)
EXPIRED = "expired after 90 days"
LATE = timedelta(hours=1)
"""How long after a job is due it may be done."""
SPARE = 2
"""How many renewals may come early, by those who don't know when their first token expires."""


@dataclass
class Jobs:
    """A queue: taking a job from it waits until the job is due."""

    fake: FakeService
    plan: Sequence[tuple[datetime, str, str]]

    def __iter__(self) -> Iterator[tuple[datetime, str, str]]:
        for at, user, task in self.plan:
            if at > self.fake.clock.now():
                self.fake.clock.to(at)
            yield self.fake.clock.now(), user, task


def sign_in(fake: FakeService) -> dict[str, str]:
    """Let a person sign in, and return the token set."""
    facts = fake.facts
    query = {"client_id": facts["client_id"], "redirect_uri": facts["redirect_uri"], "scope": "user"}
    login = urlencode(query | {"response_type": "code", "state": "s"})
    redirect = fake.auth.follow(f"{facts['auth_url']}/oauth2/v2.0/authorize?{login}")
    form = {name: facts[name] for name in ("client_id", "client_secret")}
    form |= {"grant_type": "authorization_code", "code": parse_qs(urlsplit(redirect).query)["code"][0]}
    with httpx.Client(transport=fake.transport()) as http:
        tokens: dict[str, str] = http.post(f"{facts['auth_url']}/oauth2/v2.0/token", data=form).json()
    return tokens


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Return a client, the application's data, a person who signs in, and a queue of jobs."""
    chance = Random(fake.facts["login_id"])  # noqa: S311 - decides when jobs are due
    start, people = fake.clock.now(), fake.facts["users"]
    due = [timedelta(hours=hour, minutes=chance.randint(0, 20)) for hour in range(0, options["hours"], 10)]
    due += [timedelta(days=day, minutes=chance.randint(0, 50)) for day in options["days"]]
    instants = sorted(start + after for after in due)
    plan = [(at, people[number % len(people)], f"Shift {number + 1}") for number, at in enumerate(instants)]
    app = {name: fake.facts[name] for name in ("client_id", "client_secret")}
    app["token_url"] = f"{fake.facts['auth_url']}/oauth2/v2.0/token"
    http = httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"])
    return http, app, partial(sign_in, fake), Jobs(fake, plan)


def list_logins(run: Run) -> list[JournalEntry]:
    """Return the token requests after which somebody had signed in."""
    return [entry for entry in run.sent(TOKEN) if "authorization_code" in entry.request_body]


def list_renewals(run: Run) -> list[JournalEntry]:
    """Return all other token requests."""
    return [entry for entry in run.sent(TOKEN) if "authorization_code" not in entry.request_body]


def group_updates(run: Run, *statuses: int) -> dict[str, list[JournalEntry]]:
    """Return the requests for each job, with one of these statuses if any are given."""
    groups: dict[str, list[JournalEntry]] = {task: [] for _, _, task in run.arguments[3].plan}
    for entry in run.sent(UPDATE, *statuses):
        groups.get(f"{read_fields(entry).get('task')}", []).append(entry)
    return groups


def keeps_secrets(run: Run) -> Iterator[Seen]:
    """Look for a token or the client secret in a URL."""
    for entry in run.entries:
        yield tell("url", run, entry) if "?" in entry.path else None
    yield True if list_renewals(run) else None


def does_each_in_time(run: Run) -> Seen:
    """Look for a job that was sent late, done twice, or not done at all."""
    tried = group_updates(run)
    for at, _, task in run.arguments[3].plan:
        for entry in tried[task]:
            if entry.at - at > LATE:
                return tell("collecting jobs", run, entry)
    odd = find_odd_job(run)
    return (find_odd_renewal(run) or odd) if odd else True


def renewals(run: Run) -> Seen:
    """Look for renewals of tokens that still worked."""
    renewed = list_renewals(run)
    early = [
        (issued, entry)
        for issued, entry in pairwise(run.sent(TOKEN))
        if entry in renewed and entry.at - issued.at < ACCESS - LATE
    ]
    if len(early) > SPARE:
        issued, entry = early[0]
        return tell("renewing too often", run, entry, issued=issued.number, count=len(early))
    return True if renewed else None


def person(run: Run) -> Iterator[Seen]:
    """Look for somebody who signed in while the refresh token still worked, and not only for its last day."""
    logins = list_logins(run)
    for before, entry in pairwise(logins):
        is_due = entry.at - before.at >= REFRESH - ACCESS
        yield is_due or tell("signing in again", run, entry, before=before.number, count=len(logins))
    yield True if logins else None


def find_odd_renewal(run: Run) -> Seen:
    """Say which renewal was refused, what was expected of it, or that its token was not used."""
    for issued, entry in pairwise(run.entries):
        if (issued.operation, issued.status, entry.operation, entry.status) == (TOKEN, 200, UPDATE, 401):
            return tell("old token", run, entry, issued=issued.number)
    if isinstance(run.error, TypeError) and "expires_in" in run.line:
        return tell("text", run, run.entries[-1])
    if isinstance(run.error, KeyError) and run.error.args == ("refresh_token",):
        return tell("new refresh token", run, run.entries[-1])
    for entry in list_renewals(run):
        if entry.is_error and EXPIRED not in (entry.reason or ""):
            return tell("parameters", run, entry)
        if entry.is_error and list_logins(run)[-1].number < entry.number:
            return tell("giving up", run, entry)
    return None


def find_odd_job(run: Run) -> Seen:
    """Say which job was done twice, or never."""
    refused = group_updates(run, 401)
    for task, done in group_updates(run, 200).items():
        if len(done) > 1:
            return tell("twice", run, done[1], first=done[0].number, task=task)
        if not done:
            entry = next(iter(refused[task]), run.entries[-1])
            return tell("losing a job" if refused[task] else "stopping", run, entry, task=task)
    return None


def tell(name: str, run: Run, entry: JournalEntry, **more: object) -> Seen:
    """Say what happened at a request, after how many days, and how many jobs were not done."""
    left = sum(not done for done in group_updates(run, 200).values())
    return said(name, entry, days=(entry.at - run.started).days, left=left, **more)


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    renewed, signed_in = len(list_renewals(run)), len(list_logins(run))
    return {"jobs": len(run.arguments[3].plan), "renewals": renewed, "count": signed_in}


def solution_waits_for_401(http: httpx.Client, app: dict[str, str], sign_in: Any, jobs: Any) -> None:
    """Renew the token when a job is refused, and send the job again."""
    client = {name: app[name] for name in ("client_id", "client_secret")}
    tokens = sign_in()
    http.headers["Authorization"] = f"Bearer {tokens['access_token']}"
    for _, user_id, task in jobs:
        if http.patch(f"/users/{user_id}", json={"task": task}).status_code == 401:
            form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
            renewed = http.post(app["token_url"], data=form | client)
            tokens = sign_in() if renewed.is_error else tokens | renewed.json()
            http.headers["Authorization"] = f"Bearer {tokens['access_token']}"
            http.patch(f"/users/{user_id}", json={"task": task}).raise_for_status()


def solution_watches_the_clock(http: httpx.Client, app: dict[str, str], sign_in: Any, jobs: Any) -> None:
    """Note when the token expires, and renew it a minute before."""
    refresh_token, expires = "", None
    for now, user_id, task in jobs:
        if expires is None or now >= expires - timedelta(minutes=1):
            form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
            client = {name: app[name] for name in ("client_id", "client_secret")}
            renewed = http.post(app["token_url"], data=form | client) if refresh_token else None
            tokens = sign_in() if renewed is None or renewed.is_error else renewed.json()
            refresh_token = tokens.get("refresh_token", refresh_token)
            expires = now + timedelta(seconds=int(tokens["expires_in"]))
            http.headers["Authorization"] = f"Bearer {tokens['access_token']}"
        http.patch(f"/users/{user_id}", json={"task": task}).raise_for_status()
