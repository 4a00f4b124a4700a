"""Lesson 05: enter the holidays of a team, each into the slot that it belongs to."""

from fakes.lessons import Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from svckit.course.exercises import holiday_traffic as traffic
from svckit.course.exercises import holidays

__all__ = ["EXERCISE"]

EXERCISE = Exercise(
    name="enter_holidays",
    title="Busy, away",
    minutes=15,
    section="Directory",
    starter="""\
def enter_holidays(svc, rows):
    refused = []
    for row in rows:
        ...
    return refused
""",
    prepare=holidays.prepare,
    variants=(
        Variant("a holiday each", {"rows": holidays.ONE_EACH, "on": True}),
        Variant(
            "a list in no order, with two holidays of some people, one that is over, and somebody who has left",
            {"rows": holidays.MANY, "on": True},
        ),
        Variant("a domain whose profile statuses are off", {"rows": holidays.ONE_EACH, "on": False}),
    ),
    goals=(
        Goal("everybody is absent from the first morning to the last evening", holidays.shows_holidays),
        Goal("nobody is absent on the evening before or the morning after", holidays.shows_others),
        Goal("the notes are shown, or their beginnings", holidays.shows_notes),
        Goal("the domain's setting is as it was", holidays.keeps_setting),
        Goal("the result says who was refused", holidays.is_reported),
    ),
    mistakes=(
        Mistake(
            "setting",
            traffic.flips_setting,
            (
                "Who decides whether people of this domain show a status?",
                "Your function can note a refusal. It need not make the reason for it go away.",
                "See “Break it” above: whose setting is it?",
            ),
        ),
        Mistake(
            "waiting",
            traffic.waits,
            (
                "Who keeps your program running until the last holiday begins?",
                "A status can be registered long before it begins. Where does it wait?",
                "See “Two slots” above for what becomes of a status with a start in the future.",
            ),
        ),
        Mistake(
            "no such day",
            traffic.names_no_day,
            (
                "Which day follows the last day of a month?",
                "Python's date and timedelta know the calendar. When exactly is the last day over?",
                "See “Which midnight?” above for where a day begins and ends.",
            ),
        ),
        Mistake(
            "no offset",
            traffic.lacks_offset,
            (
                "Which midnight is meant: the one in Tokyo, or the one in Lisbon?",
                "A time needs its distance from UTC. Which part of the times in this lesson says that?",
                "See “Which midnight?” above: all three times there end with it.",
            ),
        ),
        Mistake(
            "too long",
            traffic.writes_too_much,
            (
                "How long may a message be?",
                "Some notes are longer than that. What is better than no message?",
                "See “Break it” above for the limit, and “Exercise” for what to do with long notes.",
            ),
        ),
        Mistake(
            "catching everything",
            traffic.catches_everything,
            (
                "Which errors does your function catch?",
                "Some errors come from the service, and some from the session, before it sends anything.",
                "See “Break it” above: which of the two kinds does the loop there catch?",
            ),
        ),
        Mistake(
            "other status",
            traffic.shows_something_else,
            (
                "Which status does the task ask for?",
                "The second argument of set_status is the kind of status.",
                "See “Exercise” above for the kind that a holiday is.",
            ),
        ),
        Mistake(
            "over",
            traffic.enters_past,
            (
                "Who wants to see a holiday that is over?",
                "Compare the end of the holiday with the time of the session's clock.",
                "See “Two slots” above: svc.clock.now() is the time now.",
            ),
        ),
        Mistake(
            "no start",
            traffic.begins_at_once,
            (
                "When does a status without a start begin?",
                "What decides whether a status is PRESENT or RESERVED?",
                "See “Two slots” above, and compare the two calls.",
            ),
        ),
        Mistake(
            "no end",
            traffic.never_ends,
            (
                "When would colleagues see that this person is back?",
                "A status ends when it says so. Which argument is missing?",
                "See “Two slots” above: both calls have an end.",
            ),
        ),
        Mistake(
            "replacing",
            traffic.replaces,
            (
                "How many reserved statuses can one person have?",
                "Which of the two should be in the slot when your function returns?",
                "See “Predict, then run” above: what became of the first reservation?",
            ),
        ),
        Mistake(
            "start",
            traffic.begins_at_another_time,
            (
                "What do the clocks of the office show when the first day begins?",
                "A holiday begins at midnight, in Tokyo. Is that the offset of your times?",
                "See “Which midnight?” above: the same instant, written in three ways.",
            ),
        ),
        Mistake(
            "end too early",
            traffic.ends_early,
            (
                "Is this person at work on the last day of the holiday?",
                "At which instant is the last day over?",
                "See “Which midnight?” above: at which end of a day is 00:00?",
            ),
        ),
        Mistake(
            "end too late",
            traffic.ends_late,
            (
                "When is this person back at work?",
                "The last day is over at the next midnight, in Tokyo.",
                "See “Which midnight?” above: the same instant, written in three ways.",
            ),
        ),
        Mistake(
            "note",
            traffic.loses_note,
            (
                "What will colleagues read beside the status?",
                "Send the note, or as much of it as fits.",
                "See “Exercise” above for what to do with long notes.",
            ),
        ),
        Mistake(
            "giving up",
            traffic.gives_up,
            (
                "Why should the others wait because one person was refused?",
                "Refused and NotFound are both ServiceErrors. Where would you catch them so that the loop goes on?",
                "See “Break it” above: the loop there goes on after each refusal.",
            ),
        ),
        Mistake(
            "missed",
            traffic.misses,
            (
                "Which condition keeps your function from entering this holiday?",
                "Print the first and the last day beside the time now. Is somebody away already, or twice?",
                "See “Exercise” above for whose holidays count.",
            ),
        ),
        Mistake(
            "not reported",
            traffic.does_not_report,
            (
                "How would somebody learn whose holiday is not shown?",
                "Return a list with the user_id of each row that the service refused.",
                "See “Break it” above: how does a refusal show in Python?",
            ),
        ),
    ),
    summarize=traffic.summarize,
    shows=traffic.shows,
)
