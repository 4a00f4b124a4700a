"""Operations as methods of an object: their signatures, groups and display."""

import inspect
import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache, wraps
from textwrap import indent
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    ForwardRef,
    ParamSpec,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from svckit.display.arguments import explain_arguments, read_words
from svckit.display.card import Shown, render_card
from svckit.display.suggestions import no_attribute
from svckit.errors import InvalidInput
from svckit.http.messages import Operation
from svckit.operations.batch import Plan, run_tasks, run_threads
from svckit.tracebacks import hiding_inner_frames

__all__ = [
    "Group",
    "async_batch_method",
    "async_method",
    "batch_method",
    "format_signature",
    "method",
]

SESSION = """\
>>> import svckit
>>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
"""
"""The start of the examples of all methods."""
_MODULES = re.compile(r"\b(?:\w+\.)+")
P = ParamSpec("P")
T = TypeVar("T")


Planning: TypeAlias = Callable[Concatenate[Any, P], AbstractContextManager[Plan[T]]]
"""Makes a plan, and cleans up when it has run."""


class Group(Shown):
    """A group of a session's methods for one topic, displayed as a card."""

    title: str
    """The name of the session's attribute."""
    methods: Sequence[str]
    """The names of the methods, in the order of the card."""
    instead: Mapping[str, str] = MappingProxyType({})
    """Advice for names that people often try, and for ``[]`` and ``for``."""

    def __init__(self, session: Any) -> None:
        self._session = session

    if not TYPE_CHECKING:  # or type checkers would accept any name

        def __getattr__(self, name: str) -> None:
            __tracebackhide__ = True
            owner = f"svc.{self.title}"
            if name in self.instead:
                raise AttributeError(f"{owner} has no attribute {name!r}; {self.instead[name]}")
            raise no_attribute(owner, name, self.methods)

        def __getitem__(self, key: object) -> None:
            __tracebackhide__ = True
            raise TypeError(f"svc.{self.title} cannot be indexed; {self.instead['[]']}")

        def __iter__(self) -> None:
            __tracebackhide__ = True
            raise TypeError(f"svc.{self.title} cannot be iterated; {self.instead['for']}")

    def __dir__(self) -> Sequence[str]:
        return self.methods

    def _render(self) -> tuple[str, str]:
        rows = [(format_signature(self, name), read_words(getattr(self, name))) for name in self.methods]
        return render_card(self.title, rows)


def method(operation: Callable[P, Operation[T]], examples: str) -> Callable[Concatenate[Any, P], T]:
    """Turn an operation into a method of a group, or of a session itself; its examples follow the start of one."""

    @wraps(operation)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        result: T = self._session.run(start(operation, *args, **kwargs))
        return result

    copy_signature(call, operation)
    call.__doc__ = describe(operation, f"Examples:\n{indent(SESSION + examples, '    ')}")
    return call


def async_method(
    operation: Callable[P, Operation[T]],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """Turn an operation into a method of a group, or of a session itself, that is awaited."""

    async def run(self: Any, started: Operation[T]) -> T:
        __tracebackhide__ = True
        result: T = await self._session.run(started)
        return result

    @wraps(operation)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, T]:
        __tracebackhide__ = True
        started = run(self, start(operation, *args, **kwargs))
        # for Python's warning if it is never awaited
        owner = f"svc.{self.title}" if isinstance(self, Group) else "svc"
        started.__qualname__ = f"{owner}.{operation.__name__}"  # type: ignore[attr-defined]
        return started

    copy_signature(call, operation)
    call.__doc__ = describe(operation, "To be awaited; otherwise like the method of `svckit.Session`.\n")
    return call


def batch_method(planning: Planning[P, T]) -> Callable[Concatenate[Any, P], T]:
    """Turn a way to plan into a method of a group, which runs the batch in threads."""

    @wraps(planning)
    def call(self: Group, /, *args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        session = self._session
        with hiding_inner_frames, planning(session, *args, **kwargs) as plan:
            run_threads(session.run, plan.batch, session.choose_workers(plan.workers))
            return plan.collect()

    del call.__wrapped__  # whose signature would show the session
    copy_signature(call, planning, own=1)
    return call


def async_batch_method(
    planning: Planning[P, T], words: str
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """Turn a way to plan into a method that is awaited and runs the batch in tasks; `words` is its docstring."""

    @wraps(planning)
    async def call(self: Group, /, *args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        session = self._session
        with hiding_inner_frames, planning(session, *args, **kwargs) as plan:
            await run_tasks(session.run, plan.batch, session.choose_workers(plan.workers))
            return plan.collect()

    del call.__wrapped__  # whose signature would show the session
    copy_signature(call, planning, own=1)
    call.__doc__ = words
    return call


def start(operation: Callable[P, Operation[T]], *args: P.args, **kwargs: P.kwargs) -> Operation[T]:
    """Start an operation with its arguments.

    Raises:
        TypeError: it does not take them; the message says what it takes.
        InvalidInput: ``user_id`` is given twice.
    """
    __tracebackhide__ = True
    try:
        return operation(*args, **kwargs)
    except TypeError:  # nothing has run yet, as an operation is a generator
        if "user_id" in kwargs and args:
            topic = operation.__module__.rpartition(".")[2]
            raise InvalidInput(
                f"{topic}.{operation.__name__} was not sent: user_id is read-only; it only names the user"
            ) from None
        explain_arguments(operation, args, kwargs)
        raise


def describe(operation: Callable[..., Any], end: str) -> str:
    """Return an operation's docstring up to its examples, which show it as a function, with another ending."""
    own, _, _ = inspect.cleandoc(operation.__doc__ or "").partition("\nExamples:\n")
    return f"{own.rstrip()}\n\n{end}"


class TypeName(str):
    """The name of a type or a default in a signature; shown as it is, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def copy_signature(call: Callable[..., Any], source: Callable[..., Any], *, own: int = 0) -> None:
    """Give a method the signature of its operation or plan, with ``self``, all keywords by name, and its result.

    Its annotations are those that ``typing.get_type_hints`` can resolve.

    Args:
        call: the method.
        source: the operation or plan.
        own: how many of the first parameters of `source` are not those of the method.
    """
    signature = _read_signature(source, own)
    shown = {name: found.annotation for name, found in list(signature.parameters.items())[1:]}
    shown["return"] = signature.return_annotation
    call.__annotations__ = {name: kind for name, kind in shown.items() if not isinstance(kind, str)}
    short = [_shorten(parameter) for parameter in signature.parameters.values()]
    call.__signature__ = signature.replace(parameters=short)  # type: ignore[attr-defined]


def _shorten(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter as a notebook shows it: types without their modules, and ``unset`` for what is not given."""
    if parameter.annotation is not parameter.empty:
        words = _MODULES.sub("", inspect.formatannotation(parameter.annotation)).replace(" | ellipsis", "")
        parameter = parameter.replace(annotation=TypeName(words))
    return parameter.replace(default=TypeName("unset")) if parameter.default is ... else parameter


@cache  # for the method of a session, and for that to be awaited
def _read_signature(source: Callable[..., Any], own: int) -> inspect.Signature:
    signature = inspect.signature(source)
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    for parameter in list(signature.parameters.values())[own:]:
        if parameter.kind is parameter.VAR_KEYWORD:  # so that a notebook can complete them
            (keywords,) = get_args(parameter.annotation)  # of Unpack[…]
            parameters += [
                inspect.Parameter(name, parameter.KEYWORD_ONLY, default=..., annotation=annotation)
                for name, annotation in get_type_hints(keywords).items()
            ]
        elif isinstance(parameter.annotation, str):
            parameters.append(parameter.replace(annotation=TypeName(parameter.annotation)))
        else:
            parameters.append(parameter)
    *_, result = get_args(signature.return_annotation)  # of a generator what it returns
    if get_origin(result) is Plan:
        (result,) = get_args(result)
    if isinstance(result, ForwardRef):
        result = TypeName(result.__forward_arg__)
    return inspect.Signature(parameters, return_annotation=result)


def format_signature(owner: object, name: str) -> str:
    """Format the signature of a method, without types and defaults.

    Examples:
        >>> format_signature([], "append")
        'append(object, /)'
    """
    function = getattr(owner, name)
    # That of an operation has one parameter for all fields, where the method's lists them.
    own = inspect.signature(getattr(function, "__wrapped__", function))
    parameters = [p.replace(annotation=p.empty, default=p.empty) for p in own.parameters.values()]
    return f"{name}{inspect.Signature(parameters)}"
