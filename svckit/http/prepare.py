"""A call as the request that goes over the wire: where to, with which headers and which body."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote, urlencode

from pydantic_core import to_json

from svckit.addresses import locate
from svckit.display.masking import MASK, mask
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
SHORTEST_SECRET = (
    8  # characters; what is shorter is looked for by its name only, as it may be part of any word
)


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """A request as it goes over the wire; holds secrets in the clear, so it shows only what is masked.

    The bearer is not among its headers: it is put on as the request is sent, and taken off when that is done.
    """

    operation: str
    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    bearer: Secret | None
    content: bytes | None = field(repr=False)
    file: FilePart | None
    sink: Sink | None
    expects: tuple[int, ...]
    line: str
    secrets: tuple[Hidden, ...] = ()

    def hide(self, text: str) -> str:
        """Mask text that came back: what looks like a secret, and the secrets of this request wherever they stand."""
        for secret in self.secrets:
            for written in {secret.reveal(), quote(secret.reveal(), safe="")}:
                if len(written) >= SHORTEST_SECRET:
                    text = text.replace(written, MASK)
        return mask(text)

    def mask_response(self, reply: Response) -> Response:
        """A response with its secrets masked, of which only what it says matters, such as an error."""
        headers = {name: self.hide(value) for name, value in reply.headers.items()}
        content = self.hide(reply.content.decode("utf-8", "replace")).encode()
        return replace(reply, headers=headers, content=content)

    def __reduce__(self) -> str:
        raise TypeError("a request that is about to be sent holds secrets in the clear, so it is not pickled")


def prepare_request(call: Request, profile: Profile, bearer: Secret | None) -> PreparedRequest:
    """Make the request of a call.

    Args:
        call: what is to be sent.
        profile: whose addresses it is sent to; and to no others.
        bearer: the access token, for a call that carries one.

    Raises:
        ForeignOrigin: the call's target is not within the area the call is for.
    """
    address, problem = _resolve_url(call, profile)
    if problem:  # raised here, where no local variable holds the address in the clear
        raise ForeignOrigin(
            f"{call.operation} was stopped: {problem}. {ForeignOrigin.advice}",
            description=problem,
            operation=call.operation,
            request=format_line(call, profile),
        )
    headers = dict(call.headers)
    content: bytes | None = None
    if call.json is not None:
        headers["Content-Type"], content = JSON, to_json(call.json)
    elif call.form is not None:
        headers["Content-Type"], content = FORM, _encode(call.form).encode()
    if call.sink is not None:
        headers["Accept-Encoding"] = "identity"  # so that Content-Length counts what is written
    return PreparedRequest(
        call.operation,
        call.method,
        address.reveal(),
        headers,
        bearer,
        content,
        call.file,
        call.sink,
        call.expects,
        f"{call.method} {_mask_url(call, address)}",
        _collect_secrets(call, address, bearer),
    )


def _collect_secrets(call: Request, address: Secret, bearer: Secret | None) -> tuple[Hidden, ...]:
    """What of a request is secret: its bearer, its secret fields, and of a secret address or what signs it."""
    fields = [*call.params.values(), *(call.form or {}).values()]
    found = [value for value in (bearer, *fields) if value is not None and not isinstance(value, str)]
    path, _, query = address.reveal().partition("?")
    if not reveal(call.target).startswith("/"):
        found.append(Secret(query))
    if not isinstance(call.target, str):
        found += [Secret(path), Secret(path.rpartition("/")[2])]
    return tuple(found)


def _resolve_url(call: Request, profile: Profile) -> tuple[Secret, str]:
    """Where a call goes, and what is wrong with that if it is outside the area the call is for."""
    target = reveal(call.target)
    base = profile.url_for(call.area)
    query = f"{'&' if '?' in target else '?'}{_encode(call.params)}" if call.params else ""
    if target.startswith("/"):
        return Secret(f"{base}{target}{query}"), ""
    own, _ = locate(base)
    try:
        origin, rest = locate(target)
    except ValueError as unreadable:
        return Secret(""), f"the address to call next cannot be trusted: {unreadable}"
    if origin != own:
        return Secret(""), f"the address to call next is at {origin}, which is not this profile's {own}"
    return Secret(f"{origin}{rest}{query}"), ""


def _mask_url(call: Request, address: Secret) -> str:
    """An address to show: without its query, which may hold what signs it, and without a secret path."""
    url = address.reveal().partition("?")[0]
    masked = mask(url)
    if masked == url and not isinstance(call.target, str):
        return f"{locate(url)[0]}/{MASK}"
    return masked


def format_line(call: Request, profile: Profile) -> str:
    """Method and address of a call that is not sent, masked; of an address from elsewhere only the area it is for."""
    path = call.target if isinstance(call.target, str) and call.target.startswith("/") else f"/{MASK}"
    return mask(f"{call.method} {profile.url_for(call.area)}{path}")


def reveal(text: str | Hidden) -> str:
    """The text itself, of a secret too."""
    return text if isinstance(text, str) else text.reveal()


def _encode(fields: Mapping[str, str | Hidden]) -> str:
    return urlencode({name: reveal(value) for name, value in fields.items()}, quote_via=quote)
