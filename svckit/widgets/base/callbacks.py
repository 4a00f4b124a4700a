"""Callbacks of the front end, whose failures must not go unnoticed.

A notebook shows neither the exception of a message handler nor that of an observer. So every function that a
front end calls is wrapped by :func:`show_errors`.
"""

import logging
from collections.abc import Callable
from functools import wraps
from traceback import format_exception
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from svckit.display.masking import describe_failure, mask

__all__ = ["ShowsErrors", "button", "clear_error", "is_button", "show_background_errors", "show_errors"]

log = logging.getLogger(__name__)

reraise = False
"""Whether to raise a failure after showing and logging it; tests set this."""


class ShowsErrors(Protocol):
    """A widget with an error line; empty text clears it."""

    error: str


Widget = TypeVar("Widget", bound=ShowsErrors)
Given = ParamSpec("Given")
Result = TypeVar("Result")


def show_errors(
    method: Callable[Concatenate[Widget, Given], None],
) -> Callable[Concatenate[Widget, Given], None]:
    """Show an exception of a widget's callback in the widget and log it, secrets masked in both.

    The error line is cleared before the call, so a failure in a thread that the callback starts stays visible.
    """
    return _guard(method, clears=True)


def show_background_errors(
    method: Callable[Concatenate[Widget, Given], None],
) -> Callable[Concatenate[Widget, Given], None]:
    """Show exceptions as :func:`show_errors` does, but keep the line; for background calls such as polling."""
    return _guard(method, clears=False)


def clear_error(
    method: Callable[Concatenate[Widget, Given], Result],
) -> Callable[Concatenate[Widget, Given], Result]:
    """Clear the error line before a call of a widget's method, also from Python.

    As with :func:`show_errors`, the line is cleared first. An exception is raised as usual, and not shown.
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
            widget.error = describe_failure(failure)
            name = f"{type(widget).__name__}.{method.__name__}"
            log.error("%s failed\n%s", name, mask("".join(format_exception(failure))))
            if reraise:
                raise

    return call
