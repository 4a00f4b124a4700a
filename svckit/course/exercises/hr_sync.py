"""Lesson 13: bring a sheet to the directory, report on it, and respond to callbacks."""

from collections.abc import Callable
from functools import partial

from fakes.lessons import Run, Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from svckit.course.exercises import hr_sync_findings as found
from svckit.course.exercises.hr_sync_findings import ATTEMPTS, Find, get_play
from svckit.course.exercises.hr_sync_play import prepare
from svckit.display.card import quantity

__all__ = ["EXERCISE", "TEST_GOALS"]

TEST_GOALS = (
    "your tests pass with your client",
    "none of them really sleeps",
    "they pass with two other clients that keep the rules",
    "they notice all eight clients that break one",
)
"""The goals of the learner's tests, which `svckit.course.project` looks at."""


def make_goal(words: str, seen: Callable[[Run], bool], *finds: Find) -> Goal:
    """Return the goal to make none of these mistakes."""
    return Goal(words, partial(is_kept, seen=seen, finds=finds))


def is_kept(run: Run, seen: Callable[[Run], bool], finds: tuple[Find, ...]) -> bool | None:
    """Return whether none of these mistakes was made; None if the run does not show it."""
    if any(find(run) is not None for find in finds):
        return False
    return True if seen(run) else None


def make_mistake(name: str, look: Find, rule: int, question: str, pointer: str) -> Mistake:
    """Return a mistake whose last hint is the rule."""
    return Mistake(name, look, (question, pointer, f"See rule {rule} under “The rules” in README.md."))


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    return f"sync sent {quantity(len(run.entries), 'request')} and reported “{get_play(run).days[0].line}”."


EXERCISE = Exercise(
    name="hr_sync",
    title="An afternoon: a tested integration",
    minutes=90,
    section="Directory",
    starter="",
    prepare=prepare,
    variants=(  # in the order of the steps in README.md: without faults, and callbacks at the end
        Variant("the sheet people.csv", {"days": ["people"]}),
        Variant(
            "two syncs of other sheets, and a minute whose notifications a colleague has used up",
            {"days": ["other", "first"], "full": True},
        ),
        Variant(
            "the sheet people.csv, a service that is busy for a moment, and a notification that fails",
            {"days": ["people"], "busy": 1, "fails": True},
        ),
        Variant(
            "two syncs, then callbacks; in the first sync, an update fails with 503 three times",
            {"days": ["first", "second"], "busy": ATTEMPTS, "callbacks": True},
        ),
    ),
    goals=(
        make_goal("1 a blank cell keeps what the directory has", found.has_updated, found.clears),
        make_goal(
            "2 only what differs is sent, row by row",
            found.has_updated,
            found.sends_more,
            found.mixes,
            found.rereads,
        ),
        make_goal(
            "3 a problem is reported, and the other rows go on",
            found.has_reported,
            found.stops,
            found.contradicts_traffic,
        ),
        make_goal(
            "4 the drive has one hr-sync.txt, the newest", found.has_filed, found.piles, found.misfiles
        ),
        make_goal(
            "5 each sync posts one line",
            found.has_notified,
            found.loses,
            found.misnotifies,
            found.gives_report_up,
        ),
        make_goal(
            "6 an update that fails with 503 is tried again", found.was_busy, found.gives_up, found.hurries
        ),
        make_goal(
            "7 callbacks get the right response",
            found.has_received,
            found.believes,
            found.is_silent,
            found.chats,
            found.breaks,
        ),
    ),
    mistakes=(  # in the order of the rules; but what leads to other lines and reports comes before those
        make_mistake(
            "clears",
            found.clears,
            1,
            "What does HR mean by a cell with nothing in it?",
            "Look at the body of that request: which of its fields come from blank cells?",
        ),
        make_mistake(
            "whole rows",
            found.sends_more,
            2,
            "What does the service have to hear about that user, and in how many updates?",
            "Compare each cell with the user that was read, and send what differs.",
        ),
        make_mistake(
            "order",
            found.mixes,
            2,
            "In which order do the rules let sync read and update?",
            "A row is finished before the next one is read, and nothing is sent before the first.",
        ),
        make_mistake(
            "read twice",
            found.rereads,
            2,
            "What could the second read of that user say that the first did not?",
            "Where is the user read? Keep what that returns, and pass it on to whatever needs it.",
        ),
        make_mistake(
            "error",
            found.gives_report_up,
            5,
            "What had sync done by then, and who learns of it?",
            "A failed notification is no reason to lose the report. Which error could that line raise?",
        ),
        make_mistake(
            "one attempt",
            found.gives_up,
            6,
            "Does 503 mean that the update is invalid, or that it could not be looked at?",
            "The session sends a read again by itself, but an update only once. Which error says 503?",
        ),
        make_mistake(
            "hurry",
            found.hurries,
            6,
            "How long does a busy service need, and when is it better to give up?",
            "Count the attempts in all, and look at the times of those requests.",
        ),
        make_mistake(
            "stops",
            found.stops,
            3,
            "Why should the others wait for that row to be corrected?",
            "Where are the errors of one row handled: inside the loop, or around it?",
        ),
        make_mistake(
            "report",
            found.contradicts_traffic,
            3,
            "Which of the three lists does each row of the sheet belong to?",
            "Follow one of these users through sync: when is the decision made?",
        ),
        make_mistake(
            "second file",
            found.piles,
            4,
            "Which of these files should HR read?",
            "What does svc.files.upload do when a file of this name exists, and how is it told to do otherwise?",
        ),
        make_mistake(
            "form",
            found.misnotifies,
            5,
            "What should the room show after each sync, to the letter?",
            "Try 0, 1 and 2 for both numbers.",
        ),
        make_mistake(
            "file",
            found.misfiles,
            4,
            "What should HR find in that drive in the evening, and whose drive is it?",
            "svc.credentials.login_id is the login of the user who is signed in; svc.users.read takes it, too.",
        ),
        make_mistake(
            "lost",
            found.loses,
            5,
            "When can that notification be posted?",
            "429 means later, not never. What can svc.notify do about it?",
        ),
        make_mistake(
            "forged",
            found.believes,
            7,
            "Who could have sent that callback?",
            "svckit.events.parse checks the signature. What does it raise, and what should follow?",
        ),
        make_mistake(
            "silent",
            found.is_silent,
            7,
            "How does receive know what the last sync found?",
            "What has to be remembered at the end of sync?",
        ),
        make_mistake(
            "chatty",
            found.chats,
            7,
            "What did that member ask for?",
            "Compare the type of the content, and then the whole text.",
        ),
        make_mistake(
            "unknown type",
            found.breaks,
            7,
            "What will your receiver do with events that the service starts to send next year?",
            "Which attributes does an event of an unknown type have?",
        ),
    ),
    summarize=summarize,
)
