"""A trial request, with its outcome and everything that went over the wire."""

from collections.abc import Mapping
from typing import Any, Final

from svckit.display.card import quantity
from svckit.display.masking import describe_failure
from svckit.session.session import Session
from svckit.widgets.base.wire_text import wire_text

__all__ = ["ATTEMPTS", "make_attempt"]

ATTEMPTS: Final[Mapping[str, str]] = {
    "read": "Read a user",
    "notify": "Post a notification",
}


def make_attempt(svc: Session, what: str, user_id: str) -> dict[str, Any]:
    """Send a request, and return for a view what came of it: in words, and all requests and responses as text.

    Args:
        svc: the session that sends it.
        what: one of `ATTEMPTS`.
        user_id: the user to read.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> fault = svc.fake.faults.status("users.update", 503)
        >>> make_attempt(svc, "read", "u-001")["says"]
        'it worked, after 2 requests; the clock moved 0.5 s meanwhile'
    """
    before, failed = svc.clock.now(), ""
    with svc.trace() as trace:
        try:
            if what == "read":
                svc.users.read(user_id)
            else:
                svc.notify("Tried from the time explorer")
        except Exception as failure:  # noqa: BLE001 - the failure is what to show
            failed = describe_failure(failure)
    moved = (svc.clock.now() - before).total_seconds() if svc.clock.standing else 0
    meanwhile = f"; the clock moved {moved:g} s meanwhile" if moved else ""
    sent = f"after {quantity(len(trace), 'request')}{meanwhile}"
    return {
        "says": f"it failed, {sent}: {failed}" if failed else f"it worked, {sent}",
        "failed": bool(failed),
        "requests": [wire_text(entry) for entry in trace],
    }
