"""Goals and mistakes of lesson 04, as its traffic shows them."""

from collections.abc import Collection

from fakes.lessons import Run
from svckit.course.exercises.change_lists import (
    CLEAR,
    KEEP,
    KEYS,
    UPDATE,
    Row,
    cells,
    each_field,
    list_users,
    office,
    rows_of,
    user_of,
)
from svckit.course.exercises.request_bodies import read_fields
from svckit.course.exercises.results import shorten_result
from svckit.display.card import quantity

__all__ = [
    "alters",
    "does_not_report",
    "gives_up",
    "is_kept",
    "is_listed",
    "is_minimal",
    "is_one_by_one",
    "is_reported",
    "keeps_cleared",
    "means_nobody",
    "misses",
    "overlaps",
    "resends",
    "sends_empty",
    "sends_hyphen",
    "sends_null",
    "sends_record",
    "sends_unknown",
    "stops",
    "summarize",
    "uses_other_method",
]


def is_listed(run: Run) -> bool:
    """Return whether everybody has the values that the list gives them."""
    after, before = office(run).after, office(run).before
    now = list_users(run.fake)
    return all(
        now[user][name] == value
        for user, record in after.items()
        for name, value in record.items()
        if before[user][name] != value
    )


def is_kept(run: Run) -> bool | None:
    """Return whether all other fields are as they were; None if nothing has changed at all."""
    after, before = office(run).after, office(run).before
    now = list_users(run.fake)
    if now == before:
        return None
    return all(
        now[user][name] == value
        for user, record in before.items()
        for name, value in record.items()
        if after[user][name] == value
    )


def is_minimal(run: Run) -> bool | None:
    """Return whether only fields were sent that the list names for that user; None if none was sent."""
    fields = [
        bool(cells(run, user, name)) and not repeats_value(run, user, name, value)
        for _, user, name, value in each_field(run)
    ]
    return all(fields) if fields else None


def is_one_by_one(run: Run) -> bool | None:
    """Return whether no two updates of one person could overlap; None without an update."""
    return overlaps(run) is None if run.sent(UPDATE, 200) else None


def is_reported(run: Run) -> bool | None:
    """Return whether the function returned whose change was refused; None if it did not return."""
    if run.error is not None or not run.sent(UPDATE, 200):
        return None
    refused = office(run).refused
    if run.result is None and not refused:
        return None
    return isinstance(run.result, Collection) and {*map(str, run.result)} == {*refused}


def uses_other_method(run: Run) -> str | None:
    """Find a request that is not an update."""
    for entry in run.entries:
        if entry.operation != UPDATE:
            return (
                f"Request {entry.number} was {entry.method} {entry.path}, which is not a partial update of a user. "
                f"The response was {entry.status}."
            )
    return None


def means_nobody(run: Run) -> str | None:
    """Find a request about somebody who is not in the list."""
    listed = {row["user_id"].lower() for row in rows_of(run)}
    for entry in run.sent(UPDATE):
        user = office(run).find(user_of(entry))
        if not listed & {user_of(entry).lower(), *(str(user.get(key, "")).lower() for key in KEYS)}:
            return f"Request {entry.number} is about “{user_of(entry)}”, who is not in the list."
    return None


def sends_unknown(run: Run) -> str | None:
    """Find a name in a body that is not a field of a user, such as the column ``user_id``."""
    for entry, _, name, _ in each_field(run):
        if name not in next(iter(office(run).before.values())):
            return (
                f"Request {entry.number} sent {quantity(len(read_fields(entry)), 'field')}, and {name} is not a field "
                "of a user. The service ignored it, and said nothing."
            )
    return None


def stops(run: Run) -> str | None:
    """Find a return after a request that succeeded, with rows left."""
    left = list_left(run)
    if (
        run.error is not None
        or run.entries[-1].status != 200
        or not left
        or left != rows_of(run)[-len(left) :]
    ):
        return None
    return (
        f"Your function returned after {quantity(len(run.entries), 'request')}. There was no request about "
        f"{left[0]['user_id']}, who is in the list."
    )


def list_left(run: Run) -> list[Row]:
    """Return the rows about people whom no request was about."""
    tried = {user_of(entry) for entry in run.entries}
    return [row for row in rows_of(run) if row["user_id"] not in tried]


def sends_record(run: Run) -> str | None:
    """Find fields in a body that are not in the list at all."""
    columns = rows_of(run)[0].keys()
    for entry in run.sent(UPDATE):
        others = [name for name in read_fields(entry) if name not in columns]
        if others:
            ignored = [name for name in entry.ignored if name in others]
            which = f", and {len(ignored)} are read-only: the service ignored them" if ignored else ""
            return (
                f"Request {entry.number} sent {quantity(len(read_fields(entry)), 'field')} of {user_of(entry)}. The "
                f"list has no column for {len(others)} of them, such as {others[-1]}{which}."
            )
    return None


def explain_loss(run: Run, user: str, name: str) -> str:
    """Say what a field had before."""
    old = office(run).find(user).get(name)
    return f" Before, it was “{old}”." if old else ""


def repeats_value(run: Run, user: str, name: str, value: object) -> bool:
    """Return whether a value is the one from before, and the list has another one or none."""
    return office(run).find(user).get(name) == value and value not in cells(run, user, name)


def sends_null(run: Run) -> str | None:
    """Find a null for a cell that is empty."""
    for entry, user, name, value in each_field(run):
        if value is None and CLEAR not in cells(run, user, name):
            return (
                f"Request {entry.number} sent null as the {name} of {user}, whose cell is empty."
                f"{explain_loss(run, user, name)}"
            )
    return None


def sends_empty(run: Run) -> str | None:
    """Find an empty text."""
    for entry, user, name, value in each_field(run):
        if value == "":
            cell = "a hyphen" if CLEAR in cells(run, user, name) else "empty"
            outcome = " The service refused it." if entry.status != 200 else explain_loss(run, user, name)
            return (
                f'Request {entry.number} sent an empty text, "", as the {name} of {user}, whose cell is {cell}.'
                f"{outcome}"
            )
    return None


def alters(run: Run) -> str | None:
    """Find a value that is not the one in the list."""
    for entry, user, name, value in each_field(run):
        listed = cells(run, user, name)
        if listed and value not in (None, *listed) and not repeats_value(run, user, name, value):
            return f"Request {entry.number} sent “{value}” as the {name} of {user}. The list has “{listed[-1]}” there."
    return None


def resends(run: Run) -> str | None:
    """Find a field that was sent although its cell is empty."""
    for entry, user, name, value in each_field(run):
        if not cells(run, user, name) or repeats_value(run, user, name, value):
            return f"Request {entry.number} sent “{value}” as the {name} of {user}, whose cell is empty."
    return None


def sends_hyphen(run: Run) -> str | None:
    """Find a hyphen that was sent as a value."""
    for entry, user, name, value in each_field(run):
        if value == CLEAR:
            outcome = "The service refused it." if entry.status != 200 else "That is what colleagues see now."
            return f"Request {entry.number} sent “-” as the {name} of {user}. {outcome}"
    return None


def keeps_cleared(run: Run) -> str | None:
    """Find a hyphen in the list for which nothing was sent; None if a null was sent elsewhere."""
    if run.error is not None or any(value is None for *_, value in each_field(run)):
        return None
    updated = {user_of(entry) for entry in run.sent(UPDATE, 200)}
    done = {(user, name) for _, user, name, _ in each_field(run)}
    for row in rows_of(run):
        for name, cell in row.items():
            user = row["user_id"]
            if cell == CLEAR and user in updated and (user, name) not in done:
                return f"The list has a hyphen as the {name} of {user}, and no request sent it, so it is as before."
    return None


def overlaps(run: Run) -> str | None:
    """Find a person whose updates were sent by several threads, or refused because they overlapped."""
    for entry in run.sent(UPDATE, 409):
        if "user.not-concurrent" in entry.rules:
            user = user_of(entry)
            return (
                f"Request {entry.number} was refused with 409, because an update of {user} was in progress."
            )
    for user, threads in office(run).threads.items():
        if len(threads) > 1:
            numbers = [str(entry.number) for entry in run.sent(UPDATE) if user_of(entry) == user]
            return (
                f"Requests {' and '.join(numbers)} are about {user}, and {len(threads)} threads sent them. Which one "
                "arrives first is a matter of luck, and if they overlap, one is refused."
            )
    return None


def gives_up(run: Run) -> str | None:
    """Find an end at the first refusal."""
    left = list_left(run)
    if not run.sent(UPDATE, 200) or not run.entries[-1].is_error or not left:
        return None
    if run.error is not None and not isinstance(run.error, Exception):  # an endless loop
        return None
    ended = "returned" if run.error is None else f"raised {type(run.error).__name__}"
    return (
        f"Request {run.entries[-1].number} was refused with {run.entries[-1].status}, your function {ended}, and "
        f"{quantity(len(left), 'row')} of the list had no effect."
    )


def misses(run: Run) -> str | None:
    """Find a cell with a value that no request sent."""
    done = {(user, name) for _, user, name, _ in each_field(run)}
    for row in rows_of(run) if run.sent(UPDATE, 200) and run.error is None else ():
        for name, cell in row.items():
            user = row["user_id"]
            if name != "user_id" and cell != KEEP and (user, name) not in done:
                return f"The list has “{cell}” as the {name} of {user}, and no request sent it."
    return None


def does_not_report(run: Run) -> str | None:
    """Find a result that does not say whose change was refused."""
    if is_reported(run) is not False:
        return None
    refused = ", ".join(dict.fromkeys(office(run).refused)) or "nobody"
    return f"The service refused the changes of {refused}. Your function returned {shorten_result(run)}."


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    fields = sum(1 for _ in each_field(run))
    return (
        f"{quantity(len(rows_of(run)), 'row')}, {quantity(len(run.sent(UPDATE)), 'request')}, "
        f"{quantity(fields, 'field')} sent, and nothing else was touched."
    )
