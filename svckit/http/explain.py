"""What an operation would send, without sending it."""

from collections.abc import Coroutine, Generator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from pydantic_core import to_json

from svckit.addresses import Area, locate
from svckit.display.card import render_text
from svckit.errors import InvalidInput
from svckit.http.messages import Operation, Request, Response
from svckit.http.prepare import prepare_request, reveal
from svckit.http.redaction import RedactedRequest
from svckit.models.phrases import name_type
from svckit.models.secret import Secret
from svckit.profiles.profiles import HasProfile, Profile
from svckit.tracebacks import hiding_inner_frames

__all__ = ["Explanation", "explain"]

ADDRESSES: Mapping[Area, str] = {
    "api": "base_url",
    "auth": "auth_url",
    "storage": "upload_url",
    "hooks": "webhook_url",
}
ANYWHERE = Profile(
    name="any",
    client_id="",
    redirect_uri="",
    scopes=(),
    base_url="https://base_url.invalid",
    auth_url="https://auth_url.invalid",
    upload_url="https://upload_url.invalid",
    webhook_url="https://webhook_url.invalid",
)


class Explanation:
    """What an operation would send: HTTP text when looked at, and for a shell.

    Attributes:
        requests: the requests, masked.
        then: what follows them.
    """

    def __init__(self, requests: list[RedactedRequest], then: str) -> None:
        self.requests = requests
        self.then = then

    @property
    def curl(self) -> str:
        """The requests for a shell; the access token is ``$ACCESS_TOKEN``."""
        return "\n\n".join(request.curl for request in self.requests)

    def __repr__(self) -> str:
        return "\n\n".join([*(request.text for request in self.requests), f"({self.then})"])

    def _repr_html_(self) -> str:
        return render_text(repr(self))


def explain(
    operation: Operation[Any], *replies: Response | Mapping[str, Any], on: HasProfile | Profile | None = None
) -> Explanation:
    """Show what an operation would send, without sending anything.

    What an operation sends next may depend on the answer. The first request is shown; give answers, made up by
    you, to see further.

    Args:
        operation: such as ``svckit.operations.users.update("u-001", task=None)``. It is used up.
        *replies: answers to its calls, in order: the JSON of a success, or a whole `svckit.http.messages.Response`.
        on: a session or a profile whose addresses to show; left out, they are written ``{base_url}`` and so on.

    Raises:
        InvalidInput: the operation would send nothing, because its arguments break a limit; or it is no operation.
        ForeignOrigin: an answer leads away from the addresses of the service; nothing would be sent there.
        ServiceError: the operation makes no sense of an answer.

    Examples:
        >>> from svckit import places
        >>> from svckit.operations import files, users
        >>> explain(users.update("u-001", nick_name="Mina"))
        PATCH /users/u-001 HTTP/1.1
        Host: {base_url}
        Content-Type: application/json
        Authorization: Bearer ***
        <BLANKLINE>
        {"nickName":"Mina"}
        <BLANKLINE>
        (success is 200; what follows, if anything, depends on the answer)
        >>> upload = files.upload(b"hello", to=places.drive("u-001"), name="hello.txt")
        >>> print(explain(upload, {"uploadUrl": "https://storage.example/1"}).curl)
        curl -X POST '{base_url}/users/u-001/drive/files' \\
          -H 'Content-Type: application/json' \\
          -H "Authorization: Bearer $ACCESS_TOKEN" \\
          --data '{"fileName":"hello.txt","fileSize":5}'
        <BLANKLINE>
        curl -X POST https://storage.example/1 \\
          -H "Authorization: Bearer $ACCESS_TOKEN" \\
          -F 'Filedata=@hello.txt;type=text/plain'
    """
    if not isinstance(operation, Generator):
        if isinstance(operation, Coroutine):
            operation.close()  # nothing of it has been run
        raise InvalidInput(
            'explain takes an operation, such as svckit.operations.users.update("u-001", task=None), not what a '
            f"method of a session gives, which sends it; given {name_type(operation)}"
        )
    profile = on if on is None or isinstance(on, Profile) else on.profile
    requests: list[RedactedRequest] = []
    with hiding_inner_frames, closing(operation):
        try:
            call = next(operation)
            for reply in replies:
                requests.append(_redact(call, profile))
                call = operation.send(_make_response(reply, call, requests[-1]))
            requests.append(_redact(call, profile))
        except StopIteration:
            return Explanation(requests, "nothing follows")
    success = " or ".join(map(str, call.expects))
    return Explanation(requests, f"success is {success}; what follows, if anything, depends on the answer")


def _make_response(given: Response | Mapping[str, Any], call: Request, request: RedactedRequest) -> Response:
    line = f"{request.method} {request.url}"
    if isinstance(given, Response):
        return replace(given, operation=call.operation, request=line)
    return Response(
        call.expects[0], {"content-type": "application/json"}, to_json(given), call.operation, line
    )


def _redact(call: Request, profile: Profile | None) -> RedactedRequest:
    send = prepare_request(call, profile or _make_profile(call), Secret("none") if call.bearer else None)
    shown = RedactedRequest.of(call, send)
    return shown if profile else replace(shown, url=_restore_placeholders(shown.url))


def _make_profile(call: Request) -> Profile:
    """Addresses that a call stays within, where none are known."""
    target = reveal(call.target)
    if target.startswith("/"):
        return ANYWHERE
    try:
        address: dict[str, Any] = {ADDRESSES[call.area]: str(locate(target)[0])}
    except ValueError:
        return ANYWHERE  # which the call is outside of
    return replace(ANYWHERE, **address)


def _restore_placeholders(url: str) -> str:
    for name in ADDRESSES.values():
        url = url.replace(f"https://{name}.invalid", f"{{{name}}}")
    return url
