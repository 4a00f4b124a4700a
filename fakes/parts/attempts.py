"""One attempt to hand an event to a receiver, and what came of it."""

from asyncio import CancelledError
from time import monotonic
from typing import NamedTuple

from fakes.parts.deliveries import Outcome
from fakes.parts.events import Signed
from fakes.parts.receivers import CallbackReceiver, TimedOut, ask
from svckit.display.masking import mask

__all__ = ["UNCONNECTED", "Came", "attempt"]

OWN_FAILURES = (Exception, CancelledError, GeneratorExit, SystemExit)
"""How a receiver fails or ends by itself. All else, such as Ctrl-C and pytest.fail, is for whoever sends."""

UNCONNECTED = (
    "the bot has no receiver; connect one with fake.callbacks.connect, "
    "or of a served fake with the admin call PUT /bots/{botId}/callback"
)


class Came(NamedTuple):
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


def attempt(receiver: CallbackReceiver | None, signed: Signed, seconds: float, limited: bool) -> Came:
    """Hand an event to a receiver, and give it so many seconds, or see whether it took more."""
    if receiver is None:
        return Came("not-sent", None, UNCONNECTED)
    began = monotonic()
    try:
        status = ask(receiver, signed.headers, signed.body, seconds if limited else None)
    except TimedOut:
        limit = f"within {seconds:g} seconds" if limited else "in time"
        return Came("timed-out", None, f"the receiver did not answer {limit}", limited)
    except BaseException as failed:  # noqa: BLE001 - logged as a failed delivery, whatever it is
        raised = None if isinstance(failed, OWN_FAILURES) else failed
        return Came("failed", None, f"the receiver failed: {in_words(failed)}", raised=raised)
    return Came("delivered", status, None, late=not limited and monotonic() - began > seconds)


def in_words(failed: BaseException) -> str:
    """An exception's type and what it says, if it can say it."""
    name = type(failed).__name__
    try:
        said = mask(f"{name}: {failed}")
    except BaseException:  # noqa: BLE001 - a receiver's own exception may do anything
        return name
    return said.encode("utf-8", "backslashreplace").decode()  # half a character cannot be saved
