"""The faults that affect one request."""

from collections.abc import Sequence

from fakes.clock import Clock
from fakes.faults.kinds import AnyFault, Delay
from fakes.http.messages import FakeResponse

__all__ = ["Injection"]


class Injection:
    """The faults of one request: at most one delay, at most one other fault, and those that skip it."""

    __slots__ = ("_before", "delay", "fault", "skipping")

    def __init__(self, fault: AnyFault | None, delay: Delay | None, skipping: Sequence[AnyFault]) -> None:
        self.fault: AnyFault | None = fault
        self.delay: Delay | None = delay
        self.skipping: Sequence[AnyFault] = skipping
        self._before = [(found, found.used) for found in (delay, fault) if found is not None]

    @property
    def label(self) -> str | None:
        """The faults that took effect, in words; None if none did."""
        return ", ".join(fault.label for fault, used in self._before if fault.used > used) or None

    def before(self) -> None:
        """Apply the fault in place of the operation.

        Raises:
            Refusal: the response is an error status.
            BrokenConnection: the connection fails.
        """
        if self.fault is not None:
            self.fault.before()

    def after(self, response: FakeResponse, clock: Clock) -> FakeResponse:
        """Return the response as it arrives.

        Raises:
            BrokenConnection: it does not arrive.
        """
        if self.fault is not None:
            response = self.fault.after(response, clock)
        response.wait = self.wait(clock)
        return response

    def wait(self, clock: Clock) -> float:
        """Count the request for faults that skip it, and apply a delay.

        Returns:
            The seconds that the door must wait; a standing clock is moved instead.
        """
        for fault in self.skipping:
            fault.skip -= 1
        return 0.0 if self.delay is None else self.delay.apply(clock)
