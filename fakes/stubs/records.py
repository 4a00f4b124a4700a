"""Stubs as data: their fields, their limits, and files of them."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from fakes.http import json_text
from fakes.http.messages import check_field_value
from fakes.http.own_headers import OWN_HEADERS
from svckit.display.suggestions import did_you_mean
from svckit.models.base import Flag, Integer, OrAbsent, WireModel, absent
from svckit.models.paths import UPLOAD_PLACES
from svckit.models.phrases import describe_given
from svckit.models.problems import HALF_CHARACTER, Problem, list_problems, shorten

__all__ = [
    "PARAMETER",
    "READY",
    "StubRecord",
    "StubResponse",
    "StubSource",
    "View",
    "read_records",
    "validate_records",
]

PARAMETER: Final = re.compile(r"\{(\w+)\}")
"""A path parameter, in a path or in a text of a response."""
READY: Final = {"common": Path(__file__).with_name("common.json")}
"""The ready files of stubs, by name."""
View = Literal[
    "board",
    "boards",
    "bot",
    "bots",
    "discovery",
    "file",
    "files",
    "group",
    "groups",
    "keys",
    "members",
    "message",
    "orgunits",
    "revoke",
    "user",
    "users",
]
"""The views: responses that are made of what the fake has."""
NEEDED: Final[Mapping[str, str]] = {
    "board": "boardId",
    "bot": "botId",
    "file": "fileId",
    "group": "groupId",
    "message": "botId",
}
"""The parameters that the paths of views need, by view."""
DRIVES: Final = {place.container: place for place in UPLOAD_PLACES if place.template.endswith("/files")}
"""The places that list their files, by the parameters in their paths beside ``fileId``."""
NO_BODY: Final = frozenset({204, 205, 304})
"""The statuses of responses without a body (RFC 9110)."""
RESERVED: Final = frozenset(
    {"connection", "content-length", "transfer-encoding", *(name.lower() for name in OWN_HEADERS)}
)
"""The headers that a stub cannot set: each door writes those of the connection, and the fake its own."""
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "REPORT", "PROPPATCH")
"""The usual methods, and others that resemble them; one that is nearly such a method is a mistake."""
LONGEST_PATH: Final = 2000
"""The most characters of a path."""
LONGEST_NAME: Final = 100
"""The most characters of a header's name."""
LONGEST_VALUE: Final = 4000
"""The most characters of a header's value; clients accept at least this."""
ANY: Final = ["object", "array", "string", "number", "boolean", "null"]
"""The types of JSON values."""
PATH: Final = re.compile(r"/(?:[!-~](?<![?#{}\\])|\{[A-Za-z_]\w*\})*", re.ASCII)
"""Visible characters, except those that mean something else in a URL or here, and parameters."""
TOKEN: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)

StubSource = str | os.PathLike[str] | Iterable[Mapping[str, Any]]
"""A file of stubs or the name of a ready one, or the stubs as data."""


def check_method(method: str) -> str:
    """Return a method in capitals.

    Raises:
        ValueError: it is not a method.
    """
    name = method.upper()
    meant = "" if name in METHODS else did_you_mean(name, METHODS)
    if meant or not (name.isascii() and name.isalpha()):
        raise ValueError(f"must be an HTTP method, such as GET; given {shorten(method)!r}{meant}")
    return name


def check_path(path: str) -> str:
    """Return the path of a stub unchanged.

    Raises:
        ValueError: it is not a path, or a parameter in it is not a whole segment or occurs twice.
    """
    # Every parameter is a whole segment if as many segments are in braces as there are parameters.
    names = PARAMETER.findall(path)
    whole = sum(segment[:1] == "{" and segment[-1:] == "}" for segment in path.split("/"))
    if PATH.fullmatch(path) is None or whole != len(names) or len(set(names)) < len(names):
        raise ValueError(
            "must be a path below the URL of its area, percent-encoded and without a query, such as /groups or "
            "/groups/{groupId}, where each parameter is a whole segment with a name of its own; given "
            f"{shorten(path)!r}"
        )
    return path


def check_header(name: str) -> str:
    """Return the name of a header unchanged.

    Raises:
        ValueError: a stub cannot send such a header.
    """
    if TOKEN.fullmatch(name) is None:
        raise ValueError(f"must be the name of a header, such as X-Request-Id; given {shorten(name)!r}")
    if name.lower() in RESERVED:
        raise ValueError(f"must not be {name}, which the fake writes itself; leave it out")
    return name


# Names the types, as the schema of `JsonValue` itself is empty.
Body = Annotated[JsonValue, WithJsonSchema({"type": ANY})]


class StubResponse(WireModel):
    """A response of a stub: what its function may return in place of a JSON value.

    Attributes:
        status: from 200 to 599.
        headers: the headers; the media type is that of JSON unless they have another.
        body: the JSON value, given as ``json``; without one, the response has no body.

    Examples:
        >>> StubResponse(status=404, json={"code": "NOT_FOUND"})
        StubResponse(status=404, body={'code': 'NOT_FOUND'})
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    status: Annotated[Integer, Field(ge=200, le=599)] = Field(default=200, description="The status.")
    headers: dict[
        Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(check_header)],
        Annotated[str, Field(max_length=LONGEST_VALUE), AfterValidator(check_field_value)],
    ] = Field(default={}, description="The headers.")
    body: Body = Field(default=None, alias="json", description="The body.")

    @property
    def has_body(self) -> bool:
        """True if a body was given, which may be ``null``."""
        return "body" in self.model_fields_set

    @model_validator(mode="after")
    def _check_body(self) -> Self:
        if self.status in NO_BODY and self.has_body:
            raise ValueError(
                f"has no body with the status {self.status}; leave json out, or use another status"
            )
        number = json_text.find_unwritable(self.body, "json")
        if number is not None:
            raise ValueError(
                f"has NaN or an infinity in {number}, which JSON does not have; use null or text"
            )
        if json_text.has_half_character(self.body):
            raise ValueError(f"has {HALF_CHARACTER} in json, which cannot be sent")
        return self


class StubRecord(StubResponse):
    """A stub as data, in a file, an admin call or a snapshot.

    Attributes:
        method: the method.
        path: the path, with parameters such as ``{groupId}``.
        area: the part of the service that it belongs to.
        bearer: whether it needs a valid access token, if it belongs to the resource API.
        view: the view that makes the response, as those of the ready stubs do; then there is no body here.
        then: the responses to the next calls; the last one is repeated.
        used: how many calls it responded to.
    """

    body: Body = Field(  # again, for its description
        default=None,
        alias="json",
        description="The body; {groupId} in its texts is replaced by that parameter.",
    )
    method: Annotated[str, AfterValidator(check_method)] = Field(description="The method.")
    path: Annotated[str, Field(max_length=LONGEST_PATH), AfterValidator(check_path)] = Field(
        description="The path below the URL of its area; {groupId} in it is a parameter."
    )
    area: Literal["api", "auth"] = Field(
        default="api", description="The part of the service: api for base_url, auth for auth_url."
    )
    bearer: Flag = Field(
        default=True, description="Whether a call in the area api needs a valid access token."
    )
    view: OrAbsent[View] = absent("The view that makes the body of what the fake has, in place of json.")
    then: list[StubResponse] = Field(
        default=[], description="The responses to the next calls; the last one is repeated."
    )
    used: Annotated[Integer, Field(ge=0)] = Field(
        default=0, description="Number of calls that it responded to."
    )

    @model_validator(mode="after")
    def _check_view(self) -> Self:
        if self.view is not None and self.has_body:
            raise ValueError("has a view, which makes the body; leave json out")
        names, needed = PARAMETER.findall(self.path), NEEDED.get(self.view or "")
        if needed and needed not in names:
            raise ValueError(f"has the view {self.view}, which needs {{{needed}}} in the path")
        drive = tuple(name for name in names if name != "fileId")
        if self.view in ("file", "files") and drive not in DRIVES:
            known = " or ".join("".join(f"{{{name}}}" for name in names) for names in DRIVES)
            raise ValueError(f"has the view {self.view}, which needs the parameters of a drive: {known}")
        return self


def read_records(source: StubSource) -> list[Mapping[str, Any]]:
    """Return stubs as data, unchecked.

    Args:
        source: a JSON file with a list of stubs, the name of a ready one, or the stubs themselves.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file does not contain a JSON list, or an object in it repeats a key.

    Examples:
        >>> [record["path"] for record in read_records("common")][:2]
        ['/users', '/users/{userId}']
    """
    if not isinstance(source, str | os.PathLike):
        return list(source)
    path = READY.get(str(source), Path(source))
    try:
        content = path.read_bytes()
        given = json_text.read(content)
    except FileNotFoundError:
        raise FileNotFoundError(
            f"there is no file {path}; name a JSON file of stubs, or a ready one: {', '.join(READY)}"
        ) from None
    except ValueError as broken:
        raise ValueError(f"the file {path} is not JSON: {broken}") from None
    json_text.refuse_repeated_key(content, given, f"the file {path}")
    if not isinstance(given, list):
        raise ValueError(
            f'the file {path} must contain a JSON list of stubs, such as [{{"method": "GET", "path": "/groups", '
            f'"json": {{"groups": []}}}}]; given {shorten(json.dumps(given))}'
        )
    return given


def validate_records(given: Iterable[Mapping[str, Any]]) -> tuple[dict[str, StubRecord], list[Problem]]:
    """Return the records of stubs that are valid, by their places, and the problems of the others.

    Examples:
        >>> validate_records([{"method": "GET", "path": "groups"}, {"method": "GET"}])
        ({}, [Problem(path='stubs[0].path', ...), Problem(path='stubs[1].path', ...is required', ...)])
    """
    records: dict[str, StubRecord] = {}
    problems: list[Problem] = []
    for index, fields in enumerate(given):
        at = f"stubs[{index}]"
        if not isinstance(fields, Mapping):
            problems.append(Problem(at, f"{at} must be an object; given {describe_given(fields)}"))
            continue
        try:
            records[at] = StubRecord.from_wire(fields)
        except ValidationError as invalid:
            problems += list_problems(invalid, at=at)
    return records, problems
