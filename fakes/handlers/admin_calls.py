"""Declarations of admin calls, each at its handler: path, bodies, words and errors."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard, TypeVar

from fakes.handlers.admin import AdminBody, read_body, read_query, refuse_body, respond
from fakes.handlers.admin_schemas import Schema
from fakes.handlers.context import CallContext
from fakes.handlers.error_formats import format_admin_error
from fakes.handlers.routing import Content, Route, summarize
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from svckit.models.base import python_name

__all__ = ["AdminCalls", "AdminRoute"]

Function = TypeVar("Function", bound=Callable[..., object])


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminRoute(Route):
    """An admin call.

    Attributes:
        status: the status of success.
        replaced: another status of success, if something was replaced.
        errors: the statuses of refusals, besides those that every call may get: 400, and 401 unless it is keyless.
        query: the schemas of the query parameters.
    """

    status: int
    replaced: int | None
    errors: tuple[int, ...]
    query: Mapping[str, Schema] = field(hash=False)

    def describe(self) -> dict[str, object]:
        """Return the call as data: its path, what it does, and whether it needs the key."""
        return {"method": self.method, "path": self.template, "does": self.does, "key": not self.keyless}


class AdminCalls(list[AdminRoute]):
    """The admin calls of a module, each of which it declares with a decorator.

    Args:
        find: finds what all these calls are about, or refuses, before the body is read; handlers get it after the call.

    Examples:
        >>> from fakes.handlers.admin_schemas import INSTANT, make_object
        >>> admin = AdminCalls()
        >>> @admin("GET", "/clock", "clock.read", returns=make_object(now=INSTANT))
        ... def read_clock(call):
        ...     '''Return the fake's time.'''
        ...     return {"now": call.state.clock.now().isoformat()}
        >>> admin[0].describe()
        {'method': 'GET', 'path': '/clock', 'does': "Return the fake's time.", 'key': True}
    """

    def __init__(self, find: Callable[[CallContext], object] | None = None) -> None:
        super().__init__()
        self._find = find

    def __call__(
        self,
        method: str,
        path: str,
        name: str,
        *,
        body: Content | None = None,
        returns: Content | None = None,
        status: int | None = None,
        replaced: int | None = None,
        errors: tuple[int, ...] = (),
        query: Mapping[str, Schema] | None = None,
        keyless: bool = False,
    ) -> Callable[[Function], Function]:
        """Return a decorator of a handler: a function of the call that returns the content of the response.

        If the body is an `AdminBody`, the handler gets it as its last argument, and so the query parameters of a call
        that takes some; it reads any other body by itself. It returns a dict, an object with the attributes that the
        schema names, or None for a response without content; and it may return a whole response.

        Args:
            method: the method.
            path: the path below the admin URL.
            name: the operation, without ``admin.``
            body: the model or the schema of the body.
            returns: the model or the schema of the response's body.
            status: the status of success; by default 200, or 204 without a body.
            replaced: another status of success, if something was replaced.
            errors: the statuses of refusals, besides 400 and 401.
            query: the schemas of the query parameters.
            keyless: whether the call needs no key, as it shows nothing of the fake's state.
        """
        success = status or (204 if returns is None else 200)

        def declare(function: Function) -> Function:
            def handle(call: CallContext) -> FakeResponse:
                if call.query and query is None:
                    raise Refusal(
                        "invalid", f"{method} {path} takes no query; remove the ? and what follows it"
                    )
                found = [] if self._find is None else [self._find(call)]
                if body is None and method != "GET":
                    refuse_body(call)
                given: list[Any] = [read_body(call, body)] if _is_read(body) else []
                given += [] if query is None else [read_query(call, query)]
                content = function(call, *found, *given)
                if isinstance(content, FakeResponse):
                    return content
                return FakeResponse(204) if content is None else respond(_to_data(content, returns), success)

            route = AdminRoute(
                "admin",
                format_admin_error,
                method,
                path,
                f"admin.{name}",
                handle,
                keyless=keyless,
                does=summarize(function),
                takes=body,
                returns=returns,
                status=success,
                replaced=replaced,
                errors=errors,
                query=query or {},
            )
            self.append(route)
            return function

        return declare


def _to_data(content: object, schema: Any) -> object:
    """Return content as JSON data: of an object of the fake, the attributes that a schema names."""
    if isinstance(content, dict):
        return content
    return {name: getattr(content, python_name(name)) for name in schema["properties"]}


def _is_read(body: Any) -> TypeGuard[type[AdminBody]]:
    return isinstance(body, type) and issubclass(body, AdminBody)
