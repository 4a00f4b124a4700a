"""The line about a session in the heads of views: who is signed in, until when, and a fake's time."""

from svckit.session.session import Session

__all__ = ["describe_session"]


def describe_session(svc: Session) -> dict[str, str]:
    """Return who is signed in to a session, until when, and the time of its fake.

    A running clock is cut to the minute, so that views do not change every second.

    Examples:
        >>> import svckit
        >>> describe_session(svckit.connect(now="2026-06-01T09:00:00+09:00"))
        {'who': 'hana.nakamura.001@example.com', 'until': '2026-06-02T09:00:00+09:00',
         'now': '2026-06-01T09:00:00+09:00'}
    """
    who, tokens = svc.sign_in_status
    now = svc.clock.now()
    shown = now if svc.clock.standing else now.replace(second=0)
    return {
        "who": who,
        "until": tokens.expires.isoformat(timespec="seconds") if tokens and tokens.expires > now else "",
        "now": shown.isoformat(timespec="seconds") if svc.is_fake else "",
    }
