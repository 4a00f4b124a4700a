"""Inner frames: the frames of a traceback between the reader's own line and the error.

Two things happen to them after a call fails, so that successful calls cost nothing:

- Their local variables are cleared, whatever the error is, and so are those of the errors it came from. Below a session
  a request holds its URL, headers and body in plain text, and `KeyboardInterrupt` and ``CancelledError`` can come from
  anywhere. IPython's verbose mode, rich and ``pytest --showlocals`` print local variables. Frames of the reader's own
  functions, such as a source that is being read, keep theirs, unless they hold a request.
- If the error explains itself, they are marked with a local variable ``__tracebackhide__``, so that IPython and pytest
  leave them out. IPython always shows the innermost frame, and all of them after ``%xmode --show``, as does pytest with
  ``--full-trace``.
"""

import sys
from contextlib import suppress
from pathlib import Path
from traceback import walk_stack, walk_tb
from types import FrameType, TracebackType
from typing import Final

from svckit.errors import Cancelled, InvalidInput, ServiceError, UnusableProfile

__all__ = ["forgetting_all_locals", "forgetting_locals", "hiding_inner_frames"]

# AssertionError: raised by a fake that may not assume anything. Any other error needs all of its frames.
SELF_EXPLAINING = (ServiceError, InvalidInput, UnusableProfile, Cancelled, AssertionError)
INNER = frozenset({"asyncio", "contextlib", "fakes", "httpx", "svckit"})
OURS = frozenset({"fakes", "svckit"})
REQUESTS = frozenset({"httpcore", "httpx"})
INSTALLED = frozenset({"dist-packages", "site-packages"})


class _ForgettingLocals:
    """A context manager that clears the local variables of the inner frames of an error."""

    def __init__(self, *, sparing_readers: bool) -> None:
        self._sparing_readers = sparing_readers

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        waiting, seen = [error], {id(None)}
        while waiting:
            current = waiting.pop()
            if current is None or id(current) in seen or (current is not error and _is_older(current)):
                continue
            seen.add(id(current))
            for frame, _ in walk_tb(current.__traceback__):
                if not (self._sparing_readers and _is_readers(frame)):
                    with suppress(RuntimeError):  # a running frame, such as that of the with block itself
                        frame.clear()
            waiting += [current.__cause__, current.__context__, *getattr(current, "exceptions", ())]


class _HidingInnerFrames(_ForgettingLocals):
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        if not isinstance(error, SELF_EXPLAINING):
            return
        for frame, _ in walk_tb(trace):
            if _package(frame) in INNER:
                frame.f_locals["__tracebackhide__"] = True


def _is_older(error: BaseException) -> bool:
    """Return whether an error was already being handled before the call: the frame that handles it still runs."""
    trace = error.__traceback__
    return trace is not None and any(frame is trace.tb_frame for frame, _ in walk_stack(sys._getframe()))


def _is_readers(frame: FrameType) -> bool:
    """Return whether a frame belongs to the reader's own code, and holds no request."""
    package = _package(frame)
    if package in OURS or package in sys.stdlib_module_names:
        return False
    if INSTALLED.intersection(Path(frame.f_code.co_filename).parts):
        return False
    held = (type(value).__module__.partition(".")[0] for value in frame.f_locals.values())
    return REQUESTS.isdisjoint(held)


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


forgetting_locals: Final = _ForgettingLocals(sparing_readers=True)
"""Clears the local variables of inner frames, and leaves their lines in the traceback.

Examples:
    >>> import traceback
    >>> def connect(secret):
    ...     raise ConnectionError
    >>> try:
    ...     with forgetting_all_locals:
    ...         connect("s3cr3t")
    ... except ConnectionError as error:
    ...     shown = traceback.TracebackException.from_exception(error, capture_locals=True)
    >>> shown.stack[-1].name, shown.stack[-1].locals
    ('connect', None)
"""

forgetting_all_locals: Final = _ForgettingLocals(sparing_readers=False)
"""Clears the reader's own frames too, for code that receives a secret itself, such as the backend of a keyring."""

hiding_inner_frames: Final = _HidingInnerFrames(sparing_readers=True)
"""Hides the frames of this distribution and of what it calls, if the error explains itself.

Their local variables are cleared in any case.

Examples:
    >>> from svckit.errors import NotFound
    >>> with hiding_inner_frames:
    ...     raise NotFound("there is no such user")
    Traceback (most recent call last):
    ...
    svckit.errors.NotFound: there is no such user
"""
