"""Finding the code behind whatever a learner gives as a function: a partial, an object, a class, a wrapped function."""

import asyncio
import sys
import traceback
from collections.abc import Awaitable, Callable, Generator, Iterator
from functools import partial, update_wrapper
from inspect import isawaitable
from types import FunctionType, MethodType
from typing import Any

from svckit.display.masking import mask

__all__ = ["awaiting", "find_code", "find_line", "is_library"]

OURS = {"svckit", "fakes"}
"""The packages whose functions are not a learner's."""


def is_library(module: str | None) -> bool:
    """Return whether a module belongs to Python, an installed package or svckit; some functions have none."""
    root = (module or "").partition(".")[0]
    if root == "__main__":
        return False
    file = getattr(sys.modules.get(root), "__file__", None)
    return root in OURS or root in sys.stdlib_module_names or "site-packages" in f"{file}"


def find_code(given: object) -> list[FunctionType | partial[Any]]:
    """Return the functions and partials that something callable consists of, and those beside them, of no library.

    Examples:
        >>> def add(a, b): ...
        >>> find_code(partial(add, b=1))
        [functools.partial(<function add at ...>, b=1), <function add at ...>]
    """
    own = given
    while isinstance(own, partial):
        own = own.func
    found: list[FunctionType | partial[Any]] = []
    waiting, seen = [given], set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) not in seen:
            seen.add(id(part))
            waiting += list_parts(part)
            if isinstance(part, FunctionType) and id(names := part.__globals__) not in seen:
                seen.add(id(names))  # all functions of a module have the same
                waiting += [item for item in names.values() if isinstance(item, FunctionType | partial)]
            if isinstance(part, partial) or (
                isinstance(part, FunctionType) and (part is own or not is_library(part.__module__))
            ):
                found.append(part)
    return found


def list_parts(given: object) -> Iterator[object]:
    """Yield what something callable calls, or may call, but for what is in its module."""
    if isinstance(given, partial):
        yield from (given.func, *given.args, *given.keywords.values())
    elif isinstance(given, MethodType):
        yield from (given.__func__, given.__self__)
    elif isinstance(given, FunctionType):
        yield getattr(given, "__wrapped__", None)
        for cell in given.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:  # a name that has no value yet
                continue
    elif isinstance(given, staticmethod | classmethod):
        yield given.__func__
    elif isinstance(given, type):
        yield from () if is_library(given.__module__) else vars(given).values()
    elif not is_library(type(given).__module__):
        yield from (type(given), *getattr(given, "__dict__", {}).values())


def find_line(given: object, error: BaseException | None) -> str:
    """Return the line of a learner's code where an error passed, masked; empty if it passed none.

    An error may carry a ``stack`` in place of its traceback, or the ``line`` itself, from another process.
    """
    if error is None or isinstance(line := getattr(error, "line", None), str):
        return mask(line or "") if error else ""
    code = (found for found in find_code(given) if isinstance(found, FunctionType))
    files = {function.__code__.co_filename for function in code}
    stack = getattr(error, "stack", None) or traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in stack if frame.filename in files and frame.line]
    return f"line {frames[-1].lineno}: {mask(frames[-1].line or '')}" if frames else ""


def awaiting(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that awaits what a function returns, or takes its items, and so does what that returns.

    Examples:
        >>> async def double(number):
        ...     return 2 * number
        >>> awaiting(double)(4)
        8
    """

    def call(*arguments: object) -> Any:
        result = function(*arguments)
        if isawaitable(result):
            result = asyncio.run(wait_for(result))
        if isinstance(result, Generator):
            result = list(result)
        return awaiting(result) if callable(result) else result

    return update_wrapper(call, function)


async def wait_for(result: Awaitable[Any]) -> Any:
    """Return what an awaitable returns."""
    return await result
