"""Checks of what is passed to a widget: its session, or another source of records, and names of fields and choices."""

from collections.abc import Iterable

from svckit.display.suggestions import did_you_mean
from svckit.errors import InvalidInput
from svckit.models.phrases import describe_given
from svckit.session.base import SessionBase
from svckit.session.session import Session

__all__ = ["check_names", "check_session", "find_badge"]


def check_session(given: object, widget: str) -> None:
    """Reject anything but a synchronous session: nobody awaits a click.

    Args:
        given: the value passed as the session.
        widget: the kind of widget, for the message.

    Raises:
        TypeError: the value is not such a session; the message says what to pass instead.

    Examples:
        >>> check_session("work", "a form")
        Traceback (most recent call last):
        TypeError: a form needs a session from svckit.connect as its first argument; given a str
    """
    if isinstance(given, Session):
        return
    if isinstance(given, SessionBase):
        raise TypeError(
            f"{widget} needs a session that is not for await, as nobody awaits a click: "
            f"svckit.connect({given.connected_to}) connects to the same service"
        )
    raise TypeError(
        f"{widget} needs a session from svckit.connect as its first argument; given {describe_given(given)}"
    )


def find_badge(source: object) -> str:
    """Return the badge of a source of records, such as FAKE or REAL; empty text if it does not say.

    Examples:
        >>> import svckit
        >>> find_badge(svckit.connect()), find_badge([])
        ('FAKE', '')
    """
    if hasattr(source, "badge"):
        return str(source.badge)
    if hasattr(source, "is_fake"):
        return "FAKE" if source.is_fake else "REAL"
    return ""


def check_names(given: Iterable[object], known: Iterable[str], *, what: str = "field") -> None:
    """Reject the first unknown name, before anything is written.

    Raises:
        InvalidInput: a name is unknown; the message has the nearest name and all names.

    Examples:
        >>> check_names(["titel"], ["title", "text"])
        Traceback (most recent call last):
        svckit.errors.InvalidInput: nothing was written: no such field: titel; did you mean title? It has title, text
    """
    names = list(known)
    for name in given:
        if name not in names:
            near = did_you_mean(str(name), names) or "."
            raise InvalidInput(f"nothing was written: no such {what}: {name}{near} It has {', '.join(names)}")
