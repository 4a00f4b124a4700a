"""Lesson 09: what a receiver did with the requests it got, right and otherwise."""

from collections.abc import Callable

from fakes.lessons import Run
from svckit.course.exercises.incoming import (
    SIGNATURE,
    Watched,
    has_queued,
    is_refused,
    is_right,
    requests,
)
from svckit.display.masking import mask

__all__ = [
    "compares_by_equality",
    "compares_well",
    "drops_alike",
    "fails_at_once",
    "fails_unknown",
    "forgets_channel",
    "has_no_status",
    "ignores_replays",
    "queues_again",
    "queues_nothing",
    "queues_otherwise",
    "raises",
    "raises_for_forged",
    "refuses_forged",
    "responds_otherwise",
    "returns_nothing",
    "signs_otherwise",
    "summarize",
    "survives",
    "takes_genuine",
    "trusts",
    "writes_again",
]


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


def fails_at_once(run: Run) -> str | None:
    """Find that the first request, an ordinary text, made the receiver raise."""
    return raises("genuine")(run) if requests(run)[0].raised else None


def raises_for_forged(run: Run) -> str | None:
    """Find that a forged request, with a signature and an event, made the receiver raise."""
    if not any(request.raised and not request.trap for request in requests(run, "forged")):
        return None
    return raises("forged")(run)


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
            return f"For {request.name[0].lower()}{request.name[1:]} receive returned {mask(repr(request.status)):.60}."
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
