"""Which sessions a widget can be of."""

from svckit.models.phrases import name_type
from svckit.session.base import SessionBase
from svckit.session.session import Session

__all__ = ["check_session"]


def check_session(given: object, widget: str) -> None:
    """Refuse what is no session, and a session for ``await``: nobody awaits a click.

    Args:
        given: what a widget was given as its session.
        widget: what it is, for the message.

    Raises:
        TypeError: a widget cannot be of it; says what to give instead.

    Examples:
        >>> check_session("work", "a form")
        Traceback (most recent call last):
        TypeError: a form needs a session of svckit.connect first, not a str
    """
    if isinstance(given, Session):
        return
    if isinstance(given, SessionBase):
        raise TypeError(
            f"{widget} needs a session that is not for await, as nobody awaits a click: "
            f"svckit.connect({given.connected_to}) is one of the same service"
        )
    raise TypeError(f"{widget} needs a session of svckit.connect first, not {name_type(given)}")
