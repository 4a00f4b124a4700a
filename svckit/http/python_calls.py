"""Write requests as Python: the svckit calls that send the same, ready to run where ``svc`` is a session.

Secrets become environment variables, as in curl commands. What no operation of svckit sends is a call of
``svc.request``; what that cannot send is one of ``svc.http``, and a request that lacks its bearer one of ``httpx``.
"""

import mimetypes
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any
from urllib.parse import parse_qs, unquote

from pydantic import ValidationError
from pydantic_core import from_json

from svckit.addresses import BEARER_AREAS, quote_segment
from svckit.display.masking import MASK, is_secret_name
from svckit.display.python_code import Code, add_imports, write_call, write_value
from svckit.http.prepare import FORM, JSON
from svckit.http.redaction import RANDOM, RedactedRequest, name_variable, parse_range
from svckit.models.base import WireModel
from svckit.models.files import RANGE_SIZE, UploadRequest
from svckit.models.notification import Notification
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES, TransferPath
from svckit.models.status import STATUS_ARGUMENTS, StatusRegistration
from svckit.models.user import UserChange
from svckit.places import Place

__all__ = ["write_place", "write_python"]

AUTOMATIC = frozenset({"accept-encoding", "authorization", "content-type"})
"""The headers that a session or the body brings."""
WITHOUT_BODY = frozenset({"DELETE", "GET", "HEAD", "OPTIONS"})
WITH_BODY = frozenset({"PATCH", "POST", "PUT"})
AUTHORIZATION = ("client_id", "redirect_uri", "scope", "response_type", "state")
TOKENS = {"auth.exchange": ("exchange", "code"), "auth.refresh": ("refresh", "refresh_token")}
_USER = re.compile(r"/users/([^/?]+)")
_STATUS = re.compile(r"/users/([^/?]+)/user-profile-statuses")
_PLACEHOLDER = re.compile(r"\{(\w+_url)\}(.*)", re.DOTALL)


def write_python(*requests: RedactedRequest, webhook: str = "") -> str:
    """Return requests as Python, ready to run where ``svc`` is a session.

    The two steps of a transfer are one call, if both are given, and so are those of a sign-in.

    Args:
        *requests: the requests, masked, such as those of an explanation or a trace.
        webhook: the name that the webhook of notifications has in the profile; by default, its URL is taken from the
            environment variable ``WEBHOOK_URL``.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> with svc.trace() as trace:
        ...     user = svc.users.update("u-003", nick_name="Mina", task=None)
        >>> print(write_python(trace[0].request))
        svc.users.update("u-003", nick_name="Mina", task=None)
    """
    calls: list[str] = []
    for number, request in enumerate(requests, 1):
        content = list(takewhile(lambda later: later.area == "storage", requests[number:]))
        if not (calls and _is_part_of(request, calls[-1])):
            sent = SentRequest(request, content, webhook)
            calls.append(next(filter(None, (write(sent) for write in WRITERS))))
    return add_imports("\n".join(calls)) if calls else ""


def write_place(place: Place) -> Code:
    """Return a place as Python, its IDs in double quotes.

    Examples:
        >>> from svckit import places
        >>> print(write_place(places.drive("u-001").file("file-1")))
        places.drive("u-001").file("file-1")
    """
    call = str(place)
    return Code(call if '"' in call else call.replace("'", '"'))


@dataclass(frozen=True)
class SentRequest:
    """A masked request, read as the arguments of a Python call, and what followed it on the file storage."""

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
            return _read_variable(request.url_variable), {}
        url, _, query = (request.path or request.url).partition("?")
        if query == MASK:
            return Code(f"{write_value(f'{url}?')} + {_read_variable('QUERY')}"), {}
        if MASK in query:
            return url, {"params": _parse_fields(query)}
        return request.path or request.url, {}


def _is_part_of(request: RedactedRequest, call: str) -> bool:
    """Return whether the call before a request sends it too."""
    if request.area == "auth":
        is_step = request.operation == "auth.login" or "grant_type=authorization_code" in request.body
        return is_step and call == "svc.sign_in()"
    kind = "upload" if request.method == "POST" else "download"
    return request.area == "storage" and call.startswith(f"svc.files.{kind}(")


def _write_update(sent: SentRequest) -> str | None:
    found = _match_user(sent, "PATCH", _USER)
    changes = _read_model(UserChange, sent.json)
    if not found or changes is None:
        return None
    return (
        write_call("svc.users.update", found, **changes) if changes else write_call("svc.users.read", found)
    )


def _write_status(sent: SentRequest) -> str | None:
    found = _match_user(sent, "POST", _STATUS)
    given = _read_model(StatusRegistration, sent.json)
    if not found or given is None:
        return None
    kind = given.pop("profile_status_id")
    named = {STATUS_ARGUMENTS[name]: value for name, value in given.items()}
    return write_call("svc.users.set_status", found, kind, **named)


def _write_upload(sent: SentRequest) -> str | None:
    place = _find_place(sent, "POST", UPLOAD_PLACES)
    given = _read_model(UploadRequest, sent.json)
    if place is None or given is None or given.get("overwrite") is False:
        return None
    name = given["file_name"]
    options = {"name": name} if set(name) & set("/\\:") else {}
    options |= {"overwrite": True} if "overwrite" in given else {}
    options |= {"modified": given["modified_time"]} if "modified_time" in given else {}
    return write_call("svc.files.upload", name, to=place, **options, **_read_options(name, sent.content))


def _read_options(name: str, content: Sequence[RedactedRequest]) -> dict[str, Any]:
    """Return the options of an upload that show only in the requests with its content."""
    if not content or content[0].file is None:
        return {}
    options: dict[str, Any] = {}
    part, _, content_type = content[0].file
    if content_type and content_type != (mimetypes.guess_type(name)[0] or "application/octet-stream"):
        options["content_type"] = content_type
    if part == "FileData":
        options["form"] = "resourceName"
    if found := parse_range(content[0].header("content-range")):
        _, end, total = found  # of the first range, whose size is that of all but the last
        options["resumable"] = True if end + 1 in (total, RANGE_SIZE) else end + 1
    return options


def _write_download(sent: SentRequest) -> str | None:
    place = _find_place(sent, "GET", DOWNLOAD_PLACES)
    usual = sent.has_usual_bearer and not sent.headers and not sent.body
    return write_call("svc.files.download", place) if place is not None and usual else None


def _write_notification(sent: SentRequest) -> str | None:
    given = _read_model(Notification, sent.json)
    if sent.request.url_variable != "WEBHOOK_URL" or sent.request.method != "POST" or given is None:
        return None
    text = given.pop("body")["text"]
    if "button" in given:
        given["button"] = (given["button"]["label"], given["button"]["url"])
    return write_call("svc.notify", text, **given, webhook=sent.webhook or sent.target[0])


def _write_sign_in(sent: SentRequest) -> str | None:
    request = sent.request
    if request.operation == "auth.authorize" and request.method == "GET":
        return "svc.sign_in()" if all(f"{name}=" in request.url for name in AUTHORIZATION) else None
    if request.operation not in TOKENS:
        return None
    name, secret = TOKENS[request.operation]
    given = Code(write_call("svckit.Secret", _read_variable(secret.upper())))
    profile, credentials = Code("svc.profile"), Code("svc.credentials")
    call = write_call(f"svckit.operations.auth.{name}", profile, credentials, given)
    return write_call("svc.run", Code(call))


def _write_other(sent: SentRequest) -> str | None:
    """Write a call of ``svc.request``, which sends JSON to an area."""
    area = sent.request.area
    if area is None or sent.headers or not sent.has_usual_bearer or sent.body.keys() - {"json"}:
        return None
    target, params = sent.target
    where = {} if area == "api" else {"area": area}
    return write_call("svc.request", sent.request.method, target, **sent.body, **params, **where)


def _write_http(sent: SentRequest) -> str:
    """Write a call of an HTTP client: the session's, or one that adds no bearer where a session would."""
    request = sent.request
    own = request.area not in BEARER_AREAS or bool(sent.authorization)
    target, given = sent.target
    if not (own and request.area == "api") and not isinstance(target, Code):
        target = _write_url(request.url.partition("?")[0] if given else request.url)
    headers = dict(sent.headers)
    if sent.authorization and not sent.has_usual_bearer:
        scheme, _, _ = sent.authorization.rpartition(MASK)
        name = "ACCESS_TOKEN" if scheme == "Bearer " else "AUTHORIZATION"
        headers["Authorization"] = Code(f"{write_value(scheme)} + {_read_variable(name)}")
    if "content" in sent.body and (kind := request.header("content-type")):
        headers["Content-Type"] = kind
    given = {**given, **sent.body} | ({"headers": headers} if headers else {})
    client = "svc.http" if own else "httpx"
    if request.method in WITH_BODY or (request.method in WITHOUT_BODY and not sent.body):
        return write_call(f"{client}.{request.method.lower()}", target, **given)
    return write_call(f"{client}.request", request.method, target, **given)


# The first that can write a request does; the last can write any.
WRITERS: tuple[Callable[[SentRequest], str | None], ...] = (
    _write_update,
    _write_status,
    _write_upload,
    _write_download,
    _write_notification,
    _write_sign_in,
    _write_other,
    _write_http,
)


def _match_user(sent: SentRequest, method: str, path: re.Pattern[str]) -> str:
    """Return the user ID in a request's path; empty if it is another request."""
    found = path.fullmatch(sent.line.removeprefix(f"{method} "))
    return _unquote(found[1]) if found else ""


def _unquote(segment: str) -> str:
    """Return the text of a path segment; empty if svckit writes that text in another way."""
    text = unquote(segment)
    return text if text not in ("", ".", "..") and quote_segment(text) == segment else ""


def _find_place(sent: SentRequest, method: str, table: Iterable[TransferPath]) -> Code | None:
    """Return the place that a request is about, as Python."""
    path = sent.line.removeprefix(f"{method} ")
    for known in table:
        if found := known.pattern.fullmatch(path):
            ids = {name: _unquote(segment) for name, segment in found.groupdict().items()}
            if all(ids.values()):
                return write_place(Place(known.store, tuple(ids.items())))
    return None


def _read_model(model: type[WireModel], wire: Any) -> dict[str, Any] | None:
    """Return the fields of a JSON body by Python name; ``None`` if the model would write it in another way."""
    try:
        read = model.from_wire(wire)
    except ValidationError:
        return None
    same = read.to_wire() == wire
    return read.model_dump(mode="json", exclude_unset=True, warnings=False) if same else None


def _write_url(url: str) -> str:
    """Return a URL; of an explanation without a profile, one of the session's own."""
    found = _PLACEHOLDER.fullmatch(url)
    return Code(f"svc.profile.{found[1]} + {write_value(found[2])}") if found else url


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
            return _read_variable(name_variable(name))
        case _:
            return value


def _read_variable(name: str) -> Code:
    """Return the Python that reads an environment variable."""
    return Code(f"os.environ[{write_value(name)}]")
