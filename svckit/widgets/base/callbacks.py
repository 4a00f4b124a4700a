"""Callbacks of the front end, whose failures must not go unnoticed.

A notebook shows neither the exception of a message handler nor that of a thread. So what has no caller to handle a
failure runs in :func:`showing_errors`.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from traceback import format_exception
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from svckit.display.masking import describe_failure, mask

__all__ = ["ShowsErrors", "button", "clear_error", "is_button", "showing_errors"]

log: logging.Logger = logging.getLogger(__name__)

reraise = False
"""Whether to raise a failure after showing and logging it; tests set this."""


class ShowsErrors(Protocol):
    """A widget with an error line; empty text clears it."""

    error: str


Widget = TypeVar("Widget", bound=ShowsErrors)
Given = ParamSpec("Given")
Result = TypeVar("Result")


@contextmanager
def showing_errors(widget: ShowsErrors) -> Iterator[None]:
    """Show an exception in a widget and log it, secrets masked in both."""
    try:
        yield
    except Exception as failure:
        widget.error = describe_failure(failure)
        log.error("%s failed\n%s", type(widget).__name__, mask("".join(format_exception(failure))))
        if reraise:
            raise


def clear_error(
    method: Callable[Concatenate[Widget, Given], Result],
) -> Callable[Concatenate[Widget, Given], Result]:
    """Clear the error line before a call of a widget's method, also from Python.

    An exception is raised as usual, and not shown. As the line is cleared first, a failure in a thread that the call
    starts stays visible.
    """

    @wraps(method)
    def call(widget: Widget, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        __tracebackhide__ = True
        widget.error = ""
        return method(widget, *args, **kwargs)

    return call


def button(
    method: Callable[Concatenate[Widget, Given], Result],
) -> Callable[Concatenate[Widget, Given], Result]:
    """Let buttons in the browser call a method of a widget, which also clears the error line.

    A template names the method, and its arguments: ``{{ ui.button("Remove", "remove", with={"number": 1}) }}``.

    Examples:
        >>> class Counter:
        ...     error = ""
        ...     @button
        ...     def count(self, by=1):
        ...         return by
        >>> Counter().count(by=2), is_button(Counter, "count"), is_button(Counter, "error")
        (2, True, False)
    """
    call = clear_error(method)
    vars(call)["is_button"] = True
    return call


def is_button(kind: type, name: str) -> bool:
    """Return whether buttons may call a method of this name; one that overrides it is declared itself."""
    return hasattr(getattr(kind, name, None), "is_button")
