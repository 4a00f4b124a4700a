"""Lesson 09: receive events, and trust only those that the service signed."""

from collections.abc import Callable

from fakes.lessons import Exercise, Goal, Mistake, Run, Variant
from svckit.course.exercises.incoming import (
    SIGNATURE,
    Watched,
    has_queued,
    is_refused,
    is_right,
    play,
    prepare,
    requests,
)

__all__ = ["EXERCISE"]


def takes_genuine(run: Run) -> bool:
    """Return whether each genuine message is queued once, and gets 200."""
    genuine = requests(run, "genuine")
    return bool(genuine) and all(each.status == 200 and is_right(each) for each in genuine)


def refuses_forged(run: Run) -> bool:
    """Return whether each forged request is refused."""
    forged = requests(run, "forged")
    return bool(forged) and all(is_refused(each) and not each.queued for each in forged)


def ignores_replays(run: Run) -> bool | None:
    """Return whether no replay is queued; None if the original was not."""
    if not any(request.queued for request in requests(run, "genuine")):
        return None
    return not any(request.queued for request in requests(run, "replayed"))


def survives(run: Run) -> bool | None:
    """Return whether events of other types get 200 and are not queued; None without any."""
    others = requests(run, "other")
    if not others or not has_queued(run):
        return None
    return all(each.status == 200 and not each.queued for each in others)


def compares_well(run: Run) -> bool | None:
    """Return whether no signature was compared by ``==``; None if none was checked."""
    if not has_queued(run) or not refuses_forged(run):
        return None
    return compares_by_equality(run) is None


def returns_nothing(run: Run) -> str | None:
    """Find that no receiver was made."""
    if run.result is not None:
        return None
    return "make_receiver did not return a function, so the service had nothing to call."


def queues_nothing(run: Run) -> str | None:
    """Find that nothing at all was queued, although requests were accepted."""
    first = requests(run)[0]
    if has_queued(run) or first.raised or is_refused(first):
        return None
    return (
        f"{len(requests(run))} requests came, {len(requests(run, 'genuine'))} of them genuine, and nothing was "
        f"queued. {first.name} got {first.status}."
    )


def raises(kind: str, trap: str = "") -> Callable[[Run], str | None]:
    """Return a look for requests of a kind, and perhaps with a trap, that made the receiver raise."""

    def look(run: Run) -> str | None:
        for request in requests(run, kind):
            if request.raised and trap in ("", request.trap):
                return (
                    f"{request.name} made receive raise {request.raised}. A server responds to that with 500."
                )
        return None

    return look


def forgets_channel(run: Run) -> str | None:
    """Find a one-to-one message that failed because it has no ``channelId``."""
    found = raises("genuine", "one-to-one")(run)
    return found if found and "channelId" in found else None


def fails_unknown(run: Run) -> str | None:
    """Find types that nobody knows yet, and that the receiver does not survive."""
    for request in requests(run):
        if request.trap != "unknown" and request.kind != "other":
            continue
        if request.raised:
            return f"{request.name} made receive raise {request.raised}. A server responds to that with 500."
        if request.status != 200:
            return f"{request.name} got {request.status}."
        if request.kind == "other" and request.queued:
            return f"{request.name} is not a message, and {request.queued[0]!r} was queued."
    return None


def trusts(run: Run) -> str | None:
    """Find a forged request that was accepted."""
    for request in requests(run, "forged"):
        if request.queued:
            return (
                f"{request.name} was forged. It got {request.status}, and {request.queued[0]!r} was queued."
            )
        if not is_refused(request):
            return f"{request.name} was forged. Nothing was queued, but it got {request.status}."
    return None


def has_no_status(run: Run) -> str | None:
    """Find a request that got no status."""
    for request in requests(run):
        if not request.raised and not isinstance(request.status, int):
            return f"For {request.name[0].lower()}{request.name[1:]} receive returned {request.status!r:.60}."
    return None


def signs_otherwise(run: Run) -> str | None:
    """Find that no genuine request was accepted."""
    genuine = requests(run, "genuine")
    if not all(is_refused(request) for request in genuine):
        return None
    return f"All {len(genuine)} genuine messages were refused. {genuine[0].name} got {genuine[0].status}."


def writes_again(run: Run) -> str | None:
    """Find that whether a genuine request is accepted depends on how its JSON is written."""
    genuine = requests(run, "genuine")
    refused = [request for request in genuine if is_refused(request)]
    accepted = [request for request in genuine if request.status == 200]
    spaced = [request for request in genuine if request.trap == "spaces"]
    if not refused or not accepted or spaced not in (refused, accepted):
        return None
    return (
        f"{refused[0].name} was refused with {refused[0].status}. {accepted[0].name} was accepted. Both are signed "
        f"with the bot's secret. The first one's body begins with {refused[0].body[:26].decode()!r}, the other one's "
        f"with {accepted[0].body[:26].decode()!r}."
    )


def queues_again(run: Run) -> str | None:
    """Find a replay that was queued."""
    for request in requests(run, "replayed"):
        if request.queued:
            return f"{request.name} was sent by somebody who had recorded it: {request.queued[0]!r} was queued twice."
    return None


def drops_alike(run: Run) -> str | None:
    """Find a genuine message that was taken for a replay."""
    for request in requests(run, "genuine"):
        if request.trap == "like another" and not request.queued:
            return f"{request.name} got {request.status} and was not queued. It is a new message, not a copy."
    return None


def queues_otherwise(run: Run) -> str | None:
    """Find a genuine message that was not queued as it should be."""
    for request in requests(run, "genuine"):
        if len(request.queued) != 1:
            return f"{request.name} got {request.status}, and {len(request.queued)} entries were queued."
        if not is_right(request):
            return f"{request.name} was queued as {request.queued[0]!r}."
    return None


def responds_otherwise(run: Run) -> str | None:
    """Find a queued message that did not get 200."""
    for request in requests(run, "genuine"):
        if request.queued and request.status != 200:
            return (
                f"{request.name} was queued, and got {request.status}: for the service, delivery has failed."
            )
    return None


def compares_by_equality(run: Run) -> str | None:
    """Find a signature that was compared by ``==`` or ``!=``."""
    for request in requests(run, "genuine"):
        signature = request.headers.get(SIGNATURE)
        if isinstance(signature, Watched) and signature.compared:
            return f"The signature of request {request.number} was compared by == or !=."
    return None


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    refused = [request for request in requests(run, "forged") if is_refused(request)]
    replays = len(requests(run, "replayed"))
    return (
        f"{len(requests(run, 'genuine'))} queued, {len(refused)} forged refused, {replays} replayed ignored."
    )


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
                "Which path through receive ends without a return?",
                "A response is a status: a number, on each path.",
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
                "Which part of a request is never the same for two messages?",
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
