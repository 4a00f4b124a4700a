"""Read what a masked request sent, as the arguments of a Python call: secrets are variables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qs

from pydantic_core import from_json

from svckit.addresses import BEARER_AREAS
from svckit.display.masking import MASK, is_secret_name
from svckit.display.python_code import Code, write_call, write_value
from svckit.http.redaction import FORM, RedactedRequest, parse_range
from svckit.http.variables import RANDOM, name_variable

__all__ = ["SentRequest", "read_variable"]

JSON = "application/json"
AUTOMATIC = frozenset({"accept-encoding", "authorization", "content-type"})
"""The headers that a session or the body brings."""


@dataclass(frozen=True)
class SentRequest:
    """A request to write as Python, and what followed it on the file storage."""

    request: RedactedRequest
    content: Sequence[RedactedRequest]
    webhook: str

    @cached_property
    def headers(self) -> dict[str, str]:
        """The headers that neither the session nor the body brings."""
        return {n: v for n, v in self.request.headers if n.lower() not in AUTOMATIC}

    @cached_property
    def authorization(self) -> str:
        """The header ``Authorization``; empty without one."""
        return self.request.header("authorization")

    @cached_property
    def has_usual_bearer(self) -> bool:
        """True if a session sends the bearer in this area, or none, just as this request does."""
        return self.authorization == (f"Bearer {MASK}" if self.request.area in BEARER_AREAS else "")

    @cached_property
    def body(self) -> dict[str, Any]:
        """The body, as keywords of httpx."""
        request = self.request
        kind = request.header("content-type").partition(";")[0].strip().lower()
        if request.file is not None:
            return _write_file(request)
        if not request.is_whole:
            return {"content": Code('Path("body").read_bytes()')}
        if kind == FORM:
            return {"data": _parse_fields(request.body)}
        if kind == JSON and request.body not in ("", "null"):
            try:
                return {"json": _name_secrets(from_json(request.body, allow_inf_nan=False))}
            except ValueError:
                pass
        return {"content": request.body} if request.body else {}

    @cached_property
    def json(self) -> Any:
        """The JSON body of a request that an operation may send; ``None`` if it has secrets or headers of its own."""
        found = self.body.get("json")
        usual = self.has_usual_bearer and not self.headers and "os.environ" not in write_value(found)
        return found if usual else None

    @cached_property
    def line(self) -> str:
        """The method, and the path below the resource API's base URL; empty for other areas."""
        return f"{self.request.method} {self.request.path}" if self.request.area == "api" else ""

    @cached_property
    def target(self) -> tuple[str, dict[str, Any]]:
        """The path or URL, and the query as keywords if it holds a secret."""
        request = self.request
        if request.url_variable:
            return read_variable(request.url_variable), {}
        url, _, query = (request.path or request.url).partition("?")
        if query == MASK:
            return Code(f"{write_value(f'{url}?')} + {read_variable('QUERY')}"), {}
        if MASK in query:
            return url, {"params": _parse_fields(query)}
        return request.path or request.url, {}


def _write_file(request: RedactedRequest) -> dict[str, Any]:
    """Return the file that a request sends, or a range of it, as keywords of httpx."""
    part, name, content_type = request.file or ("", "", "")
    cut = parse_range(request.header("content-range"))
    piece = f"[{cut[0]}:{cut[1] + 1}]" if cut and cut[1] + 1 - cut[0] < cut[2] else ""
    content = Code(f"{write_call('Path', name)}.read_bytes(){piece}")
    fields = dict(field.split("=", 1) for field in request.fields)
    file = {part: (name, content, content_type) if content_type else (name, content)}
    return {**({"data": fields} if fields else {}), "files": file}


def _parse_fields(text: str) -> dict[str, Any]:
    """Parse a query or a form, with secrets as variables."""
    fields = parse_qs(text, keep_blank_values=True)
    return {n: _name_secrets(v[0] if len(v) == 1 else v, RANDOM, n) for n, v in fields.items()}


def _name_secrets(value: Any, others: Iterable[str] = (), name: str = "") -> Any:
    """Replace masked secrets, which are known by their names, with variables."""
    match value:
        case Mapping():
            return {key: _name_secrets(inner, others, key) for key, inner in value.items()}
        case list():
            return [_name_secrets(inner, others, name) for inner in value]
        case str() if value == MASK and (is_secret_name(name) or name in others):
            return read_variable(name_variable(name))
        case _:
            return value


def read_variable(name: str) -> Code:
    """Return the Python that reads an environment variable."""
    return Code(f"os.environ[{write_value(name)}]")
