"""Lesson 04: change what a list says, and nothing else."""

from fakes.lessons import Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from svckit.course.exercises import change_traffic as traffic
from svckit.course.exercises.change_lists import prepare

__all__ = ["EXERCISE"]

EXERCISE = Exercise(
    name="move_people",
    title="Change one field",
    minutes=20,
    section="Directory",
    starter="""\
def move_people(http, rows):
    refused = []
    for row in rows:
        ...
    return refused
""",
    prepare=prepare,
    variants=(
        Variant("an office move", {"moves": True}),
        Variant(
            "a list with other columns, people by e-mail address, and some rows that the service refuses",
            {"moves": False},
        ),
    ),
    goals=(
        Goal("everybody has the new values", traffic.is_listed),
        Goal("everything else is as it was", traffic.is_kept),
        Goal("only fields are sent that the list changes", traffic.is_minimal),
        Goal("updates of the same person follow one another", traffic.is_one_by_one),
        Goal("the result says who was refused", traffic.is_reported),
    ),
    mistakes=(
        Mistake(
            "other method",
            traffic.uses_other_method,
            (
                "Which method and which path does a partial update have?",
                "They are PATCH and /users/ with the ID. With the body {} it changes nothing, and returns the user.",
                "See “Change one field” above, and compare method and path.",
            ),
        ),
        Mistake(
            "somebody else",
            traffic.means_nobody,
            (
                "How does the ID get from the row into the path?",
                "Print the path that you send, beside the row. Is it one of an f-string?",
                "See “Break it” above: the loop there puts an ID into each path.",
            ),
        ),
        Mistake(
            "unknown field",
            traffic.sends_unknown,
            (
                "Which names in that body does the service know?",
                "The ID is already in the path. Which columns are fields of a user?",
                "See “A typo is not an error” above: a 200 does not say that every field was understood.",
            ),
        ),
        Mistake(
            "stopping",
            traffic.stops,
            (
                "What ends your loop?",
                "Is a return or a break inside the loop?",
                "See “Exercise” above: every row of the list counts.",
            ),
        ),
        Mistake(
            "whole record",
            traffic.sends_record,
            (
                "If a colleague changes one of these fields after you read it, what will your request do?",
                "Which fields does the list name? Build a body of those only.",
                "See “Change one field” above: what happened to the fields that were not sent?",
            ),
        ),
        Mistake(
            "null for absent",
            traffic.sends_null,
            (
                "What is the difference between a field that is null and a field that is not sent?",
                "An empty cell means that the field stays. Which bodies leave a field as it is?",
                "See “Absent, null and empty” above, and compare the first line with the last.",
            ),
        ),
        Mistake(
            "empty text",
            traffic.sends_empty,
            (
                "Is an empty text the same as no value?",
                "An empty cell leaves a field alone, and a hyphen deletes it. Neither is a text.",
                "See “Absent, null and empty” above: which of the three lines does each cell stand for?",
            ),
        ),
        Mistake(
            "hyphen",
            traffic.sends_hyphen,
            (
                "What does a hyphen in the list stand for?",
                "The service does not know what your list means by a hyphen. Which value deletes a field?",
                "See “Absent, null and empty” above for the body that deletes a value.",
            ),
        ),
        Mistake(
            "hyphen skipped",
            traffic.keeps_cleared,
            (
                "What happens to a field that is not sent?",
                "An empty cell and a hyphen ask for different things. Does your function tell them apart?",
                "See “Absent, null and empty” above: one of the bodies deletes, and it is not the empty one.",
            ),
        ),
        Mistake(
            "other value",
            traffic.alters,
            (
                "Where does that value come from?",
                "Print the body just before it is sent, beside the row of the list.",
                "See “Exercise” above for what the cells mean.",
            ),
        ),
        Mistake(
            "resent",
            traffic.resends,
            (
                "Who asked for that field to be sent?",
                "It is the value that you read. Somebody else may change it before your request arrives.",
                "See “Change one field” above: a field that is not sent needs no value.",
            ),
        ),
        Mistake(
            "overlapping",
            traffic.overlaps,
            (
                "When may the second update of the same person begin?",
                "Updates of different people may overlap; those of one person have to wait for each other.",
                "See “Two at once” above for what the service says.",
            ),
        ),
        Mistake(
            "giving up",
            traffic.gives_up,
            (
                "Why should the others wait for somebody else's row to be corrected?",
                "Which statuses of a response should end the loop, and which should only be noted?",
                "See “Break it” above: a refusal concerns one request, and changes nothing.",
            ),
        ),
        Mistake(
            "missed",
            traffic.misses,
            (
                "Which condition keeps your function from sending that cell?",
                "Print each row and the body that you make of it. Are all columns there?",
                "See “Exercise” above: the list may have any fields as columns.",
            ),
        ),
        Mistake(
            "not reported",
            traffic.does_not_report,
            (
                "How would somebody learn which rows to correct?",
                "Return a list with the user_id of each row whose response is an error.",
                "See “Break it” above: how does a response show that it is a refusal?",
            ),
        ),
    ),
    summarize=traffic.summarize,
)
