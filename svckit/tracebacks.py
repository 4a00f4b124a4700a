"""Inner frames: what a traceback has between the reader's own line and the error.

Two things are done to them once a call has failed, so that calls that succeed pay nothing:

- Their local variables are forgotten, whatever the error is, and those of the errors it came from. Below a session a
  request holds its URL, its headers and its body in the clear, and `KeyboardInterrupt` and ``CancelledError`` come up
  from wherever they hit. IPython's verbose mode, rich and ``pytest --showlocals`` print local variables. Frames of the
  reader's own functions, such as a source that is being read, keep theirs, except where they hold a request.
- Where the error explains itself, they are marked with a local variable ``__tracebackhide__``, and IPython and pytest
  leave them out. IPython shows the innermost frame in any case, and all of them after ``%xmode --show``; pytest does
  with ``--full-trace``.
"""

import sys
from contextlib import suppress
from pathlib import Path
from traceback import walk_stack, walk_tb
from types import FrameType, TracebackType
from typing import Final

from svckit.errors import Cancelled, InvalidInput, ServiceError, UnusableProfile

__all__ = ["forgetting_all_locals", "forgetting_locals", "hiding_inner_frames"]

# AssertionError: a fake that is told to assume nothing refuses with one. Any other error needs all of its frames.
TELLING = (ServiceError, InvalidInput, UnusableProfile, Cancelled, AssertionError)
INNER = frozenset({"asyncio", "contextlib", "fakes", "httpx", "svckit"})
OURS = frozenset({"fakes", "svckit"})
REQUESTS = frozenset({"httpcore", "httpx"})
INSTALLED = frozenset({"dist-packages", "site-packages"})


class _ForgettingLocals:
    """Forgets the local variables of the frames below it that an error came through."""

    def __init__(self, *, sparing_readers: bool) -> None:
        self._sparing_readers = sparing_readers

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        waiting, seen = [error], {id(None)}
        while waiting:
            each = waiting.pop()
            if each is None or id(each) in seen or (each is not error and _is_older(each)):
                continue
            seen.add(id(each))
            for frame, _ in walk_tb(each.__traceback__):
                if not (self._sparing_readers and _is_readers(frame)):
                    with suppress(RuntimeError):  # one that still runs, such as that of the with block itself
                        frame.clear()
            waiting += [each.__cause__, each.__context__, *getattr(each, "exceptions", ())]


class _HidingInnerFrames(_ForgettingLocals):
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        if not isinstance(error, TELLING):
            return
        for frame, _ in walk_tb(trace):
            if _package(frame) in INNER:
                frame.f_locals["__tracebackhide__"] = True


def _is_older(error: BaseException) -> bool:
    """Whether an error was being handled when the call was made: the frame that handles it still runs then."""
    trace = error.__traceback__
    return trace is not None and any(frame is trace.tb_frame for frame, _ in walk_stack(sys._getframe()))


def _is_readers(frame: FrameType) -> bool:
    """Whether a frame is neither ours nor a library's, and holds no request."""
    package = _package(frame)
    if package in OURS or package in sys.stdlib_module_names:
        return False
    if INSTALLED.intersection(Path(frame.f_code.co_filename).parts):
        return False
    return not any(_of(value) in REQUESTS for value in frame.f_locals.values())


def _of(value: object) -> str:
    return type(value).__module__.partition(".")[0]


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


forgetting_locals: Final = _ForgettingLocals(sparing_readers=True)
"""Forgets the local variables of inner frames, and leaves their lines in the traceback.

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
"""The same, of the reader's own frames too: for what is handed a secret itself, such as the backend of a keyring."""

hiding_inner_frames: Final = _HidingInnerFrames(sparing_readers=True)
"""Leaves out the frames of this distribution and of what it calls from the traceback of an error that says all itself.

Whatever the error is, their local variables are forgotten.

Examples:
    >>> from svckit.errors import NotFound
    >>> with hiding_inner_frames:
    ...     raise NotFound("there is no such user")
    Traceback (most recent call last):
    ...
    svckit.errors.NotFound: there is no such user
"""
