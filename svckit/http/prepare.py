"""Prepare a request for the wire: its URL, headers and body."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from urllib.parse import quote, urlencode

from pydantic_core import to_json

from svckit.addresses import Origin, locate
from svckit.display.masking import MASK, mask, mask_path, mask_transfer_urls
from svckit.errors import ForeignOrigin
from svckit.http.messages import Request, Response
from svckit.models.secret import Secret
from svckit.profiles.profiles import Profile

__all__ = ["PreparedRequest", "format_line", "prepare_request", "reveal"]

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
SHORTEST_SECRET = 8  # characters; shorter ones are masked by name only, as they may be part of any word
LONG_PART = 16  # characters of a part of a path that may be a secret; a shorter one may be the name of a file


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRequest:
    """A request as it goes over the wire. It holds secrets in plain text, so it shows only masked values.

    The bearer is not among its headers: it is added while the request is sent, and removed afterwards.

    Attributes:
        request: what it was prepared from.
        url: the whole URL, in plain text.
        headers: the headers, apart from the bearer.
        content: the body; ``None`` for none, and for a file.
        bearer: the access token, if it carries one.
        line: method and URL, masked.
    """

    request: Request = field(repr=False)
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    bearer: Secret | None
    line: str

    def hide(self, text: str) -> str:
        """Mask text that came back: what looks like a secret, and the secrets of this request."""
        for secret in self._list_secrets():
            for written in {secret.reveal(), quote(secret.reveal(), safe="")}:
                if len(written) >= SHORTEST_SECRET:
                    text = text.replace(written, MASK)
        return mask(text)

    def _list_secrets(self) -> list[Secret]:
        """List the request's secrets: its bearer, its secret fields, and the secret parts of its URL."""
        request = self.request
        given = [self.bearer, *request.params.values(), *(request.form or {}).values()]
        found: list[Secret] = [value for value in given if value is not None and not isinstance(value, str)]
        path, _, query = self.url.partition("?")
        if not reveal(request.target).startswith("/"):
            found.append(Secret(query))
        if request.area == "storage":
            found += [Secret(path), *(Secret(part) for part in path.split("/") if len(part) >= LONG_PART)]
        elif not isinstance(request.target, str):
            found += [Secret(path), Secret(path.rpartition("/")[2])]
        return found

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
    headers = dict(request.headers)
    content: bytes | None = None
    if request.json is not None:
        headers["Content-Type"], content = JSON, to_json(request.json)
    elif request.form is not None:
        headers["Content-Type"], content = FORM, _encode(request.form).encode()
    if request.sink is not None:
        headers["Accept-Encoding"] = "identity"  # so that Content-Length counts what is written
    # The URL comes last: nothing fails while a local variable holds it in plain text.
    url, problem = _resolve_url(request, profile)
    if problem:
        raise ForeignOrigin(
            f"{request.operation} was stopped: {problem}. {ForeignOrigin.advice}",
            description=problem,
            operation=request.operation,
            request=format_line(request, profile),
        )
    shown = mask(url.partition("?")[0])  # a query may hold the signature of the URL
    if request.area == "storage" or not isinstance(request.target, str):
        shown = mask_path(shown)
    line = f"{request.method} {shown}"
    return PreparedRequest(
        request=request, url=url, headers=headers, content=content, bearer=bearer, line=line
    )


def _resolve_url(request: Request, profile: Profile) -> tuple[str, str]:
    """Return a request's URL, and what is wrong with it if it lies outside the request's area."""
    base = profile.url_for(request.area)
    if not base:
        profile.check_complete()
    target = request.target if isinstance(request.target, str) else request.target.reveal()
    query = f"{'&' if '?' in target else '?'}{_encode(request.params)}" if request.params else ""
    if target.startswith("/"):
        return f"{base}{target}{query}", ""
    own = _find_origin(base)
    try:
        origin, rest = locate(target)
    except ValueError as unreadable:
        return "", f"the next URL cannot be trusted: {unreadable}"
    if origin != own:
        return "", f"the next URL is at {origin}, which is not this profile's {own}"
    return f"{origin}{rest}{query}", ""


@cache
def _find_origin(base: str) -> Origin:
    """Return the origin of a profile's URL, which is not a secret, and one of a few."""
    return locate(base)[0]


def format_line(request: Request, profile: Profile) -> str:
    """Format method and URL of a request that is not sent, masked; of a foreign URL show only the area."""
    path = (
        request.target if isinstance(request.target, str) and request.target.startswith("/") else f"/{MASK}"
    )
    return mask(f"{request.method} {profile.url_for(request.area)}{path}")


def reveal(text: str | Secret) -> str:
    """Return the text itself, also of a secret."""
    return text if isinstance(text, str) else text.reveal()


def _encode(fields: Mapping[str, str | Secret]) -> str:
    return urlencode({name: reveal(value) for name, value in fields.items()}, quote_via=quote)
