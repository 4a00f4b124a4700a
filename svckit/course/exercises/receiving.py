"""Lesson 09: receive events, and trust only those that the service signed."""

from fakes.lessons import Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from svckit.course.exercises.incoming import play, prepare
from svckit.course.exercises.received import (
    compares_by_equality,
    compares_well,
    drops_alike,
    fails_at_once,
    fails_unknown,
    forgets_channel,
    has_no_status,
    ignores_replays,
    queues_again,
    queues_nothing,
    queues_otherwise,
    raises,
    raises_for_forged,
    refuses_forged,
    responds_otherwise,
    returns_nothing,
    signs_otherwise,
    summarize,
    survives,
    takes_genuine,
    trusts,
    writes_again,
)

__all__ = ["EXERCISE"]

EXERCISE = Exercise(
    name="make_receiver",
    title="Hear from a bot",
    minutes=20,
    section="Events",
    starter="""\
def make_receiver(secret, queue):
    seen = set()

    def receive(headers, body):
        return 200

    return receive
""",
    prepare=prepare,
    play=play,
    shows=lambda run: run.error is None,
    variants=(
        Variant("messages of all five types, four forged requests and a copy", {"more": False, "assume": {}}),
        Variant(
            "more messages, some of them alike, and types that nobody knows yet",
            {
                "more": True,
                "assume": {
                    "callback.body": "ascii",
                    "callback.bot-id-header": "BotID",
                    "callback.issued-time": "offset",
                    "callback.other-content": "sent",
                },
            },
        ),
    ),
    goals=(
        Goal("each genuine message is queued once, and gets 200", takes_genuine),
        Goal("forged requests are refused", refuses_forged),
        Goal("a copy of a request is not queued again", ignores_replays),
        Goal("events of other types get 200, and nothing is queued", survives),
        Goal("signatures are compared in constant time", compares_well),
    ),
    mistakes=(
        Mistake(
            "no receiver",
            returns_nothing,
            (
                "What does make_receiver return?",
                "A function that is defined inside another one is forgotten unless the outer one returns it.",
                "See “Exercise” above: the last line of the starter.",
            ),
        ),
        Mistake(
            "nothing queued",
            queues_nothing,
            (
                "Which line should add a message to the queue?",
                "Read the event from the body; three of its values make up an entry.",
                "See “What arrives” above: where is the sender, where is the room, and where is the text?",
            ),
        ),
        Mistake(
            "first request",
            fails_at_once,
            (
                "What does that line expect, and what does it get?",
                "A secret is a text and a body is bytes; an event is a dictionary in a dictionary. Print the types.",
                "See “What arrives” and “Who wrote that?” above: which step makes bytes of a text?",
            ),
        ),
        Mistake(
            "channelId",
            forgets_channel,
            (
                "Does every event have a room?",
                "Which keys may be missing, and how do you read a key that may be missing from a dictionary?",
                "See “What arrives” above: what did you predict for the one-to-one room?",
            ),
        ),
        Mistake(
            "unknown type",
            fails_unknown,
            (
                "Does it matter to you what kind of event that is?",
                "Look at the type of the event before you look for its content.",
                "See “What the description does not name” above: what should a receiver do with what it does not know?",
            ),
        ),
        Mistake(
            "raises",
            raises("genuine"),
            (
                "What does that line expect of the event, and what is in it?",
                "Five types of message have different fields. Which one does every message have?",
                "See “What arrives” above: compare the content of a text with that of a sticker.",
            ),
        ),
        Mistake(
            "raises instead",
            raises_for_forged,
            (
                "Who would see that error?",
                "An error in a receiver is yours. Whoever sent the request gets a status: which one?",
                "See “Exercise” above: how are forged requests refused?",
            ),
        ),
        Mistake(
            "no signature",
            raises("forged", "unsigned"),
            (
                "Who sends a request without a signature?",
                "Not the service. How do you read a header that may be missing?",
                "See “Anybody can post” above: a request has whatever headers its sender gives it.",
            ),
        ),
        Mistake(
            "reads first",
            raises("forged"),
            (
                "What do you know about a body before its signature is checked?",
                "Nothing. What should come first, the check or the reading?",
                "See “Who wrote that?” above: what is the signature made from?",
            ),
        ),
        Mistake(
            "no status",
            has_no_status,
            (
                "What should receive return, on each path through it?",
                "A status is a number. Does each path have a return?",
                "See “Exercise” above: which two statuses does it name?",
            ),
        ),
        Mistake(
            "other signature",
            signs_otherwise,
            (
                "How do your signature and the one in the header differ?",
                "Print both for one request. Do they have the same length, and the same kind of characters?",
                "See “Who wrote that?” above: four steps lead from the secret and the body to the text in the header.",
            ),
        ),
        Mistake(
            "written again",
            writes_again,
            (
                "What exactly was signed: an event, or bytes?",
                "Between the network and your check, something changes the spaces. What is it?",
                "See “The same JSON, other bytes” above: what did you predict?",
            ),
        ),
        Mistake(
            "trusts",
            trusts,
            (
                "How does your receiver know who sent a request?",
                "Make a signature from the whole body and the secret. What if it differs from the one in the header?",
                "See “Who wrote that?” above, and “Anybody can post” for what happens without it.",
            ),
        ),
        Mistake(
            "replay",
            queues_again,
            (
                "Its signature is right. What else tells it from a new message?",
                "A copy is a copy in every byte. What would your receiver have to remember?",
                "See “A copy is genuine, too” above, and the set in the starter.",
            ),
        ),
        Mistake(
            "taken for a replay",
            drops_alike,
            (
                "What do two messages with the same text not have in common?",
                "In this exercise, two messages differ at least in sender or issuedTime. Which of them do you look at?",
                "See “A copy is genuine, too” above: what is the same in a copy, and only there?",
            ),
        ),
        Mistake(
            "other entry",
            queues_otherwise,
            (
                "What are the three parts of an entry, and in which order?",
                "Only a text message has a text. What stands for the others, and for a room that is not there?",
                "See “Exercise” above: compare the entry with the two in its example.",
            ),
        ),
        Mistake(
            "other status",
            responds_otherwise,
            (
                "What does the service do with a message whose response is not 200?",
                "It counts as not delivered, although you have it.",
                "See “Sent once” above: which statuses mean delivered?",
            ),
        ),
        Mistake(
            "equality",
            compares_by_equality,
            (
                "How long does == take if the first characters differ, and how long if only the last one does?",
                "Who measures that can guess a signature, one character after the other. What always takes as long?",
                "See “Who wrote that?” above: with what does it compare?",
            ),
        ),
    ),
    summarize=summarize,
)
