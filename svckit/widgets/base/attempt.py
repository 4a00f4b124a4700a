"""A trial request, with its outcome and everything that went over the wire."""

from collections.abc import Callable, Generator, Mapping
from datetime import timedelta
from typing import Any, Final

from svckit.display.masking import mask
from svckit.errors import InvalidInput
from svckit.http.trace import Trace
from svckit.session.session import Session
from svckit.widgets.base.background import Work
from svckit.widgets.base.wire_text import wire_text

__all__ = ["ATTEMPTS", "Attempt"]

ATTEMPTS: Final[Mapping[str, str]] = {
    "read": "Read a user",
    "notify": "Post a notification",
}


class Attempt:
    """Trial requests, sent in the background because a response may be slow; keeps the latest outcome.

    Args:
        svc: the session that sends the requests.
        on_change: called whenever ``view`` changes, possibly from a thread.

    Attributes:
        view: the state: whether it is ``running``, the outcome, and the requests and responses as text.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> fault = svc.fake.faults.status("users.update", 503)
        >>> attempt = Attempt(svc, lambda: None)
        >>> attempt.start("read", "u-001")
        >>> attempt.wait()
        >>> attempt.view["says"]
        'it worked, after 2 requests; the clock moved 0.5 s meanwhile'
    """

    def __init__(self, svc: Session, on_change: Callable[[], None]) -> None:
        self._svc = svc
        self._on_change = on_change
        self._work: Work | None = None
        self.view: dict[str, Any] = {"running": False, "says": "", "failed": False, "requests": []}

    def start(self, what: str, user_id: str) -> None:
        """Start sending a request.

        Args:
            what: one of `ATTEMPTS`.
            user_id: the user to read.

        Raises:
            InvalidInput: another request is still running.
        """
        if self.view["running"]:
            raise InvalidInput("another request is still running; wait until it is done")
        self.view = {"running": True, "says": "Sending", "failed": False, "requests": []}
        self._work = Work(self._steps(what, user_id))
        self._on_change()
        self._work.start()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the running request is done."""
        if self._work is not None:
            self._work.wait(timeout)

    def _steps(self, what: str, user_id: str) -> Generator[None, None, None]:
        before, failed = self._svc.clock.now(), ""
        with self._svc.trace() as trace:
            try:
                if what == "read":
                    self._svc.users.read(user_id)
                else:
                    self._svc.notify("Tried from the time explorer")
            except Exception as failure:  # noqa: BLE001 - the failure is what to show
                failed = mask(f"{type(failure).__name__}: {failure}")
        self.view = {
            "running": False,
            "says": self._outcome(trace, self._svc.clock.now() - before, failed),
            "failed": bool(failed),
            "requests": [wire_text(entry) for entry in trace],
        }
        self._on_change()
        yield

    def _outcome(self, trace: Trace, took: timedelta, failed: str) -> str:
        sent = f"{len(trace)} request{'' if len(trace) == 1 else 's'}"
        moved = took and self._svc.clock.standing
        meanwhile = f"; the clock moved {took.total_seconds():g} s meanwhile" if moved else ""
        return (
            f"it failed, after {sent}{meanwhile}: {failed}"
            if failed
            else f"it worked, after {sent}{meanwhile}"
        )
