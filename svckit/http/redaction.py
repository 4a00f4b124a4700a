"""Requests and responses as they may be shown: masked, truncated, as HTTP text and as curl.

Values that are random or change by themselves are left out too (``state``, dates, boundaries), so that the same
requests look the same in every run. Files are shown by name and size, never by content. curl commands have variables in
place of secrets: a mask is taken for one only where a name says so; elsewhere it may be the text itself.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Self
from urllib.parse import urlencode

from pydantic_core import to_json

from svckit.addresses import Area
from svckit.display.har import describe_file, find_phrase
from svckit.display.masking import MASK, is_secret_name, mask, mask_path, mask_transfer_urls
from svckit.display.terminal import escape_controls, escape_json, quote_for_shell
from svckit.http.messages import Response
from svckit.http.prepare import FORM, PreparedRequest
from svckit.models.base import python_name
from svckit.models.header_values import parse_whole_number
from svckit.models.secret import Secret

__all__ = ["RANDOM", "RedactedFile", "RedactedRequest", "RedactedResponse", "name_variable", "parse_range"]

LONGEST_BODY = 2_000  # characters
LONGEST_READ = 8 * LONGEST_BODY  # bytes that are searched for secrets
HEADERS = (  # of responses; others may hold secrets, or change from run to run
    "content-type",
    "content-length",
    "location",
    "ratelimit-used",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "retry-after",
    "x-fake-assumed",
    "x-fake-observed",
)
BEARER = ("Authorization", f"Bearer {MASK}")
PLACEHOLDERS = {
    "{base_url}": "BASE_URL",
    "{auth_url}": "AUTH_URL",
    "{upload_url}": "STORAGE_URL",
    "{webhook_url}": "HOOKS_URL",
}
"""The shell variables of a profile's base URLs, by their placeholders in explanations."""
_QUERY = re.compile(r"""(https?://[^\s"'<>?#\\]+)\?[^\s"'<>\\]*""", re.IGNORECASE)
_RANGE = re.compile(r"([0-9]+)-([0-9]+)/([0-9]+)")
_TEXT = re.compile(r"(application/([\w.-]+\+)?json|text/plain)\b", re.IGNORECASE)
RANDOM = frozenset({"state"})
"""The fields of queries and forms that are masked because they are random."""

_HIDDEN = re.compile(
    r"""(?:\AAuthorization:[ ](?:(?P<scheme>[A-Za-z]+)[ ])?|(?P<url>\A(?:https?:/)?/\S*\?)|"""
    r"""(?P<name>[A-Za-z_]+)(?:=|"\s*:\s*"))"""
    r"""\*\*\*(?![\w*])""",
    re.ASCII,
)
"""A masked secret whose name is known: of a header, the whole query of a URL, or of a field."""
_EXPANDED = re.compile(r"""["$`\\!]""")
"""What means something to a shell even in double quotes, which variables need."""


class RedactedFile(NamedTuple):
    """A file to send.

    Attributes:
        part: the name of its part of the body.
        name: its own name.
        content_type: its media type; empty if unknown.
    """

    part: str
    name: str
    content_type: str = ""


class RedactedRequest(NamedTuple):
    """A request, without its secrets.

    Attributes:
        operation: name of the operation it belongs to.
        area: the area of the service it goes to; ``None`` for anywhere else.
        method: HTTP method.
        url: the URL; one that the service gave has no query, as that may hold a signature.
        headers: the headers as sent, masked.
        body: the body, masked; of a file its name, media type and size.
        file: the file to send; ``None`` for no file.
        size: bytes of the body; ``None`` for a file.
        is_whole: whether the whole body is shown; if not, curl reads it from a file named ``body``.
        fields: the text fields that are sent before the file, masked.
        path: the path below the area's base URL, with the query, masked; empty for a URL that the service gave.
    """

    operation: str
    area: Area | None
    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: str
    file: RedactedFile | None
    size: int | None
    is_whole: bool = True
    fields: tuple[str, ...] = ()
    path: str = ""

    @classmethod
    def of(cls, prepared: PreparedRequest) -> Self:
        """Redact a request that was prepared."""
        request = prepared.request
        url = prepared.line.partition(" ")[2]  # masked already, and without a query
        path, own = "", ""  # of a target below the base URL; its own query comes before the parameters
        if isinstance(request.target, str) and request.target[:1] == "/":
            path, _, own = request.target.partition("?")
        query = "&".join(filter(None, [mask(f"?{own}")[1:], _mask_fields(request.params)]))
        query = f"?{query}" if query else ""
        headers = tuple(
            (n, v) for n, _, v in (mask(f"{n}: {v}").partition(": ") for n, v in prepared.headers.items())
        )
        headers += (BEARER,) if prepared.bearer is not None else ()
        body, file = "", None
        fields: tuple[str, ...] = ()
        size: int | None = len(prepared.content or b"")
        if request.file is not None:
            part = request.file
            headers = (*headers, ("Content-Type", "multipart/form-data"))
            fields = tuple(mask(f"{name}={value}") for name, value in part.fields.items())
            body = "\n".join([*fields, describe_file(part.name, part.file_name, part.content_type)])
            file = RedactedFile(part.name, part.file_name, part.content_type)
            size = None
        elif request.form is not None:
            body = _mask_fields(request.form)
        elif prepared.content:
            body = _truncate(
                mask(prepared.content[:LONGEST_READ].decode("utf-8", "replace")), len(prepared.content)
            )
        return cls(
            operation=request.operation,
            area=request.area,
            method=request.method,
            url=url + query,
            headers=headers,
            body=body,
            file=file,
            size=size,
            is_whole=len(body) <= LONGEST_BODY,
            fields=fields,
            path=mask(path) + query if path else "",
        )

    def with_json(self, json: object) -> Self:
        """Return a copy with this body, masked but not truncated."""
        return self._replace(body=mask(to_json(json).decode()), is_whole=True)

    def header(self, name: str) -> str:
        """Return the value of a header, by its lower-case name; empty if there is no such header."""
        return next((value for own, value in self.headers if own.lower() == name), "")

    @property
    def url_variable(self) -> str:
        """The variable that stands for the whole URL, if that is secret; otherwise empty."""
        if self.area == "hooks" and MASK in self.url:
            return "WEBHOOK_URL"
        if self.area == "storage" and (MASK in self.path or not self.path):
            return "UPLOAD_URL" if self.method in ("POST", "PUT") else "DOWNLOAD_URL"
        return ""

    @property
    def text(self) -> str:
        """The request as HTTP text: request line, headers, body."""
        scheme, _, rest = self.url.partition("://")
        host, slash, path = rest.partition("/") if scheme != self.url else self.url.partition("/")
        lines = [f"{self.method} {slash}{path} HTTP/1.1", f"Host: {host}"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        return escape_controls("\n".join([*lines, *(["", self.body] if self.body else [])]))

    @property
    def curl(self) -> str:
        """The request as a curl command for a POSIX shell; it takes secrets from variables such as ``ACCESS_TOKEN``."""
        method = "--head" if self.method == "HEAD" else f"-X {self.method}"
        words = [f"{self._write_cut()}curl {method} {self._write_url()}"]
        for name, value in self.headers:
            if self.file is None or name.lower() != "content-type":  # curl adds the boundary to its own
                words.append(f"-H {_quote_with_variables(f'{name}: {value}')}")
        return " \\\n  ".join([*words, *self._write_body()])

    def _write_cut(self) -> str:
        """Write the pipe that cuts the range to send out of the file; empty if the file is sent whole."""
        found = parse_range(self.header("content-range"))
        if self.file is None or found is None:
            return ""
        start, end, total = found
        size = end - start + 1
        if size == total:
            return ""
        return f"tail -c +{start + 1} < {quote_for_shell(self.file.name)} | head -c {size} | "

    def _write_url(self) -> str:
        """Write the URL as a word of a shell."""
        if self.url_variable:
            return f'"${self.url_variable}"'
        for placeholder, name in PLACEHOLDERS.items():
            if self.url.startswith(placeholder):
                return f'"${name}"{_quote_with_variables(self.url.removeprefix(placeholder))}'
        return _quote_with_variables(self.url)

    def _write_body(self) -> Iterator[str]:
        """Write the options of curl that send the body."""
        if self.file is not None:
            yield from (f"--form-string {_quote_with_variables(field)}" for field in self.fields)
            part, name, content_type = self.file
            read = f"-;filename={_quote_file_name(name)}" if self._write_cut() else _quote_file_name(name)
            kind = f";type={content_type}" if content_type else ""
            yield f"-F {quote_for_shell(f'{part}=@{read}{kind}')}"
        elif not self.is_whole:
            yield "--data-binary @body"
        elif self.header("content-type").startswith(FORM) and _holds_variables(self.body):
            for field in self.body.split("&"):  # curl joins them again
                encoded = "-urlencode" if _holds_variables(field) else ""
                yield f"--data{encoded} {_quote_with_variables(field)}"
        elif self.body:
            raw = "-raw" if self.body.startswith("@") else ""
            yield f"--data{raw} {_quote_with_variables(escape_json(self.body))}"


class RedactedResponse(NamedTuple):
    """A response, without its secrets.

    Attributes:
        status: HTTP status.
        headers: the informative headers, by lower-case name, masked.
        body: JSON and plain text, masked and truncated; of anything else its size and media type.
        size: bytes of the body; ``None`` if the service did not say.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str
    size: int | None

    @classmethod
    def of(
        cls, response: Response, hide: Callable[[str], str] = mask, *, shows_location: bool = False
    ) -> Self:
        """Redact a response, passing its text through `hide`; a Location is hidden unless it leads to a page."""
        given = response.headers
        headers = tuple((name, _strip_queries(hide(given[name]))) for name in HEADERS if name in given)
        if not shows_location:
            headers = tuple((n, mask_path(value) if n == "location" else value) for n, value in headers)
        size = len(response.content) or parse_whole_number(given.get("content-length"))
        kind = given.get("content-type", "")
        if response.content and _TEXT.match(kind):
            text = response.content[:LONGEST_READ].decode("utf-8", "replace")
            body = _truncate(_strip_queries(mask_transfer_urls(hide(text))), len(response.content))
        else:
            body = f"«{_format_size(size)}{f' of {kind}' if kind else ''}»" if size else ""
        return cls(response.status, headers, body, size)

    @property
    def line(self) -> str:
        """The status with its phrase, such as ``200 OK``."""
        return f"{self.status} {find_phrase(self.status)}".rstrip()

    @property
    def text(self) -> str:
        """The response as HTTP text: status line, headers, body."""
        lines = [f"HTTP/1.1 {self.line}", *(f"{name}: {value}" for name, value in self.headers)]
        return escape_controls("\n".join([*lines, *(["", self.body] if self.body else [])]))


def _quote_file_name(file_name: str) -> str:
    """Write a file's name for a form field of curl, in quotes if needed."""
    if not set(file_name) & set(';,"\\'):
        return file_name
    escaped = file_name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def parse_range(content_range: str) -> tuple[int, int, int] | None:
    """Parse a header ``Content-Range`` of an upload: the first byte, the last one, and how many there are in all.

    Examples:
        >>> parse_range("4-7/9")
        (4, 7, 9)
    """
    found = _RANGE.fullmatch(content_range)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _mask_fields(fields: Mapping[str, str | Secret]) -> str:
    """Encode the fields of a query or a form, with secrets masked by type and by name."""
    shown = {
        name: value if isinstance(value, str) and name not in RANDOM and not is_secret_name(name) else MASK
        for name, value in fields.items()
    }
    return mask(urlencode(shown, safe="*/:,"))


def _strip_queries(text: str) -> str:
    """Mask the queries of URLs in a text: they may hold a signature or a state."""
    return _QUERY.sub(rf"\1?{MASK}", text)


def _truncate(text: str, size: int) -> str:
    return text if len(text) <= LONGEST_BODY else f"{text[:LONGEST_BODY]}… ({_format_size(size)} in all)"


def _format_size(size: int | None) -> str:
    return f"{size:,} byte{'' if size == 1 else 's'}"


def name_variable(name: str) -> str:
    """Return the name of the variable that stands for a secret field.

    Examples:
        >>> name_variable("clientSecret"), name_variable("client_secret")
        ('CLIENT_SECRET', 'CLIENT_SECRET')
    """
    return python_name(name).upper()


def _quote_with_variables(text: str) -> str:
    """Quote text for a shell, with variables in place of the masked secrets whose names are known.

    Examples:
        >>> print(_quote_with_variables("Authorization: Bearer ***"))
        "Authorization: Bearer $ACCESS_TOKEN"
        >>> print(_quote_with_variables('{"clientSecret":"***","text":"*** new ***"}'))
        '{"clientSecret":"'"$CLIENT_SECRET"'","text":"*** new ***"}'
    """
    words, end = [], 0  # pairs of literal text and the variable after it
    for found in _HIDDEN.finditer(text):
        if variable := _choose_variable(found):
            words.append((text[end : found.end() - len(MASK)], f"${variable}"))
            end = found.end()
    words.append((text[end:], ""))
    # All in double quotes if the literal text allows it, as people write it; else piece by piece.
    if len(words) > 1 and not any(_EXPANDED.search(literal) for literal, _ in words):
        return f'"{"".join(literal + variable for literal, variable in words)}"'
    return "".join(
        (quote_for_shell(literal) if literal or not end else "") + (f'"{variable}"' if variable else "")
        for literal, variable in words
    )


def _choose_variable(found: re.Match[str]) -> str:
    """Return the variable for a masked secret; empty if this may be the text itself."""
    name = found["name"]
    if name:
        return name_variable(name) if is_secret_name(name) or name in RANDOM else ""
    if found["url"]:
        return "QUERY"
    return "ACCESS_TOKEN" if found["scheme"] == "Bearer" else "AUTHORIZATION"


def _holds_variables(text: str) -> bool:
    """Return whether text holds a masked secret whose name is known.

    Examples:
        >>> _holds_variables("client_secret=***"), _holds_variables("*** new ***")
        (True, False)
    """
    return any(map(_choose_variable, _HIDDEN.finditer(text)))
