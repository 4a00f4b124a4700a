"""The jobs of lesson 03, the person who signs in, and what a run of many days needs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from fakes import FakeService
from fakes.lessons import Run, Variant
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises.request_bodies import read_fields

__all__ = [
    "UPDATE",
    "Jobs",
    "Person",
    "asks_seldom",
    "count_needed",
    "does_each_once",
    "does_in_time",
    "find_late",
    "group_updates",
    "is_renewal",
    "jobs_of",
    "keeps_secrets",
    "keys_of",
    "person_of",
    "prepare",
    "renewals",
    "renews_seldom",
    "repeats_at_most_once",
]  # fmt: skip

UPDATE, TOKEN = "users.update", "auth.token"
ACCESS, REFRESH = timedelta(hours=24), timedelta(days=90)
LATE = timedelta(hours=1)
"""How long after a job is due it may be done."""
SPARE = 1.1
"""How many times as often as necessary tokens may be renewed, for those who renew a little earlier."""


@dataclass
class Jobs:
    """A queue: taking a job from it waits until the job is due."""

    fake: FakeService
    plan: Sequence[tuple[datetime, str, str]]
    taken: int = 0

    def __iter__(self) -> Iterator[tuple[datetime, str, str]]:
        for at, user, task in self.plan:
            if at > self.fake.clock.now():
                self.fake.clock.to(at)
            self.taken += 1
            yield self.fake.clock.now(), user, task


@dataclass
class Person:
    """Somebody who signs in whenever the function asks for it."""

    fake: FakeService
    asked: list[datetime] = field(default_factory=list)

    def __call__(self) -> dict[str, str]:
        """Sign in, and return the token set."""
        self.asked.append(self.fake.clock.now())
        facts = self.fake.facts
        client = {"client_id": facts["client_id"]}
        query = {
            "redirect_uri": facts["redirect_uri"],
            "scope": "user",
            "response_type": "code",
            "state": "s",
        }
        redirect = self.fake.auth.follow(
            f"{facts['auth_url']}/oauth2/v2.0/authorize?{urlencode(client | query)}"
        )
        code = parse_qs(urlsplit(redirect).query)["code"][0]
        form = {"grant_type": "authorization_code", "code": code, "client_secret": facts["client_secret"]}
        with httpx.Client(transport=self.fake.transport()) as http:
            tokens: dict[str, str] = http.post(
                f"{facts['auth_url']}/oauth2/v2.0/token", data=form | client
            ).json()
        return tokens


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Return a client, the application's data, a person who signs in, and a queue of jobs."""
    chance = Random(fake.facts["login_id"])  # noqa: S311 - decides when jobs are due
    start = fake.clock.now()
    instants = sorted(
        start + timedelta(days=day, hours=hour, minutes=chance.randint(0, late))
        for day, hour, late in variant.options["due"]
    )
    people = fake.facts["users"]
    plan = [(at, people[number % len(people)], f"Shift {number + 1}") for number, at in enumerate(instants)]
    application = {
        "token_url": f"{fake.facts['auth_url']}/oauth2/v2.0/token",
        "client_id": fake.facts["client_id"],
        "client_secret": fake.facts["client_secret"],
    }
    http = httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"])
    return http, application, Person(fake), Jobs(fake, plan)


def person_of(run: Run) -> Person:
    """Return the person who signed in."""
    person: Person = run.arguments[2]
    return person


def jobs_of(run: Run) -> Jobs:
    """Return the queue of jobs."""
    jobs: Jobs = run.arguments[3]
    return jobs


def is_renewal(entry: JournalEntry) -> bool:
    """Return whether a request is a token request that the function sent."""
    return entry.operation == TOKEN and "code" not in keys_of(entry)


def renewals(run: Run, *statuses: int) -> list[JournalEntry]:
    """Return the token requests that the function sent."""
    return [entry for entry in run.sent(TOKEN, *statuses) if is_renewal(entry)]


def keys_of(entry: JournalEntry) -> set[str]:
    """Return the names in a form that have a value."""
    return set(parse_qs(entry.request_body))


def group_updates(run: Run, *statuses: int) -> dict[str, list[JournalEntry]]:
    """Return the requests of each job, with one of these statuses if any are given."""
    groups: dict[str, list[JournalEntry]] = {task: [] for _, _, task in jobs_of(run).plan}
    for entry in run.sent(UPDATE, *statuses):
        task = read_fields(entry).get("task")
        groups.setdefault(f"{task}", []).append(entry)
    return groups


def count_needed(run: Run) -> tuple[int, int]:
    """Return how often a token has to be renewed, and how often somebody has to sign in."""
    renewed = signed_in = 0
    access_ends = refresh_ends = run.started
    for at, _, _ in jobs_of(run).plan:
        if signed_in and at < access_ends:
            continue
        if signed_in and at <= refresh_ends:
            renewed += 1
        else:
            signed_in, refresh_ends = signed_in + 1, at + REFRESH
        access_ends = at + ACCESS
    return renewed, signed_in


def does_each_once(run: Run) -> bool:
    """Return whether each job was done, and none twice."""
    done = group_updates(run, 200)
    return all(len(done[task]) == 1 for _, _, task in jobs_of(run).plan)


def find_late(run: Run) -> tuple[JournalEntry, timedelta] | None:
    """Return the first request that began or did a job late, and how late it was; None without such a request."""
    due = {task: at for at, _, task in jobs_of(run).plan}
    tried, done = group_updates(run), group_updates(run, 200)
    found = [
        (entry, entry.at - due[task])
        for task in due
        for entry in tried[task][:1] + done[task][:1]
        if entry.at - due[task] > LATE
    ]
    return min(found, key=lambda each: each[0].number, default=None)


def does_in_time(run: Run) -> bool | None:
    """Return whether no job was begun or done late; None without an update."""
    return find_late(run) is None if run.sent(UPDATE) else None


def repeats_at_most_once(run: Run) -> bool | None:
    """Return whether no job was refused twice; None without an update."""
    refused = group_updates(run, 401)
    return all(len(entries) <= 1 for entries in refused.values()) if run.sent(UPDATE) else None


def renews_seldom(run: Run) -> bool | None:
    """Return whether tokens were renewed hardly more often than necessary; None if they never were."""
    done = renewals(run, 200)
    return len(done) <= count_needed(run)[0] * SPARE + 1 if done else None


def asks_seldom(run: Run) -> bool | None:
    """Return whether the person signed in no more often than necessary; None if never."""
    asked = person_of(run).asked
    return len(asked) <= count_needed(run)[1] if asked else None


def keeps_secrets(run: Run) -> bool | None:
    """Return whether no token or client secret was sent in a URL; None if none was renewed."""
    return all("?" not in entry.path for entry in run.entries) if renewals(run) else None
