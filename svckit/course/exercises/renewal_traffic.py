"""Mistakes of lesson 03, as its traffic shows them."""

from datetime import datetime, timedelta
from itertools import pairwise

from fakes.lessons import Run
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises import long_runs
from svckit.course.exercises.long_runs import UPDATE, jobs_of, person_of, renewals
from svckit.course.exercises.request_bodies import read_fields
from svckit.display.card import quantity

__all__ = [
    "asks_too_often", "calls_elsewhere", "changes_something_else", "collects_jobs", "does_twice",
    "expects_refresh_token", "gives_up", "hammers", "is_refused_renewal", "keeps_old_token", "loses_job",
    "puts_into_url", "renews_each_time", "sends_json", "sends_no_token", "stops", "summarize",
    "takes_text_for_number",
]  # fmt: skip


def when(run: Run, at: datetime) -> str:
    """Say how long after the start something was."""
    span = at - run.started
    return f"{quantity(span.days, 'day')} after the start" if span.days else "on the first day"


def collects_jobs(run: Run) -> str | None:
    """Find a function that does jobs long after they were due, perhaps because it takes all of them first."""
    found, updates = long_runs.find_late(run), run.sent(UPDATE)
    if updates and updates[0].at >= jobs_of(run).plan[-1][0]:
        return (
            f"Your function took all {jobs_of(run).taken} jobs from the queue before it sent the first one: that was "
            f"{when(run, updates[0].at)}."
        )
    if found is None:
        return None
    entry, late = found
    later = quantity(late.days, "day") if late.days else quantity(late // timedelta(hours=1), "hour")
    return f"Request {entry.number}, {entry.request_body:.80}, was sent {later} after this job was due."


def sends_no_token(run: Run) -> str | None:
    """Find an update without an access token."""
    for entry in run.sent(UPDATE, 401):
        given = [value for name, value in entry.request_headers if name.lower() == "authorization"]
        if not given or not given[0].lower().startswith("bearer "):
            carried = "its token without the word Bearer before it" if given else "no access token"
            return f"Request {entry.number} carried {carried}, and was refused with 401."
    return None


def sends_json(run: Run) -> str | None:
    """Find a token request whose body is JSON."""
    for entry in renewals(run):
        if entry.json is not None:
            return (
                f"Request {entry.number} sent the token request as JSON. It was refused with {entry.status}."
            )
    return None


def puts_into_url(run: Run) -> str | None:
    """Find a token or a client secret in a URL."""
    for entry in run.entries:
        if "?" in entry.path:
            return (
                f"Request {entry.number} had its parameters in the URL, which servers and proxies write into their "
                f"logs. The response was {entry.status}."
            )
    return None


def takes_text_for_number(run: Run) -> str | None:
    """Find arithmetic with ``expires_in`` as text."""
    message = str(run.error)
    words = "timedelta", "datetime", "'float'", "'int'"
    about_time = "expires_in" in run.line or any(word in message for word in words)
    if not isinstance(run.error, TypeError) or "str" not in message or not about_time:
        return None
    return f"Your function raised TypeError in {run.line}. It says: {run.error}."


def expects_refresh_token(run: Run) -> str | None:
    """Find a refresh token that was looked for in the response to a renewal."""
    done = renewals(run, 200)
    if isinstance(run.error, KeyError) and run.error.args == ("refresh_token",) and done:
        return (
            f"Request {done[-1].number} renewed the access token. Then your function raised KeyError: it looked for a "
            "refresh_token that was not there."
        )
    for entry in renewals(run):
        if "refresh_token" not in long_runs.keys_of(entry) and done:
            return (
                f"Request {done[-1].number} renewed the access token. The next token request, {entry.number}, had no "
                f"refresh_token, and was refused with {entry.status}."
            )
    return None


def is_refused_renewal(run: Run) -> str | None:
    """Find a renewal that was refused although the refresh token had not expired."""
    for entry in renewals(run, 400, 401):
        if not has_expired(entry):
            return (
                f"Request {entry.number}, a token request, was refused with {entry.status}: {entry.reason}."
            )
    return None


def has_expired(entry: JournalEntry) -> bool:
    """Return whether a renewal was refused because its refresh token had expired."""
    return "expired after 90 days" in (entry.reason or "")


def calls_elsewhere(run: Run) -> str | None:
    """Find a request to something that the service does not have there."""
    for entry in run.entries:
        if entry.operation == "unmatched":
            return f"Request {entry.number} was {entry.method} {entry.url}. The service has nothing there."
    return None


def changes_something_else(run: Run) -> str | None:
    """Find an update that does no job."""
    tasks = {task for _, _, task in jobs_of(run).plan}
    for entry in run.sent(UPDATE, 200):
        fields = read_fields(entry)
        if fields.get("task") not in tasks:
            return (
                f"Request {entry.number} sent {entry.request_body:.80}, which does not do a job of the queue."
            )
    return None


def stops(run: Run) -> str | None:
    """Find jobs that were left in the queue, though nothing was refused at the end."""
    left = len(jobs_of(run).plan) - jobs_of(run).taken
    if run.error is not None or not left or run.entries[-1].status != 200:
        return None
    return (
        f"Your function returned after {quantity(jobs_of(run).taken, 'job')}, and left {left} in the queue."
    )


def renews_each_time(run: Run) -> str | None:
    """Find renewals of tokens that were still valid."""
    if long_runs.renews_seldom(run) is not False:
        return None
    needed = long_runs.count_needed(run)[0]
    done = run.sent("auth.token", 200)
    for before, entry in pairwise(done):
        hours = (entry.at - before.at).total_seconds() / 3600
        if hours < 24 and long_runs.is_renewal(entry):
            return (
                f"Request {entry.number} renewed an access token that was {hours:.1f} hours old. In all, there were "
                f"{len(renewals(run, 200))} renewals; {needed} were necessary."
            )
    return None


def asks_too_often(run: Run) -> str | None:
    """Find a sign-in that was not necessary."""
    if long_runs.asks_seldom(run) is not False:
        return None
    asked, needed = person_of(run).asked, long_runs.count_needed(run)[1]
    again = next((n for n, at in enumerate(asked[1:], 1) if (at - asked[n - 1]).days < 90), 1)
    span = asked[again] - asked[again - 1]
    later = quantity(span.days, "day") if span.days else quantity(span // timedelta(hours=1), "hour")
    return (
        f"Your function asked somebody to sign in, and again {later} later. In all, somebody signed in "
        f"{quantity(len(asked), 'time')}; {quantity(needed, 'time')} would have been enough."
    )


def keeps_old_token(run: Run) -> str | None:
    """Find an update that was refused right after a token had been issued."""
    issued: JournalEntry | None = None
    for entry in run.entries:
        if entry.operation == "auth.token" and entry.status == 200:
            issued = entry
        elif entry.operation == UPDATE and entry.status == 401 and issued and entry.at == issued.at:
            return (
                f"Request {issued.number} returned a new access token. Request {entry.number}, sent at the same time, "
                "was refused with 401 all the same."
            )
    return None


def end_of(run: Run) -> str:
    """Say how the function ended; nothing if it returned."""
    if run.error is None:
        return ""
    if not isinstance(run.error, Exception):
        return f" Your function was stopped after {quantity(len(run.entries), 'request')}: it would not have ended."
    return f" Your function raised {type(run.error).__name__}."


def gives_up(run: Run) -> str | None:
    """Find a refused renewal after which nobody signed in."""
    for entry in renewals(run, 400):
        if has_expired(entry) and not any(at >= entry.at for at in person_of(run).asked):
            done = long_runs.group_updates(run, 200)
            left = sum(not done[task] for _, _, task in jobs_of(run).plan)
            ended = end_of(run)
            return (
                f"Request {entry.number}, {when(run, entry.at)}, was refused with 400: {entry.reason}.{ended} "
                f"{quantity(left, 'job')} were not done."
            )
    return None


def hammers(run: Run) -> str | None:
    """Find a job that was refused more than twice."""
    for task, refused in long_runs.group_updates(run, 401).items():
        if len(refused) > 2:
            return (
                f"Request {refused[0].number}, “{task}”, was refused with 401. The same job was sent "
                f"{len(refused) - 1} times more, and refused each time.{end_of(run)}"
            )
    return None


def loses_job(run: Run) -> str | None:
    """Find a job that was refused and not done."""
    plan, done, refused = (
        jobs_of(run).plan,
        long_runs.group_updates(run, 200),
        long_runs.group_updates(run, 401),
    )
    lost = [task for _, _, task in plan if not done[task]]
    for task in lost:
        if refused[task]:
            first = refused[task][0]
            ended = "" if run.error is None else f", your function raised {type(run.error).__name__}"
            return (
                f"Request {first.number}, “{task}”, was refused with 401 {when(run, first.at)}{ended}. This "
                f"job was never done; {len(plan) - len(lost)} of {len(plan)} were."
            )
    return None


def does_twice(run: Run) -> str | None:
    """Find a job that was done twice."""
    for task, done in long_runs.group_updates(run, 200).items():
        if len(done) > 1:
            return f"Requests {done[0].number} and {done[1].number} both did “{task}”, and both succeeded."
    return None


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    return (
        f"{len(jobs_of(run).plan)} jobs in {run.waited.days} days: {len(renewals(run, 200))} renewals, "
        f"{len(run.sent(UPDATE, 401))} updates refused and repeated, and somebody signed in "
        f"{quantity(len(person_of(run).asked), 'time')}."
    )
