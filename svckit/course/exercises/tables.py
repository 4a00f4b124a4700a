"""Lesson 12: tidy up a table of people, with the fewest updates."""

from collections.abc import Mapping, Sequence

from fakes import FakeService
from fakes.lessons import Run, Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises.results import shorten_result
from svckit.display.card import quantity
from svckit.session.connect import connect

__all__ = ["EXERCISE"]

UPDATE = "users.update"
UNKNOWN = ("-", "n/a")
MISSING = ("nan", "NaN", "<NA>", "None", "NaT", "null")
MOST = 100
"""The most characters of a task."""
LONG = "Plans, prepares & documents meetings of the board with partners & staff in all regions we work in"
ALSO_LONG = (
    "Answers, sorts & forwards the questions that partners & customers ask us by telephone, day & night"
)


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Make the table untidy, and return the fake."""
    svc = connect(fake)
    for user_id, fields in variant.options["untidy"].items():
        svc.users.update(user_id, **fields)
    return (fake,)


def tidy(field: str, value: str) -> str | None:
    """Return a value as it should be."""
    value = value.strip()
    if field == "location":
        return value.replace("Tokio", "Tokyo")
    return None if value in UNKNOWN else value.replace("&", "and")


def wanted(run: Run) -> dict[str, dict[str, str | None]]:
    """Return the fields to change, by user, with the values that they should have."""
    untidy: Mapping[str, Mapping[str, str]] = run.variant.options["untidy"]
    changed = {
        user: {name: tidy(name, value) for name, value in fields.items() if tidy(name, value) != value}
        for user, fields in untidy.items()
    }
    return {user: fields for user, fields in changed.items() if fields}


def too_long(run: Run) -> list[str]:
    """Return the users whose task would get too long."""
    return [user for user, fields in wanted(run).items() if len(fields.get("task") or "") > MOST]


def possible(run: Run) -> dict[str, dict[str, str | None]]:
    """Return the fields that can be changed, by user."""
    return {user: fields for user, fields in wanted(run).items() if user not in too_long(run)}


def updates(run: Run) -> list[JournalEntry]:
    """Return the updates that were accepted; reading a user is an empty update, and does not count."""
    return [entry for entry in run.sent(UPDATE, 200) if entry.json]


def user_of(entry: JournalEntry) -> str:
    """Return the ID in the path of an update."""
    return entry.path.rpartition("/")[2]


def untidy(run: Run) -> list[tuple[str, str, object]]:
    """Return user, field and value of all that is still untidy, and could have been changed."""
    return [
        (user, name, run.fake.directory[user].get(name))
        for user, fields in possible(run).items()
        for name, value in fields.items()
        if run.fake.directory[user].get(name) != value
    ]


def is_tidy(run: Run) -> bool | None:
    """Return whether all is tidy; None before the first update."""
    return not untidy(run) if updates(run) else None


def is_kept(run: Run) -> bool | None:
    """Return whether nobody else was changed; None before the first update."""
    return changes_others(run) is None and shortens(run) is None if updates(run) else None


def is_minimal(run: Run) -> bool | None:
    """Return whether there was one update for each person, with the fields that changed; None before the first one."""
    if not updates(run):
        return None
    return repeats(run) is None and sends_more(run) is None


def is_reported(run: Run) -> bool | None:
    """Return whether the result has the IDs of those who could not be changed; None before the first update."""
    return misses_report(run) is None if updates(run) else None


def edits_index(run: Run) -> str | None:
    """Find rows that an edit by label has added to the frame."""
    if run.error is None or "user_id is missing" not in str(run.error):
        return None
    return (
        f"Your function raised {type(run.error).__name__}, because the frame has a row without a user_id: "
        f"{str(run.error).partition(': ')[2]}. No update was sent."
    )


def applies_blindly(run: Run) -> str | None:
    """Find an error because of problems that diff had found, or would have."""
    problems = getattr(run.error, "problems", ())
    if run.error is None or not problems:
        return None
    count = quantity(len(updates(run)), "person was", "people were") if updates(run) else "nobody was"
    return (
        f"Your function raised {type(run.error).__name__}{f' in {run.line}' if run.line else ''}, and {count} changed. "
        f"The reason is a problem that diff shows: {problems[0].message}."
    )


def applies_nothing(run: Run) -> str | None:
    """Find a function that returned without an update."""
    if run.error is not None or updates(run):
        return None
    count = quantity(len(possible(run)), "person needs", "people need")
    return f"Your function returned, and nobody was changed. {count} an update."


def sends_missing(run: Run) -> str | None:
    """Find the name of a missing value that was sent as a text."""
    for entry in updates(run):
        for name, value in entry.json.items():
            if isinstance(value, str) and value.strip() in MISSING:
                user = user_of(entry)
                return (
                    f"Request {entry.number} sent the text “{value}” as the {name} of {user}, who had none."
                )
    return None


def shortens(run: Run) -> str | None:
    """Find an update of somebody whose new task would be too long."""
    for entry in updates(run):
        if user_of(entry) in too_long(run):
            size = len(wanted(run)[user_of(entry)]["task"] or "")
            return (
                f"The task of {user_of(entry)} would have {size} characters, and {MOST} are allowed. Request "
                f"{entry.number} sent something else: {entry.json}."
            )
    return None


def changes_others(run: Run) -> str | None:
    """Find an update of somebody who was tidy."""
    for entry in updates(run):
        if user_of(entry) not in wanted(run):
            return f"Request {entry.number} changed {user_of(entry)}, who was tidy: {entry.json}."
    return None


def sends_more(run: Run) -> str | None:
    """Find an update with fields that were tidy."""
    for entry in updates(run):
        needed = possible(run).get(user_of(entry), {})
        if needed and set(entry.json) - set(needed):
            more = ", ".join(sorted(set(entry.json) - set(needed)))
            return f"Request {entry.number} sent {more} of {user_of(entry)} too, which needed no change."
    return None


def repeats(run: Run) -> str | None:
    """Find two updates of one person."""
    first = dict[str, int]()
    for entry in updates(run):
        if user_of(entry) in first:
            return f"Request {first[user_of(entry)]} changed {user_of(entry)}, and so did request {entry.number}."
        first[user_of(entry)] = entry.number
    return None


def leaves_untidy(run: Run) -> str | None:
    """Find what is still untidy."""
    if run.error is not None or not untidy(run):
        return None
    user, name, value = untidy(run)[0]
    count = quantity(len(untidy(run)), "field is", "fields are")
    return f"{count} still untidy, such as the {name} of {user}: “{value}”."


def misses_report(run: Run) -> str | None:
    """Find a result without those who could not be changed."""
    try:
        given = sorted(run.result)
    except TypeError:
        given = None
    if run.error is not None or given == sorted(too_long(run)):
        return None
    return (
        f"{', '.join(too_long(run))} could not be changed, and your function returned {shorten_result(run)}."
    )


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    count, left = len(run.fake.directory), ", ".join(too_long(run))
    return f"{len(updates(run))} of {count} people changed, one request each; left as they are: {left}."


EXERCISE = Exercise(
    name="tidy_people",
    title="Tables of people",
    minutes=20,
    section="Directory",
    starter="""\
import svckit


def tidy_people(fake):
    svc = svckit.connect(fake)
    people = svckit.frames.users(svc)
    # Tidy up here.
    print(svc.users.diff(people))
    return []
""",
    prepare=prepare,
    variants=(
        Variant(
            "a table with seven untidy people",
            {
                "untidy": {
                    "u-002": {"location": " Tokyo, 4th floor"},
                    "u-003": {"task": "Night desk - east"},
                    "u-004": {"location": "Tokio"},
                    "u-005": {"task": "-"},
                    "u-008": {"task": "n/a", "location": "Osaka "},
                    "u-011": {"task": "Sales & support", "location": "Tokyo"},
                    "u-014": {"task": LONG},
                    "u-019": {"location": "Tokio, 2nd floor"},
                }
            },
        ),
        Variant(
            "a table with other untidy people, two of whom cannot be changed",
            {
                "untidy": {
                    "u-001": {"task": LONG, "location": "Seoul"},
                    "u-006": {"task": " - "},
                    "u-007": {"task": "Accounts-n/a", "location": "  Tokio"},
                    "u-009": {"task": "Research & development & more "},
                    "u-012": {"location": "Osaka & Tokyo"},
                    "u-015": {"task": ALSO_LONG},
                    "u-020": {"task": "n/a "},
                }
            },
        ),
    ),
    goals=(
        Goal("all that can be tidied is tidy", is_tidy),
        Goal("nobody else is changed", is_kept),
        Goal("one update for each person, with the changed fields only", is_minimal),
        Goal("the result has the IDs of those who could not be changed", is_reported),
    ),
    mistakes=(
        Mistake(
            "index",
            edits_index,
            (
                "How many rows had the frame before the edit, and how many after it?",
                "loc looks for labels in the index. Which labels does the index of this frame have?",
                "See “Edit a table” above: how a row is found there by its user_id.",
            ),
        ),
        Mistake(
            "without looking",
            applies_blindly,
            (
                "What does diff say about that, before anything is sent?",
                "Changes have problems. Whose rows are they about, and what remains without those rows?",
                "See “Break it” above: one problem, and nothing is applied.",
            ),
        ),
        Mistake(
            "not applied",
            applies_nothing,
            (
                "Which line of your function sends the changes, and what does it return or raise?",
                "diff only compares. What takes its result?",
                "See “Look, then apply” above: the two calls, one after the other.",
            ),
        ),
        Mistake(
            "missing as text",
            sends_missing,
            (
                "What becomes of a missing value that is converted to text?",
                "The methods in .str leave missing values missing. Does each of your conversions?",
                "See “Missing is not a text” above: compare the two columns.",
            ),
        ),
        Mistake(
            "shortened",
            shortens,
            (
                "Who knows which words may be left out?",
                "Those people should stay as they are. How do you take their rows out of the frame?",
                "See “Exercise” above: what to do with changes that cannot be made.",
            ),
        ),
        Mistake(
            "others",
            changes_others,
            (
                "Did anybody ask for that?",
                "Look at your changes before you apply them: who is in there, and why?",
                "See “Look, then apply” above: read what changes from what to what.",
            ),
        ),
        Mistake(
            "more fields",
            sends_more,
            (
                "What if a colleague has just changed that field?",
                "A difference has only the changed fields. Which call makes one?",
                "See “Look, then apply” above: what the request contains.",
            ),
        ),
        Mistake(
            "repeated",
            repeats,
            (
                "How many requests does it take to change two fields of one person?",
                "When is the frame compared: after each column, or once, after all edits?",
                "See “Look, then apply” above: all edits come first.",
            ),
        ),
        Mistake(
            "untidy",
            leaves_untidy,
            (
                "Which of your edits should have changed that value?",
                "Print that row before and after each edit. In which order do they work?",
                "See “Exercise” above, and compare the list with your edits.",
            ),
        ),
        Mistake(
            "not reported",
            misses_report,
            (
                "Who should decide about those people?",
                "Each problem says where it is. What is before the point?",
                "See “Break it” above: problems and their paths.",
            ),
        ),
    ),
    summarize=summarize,
)
