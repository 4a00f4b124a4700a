"""Mistakes that the traffic of lesson 13's client shows: a function for each, which says what happened."""

from collections.abc import Callable, Iterator
from itertools import pairwise

from fakes.lessons import Run
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises.hr_sync_play import COLUMNS, FILE, OTHER_TEXTS, Day, Play, Step
from svckit.course.exercises.request_bodies import read_fields
from svckit.display.card import quantity
from svckit.errors import InvalidInput, ServiceError

__all__ = [
    "ATTEMPTS", "Find", "believes", "breaks", "chats", "clears", "contradicts_traffic", "get_play", "gives_report_up",
    "gives_up", "has_filed", "has_notified", "has_received", "has_reported", "has_updated", "hurries", "is_silent",
    "loses", "misfiles", "misnotifies", "mixes", "piles", "rereads", "sends_more", "stops", "was_busy",
]  # fmt: skip

UPDATE, POST = "users.update", "notifications.post"
ATTEMPTS, PAUSE = 3, 2
Find = Callable[[Run], str | None]


def get_play(run: Run) -> Play:
    """Return what the client was called for."""
    play: Play = run.arguments[0]
    return play


def list_entries(run: Run, step: Step, operation: str) -> list[JournalEntry]:
    """Return the requests of an operation in a step."""
    return [entry for entry in run.entries[step.first : step.last] if entry.operation == operation]


def list_days(run: Run) -> Iterator[tuple[Day, Step]]:
    """Yield the days that began, with their syncs."""
    play = get_play(run)
    yield from zip(play.days, (step for step in play.steps if step.name == "sync"), strict=False)


def list_calls(run: Run, day: Day, step: Step) -> list[tuple[str, JournalEntry]]:
    """Return the requests for users of the sheet, each with the user's ID."""
    found = ((entry.path.rpartition("/")[2], entry) for entry in list_entries(run, step, UPDATE))
    return [(user, entry) for user, entry in found if user in day.rows]


def list_updates(run: Run) -> Iterator[tuple[Day, str, JournalEntry]]:
    """Yield the updates of users of the sheets; an empty one only reads."""
    for day, step in list_days(run):
        for user, entry in list_calls(run, day, step):
            if entry.json and isinstance(entry.json, dict):
                yield day, user, entry


def clears(run: Run) -> str | None:
    """Find an update of a field whose cell is blank."""
    for day, user, entry in list_updates(run):
        for column, name in COLUMNS.items():
            if name in entry.json and not day.rows[user][column]:
                return f"Request {entry.number} changes {name} of {user}. In the sheet, that cell is blank."
    return None


def sends_more(run: Run) -> str | None:
    """Find an update of a field that did not have to change, or a second update."""
    first: dict[tuple[int, str], JournalEntry] = {}
    for day, user, entry in list_updates(run):
        earlier = first.setdefault((id(day), user), entry)
        if earlier.json != entry.json:
            return (
                f"Request {earlier.number} updates {user}, and request {entry.number} updates another field."
            )
        for name in entry.json:
            if name not in COLUMNS.values():
                return f"Request {entry.number} sends {name} of {user}, for which the sheet has no column."
            if entry.json[name] == day.before.get(user, {}).get(name):
                return f"Request {entry.number} sends {name} of {user}, which the directory has already."
    return None


def mixes(run: Run) -> str | None:
    """Find requests that are not in the order of the rows, or an update without a read before it."""
    for day, step in list_days(run):
        calls = list_calls(run, day, step)
        sent = run.entries[step.first : step.last]
        if calls and sent[0] is not calls[0][1]:
            return f"Request {sent[0].number} was sent before the first row."
        users = [user for user, _ in calls]
        for (before, _), (user, entry) in pairwise([("", None), *calls]):
            if user != before and entry is not None:
                if user in users[: users.index(user)] or entry.json:
                    return f"Request {entry.number} updates {user}. Just before it, {user} was not read."
                if before and list(day.rows).index(before) > list(day.rows).index(user):
                    return (
                        f"Request {entry.number} reads {user} after {before}, which is below it in the sheet."
                    )
    return None


def rereads(run: Run) -> str | None:
    """Find a user who was read twice in one sync; where the service is busy, the session itself repeats a read."""
    for day, step in list_days(run):
        first: dict[str, int] = {}
        for user, entry in list_calls(run, day, step):
            if entry.json or entry.status in (429, 503):
                continue
            if user in first:
                return f"Request {entry.number} reads {user}, as request {first[user]} did."
            first[user] = entry.number
    return None


def list_attempts(run: Run) -> Iterator[list[JournalEntry]]:
    """Yield the attempts to update a user, for each sync and user for whom the service was busy."""
    for day, step in list_days(run):
        for user in day.rows:
            sent = [entry for own, entry in list_calls(run, day, step) if own == user and entry.json]
            if any(entry.status == 503 for entry in sent):
                yield sent


def gives_up(run: Run) -> str | None:
    """Find an update that failed with 503 and was not tried again."""
    for sent in list_attempts(run):
        if sent[-1].status == 503 and len(sent) < ATTEMPTS:
            return (
                f"Request {sent[-1].number}, an update, failed with 503 and was not sent again. It was attempt "
                f"{len(sent)} of {ATTEMPTS}."
            )
    return None


def hurries(run: Run) -> str | None:
    """Find attempts that are too many, or too close to one another."""
    for sent in list_attempts(run):
        if len(sent) > ATTEMPTS:
            return (
                f"Request {sent[ATTEMPTS].number} is attempt {ATTEMPTS + 1} of an update that fails with 503."
            )
        for before, after in pairwise(sent):
            seconds = (after.at - before.at).total_seconds()
            if seconds < PAUSE:
                return (
                    f"Request {before.number} failed with 503. Request {after.number} tried again {seconds:g} seconds "
                    "later."
                )
    return None


def stops(run: Run) -> str | None:
    """Find rows that were left out after a problem, or a sync that ended with it."""
    for day, step in list_days(run):
        seen = [user for user, _ in list_calls(run, day, step)]
        left = [user for user in day.rows if user not in seen]
        raised = isinstance(run.error, ServiceError | InvalidInput) and not step.is_done
        if not seen or seen[-1] not in day.problems or not (raised or step.is_done):
            continue
        how = f" It raised {type(run.error).__name__}." if raised else ""
        if left:
            return f"After {seen[-1]}, a problem, nothing was sent for {', '.join(left)}.{how}"
        if raised and run.entries[-1].operation == UPDATE:
            return f"The problem of {seen[-1]} ended the sync.{how}"
    return None


def contradicts_traffic(run: Run) -> str | None:
    """Find a report that contradicts the traffic."""
    for day, step in list_days(run):
        if not step.is_done:
            continue
        expected = {"changed": list(day.changes), "unchanged": day.unchanged, "problems": day.problems}
        for name, users in expected.items():
            given = getattr(step.result, name, None)
            if not isinstance(given, dict if name == "problems" else list):
                kind = "dictionary" if name == "problems" else "list"
                return f"The report's {name} is {given!r:.80}; by the rules it is a {kind}."
            if isinstance(given, dict) and not all(given.values()):
                return f"The report has no message for {next(user for user in given if not given[user])}."
            if list(given) != users:
                shown = ", ".join(map(str, given)) or "nobody"
                return f"The report has {shown} in {name}; by the rules it is {', '.join(users) or 'nobody'}."
    return None


def piles(run: Run) -> str | None:
    """Find a drive with more than one report."""
    done, lines = sum(step.is_done for _, step in list_days(run)), get_play(run).read_files()
    if len(lines) > 1:
        return f"After {quantity(done, 'sync')}, the drive has {len(lines)} files named {FILE}."
    return None


def misfiles(run: Run) -> str | None:
    """Find a drive without the report, or with the wrong one."""
    done, lines = [day for day, step in list_days(run) if step.is_done], get_play(run).read_files()
    if done and not lines:
        return f"After the sync, the drive of the signed-in user has no file named {FILE}."
    if done and lines[0] != done[-1].line:
        return f"The first line of {FILE} is “{lines[0]}”; by the rules it is “{done[-1].line}”."
    return None


def loses(run: Run) -> str | None:
    """Find a notification that was refused and not posted later."""
    for day, step in list_days(run):
        posts = list_entries(run, step, POST)
        accepted = [entry for entry in posts if entry.status == 200]
        if not day.fails and not accepted and posts and posts[-1].status == 429:
            return (
                f"Request {posts[-1].number}, the notification, was refused with 429, and not posted later."
            )
        if step.is_done and not day.fails and not accepted:
            return "The sync ended, and no notification was posted."
    return None


def misnotifies(run: Run) -> str | None:
    """Find a notification that says something else, or more than one."""
    for day, step in list_days(run):
        for number, entry in enumerate(e for e in list_entries(run, step, POST) if e.status == 200):
            text = read_text(entry)
            if number:
                return f"Request {entry.number} is a second notification for one sync."
            if text != day.line:
                return f"Request {entry.number} posted “{text}”; by the rules it is “{day.line}”."
    return None


def read_text(entry: JournalEntry) -> str:
    """Return the text of a notification; empty if there is none."""
    body = read_fields(entry).get("body")
    return str(body.get("text", "")) if isinstance(body, dict) else ""


def gives_report_up(run: Run) -> str | None:
    """Find a sync that ended with an error because its notification failed."""
    for day, step in list_days(run):
        posts = list_entries(run, step, POST)
        if day.fails and not step.is_done and posts and run.error is not None:
            return (
                f"Request {posts[-1].number}, the notification, failed with {posts[-1].status}, and sync raised "
                f"{type(run.error).__name__}: nobody gets the report."
            )
    return None


def find_callback(run: Run, name: str, status: int, posted: tuple[str, ...] = ()) -> str | None:
    """Find a callback that got another status than it should, or that led to other requests."""
    for step in get_play(run).steps:
        if step.name != name:
            continue
        if not step.is_done:
            return f"For {name}, receive raised {type(run.error).__name__}: the service gets no {status}."
        if step.result != status:
            return f"For {name}, receive returned {step.result!r}; by the rules it is {status}."
        texts = tuple(read_text(entry) for entry in list_entries(run, step, POST) if entry.status == 200)
        if texts != posted or (not posted and run.entries[step.first : step.last]):
            sent = quantity(len(run.entries[step.first : step.last]), "request")
            shown = f", and posted “{'”, “'.join(texts)}”" if texts else ""
            return f"For {name}, receive sent {sent}{shown}."
    return None


def believes(run: Run) -> str | None:
    """Find a forged callback that was not rejected."""
    return find_callback(run, "a callback with a bad signature", 401)


def is_silent(run: Run) -> str | None:
    """Find the question for the report without a response to it."""
    return find_callback(run, "the text “hr report”", 200, (get_play(run).days[-1].line,))


def chats(run: Run) -> str | None:
    """Find a reaction to a message that asks for nothing."""
    names = [*(f"the text “{text}”" for text in OTHER_TEXTS), "a sticker"]
    return next(filter(None, (find_callback(run, name, 200) for name in names)), None)


def breaks(run: Run) -> str | None:
    """Find an event of an unknown type that did not just get 200."""
    return find_callback(run, "an event of an unknown type", 200)


def has_updated(run: Run) -> bool:
    """Return whether any user was updated."""
    return any(True for _ in list_updates(run))


def has_reported(run: Run) -> bool:
    """Return whether any sync of a sheet with a problem was done."""
    return any(day.problems and step.is_done for day, step in list_days(run))


def has_filed(run: Run) -> bool:
    """Return whether the drive has a report."""
    return bool(get_play(run).read_files())


def has_notified(run: Run) -> bool:
    """Return whether any sync tried to post a notification."""
    return any(list_entries(run, step, POST) for _, step in list_days(run))


def has_received(run: Run) -> bool:
    """Return whether there were callbacks, and all were received."""
    play = get_play(run)
    received = [step for step in play.steps if step.name != "sync" and step.is_done]
    return bool(received) and len(received) == len(play.callbacks)


def was_busy(run: Run) -> bool:
    """Return whether the service was busy for an update."""
    return any(list_attempts(run))
