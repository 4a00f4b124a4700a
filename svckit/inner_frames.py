"""Inner frames: what a traceback has between the reader's own line and the error, which IPython and pytest leave out.

Both leave out a frame with a local variable ``__tracebackhide__``. It is put on the frames once a call has failed, so
calls that succeed pay nothing, and it takes no account of which operation it was. IPython shows the innermost frame in
any case, and all of them after ``%xmode --show``; pytest does with ``--full-trace``.
"""

from traceback import walk_tb
from types import TracebackType
from typing import Final

from svckit.errors import Cancelled, InvalidInput, ServiceError, UnusableProfile

__all__ = ["hiding_inner_frames"]

# AssertionError: a fake that is told to assume nothing refuses with one. Any other error needs all of its frames.
TELLING = (ServiceError, InvalidInput, UnusableProfile, Cancelled, AssertionError)
INNER = frozenset({"asyncio", "contextlib", "fakes", "httpx", "svckit"})


class _HidingInnerFrames:
    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, TELLING):
            return
        for frame, _ in walk_tb(trace):
            if str(frame.f_globals.get("__name__")).partition(".")[0] in INNER:
                frame.f_locals["__tracebackhide__"] = True


hiding_inner_frames: Final = _HidingInnerFrames()
"""Leaves out the frames of this distribution and of what it calls from the traceback of an error that says all itself.

Examples:
    >>> from svckit.errors import NotFound
    >>> with hiding_inner_frames:
    ...     raise NotFound("there is no such user")
    Traceback (most recent call last):
    ...
    svckit.errors.NotFound: there is no such user
"""
