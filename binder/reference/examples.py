"""Examples of operations: requests as curl commands, and the responses to them, from the OpenAPI document."""

import json
import re
from collections.abc import Iterator
from typing import Any

from binder.reference.markdown import code, codes, fence
from fakes import FakeService
from svckit.display.masking import MASK
from svckit.http.redaction import BEARER, RedactedFile, RedactedRequest, RedactedResponse

__all__ = ["VARIABLES", "choose_success", "write_curl", "write_response"]

Described = dict[str, Any]

AREAS = {
    "resource API": ("api", "{base_url}"),
    "authorization server": ("auth", "{auth_url}"),
    "file storage": ("storage", ""),  # its URLs are those that first steps return
    "incoming notification endpoint": ("hooks", MASK),
}
FACTS = FakeService.sample().facts
TOKEN = f"client_id={FACTS['client_id']}&client_secret={MASK}"
FORMS = {
    "auth.login": [f"login_ticket={MASK}&login_id={FACTS['login_id']}&password={MASK}"],
    "auth.token": [
        f"grant_type=authorization_code&code={MASK}&{TOKEN}",
        f"grant_type=refresh_token&refresh_token={MASK}&{TOKEN}",
    ],
}
"""The forms of operations, which the document has as schemas only."""
QUERIES = {
    "auth.authorize": f"client_id={FACTS['client_id']}&redirect_uri={FACTS['redirect_uri']}&scope=user,file"
    f"&response_type=code&state={MASK}"
}
FILE = RedactedFile("Filedata", "report.pdf", "application/pdf")
VARIABLES = {
    "BASE_URL": "`base_url` of the facts",
    "AUTH_URL": "`auth_url` of the facts",
    "WEBHOOK_URL": "one of `webhooks` of the facts",
    "ACCESS_TOKEN": "what `auth.token` returned, or the [admin call](admin.md) `POST /tokens`",
    "UPLOAD_URL": "the `uploadUrl` that the first step returned",
    "DOWNLOAD_URL": "the `Location` that the first step returned",
    "CODE": "the `code` in the `Location` that `auth.login` returned",
    "REFRESH_TOKEN": "the `refresh_token` that `auth.token` returned with the first access token",
    "CLIENT_SECRET": "`client_secret` of the facts",
    "LOGIN_TICKET": "the hidden field of the login screen",
    "PASSWORD": "`password` of the facts",
    "STATE": "a random value of yours",
}
"""The variables in the commands."""


def write_curl(method: str, path: str, area: str, operation: Described) -> str:
    """Return requests of an operation as curl commands."""
    return "\n\n".join(request.curl for request in make_requests(method, path, area, operation))


def make_requests(method: str, path: str, area: str, operation: Described) -> Iterator[RedactedRequest]:
    """Yield an example of an operation; of one whose body can be one of several forms, one of each."""
    name = operation["operationId"]
    key, url = AREAS[area]
    if key in ("api", "auth"):
        url += fill_path(path, operation)
    if name in QUERIES:
        url += f"?{QUERIES[name]}"
    request = RedactedRequest(
        operation=name,
        area=key,
        method=method.upper(),
        url=url,
        headers=(BEARER,) if operation["security"] else (),
        body="",
        file=None,
        size=None,
    )
    if "requestBody" not in operation:
        yield request
        return
    ((media, content),) = operation["requestBody"]["content"].items()
    if media == "multipart/form-data":
        yield request._replace(file=FILE)
        return
    request = request._replace(headers=(("Content-Type", media), *request.headers))
    if media == "application/octet-stream":
        yield request._replace(is_whole=False)
        return
    for body in FORMS.get(name) or [json.dumps(content["example"], ensure_ascii=False)]:
        yield request._replace(body=body)


def fill_path(path: str, operation: Described) -> str:
    """Return the path with its parameters filled in: with the document's examples, or else any text."""
    known = {each["name"]: each["example"] for each in operation.get("parameters", ()) if "example" in each}
    return re.sub(r"\{(\w+)\}", lambda found: known.get(found[1]) or make_id(found[1]), path)


def make_id(name: str) -> str:
    """Return an ID for a parameter, such as ``board-1`` for ``boardId``; of revisions, which are numbers, the first."""
    return "1" if name == "revisionId" else f"{name.removesuffix('Id').lower()}-1"


def choose_success(operation: Described) -> str:
    """Return the status that an example gets: of a success, or else of what is refused."""
    responses = operation["responses"]
    return "201" if "201" in responses else min(responses)  # 200 is for a part of a file


def write_response(operation: Described, status: str = "", name: str = "Response") -> list[str]:
    """Return the response to an example, as parts of a page; by default, the one of `choose_success`."""
    status = status or choose_success(operation)
    response = operation["responses"][status]
    line = code(RedactedResponse(int(status), (), "", None).line)
    headers = [name for name in response.get("headers", ()) if not name.startswith("X-Fake-")]
    named = f", with {codes(headers)}" if headers else ""
    ((media, content),) = [*response.get("content", {}).items()][:1] or [("", {})]
    example = next(iter(content.get("examples", {}).values()), None)
    if example is None:
        return [f"{name}: {line}{f', {code(media)}' if media else ''}{named}."]
    return [
        f"{name}: {line}{named}:",
        fence(json.dumps(example["value"], indent=2, ensure_ascii=False), "json"),
    ]
