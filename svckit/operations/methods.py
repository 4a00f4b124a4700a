"""Operations as methods of an object: how they are signed, grouped and shown."""

import inspect
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, get_args, get_type_hints

from svckit.card import render_card
from svckit.wire import Operation

__all__ = ["Group", "awaited_method", "method", "signature"]

P = ParamSpec("P")
T = TypeVar("T")


class Group:
    """The methods of a session that are about one thing; shows them when looked at."""

    title: str
    methods: Sequence[str]

    def __init__(self, session: Any) -> None:
        self._session = session

    def __repr__(self) -> str:
        return self._card()[1]

    def _repr_html_(self) -> str:
        return self._card()[0]

    def _card(self) -> tuple[str, str]:
        rows = [(signature(self, name), summary(getattr(self, name))) for name in self.methods]
        return render_card(self.title, rows)


def method(operation: Callable[P, Operation[T]]) -> Callable[Concatenate[Any, P], T]:
    """An operation as a method of a group."""

    @wraps(operation)
    def bound(self: Group, /, *args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        result: T = self._session.run(operation(*args, **kwargs))
        return result

    signed_like(bound, operation)
    return bound


def awaited_method(
    operation: Callable[P, Operation[T]],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """An operation as a method of a group, to be awaited."""

    @wraps(operation)
    async def bound(self: Group, /, *args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        result: T = await self._session.run(operation(*args, **kwargs))
        return result

    signed_like(bound, operation)
    return bound


def signed_like(bound: Callable[..., Any], operation: Callable[..., Any]) -> None:
    """Give a method the signature of its operation: ``self`` before it, every keyword by name, and its result."""
    own = inspect.signature(operation)
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    for parameter in own.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:  # so that a notebook completes them
            (keywords,) = get_args(parameter.annotation)
            parameters += [
                inspect.Parameter(name, parameter.KEYWORD_ONLY, default=..., annotation=annotation)
                for name, annotation in get_type_hints(keywords).items()
            ]
        else:
            parameters.append(parameter)
    *_, result = get_args(own.return_annotation)
    bound.__signature__ = inspect.Signature(parameters, return_annotation=result)  # type: ignore[attr-defined]


def signature(owner: object, name: str) -> str:
    """A method as one calls it, without types and defaults.

    Examples:
        >>> signature([], "append")
        'append(object, /)'
    """
    function = getattr(owner, name)
    own = inspect.signature(getattr(function, "__wrapped__", function))
    parameters = [p.replace(annotation=p.empty, default=p.empty) for p in own.parameters.values()]
    return f"{name}{inspect.Signature(parameters)}"


def summary(function: Callable[..., Any]) -> str:
    """The first line of what a function says about itself."""
    return (inspect.getdoc(function) or "").partition("\n")[0].replace("`", "")
