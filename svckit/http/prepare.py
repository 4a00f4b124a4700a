"""Prepare a request for the wire: its URL, headers and body."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote, urlencode

from pydantic_core import to_json

from svckit.addresses import locate
from svckit.display.masking import MASK, mask, mask_path, mask_transfer_urls
from svckit.errors import ForeignOrigin
from svckit.http.messages import (
    FilePart,
    Hidden,
    Request,
    Response,
    Sink,
)
from svckit.models.secret import Secret
from svckit.profiles.profiles import Profile

__all__ = ["PreparedRequest", "format_line", "prepare_request", "reveal"]

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
SHORTEST_SECRET = 8  # characters; shorter ones are masked by name only, as they may be part of any word
LONG_PART = 16  # characters of a part of a path that may be a secret; a shorter one may be the name of a file


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """A request as it goes over the wire. It holds secrets in plain text, so it shows only masked values.

    The bearer is not among its headers: it is added while the request is sent, and removed afterwards.
    """

    operation: str
    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    bearer: Secret | None
    content: bytes | None = field(repr=False)
    file: FilePart | None
    sink: Sink | None
    means_success: Callable[[int], bool] = field(repr=False)
    line: str
    secrets: tuple[Hidden, ...] = ()
    repeatable: bool = False

    @property
    def has_secret_url(self) -> bool:
        """True if its URL is shown without its path."""
        return MASK in self.line

    def hide(self, text: str) -> str:
        """Mask text that came back: what looks like a secret, and the secrets of this request."""
        for secret in self.secrets:
            for written in {secret.reveal(), quote(secret.reveal(), safe="")}:
                if len(written) >= SHORTEST_SECRET:
                    text = text.replace(written, MASK)
        return mask(text)

    def mask_response(self, response: Response) -> Response:
        """Return a response with its secrets masked, for reading only, such as an error."""
        headers = {name: self.hide(value) for name, value in response.headers.items()}
        content = mask_transfer_urls(self.hide(response.content.decode("utf-8", "replace"))).encode()
        return replace(response, headers=headers, content=content)

    def __reduce__(self) -> str:
        raise TypeError("a prepared request holds secrets in plain text, so it cannot be pickled")


def prepare_request(request: Request, profile: Profile, bearer: Secret | None) -> PreparedRequest:
    """Turn a request into what is sent over the wire.

    Args:
        request: the request to send.
        profile: the profile whose URLs it may be sent to.
        bearer: the access token, for a request that carries one.

    Raises:
        ForeignOrigin: the request's target is not within its area.
    """
    url, problem = _resolve_url(request, profile)
    if problem:  # raised here, where no local variable holds the URL in plain text
        raise ForeignOrigin(
            f"{request.operation} was stopped: {problem}. {ForeignOrigin.advice}",
            description=problem,
            operation=request.operation,
            request=format_line(request, profile),
        )
    headers = dict(request.headers)
    content: bytes | None = None
    if request.json is not None:
        headers["Content-Type"], content = JSON, to_json(request.json)
    elif request.form is not None:
        headers["Content-Type"], content = FORM, _encode(request.form).encode()
    if request.sink is not None:
        headers["Accept-Encoding"] = "identity"  # so that Content-Length counts what is written
    return PreparedRequest(
        request.operation,
        request.method,
        url.reveal(),
        headers,
        bearer,
        content,
        request.file,
        request.sink,
        request.means_success,
        f"{request.method} {_mask_url(request, url)}",
        _collect_secrets(request, url, bearer),
        request.repeatable,
    )


def _collect_secrets(request: Request, url: Secret, bearer: Secret | None) -> tuple[Hidden, ...]:
    """Collect a request's secrets: its bearer, its secret fields, and the secret parts of its URL."""
    fields = [*request.params.values(), *(request.form or {}).values()]
    found = [value for value in (bearer, *fields) if value is not None and not isinstance(value, str)]
    path, _, query = url.reveal().partition("?")
    if not reveal(request.target).startswith("/"):
        found.append(Secret(query))
    if request.area == "storage":
        found += [Secret(path), *(Secret(part) for part in path.split("/") if len(part) >= LONG_PART)]
    elif not isinstance(request.target, str):
        found += [Secret(path), Secret(path.rpartition("/")[2])]
    return tuple(found)


def _resolve_url(request: Request, profile: Profile) -> tuple[Secret, str]:
    """Return a request's URL, and what is wrong with it if it lies outside the request's area."""
    base = profile.url_for(request.area)
    if not base:
        profile.check_complete()
    target = reveal(request.target)
    query = f"{'&' if '?' in target else '?'}{_encode(request.params)}" if request.params else ""
    if target.startswith("/"):
        return Secret(f"{base}{target}{query}"), ""
    own, _ = locate(base)
    try:
        origin, rest = locate(target)
    except ValueError as unreadable:
        return Secret(""), f"the next URL cannot be trusted: {unreadable}"
    if origin != own:
        return Secret(""), f"the next URL is at {origin}, which is not this profile's {own}"
    return Secret(f"{origin}{rest}{query}"), ""


def _mask_url(request: Request, url: Secret) -> str:
    """Return a URL to show: without its query, which may hold its signature, and without a secret path."""
    masked = mask(url.reveal().partition("?")[0])
    if request.area == "storage" or not isinstance(request.target, str):
        return mask_path(masked)
    return masked


def format_line(request: Request, profile: Profile) -> str:
    """Format method and URL of a request that is not sent, masked; of a foreign URL show only the area."""
    path = (
        request.target if isinstance(request.target, str) and request.target.startswith("/") else f"/{MASK}"
    )
    return mask(f"{request.method} {profile.url_for(request.area)}{path}")


def reveal(text: str | Hidden) -> str:
    """Return the text itself, also of a secret."""
    return text if isinstance(text, str) else text.reveal()


def _encode(fields: Mapping[str, str | Hidden]) -> str:
    return urlencode({name: reveal(value) for name, value in fields.items()}, quote_via=quote)
