"""What the front end asks for must not fail in silence.

A notebook shows neither the exception of a message handler nor that of an observer. So every function that a
front end calls is wrapped by :func:`show_errors`.
"""

import logging
from collections.abc import Callable
from functools import wraps
from traceback import format_exception
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from svckit.display.masking import mask

__all__ = ["ShowsErrors", "clear_error", "show_background_errors", "show_errors"]

log = logging.getLogger(__name__)

reraise = False
"""Whether a failure goes on to the caller after it was shown and logged; tests set it."""


class ShowsErrors(Protocol):
    """A widget with a line for what went wrong; empty text clears it."""

    error: str


Widget = TypeVar("Widget", bound=ShowsErrors)
Given = ParamSpec("Given")
Result = TypeVar("Result")


def show_errors(
    method: Callable[Concatenate[Widget, Given], None],
) -> Callable[Concatenate[Widget, Given], None]:
    """Wrap a widget's callback: an exception is shown in the widget and logged, secrets masked in both.

    The line is cleared before the call, so that what fails beside it, in a thread that it began, stays shown.
    """
    return _guard(method, clears=True)


def show_background_errors(
    method: Callable[Concatenate[Widget, Given], None],
) -> Callable[Concatenate[Widget, Given], None]:
    """The same of what nobody asked for, such as a look now and then: what is shown stays."""
    return _guard(method, clears=False)


def clear_error(
    method: Callable[Concatenate[Widget, Given], Result],
) -> Callable[Concatenate[Widget, Given], Result]:
    """Wrap what one asks a widget for, from Python too: what failed before it is no longer shown.

    As with :func:`show_errors` the line is cleared before the call. What fails in Python is raised, and not shown.
    """

    @wraps(method)
    def call(widget: Widget, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        __tracebackhide__ = True
        widget.error = ""
        return method(widget, *args, **kwargs)

    return call


def _guard(
    method: Callable[Concatenate[Widget, Given], None], *, clears: bool
) -> Callable[Concatenate[Widget, Given], None]:
    @wraps(method)
    def call(widget: Widget, /, *args: Given.args, **kwargs: Given.kwargs) -> None:
        if clears:
            widget.error = ""
        try:
            method(widget, *args, **kwargs)
        except Exception as failure:
            widget.error = mask(f"{type(failure).__name__}: {failure}")
            log.error("%s failed\n%s", method.__qualname__, mask("".join(format_exception(failure))))
            if reraise:
                raise

    return call
