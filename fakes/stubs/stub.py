"""One stub: what it responds to a call, and the call as its function gets it."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import ValidationError
from pydantic_core import to_json

from fakes.http import json_text
from fakes.http.addresses import Area
from fakes.http.messages import FakeResponse
from fakes.stubs.records import PARAMETER, StubRecord, StubResponse, View
from svckit.display.card import quantity
from svckit.models.problems import join_problems, list_problems, shorten

__all__ = ["ABSENT", "Stub", "StubCall", "StubFunction", "read_arguments"]


Model = TypeVar("Model", bound=StubResponse)

JSON: Final = ("Content-Type", "application/json; charset=UTF-8")
ABSENT: Final = ...
"""Stands for a body that was not given; None is ``null``."""


@dataclass(frozen=True, slots=True)
class StubCall:
    """A call of a stub, as its function gets it. The repr leaves out what may be secret.

    Attributes:
        method: the method, in capitals.
        path: the path below the URL of its area, as sent.
        params: the path parameters, percent-decoded.
        query: the query parameters, decoded; of a repeated one, the first.
        headers: the headers by name, in lower case.
        json: the JSON of the body; None if it has none.
        user_id: the caller, by the access token; None if the stub does not need one.
    """

    method: str
    path: str
    params: Mapping[str, str]
    query: Mapping[str, str] = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    json: Any = field(repr=False)
    user_id: str | None = None


StubFunction = Callable[[StubCall], Any]
"""Returns the JSON value, or the `StubResponse`, for a call."""


class Step(NamedTuple):
    """One response of a stub; if it has a function, that makes the body."""

    response: StubResponse
    function: StubFunction | None


def read_arguments(
    model: type[Model], given: Mapping[str, Any], json: Any
) -> tuple[Model, StubFunction | None]:
    """Return a stub or a response of one by its arguments, of which None counts as not given, and its function.

    Raises:
        ValueError: one is not valid; all problems are reported together.
    """
    function: StubFunction | None = json if callable(json) else None
    if isinstance(json, str) and _has_fields(json):
        raise ValueError(
            "this stub is not valid: json must be the value itself, such as a dict; given text that is the JSON of "
            f"one: {shorten(json)!r}"
        )
    fields = {name: value for name, value in given.items() if value is not None}
    if json is not ABSENT and function is None:
        fields["json"] = json
    try:
        return model.from_wire(fields), function
    except ValidationError as invalid:
        raise ValueError(f"this stub is not valid: {join_problems(list_problems(invalid))}") from None


def _has_fields(text: str) -> bool:
    """Return whether a text is the JSON of an object or a list."""
    try:
        return isinstance(json_text.read(text.encode()), dict | list)
    except ValueError:
        return False


class Stub:
    """A stub, as `FakeService.stub` returns it.

    Attributes:
        used: how many calls it responded to.
        path: the path below the URL of its area, with its parameters.
        name: the method and the path, such as ``GET /groups/{groupId}``.
        place: the area, the method and the path, whatever its parameters are called.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> fake.stub("GET", "/jobs/{jobId}", json={"state": "running"}).then(json={"state": "done"})
        <Stub GET /jobs/{jobId}: 2 responses, used 0 times>
    """

    def __init__(
        self, record: StubRecord, function: StubFunction | None, lock: AbstractContextManager[Any]
    ) -> None:
        self.used: int = record.used
        self.path: str = record.path
        self.name: str = f"{record.method} {record.path}"
        self.place: tuple[Area, str, str] = (record.area, record.method, PARAMETER.sub("{}", record.path))
        self._record = record
        self._lock = lock
        # One for each call, and the last for all that follow.
        self._steps = (Step(record, function), *(Step(response, None) for response in record.then))

    @property
    def needs_bearer(self) -> bool:
        """True if its calls need a valid access token."""
        return self._record.bearer and self._record.area == "api"

    @property
    def has_function(self) -> bool:
        """True if a function makes one of its responses, which cannot be saved."""
        return any(step.function is not None for step in self._steps)

    def then(
        self, *, status: int = 200, headers: Mapping[str, str] | None = None, json: Any = ABSENT
    ) -> "Stub":
        """Add the response to the next call; the last one is repeated.

        Args:
            status, headers, json: as in `FakeService.stub`.

        Returns:
            The stub itself.

        Raises:
            ValueError: an argument is not valid; all problems are reported together.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> fake.stub("POST", "/groups", status=503).then(status=201, json={"groupId": "group-1"})
            <Stub POST /groups: 2 responses, used 0 times>
        """
        step = Step(*read_arguments(StubResponse, {"status": status, "headers": headers}, json))
        with self._lock:
            self._steps = (*self._steps, step)
        return self

    @property
    def view(self) -> View | None:
        """The view that makes the response to the next call; None without one."""
        is_first = not self.used or len(self._steps) == 1
        return self._record.view if is_first else None

    def respond(self, call: StubCall, view: StubFunction | None = None) -> FakeResponse:
        """Return the response to a call, and count it.

        Args:
            call: the call.
            view: the function of the stub's view, if it has one for this call.

        Raises:
            ValueError: the function returned neither a JSON value nor a `StubResponse`.
        """
        response, function = self._steps[min(self.used, len(self._steps) - 1)]
        function = function or view
        if function is not None:
            response = self._run(function, call, response)
        body = response.body
        if function is None and call.params:
            body = fill_in(body, call.params)
        self.used += 1
        headers = list(response.headers.items())
        if not response.has_body:
            return FakeResponse(response.status, headers)
        if not any(name.lower() == "content-type" for name, _ in headers):
            headers.insert(0, JSON)
        return FakeResponse(response.status, headers, to_json(body))

    def _run(self, function: StubFunction, call: StubCall, response: StubResponse) -> StubResponse:
        returned = function(call)
        if isinstance(returned, StubResponse):
            return returned
        if returned is ABSENT:
            return StubResponse(status=response.status, headers=response.headers)
        try:
            return StubResponse(status=response.status, headers=response.headers, json=returned)
        except ValidationError as invalid:
            raise ValueError(
                f"the function of the stub {self.name} must return a JSON value, or a StubResponse: "
                f"{join_problems(list_problems(invalid))}"
            ) from None

    def to_wire(self) -> dict[str, Any]:
        """Return the stub as data, which has no functions."""
        record, then = self._record, [step.response.to_wire() for step in self._steps[1:]]
        wire: dict[str, Any] = {
            "method": record.method,
            "path": record.path,
            "area": record.area,
            "bearer": record.bearer,
            "status": record.status,
            "headers": dict(record.headers),
        }
        if record.has_body:
            wire["json"] = record.body
        if record.view is not None:
            wire["view"] = record.view
        return wire | {"then": then, "used": self.used}

    def __repr__(self) -> str:
        responses = quantity(len(self._steps), "response")
        return f"<Stub {self.name}: {responses}, used {quantity(self.used, 'time')}>"


def fill_in(value: Any, params: Mapping[str, str]) -> Any:
    """Replace path parameters, such as ``{groupId}``, in the texts of a JSON value.

    Examples:
        >>> fill_in({"ids": ["{groupId}"], "count": 1}, {"groupId": "group-1"})
        {'ids': ['group-1'], 'count': 1}
    """
    match value:
        case str():
            return PARAMETER.sub(lambda found: params.get(found[1], found[0]), value)
        case list():
            return [fill_in(item, params) for item in value]
        case dict():
            return {name: fill_in(item, params) for name, item in value.items()}
        case _:
            return value
