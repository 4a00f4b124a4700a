"""Explain an operation: show the requests it would send, without sending them."""

from collections.abc import Coroutine, Generator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from pydantic_core import to_json

from svckit.addresses import locate
from svckit.display.card import render_text
from svckit.errors import InvalidInput
from svckit.http.messages import Operation, Request, Response
from svckit.http.prepare import prepare_request, reveal
from svckit.http.redaction import RedactedRequest
from svckit.models.phrases import describe_given
from svckit.models.secret import Secret
from svckit.profiles.keys import URL_KEYS, URLS
from svckit.profiles.profiles import HasProfile, Profile, find_profile
from svckit.tracebacks import hiding_inner_frames

__all__ = ["Explanation", "explain"]

_PLACEHOLDERS: dict[str, Any] = {key: f"https://{key}.invalid" for key in URLS}
ANYWHERE = Profile(name="any", client_id="", redirect_uri="", scopes=(), **_PLACEHOLDERS)


class Explanation:
    """The requests an operation would send, as HTTP text, as curl commands and as Python.

    Attributes:
        requests: the requests, masked.
        then: what follows them.
    """

    def __init__(self, requests: list[RedactedRequest], then: str) -> None:
        self.requests = requests
        self.then = then

    @property
    def curl(self) -> str:
        """The requests as curl commands; secrets are variables such as ``$ACCESS_TOKEN``."""
        return "\n\n".join(request.curl for request in self.requests)

    @property
    def python(self) -> str:
        """The requests as Python, ready to run where ``svc`` is a session."""
        from svckit.http.python_calls import write_python

        return write_python(*self.requests)

    def __repr__(self) -> str:
        return "\n\n".join([*(request.text for request in self.requests), f"({self.then})"])

    def _repr_html_(self) -> str:
        return render_text(repr(self))


def explain(
    operation: Operation[Any],
    *responses: Response | Mapping[str, Any],
    on: HasProfile | Profile | None = None,
) -> Explanation:
    """Show what an operation would send, without sending anything.

    What an operation sends next may depend on the response. The first request is shown; pass made-up responses to
    see the following ones.

    Args:
        operation: such as ``svckit.operations.users.update("u-001", task=None)``. It cannot be used again.
        *responses: responses to its requests, in order: the JSON of a success, or a whole
            `svckit.http.messages.Response`.
        on: a session or a profile whose URLs to show; by default they are written ``{base_url}`` and so on.

    Returns:
        The requests; displayed as HTTP text, with secrets masked.

    Raises:
        InvalidInput: the operation would send nothing, because its arguments break a limit; or it is not an operation.
        TypeError: ``on`` is neither a session nor a profile.
        ForeignOrigin: a response leads away from the service's origins; nothing would be sent there.
        ServiceError: the operation cannot read a response.

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
        (success is 200; what follows, if anything, depends on the response)
        >>> upload = files.upload(b"hello", to=places.drive("u-001"), name="hello.txt")
        >>> print(explain(upload, {"uploadUrl": "https://storage.example/1"}).curl)
        curl -X POST "$BASE_URL"/users/u-001/drive/files \\
          -H 'Content-Type: application/json' \\
          -H "Authorization: Bearer $ACCESS_TOKEN" \\
          --data '{"fileName":"hello.txt","fileSize":5}'
        <BLANKLINE>
        curl -X POST "$UPLOAD_URL" \\
          -H "Authorization: Bearer $ACCESS_TOKEN" \\
          -F 'Filedata=@hello.txt;type=text/plain'
        >>> print(explain(users.update("u-001", nick_name="Mina")).python)
        svc.users.update("u-001", nick_name="Mina")
    """
    if not isinstance(operation, Generator):
        if isinstance(operation, Coroutine):
            operation.close()  # it has not started
        raise InvalidInput(
            'explain takes an operation, such as svckit.operations.users.update("u-001", task=None), not the result '
            f"of a session's method, which sends the request; given {describe_given(operation)}"
        )
    profile = find_profile(on)
    requests: list[RedactedRequest] = []
    with hiding_inner_frames, closing(operation):
        try:
            request = next(operation)
            for response in responses:
                requests.append(_redact(request, profile))
                request = operation.send(_make_response(response, request, requests[-1]))
            requests.append(_redact(request, profile))
        except StopIteration:
            return Explanation(requests, "nothing follows")
    success = " or ".join(map(str, request.expects))
    return Explanation(requests, f"success is {success}; what follows, if anything, depends on the response")


def _make_response(
    given: Response | Mapping[str, Any], request: Request, redacted: RedactedRequest
) -> Response:
    line = f"{redacted.method} {redacted.url}"
    if isinstance(given, Response):
        return replace(given, operation=request.operation, request=line)
    return Response(
        request.expects[0], {"content-type": "application/json"}, to_json(given), request.operation, line
    )


def _redact(request: Request, profile: Profile | None) -> RedactedRequest:
    bearer = Secret("none") if request.bearer else None
    redacted = RedactedRequest.of(prepare_request(request, profile or _make_profile(request), bearer))
    return redacted if profile else redacted._replace(url=_restore_placeholders(redacted.url))


def _make_profile(request: Request) -> Profile:
    """Make a profile whose hosts are placeholders, except the one the request names."""
    target = reveal(request.target)
    if target.startswith("/"):
        return ANYWHERE
    try:
        origin: dict[str, Any] = {URL_KEYS[request.area]: str(locate(target)[0])}
    except ValueError:
        return ANYWHERE  # preparing the request then fails
    return replace(ANYWHERE, **origin)


def _restore_placeholders(url: str) -> str:
    for name in URLS:
        url = url.replace(f"https://{name}.invalid", f"{{{name}}}")
    return url
