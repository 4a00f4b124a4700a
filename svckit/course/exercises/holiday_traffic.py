"""Mistakes of lesson 05, as its traffic shows them."""

from collections.abc import Collection, Iterator
from datetime import date, datetime

from fakes.lessons import Run
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises import holidays
from svckit.course.exercises.holidays import DAY, TOKYO, Holiday
from svckit.course.exercises.request_bodies import read_fields
from svckit.course.exercises.results import shorten_result
from svckit.display.card import quantity
from svckit.errors import InvalidInput

__all__ = [
    "begins_at_another_time",
    "begins_at_once",
    "catches_everything",
    "does_not_report",
    "ends_early",
    "ends_late",
    "enters_past",
    "flips_setting",
    "gives_up",
    "lacks_offset",
    "loses_note",
    "misses",
    "names_no_day",
    "never_ends",
    "replaces",
    "shows",
    "shows_something_else",
    "summarize",
    "waits",
    "writes_too_much",
]

SET = "users.set_status"


def user_of(entry: JournalEntry) -> str:
    """Return whom a registration is about."""
    return entry.path.split("/")[2]


def read_time(entry: JournalEntry, name: str) -> datetime | None:
    """Return a time that was sent, in the time of the office; None if it was not sent or has no offset."""
    try:
        instant = datetime.fromisoformat(read_fields(entry).get(name) or "")
    except ValueError:
        return None
    return None if instant.tzinfo is None else instant.astimezone(TOKYO)


def each_request(run: Run) -> Iterator[tuple[JournalEntry, Holiday]]:
    """Yield each registration with the holiday that it is about: that person's nearest one."""
    for entry in run.sent(SET):
        own = [each for each in holidays.list_holidays(run) if each.user == user_of(entry)]
        when = read_time(entry, "startTime") or read_time(entry, "endTime") or run.started
        if own:
            yield entry, min(own, key=lambda each: abs(each.inside[0] - when))


def outcome(entry: JournalEntry) -> str:
    """Say that a request was refused; nothing if it was not."""
    return "" if entry.status == 200 else f" It was refused with {entry.status}."


def show(day: date) -> str:
    """Return a day in words."""
    return f"{day.day} {day:%B}"


def shows(run: Run) -> bool:
    """Return whether anything was sent, or should have been: the session refused to, or the function caught that."""
    return bool(run.entries) or isinstance(run.error, InvalidInput) or bool(run.result)


def flips_setting(run: Run) -> str | None:
    """Find a changed setting."""
    if holidays.keeps_setting(run):
        return None
    return (
        "The administrators of this domain have turned profile statuses off. After your function they were on, for "
        "everybody."
    )


def waits(run: Run) -> str | None:
    """Find a function that lets days pass."""
    if run.waited < DAY:
        return None
    return f"Your function let {quantity(run.waited.days, 'day')} pass, by the clock of the session, before it ended."


def names_no_day(run: Run) -> str | None:
    """Find a day that the calendar does not have; such a time is not sent."""
    message = str(run.error)
    if not isinstance(run.error, InvalidInput) or "does not exist" not in message:
        return None
    return f"The session did not send request {len(run.entries) + 1}. It says: {message}."


def lacks_offset(run: Run) -> str | None:
    """Find a time without an offset, sent or not."""
    message = str(run.error)
    if isinstance(run.error, InvalidInput) and ("start must" in message or "end must" in message):
        return f"The session did not send request {len(run.entries) + 1}. It says: {message.partition('; end')[0]}."
    for entry in run.sent(SET):
        for name in ("startTime", "endTime"):
            if read_fields(entry).get(name) and read_time(entry, name) is None:
                given = read_fields(entry)[name]
                return f"Request {entry.number} sent “{given}” as {name}, without an offset.{outcome(entry)}"
    return None


def catches_everything(run: Run) -> str | None:
    """Find somebody in the result whom no request was about."""
    if run.error is not None or not isinstance(run.result, Collection) or isinstance(run.result, str):
        return None
    tried = {user_of(entry) for entry in run.sent(SET)}
    listed = [each.user for each in holidays.list_holidays(run)]
    unsent = [user for user in listed if user in run.result and user not in tried]
    if not unsent:
        return None
    return f"Your function returned {unsent[0]} as refused, but there was no request about {unsent[0]}."


def writes_too_much(run: Run) -> str | None:
    """Find a message that is too long, sent or not."""
    message = str(run.error)
    if isinstance(run.error, InvalidInput) and "message must have at most" in message:
        return f"The session did not send request {len(run.entries) + 1}. It says: {message}."
    for entry in run.sent(SET, 400):
        length = len(str(read_fields(entry).get("statusMessage") or ""))
        if length > holidays.LONGEST:
            return f"Request {entry.number} sent a message of {length} characters.{outcome(entry)}"
    return None


def shows_something_else(run: Run) -> str | None:
    """Find another status than an absence."""
    for entry in run.sent(SET):
        given = read_fields(entry).get("profileStatusId")
        if given != holidays.ABSENCE:
            return f"Request {entry.number} registered {given} for {user_of(entry)}.{outcome(entry)}"
    return None


def enters_past(run: Run) -> str | None:
    """Find a holiday that is over."""
    for entry, each in each_request(run):
        if each.inside[1] < run.started and read_time(entry, "endTime"):
            return (
                f"Request {entry.number} is about a holiday of {each.user} that ended on {show(each.last)}."
                f"{outcome(entry)}"
            )
    return None


def begins_at_once(run: Run) -> str | None:
    """Find a holiday in the future without a start."""
    for entry, each in each_request(run):
        if not read_fields(entry).get("startTime") and each.inside[0] > entry.at:
            days = quantity((each.inside[0] - entry.at).days, "day")
            return (
                f"Request {entry.number} gave no start, so {each.user} is absent from now on, {days} before the "
                f"holiday begins.{outcome(entry)}"
            )
    return None


def never_ends(run: Run) -> str | None:
    """Find a status without an end."""
    for entry, each in each_request(run):
        if not read_fields(entry).get("endTime"):
            return f"Request {entry.number} gave no end for the absence of {each.user}.{outcome(entry)}"
    return None


def begins_at_another_time(run: Run) -> str | None:
    """Find a start that is not the beginning of the first day."""
    for entry, each in each_request(run):
        start = read_time(entry, "startTime")
        if start is None or each.inside[0] < run.started:
            continue
        if not each.outside[0] < start <= each.inside[0]:
            return (
                f"Request {entry.number} starts the absence of {each.user} at {read_fields(entry)['startTime']}. On "
                f"the clocks of the office, that is {show(start)}, {start:%H:%M}; the first day is {show(each.first)}."
                f"{outcome(entry)}"
            )
    return None


def ends_early(run: Run) -> str | None:
    """Find an end before the last day is over."""
    for entry, each in each_request(run):
        end = read_time(entry, "endTime")
        if end is not None and end <= each.inside[1]:
            return (
                f"Request {entry.number} ends the absence of {each.user} at {read_fields(entry)['endTime']}. On the "
                f"clocks of the office, that is {show(end)}, {end:%H:%M}; the last day is {show(each.last)}."
                f"{outcome(entry)}"
            )
    return None


def ends_late(run: Run) -> str | None:
    """Find an end after the next morning."""
    for entry, each in each_request(run):
        end = read_time(entry, "endTime")
        if end is not None and end > each.outside[1]:
            return (
                f"Request {entry.number} ends the absence of {each.user} at {read_fields(entry)['endTime']}. On the "
                f"clocks of the office, that is {show(end)}, {end:%H:%M}; the last day is {show(each.last)}."
                f"{outcome(entry)}"
            )
    return None


def loses_note(run: Run) -> str | None:
    """Find a message that is not the note."""
    for entry, each in each_request(run):
        message = read_fields(entry).get("statusMessage")
        if not holidays.fits(each.note, message):
            shown = "no message" if message is None else f"the message “{message}”"
            return (
                f"Request {entry.number} sent {shown} for {each.user}. The note in the list is “{each.note}”."
            )
    return None


def replaces(run: Run) -> str | None:
    """Find a reserved status that was replaced by a later one."""
    reserved: dict[str, tuple[JournalEntry, datetime]] = {}
    for entry in run.sent(SET, 200):
        start, user = read_time(entry, "startTime"), user_of(entry)
        if start is None or start <= run.started:
            continue
        if user in reserved and reserved[user][1] < start:
            first, earlier = reserved[user]
            return (
                f"Request {first.number} reserved an absence of {user} from {show(earlier)}. Request {entry.number} "
                f"reserved one from {show(start)}, and it took the place of the other."
            )
        reserved[user] = entry, start
    return None


def gives_up(run: Run) -> str | None:
    """Find an end at the first refusal."""
    if not run.entries or not run.entries[-1].is_error:
        return None
    if run.error is not None and not isinstance(run.error, Exception):  # an endless loop
        return None
    tried = {user_of(entry) for entry in run.sent(SET)}
    coming = {each.user for each in holidays.list_holidays(run) if each.inside[1] > run.started}
    if run.error is None and coming <= tried:
        return None
    ended = "returned" if run.error is None else f"raised {type(run.error).__name__}"
    others = quantity(len(coming - tried), "person", "people")
    last = f"Request {run.entries[-1].number} was refused with {run.entries[-1].status}, and your function {ended}."
    if not coming - tried:
        return f"{last} It was the last one, but there is no result."
    return f"{last} There was no request about {others} whose holidays lie ahead."


def misses(run: Run) -> str | None:
    """Find a holiday without a request."""
    done = [each for _, each in each_request(run)]
    for each in holidays.list_due(run) if run.error is None else ():
        if each not in done:
            return f"No request is about the holiday of {each.user} from {show(each.first)} to {show(each.last)}."
    return None


def does_not_report(run: Run) -> str | None:
    """Find a result that does not say whom the service refused."""
    if holidays.is_reported(run) is not False:
        return None
    refused = ", ".join(sorted(holidays.list_refused(run))) or "nobody"
    return f"The service refused {refused}. Your function returned {shorten_result(run)}."


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    schedules = [status["scheduleType"] for status in run.fake.statuses.records()]
    return (
        f"{quantity(len(run.sent(SET)), 'request')}: {schedules.count('PRESENT')} absent now, "
        f"{schedules.count('RESERVED')} reserved."
    )
