"""Expected errors: show the message of an error, and fail if it is not raised."""

import sys
from types import TracebackType
from typing import Self

from svckit.display.card import render_table, render_text
from svckit.display.masking import mask

__all__ = ["Expectation", "expect"]


def expect(*errors: type[Exception]) -> "Expectation":
    """Show the error that a block raises as a card; fail if it raises none or another.

    A notebook that demonstrates errors then runs to its end, and readers see the message without a traceback. The card
    is the same in every run, with secrets masked, as text and as HTML.

    Args:
        errors: the expected classes; the block has to raise one of them.

    Returns:
        A context that holds the raised error as ``error``.

    Raises:
        AssertionError: the block raised nothing. Any other error propagates, with a note.
        TypeError: an argument is not a class of errors.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect()
        >>> with svckit.expect(svckit.NotFound) as expected:
        ...     svc.users.read("u-999")
        NotFound, as expected
          users.read failed: ...
        >>> expected.error.status
        404
        >>> with svckit.expect(svckit.NotFound, svckit.Conflict):
        ...     svc.users.read("u-001")
        Traceback (most recent call last):
        ...
        AssertionError: NotFound or Conflict was expected, but the block raised nothing
    """
    if not errors or not all(isinstance(error, type) and issubclass(error, Exception) for error in errors):
        arguments = ", ".join(map(repr, errors)) or "nothing"
        raise TypeError(f"expect() takes classes of errors, such as svckit.RateLimited; given {arguments}")
    return Expectation(errors)


class Expectation:
    """A block that has to raise an error, made by `expect`.

    Attributes:
        error: the raised error, available after the block.
    """

    error: Exception

    def __init__(self, errors: tuple[type[Exception], ...]) -> None:
        self._errors = errors

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        __tracebackhide__ = True
        expected = f"{' or '.join(exception.__name__ for exception in self._errors)} was expected"
        if error is None:
            raise AssertionError(f"{expected}, but the block raised nothing")
        if not isinstance(error, self._errors):
            if isinstance(error, Exception):
                error.add_note(f"{expected}, but the block raised {type(error).__name__}")
            return False
        self.error = error.with_traceback(None)  # it would keep the variables of the block
        _show(error)
        return True


def _show(error: Exception) -> None:
    title = f"{type(error).__name__}, as expected"
    text = mask("\n".join([str(error), *getattr(error, "__notes__", ())]))
    plain = "\n  ".join([title, *text.splitlines()])
    ipython = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        print(plain)
        return
    heading, _ = render_table(title, (), ())
    ipython.display.display({"text/plain": plain, "text/html": heading + render_text(text)}, raw=True)
