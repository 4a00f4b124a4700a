"""One attempt to deliver an event to a receiver, and its result."""

from asyncio import CancelledError
from time import monotonic
from typing import NamedTuple

from fakes.parts.deliveries import Outcome
from fakes.parts.events import SignedEvent
from fakes.parts.receivers import CallbackReceiver, TimedOut, call_receiver
from svckit.display.masking import mask

__all__ = ["UNCONNECTED", "AttemptResult", "attempt"]

OWN_FAILURES = (Exception, CancelledError, GeneratorExit, SystemExit)
"""The exceptions of a failed receiver. Others, such as Ctrl-C and pytest.fail, are raised to the sender."""

UNCONNECTED = (
    "the bot has no receiver; connect one with fake.callbacks.connect, "
    "or for a served fake with the admin call PUT /bots/{botId}/callback"
)


class AttemptResult(NamedTuple):
    """The result of an attempt.

    Attributes:
        outcome, status, error: as in a `Delivery`.
        late: whether the time limit was reached, so that it mattered whether there is one.
        raised: the receiver's exception, if it is raised to the sender.
    """

    outcome: Outcome
    status: int | None
    error: str | None
    late: bool = False
    raised: BaseException | None = None


def attempt(
    receiver: CallbackReceiver | None, signed: SignedEvent, seconds: float, limited: bool
) -> AttemptResult:
    """Deliver an event to a receiver, within a number of seconds if limited."""
    if receiver is None:
        return AttemptResult("not-sent", None, UNCONNECTED)
    began = monotonic()
    try:
        status = call_receiver(receiver, signed.headers, signed.body, seconds if limited else None)
    except TimedOut:
        limit = f"within {seconds:g} seconds" if limited else "in time"
        return AttemptResult("timed-out", None, f"the receiver did not respond {limit}", limited)
    except BaseException as failed:  # noqa: BLE001 - logged as a failed delivery, whatever it is
        raised = None if isinstance(failed, OWN_FAILURES) else failed
        return AttemptResult(
            "failed", None, f"the receiver failed: {describe_exception(failed)}", raised=raised
        )
    return AttemptResult("delivered", status, None, late=not limited and monotonic() - began > seconds)


def describe_exception(failed: BaseException) -> str:
    """Return an exception's type and its message, if that can be read."""
    name = type(failed).__name__
    try:
        text = mask(f"{name}: {failed}")
    except BaseException:  # noqa: BLE001 - a receiver's own exception may do anything
        return name
    return text.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair cannot be saved
