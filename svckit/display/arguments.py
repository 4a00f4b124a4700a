"""Wrong arguments: errors that say what a function takes."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from svckit.display.suggestions import did_you_mean

__all__ = ["explain_arguments", "explaining_arguments", "read_words"]

P = ParamSpec("P")
T = TypeVar("T")


def explaining_arguments(**instead: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a function so that wrong arguments are explained.

    Args:
        instead: by names that people often try, what to write in their place.

    Examples:
        >>> @explaining_arguments()
        ... def greet(name: str, *, mood: str = "well"): ...
        >>> greet("Hana", mod="well")
        Traceback (most recent call last):
        ...
        TypeError: greet() has no argument 'mod'; did you mean mood?
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            __tracebackhide__ = True
            try:
                return function(*args, **kwargs)
            except TypeError as error:
                # Nothing has run if the traceback ends here, without a frame of the function.
                if error.__traceback__ is None or error.__traceback__.tb_next is None:
                    explain_arguments(function, args, kwargs, instead)
                raise
            finally:
                del args, kwargs  # they may hold a secret, and tracebacks can show local variables

        return call

    return decorate


def explain_arguments(
    function: Callable[..., Any],
    args: Sequence[object],
    kwargs: Mapping[str, object],
    instead: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Raise an error that explains why a function does not take arguments, if that is known.

    Raises:
        TypeError: an argument of no such name, too many by position, or one is missing.
    """
    __tracebackhide__ = True
    name, parameters = function.__name__, inspect.signature(function).parameters
    known = [parameter for parameter in parameters if parameter != "self"]
    odd = next((keyword for keyword in kwargs if keyword not in known), None)
    if odd is not None and not any(given.kind is given.VAR_KEYWORD for given in parameters.values()):
        hint = f"; use {instead[odd]}" if odd in instead else did_you_mean(odd, known)
        raise TypeError(
            f"{name}() has no argument {odd!r}{hint or '; it takes ' + ', '.join(known)}"
        ) from None
    by_position = [
        parameter.name
        for parameter in parameters.values()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    if not known:
        raise TypeError(f"{name}() takes no arguments: {read_words(function)}") from None
    if len(args) > len(by_position):
        own = ", ".join(argument for argument in by_position if argument != "self")
        example = 'update("u-003", nick_name="M")' if name == "update" else f"{name}({own}, name=value)"
        raise TypeError(f"{name}() takes only {own} by position; give the rest by name: {example}") from None
    missing = [
        argument
        for argument in by_position[len(args) :]
        if parameters[argument].default is inspect.Parameter.empty and argument not in kwargs
    ]
    if missing:
        listed = "\n  and ".join(f"{argument}: {read_words(function, argument)}" for argument in missing)
        raise TypeError(f"{name}() needs {listed}") from None


def read_words(function: Callable[..., Any], argument: str = "") -> str:
    """Return what the docstring says about an argument, or its first line about the function."""
    text = inspect.getdoc(function) or ""
    if argument:
        found = re.search(rf"^ +{argument}: (.+(?:\n {{8}}.+)*)", text, re.MULTILINE)
        text = re.sub(r"\n +", " ", found[1]) if found else ""
    return text.partition("\n")[0].replace("`", "")
