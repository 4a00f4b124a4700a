"""Lesson 13: bring a sheet to the directory, report on it, and respond to callbacks."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from fakes.lessons import JournalEntry, Run, Said, Seen, said, say_first
from svckit.course.exercises.hr_sync_play import COLUMNS, FILE, Day, Step, play, prepare
from svckit.course.exercises.requests import find_user, read_fields, read_text
from svckit.errors import InvalidInput, ServiceError

__all__ = ["play", "prepare", "summarize"]

UPDATE, POST = "users.update", "notifications.post"
ATTEMPTS, PAUSE = 3, 2


def list_syncs(run: Run) -> Iterator[tuple[Day, Step]]:
    """Yield the syncs that began, each with its day."""
    for step in run.arguments[0]:
        if step.day and (step.is_done or step.sent):
            yield step.day, step


def list_retried(run: Run) -> Iterator[tuple[Day, Step]]:
    """Yield the syncs up to the first whose updates were not tried again as they should: it changes what follows."""
    for day, step in list_syncs(run):
        if any(isinstance(judge_attempts(day, step, user), Said) for user in day.rows):
            return
        yield day, step


def list_calls(day: Day, step: Step) -> list[tuple[str, JournalEntry]]:
    """Return the requests for users of the sheet, each with the user's ID."""
    found = ((find_user(entry), entry) for entry in step.sent if entry.operation == UPDATE)
    return [(user, entry) for user, entry in found if user in day.rows]


def list_updates(run: Run) -> Iterator[tuple[Day, str, JournalEntry]]:
    """Yield the updates of users of the sheets; an empty one only reads."""
    for day, step in list_syncs(run):
        for user, entry in list_calls(day, step):
            if read_fields(entry):
                yield day, user, entry


def keeps_blank(run: Run) -> Iterator[Seen]:
    """Look for an update of a field whose cell is blank."""
    for day, user, entry in list_updates(run):
        for column, name in COLUMNS.items():
            clears = name in entry.json and not day.rows[user][column]
            yield said("clears", entry, field=name, user=user) if clears else True


def sends_differences(run: Run) -> Iterator[Seen]:
    """Look for an update that is more than what differs, and for reads that are not one before each update."""
    first: dict[tuple[int, str], JournalEntry] = {}
    for day, user, entry in list_updates(run):
        earlier = first.setdefault((id(day), user), entry)
        yield earlier.json == entry.json or said("pieces", entry, before=earlier.number, user=user)
        for name, value in entry.json.items():
            known = day.before.get(user, {}).get(name)
            odd = {"no column": name not in COLUMNS.values(), "whole rows": value == known}
            yield say_first(odd, entry, field=name, user=user)
    for day, step in list_syncs(run):
        yield from find_disorder(day, step)


def find_disorder(day: Day, step: Step) -> Iterator[Seen]:
    """Find a request out of the order of the rows, an update without a read just before it, or a second read."""
    rows, calls, before = list(day.rows), list_calls(day, step), ""
    reads: dict[str, JournalEntry] = {}
    if calls and step.sent[0] is not calls[0][1]:
        yield said("early", step.sent[0])
    for user, entry in calls:
        is_above = before != "" and rows.index(before) > rows.index(user)
        odd = {"ahead": entry.json and user != before, "order": is_above}
        yield say_first(odd, entry, user=user, before=before)
        if not entry.json and entry.status not in (429, 503):  # which the session itself repeats
            first = reads.setdefault(user, entry)
            yield None if first is entry else said("read twice", entry, user=user, before=first.number)
        before = user


def reports_problems(run: Run) -> Iterator[Seen]:
    """Look for rows that a problem left out or changed, and for a report that contradicts the traffic."""
    for day, step in list_retried(run):
        calls = list_calls(day, step)
        last = calls[-1][0] if calls else ""
        left = ", ".join(user for user in day.rows if user not in dict(calls))
        if left and last in day.problems:
            is_raised = isinstance(run.error, ServiceError | InvalidInput)
            yield say_first({"stops": step.is_done, "stops, raised": is_raised}, user=last, left=left)
        for user, entry in calls:
            is_half = user in day.problems and entry.json and entry.status == 200
            yield said("half", entry, user=user) if is_half else None
        if step.is_done:
            yield find_contradiction(day, step)
            yield True if day.problems else None


def find_contradiction(day: Day, step: Step) -> Seen:
    """Find a list of the report that the traffic contradicts."""
    expected = {"changed": list(day.changes), "unchanged": day.unchanged, "problems": day.problems}
    for name, users in expected.items():
        given, kind = getattr(step.result, name, None), dict if name == "problems" else list
        if not isinstance(given, kind):
            return said("kind", list=name, given=f"{given!r:.80}", kind=kind.__name__)
        if isinstance(given, dict) and not all(given.values()):
            return said("speechless", user=next(user for user in given if not given[user]))
        if list(given) != users:
            shown, wanted = (", ".join(map(str, people)) or "nobody" for people in (given, users))
            return said("report", given=shown, list=name, wanted=wanted)
    return None


def keeps_one_file(run: Run) -> Seen:
    """Look for a drive without the report, with more than one, or with the wrong one."""
    place = ("drive", run.fake.facts["user_id"])
    found = [file for file in run.fake.files.list_files() if file.name == FILE and file.place == place]
    contents = [b"".join(file.latest.content.chunks()) for file in found]
    lines = [content.decode("utf-8", "replace").partition("\n")[0].strip() for content in contents]
    done = [(day, step) for day, step in list_retried(run) if step.is_done]
    if len(lines) > 1:
        return said("second file", syncs=len(list(list_syncs(run))), files=len(lines))
    if not done or done[-1][1] is not [*list_syncs(run)][-1][1]:
        return None
    day, step = done[-1]
    if not lines:
        return said("no file")
    posted = [read_text(entry) for entry in list_posts(step)]  # whose form is another rule's
    return True if lines[0] in (day.line, *posted) else said("file", line=lines[0], wanted=day.line)


def list_posts(step: Step) -> list[JournalEntry]:
    """Return the notifications of a step."""
    return [entry for entry in step.sent if entry.operation == POST]


def posts_one_line(run: Run) -> Iterator[Seen]:
    """Look for notifications that are lost, too many, or say something else, and for an error because of one."""
    for day, step in list_retried(run):
        posts = list_posts(step)
        accepted = [entry for entry in posts if entry.status == 200]
        for entry in posts[-1:] if not accepted else ():
            failed = entry.status == 503
            yield say_first({"error": failed and not step.is_done, "lost": entry.status == 429}, entry)
        if step.is_done and not posts:
            yield said("quiet")
        for entry in accepted:
            odd = {"second line": entry is not accepted[0], "form": read_text(entry) != day.line}
            yield say_first(odd, entry, text=read_text(entry), wanted=day.line)
        yield True if posts else None


def tries_again(run: Run) -> Iterator[Seen]:
    """Look for updates that failed with 503 and were not tried again as they should."""
    for day, step in list_syncs(run):
        for user in day.rows:
            yield judge_attempts(day, step, user)


def judge_attempts(day: Day, step: Step, user: str) -> Seen:
    """Look at the attempts to update a user; None if none failed with 503."""
    sent = [entry for own, entry in list_calls(day, step) if own == user and entry.json]
    if not any(entry.status == 503 for entry in sent):
        return None
    last = sent[-1]
    if last.status == 503 and len(sent) < ATTEMPTS:
        return said("one attempt", last, attempt=len(sent), attempts=ATTEMPTS)
    if len(sent) > ATTEMPTS:
        return said("stubborn", sent[ATTEMPTS], attempt=ATTEMPTS + 1)
    for before, after in pairwise(sent):
        if (seconds := (after.at - before.at).total_seconds()) < PAUSE:
            return said("hurry", after, before=before.number, seconds=seconds)
    if last.status == 503 and user in (getattr(step.result, "changed", None) or ()):
        return said("shrugs", last, user=user)
    return True


def receives(run: Run) -> Iterator[Seen]:
    """Look for a callback that got another status than it should, or led to other requests."""
    steps = run.arguments[0]
    if sum(step.is_done for _, step in list_retried(run)) < sum(bool(step.day) for step in steps):
        return
    for step in steps:
        if step.day:
            continue
        texts = tuple(read_text(entry) for entry in list_posts(step) if entry.status == 200)
        odd = {
            f"{step.kind}, raised": not step.is_done,
            f"{step.kind}, status": step.result != step.status,
            step.kind: texts != step.posts or (step.sent and not step.posts),
        }
        values = {"given": repr(step.result), "requests": len(step.sent), "texts": "”, “".join(texts)}
        yield say_first(odd, callback=step.name, status=step.status, **values) or True


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    return {"line": next(list_syncs(run))[0].line}
