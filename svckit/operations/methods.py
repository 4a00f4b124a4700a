"""Operations as methods of an object: their signatures, groups and display."""

import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import wraps
from textwrap import indent
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, get_args, get_type_hints

from svckit.display.card import render_card
from svckit.display.suggestions import did_you_mean, no_attribute
from svckit.errors import InvalidInput
from svckit.http.messages import Operation

__all__ = ["Group", "async_method", "format_signature", "method"]

P = ParamSpec("P")
T = TypeVar("T")


class Group:
    """A group of a session's methods for one topic, displayed as a card."""

    title: str
    methods: Sequence[str]
    instead: Mapping[str, str] = MappingProxyType({})
    """Advice for names that people often try."""

    def __init__(self, session: Any) -> None:
        self._session = session

    if not TYPE_CHECKING:  # or type checkers would accept any name

        def __getattr__(self, name: str) -> None:
            __tracebackhide__ = True
            owner = f"svc.{self.title}"
            if name in self.instead:
                raise AttributeError(f"{owner} has no attribute {name!r}; {self.instead[name]}")
            raise no_attribute(owner, name, self.methods)

    def __repr__(self) -> str:
        return self._card()[1]

    def _repr_html_(self) -> str:
        return self._card()[0]

    def _card(self) -> tuple[str, str]:
        rows = [(format_signature(self, name), summarize(getattr(self, name))) for name in self.methods]
        return render_card(self.title, rows)


def method(operation: Callable[P, Operation[T]], examples: str = "") -> Callable[Concatenate[Any, P], T]:
    """Turn an operation into a method of a group, with its own examples."""

    @wraps(operation)
    def call(self: Group, /, *args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        result: T = self._session.run(start(operation, *args, **kwargs))
        return result

    copy_signature(call, operation)
    call.__doc__ = describe(operation, f"Examples:\n{indent(examples, '    ')}" if examples else "")
    return call


def async_method(
    operation: Callable[P, Operation[T]],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """Turn an operation into a method of a group that is awaited."""

    @wraps(operation)
    async def call(self: Group, /, *args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        result: T = await self._session.run(start(operation, *args, **kwargs))
        return result

    copy_signature(call, operation)
    call.__doc__ = describe(operation, "To be awaited; otherwise like the method of `svckit.Session`.\n")
    return call


def start(operation: Callable[P, Operation[T]], *args: P.args, **kwargs: P.kwargs) -> Operation[T]:
    """Start an operation with its arguments.

    Raises:
        TypeError: it does not take them; the message suggests the nearest name.
        InvalidInput: ``user_id`` is given twice.
    """
    __tracebackhide__ = True
    try:
        return operation(*args, **kwargs)
    except TypeError:  # nothing has run yet
        known = list(inspect.signature(operation).parameters)
        twice = next((name for name in kwargs if name in known[: len(args)]), None)
        if twice == "user_id":
            topic = operation.__module__.rpartition(".")[2]
            raise InvalidInput(
                f"{topic}.{operation.__name__} was not sent: user_id is read-only; it only names the user"
            ) from None
        odd = next((name for name in kwargs if name not in known), None)
        if odd is None:
            raise
        hint = did_you_mean(odd, known) or f"; it takes {', '.join(known)}"
        raise TypeError(f"{operation.__name__}() has no argument {odd!r}{hint}") from None


def describe(operation: Callable[..., Any], end: str) -> str:
    """Return an operation's docstring up to its examples, which show it as a function, with another ending."""
    own, _, _ = inspect.cleandoc(operation.__doc__ or "").partition("\nExamples:\n")
    return f"{own.rstrip()}\n\n{end}" if end else f"{own.rstrip()}\n"


def copy_signature(call: Callable[..., Any], operation: Callable[..., Any]) -> None:
    """Give a method the signature of its operation, with ``self``, all keywords by name, and its result."""
    own = inspect.signature(operation)
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    for parameter in own.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:  # so that a notebook can complete them
            (keywords,) = get_args(parameter.annotation)
            parameters += [
                inspect.Parameter(name, parameter.KEYWORD_ONLY, default=..., annotation=annotation)
                for name, annotation in get_type_hints(keywords).items()
            ]
        else:
            parameters.append(parameter)
    *_, result = get_args(own.return_annotation)
    call.__signature__ = inspect.Signature(parameters, return_annotation=result)  # type: ignore[attr-defined]


def format_signature(owner: object, name: str) -> str:
    """Format the signature of a method, without types and defaults.

    Examples:
        >>> format_signature([], "append")
        'append(object, /)'
    """
    function = getattr(owner, name)
    own = inspect.signature(getattr(function, "__wrapped__", function))
    parameters = [p.replace(annotation=p.empty, default=p.empty) for p in own.parameters.values()]
    return f"{name}{inspect.Signature(parameters)}"


def summarize(function: Callable[..., Any]) -> str:
    """Return the first line of a function's docstring."""
    return (inspect.getdoc(function) or "").partition("\n")[0].replace("`", "")
