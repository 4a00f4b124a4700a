"""One attempt to hand an event to a receiver, and what came of it."""

from asyncio import CancelledError
from time import monotonic
from typing import NamedTuple

from fakes.parts.deliveries import Outcome
from fakes.parts.events import SignedEvent
from fakes.parts.receivers import CallbackReceiver, TimedOut, call_receiver
from svckit.display.masking import mask

__all__ = ["UNCONNECTED", "AttemptResult", "attempt"]

OWN_FAILURES = (Exception, CancelledError, GeneratorExit, SystemExit)
"""How a receiver fails or ends by itself. All else, such as Ctrl-C and pytest.fail, is for whoever sends."""

UNCONNECTED = (
    "the bot has no receiver; connect one with fake.callbacks.connect, "
    "or of a served fake with the admin call PUT /bots/{botId}/callback"
)


class AttemptResult(NamedTuple):
    """What came of an attempt.

    Attributes:
        outcome, status, error: as in a `Delivery`.
        late: whether the limit of time was reached, so that it mattered whether there is one.
        raised: what the receiver raised for whoever sends.
    """

    outcome: Outcome
    status: int | None
    error: str | None
    late: bool = False
    raised: BaseException | None = None


def attempt(
    receiver: CallbackReceiver | None, signed: SignedEvent, seconds: float, limited: bool
) -> AttemptResult:
    """Hand an event to a receiver, and give it so many seconds, or see whether it took more."""
    if receiver is None:
        return AttemptResult("not-sent", None, UNCONNECTED)
    began = monotonic()
    try:
        status = call_receiver(receiver, signed.headers, signed.body, seconds if limited else None)
    except TimedOut:
        limit = f"within {seconds:g} seconds" if limited else "in time"
        return AttemptResult("timed-out", None, f"the receiver did not answer {limit}", limited)
    except BaseException as failed:  # noqa: BLE001 - logged as a failed delivery, whatever it is
        raised = None if isinstance(failed, OWN_FAILURES) else failed
        return AttemptResult(
            "failed", None, f"the receiver failed: {describe_exception(failed)}", raised=raised
        )
    return AttemptResult("delivered", status, None, late=not limited and monotonic() - began > seconds)


def describe_exception(failed: BaseException) -> str:
    """An exception's type and what it says, if it can say it."""
    name = type(failed).__name__
    try:
        said = mask(f"{name}: {failed}")
    except BaseException:  # noqa: BLE001 - a receiver's own exception may do anything
        return name
    return said.encode("utf-8", "backslashreplace").decode()  # half a character cannot be saved
