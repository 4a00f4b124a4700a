"""A request sent to see what comes of it, and all that went over the wire for it."""

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
    """Sends beside the notebook, since an answer may be late; there is the outcome of the last.

    Args:
        svc: the session that sends.
        on_change: called when there is something new to see, also from a thread.

    Attributes:
        view: how it stands: whether it is ``running``, what came of it, and the texts of the exchanges.

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
        """Begin to send.

        Args:
            what: one of `ATTEMPTS`.
            user_id: which user to read.

        Raises:
            InvalidInput: something is being tried.
        """
        if self.view["running"]:
            raise InvalidInput("something is being tried; wait for its end")
        self.view = {"running": True, "says": "On its way", "failed": False, "requests": []}
        self._work = Work(self._steps(what, user_id))
        self._on_change()
        self._work.start()

    def wait(self, timeout: float | None = None) -> None:
        """Wait for the end of what is being tried."""
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
            except Exception as failure:  # noqa: BLE001 - that is what is to be seen
                failed = mask(f"{type(failure).__name__}: {failure}")
        self.view = {
            "running": False,
            "says": self._outcome(trace, self._svc.clock.now() - before, failed),
            "failed": bool(failed),
            "requests": [wire_text(each) for each in trace],
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
