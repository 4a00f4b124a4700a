"""Views: the responses of the ready stubs, which show what the fake has, as clients in the field expect it.

The description has none of these calls, so each response rests on the rule ``api.ready-stubs``. Discovery and keys also
belong to the deviation ``token.id-token``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from fakes import rulebook
from fakes.data.sample_values import ORG_UNITS
from fakes.handlers.admin import is_number
from fakes.handlers.auth import add_basic_credentials
from fakes.handlers.context import CallContext
from fakes.handlers.files import find_place, make_upload_result
from fakes.http import json_text
from fakes.http.errors import Refusal
from fakes.parts.events import CONTENTS
from fakes.parts.facts import UserIds
from fakes.parts.sign_in.service_account import KEY_ALGORITHM, describe_public_key
from fakes.parts.uploads import Place
from fakes.rulebook import deviations
from fakes.stubs.records import DRIVES, View
from fakes.stubs.stub import ABSENT, StubFunction
from svckit.models.base import WireModel
from svckit.models.problems import HALF_CHARACTER, join_problems, list_problems, shorten

__all__ = ["OPENID", "VIEWS", "show"]

OPENID: Final = frozenset({"discovery", "keys"})
"""The views that clients need to check an ``id_token``."""
T = TypeVar("T")
ME = "me"
PAGE, LONGEST_PAGE = 50, 100
BOT_CONTENTS: Final = {kind: CONTENTS[kind] for kind in ("text", "location", "sticker")}
"""The content of messages, by its type. Images and files have other fields where bots send them."""
REVOKE: Final = "/oauth2/v2.0/revoke"
REVOCATION: Final = ("token", "token_type_hint", "client_id", "client_secret")


def show(view: View, call: CallContext) -> StubFunction:
    """Return the function that makes the body of a view for a call.

    Raises:
        Refusal: by the chosen alternative there are no ready stubs.
    """
    rules = call.state.rules
    is_openid = view in OPENID and rules.deviate(deviations.ID_TOKEN) is not None
    if not is_openid and rules.apply(rulebook.api.READY_STUBS) == "not-described":
        raise Refusal("unmatched", "this call is not described, and no ready stub responds to it")
    return lambda _: VIEWS[view](call)  # a view reads the call itself, not its `StubCall`


def _make_list(
    call: CallContext, name: str, items: Sequence[T], show_item: Callable[[T], Any] = lambda item: item
) -> dict[str, Any]:
    """Return a page of a list, by the query parameters ``count`` and ``cursor``, and where the next one begins."""
    given = call.query_parameters()
    call.ignore_parameters(parameter for parameter in given if parameter not in ("count", "cursor"))
    size, start = given.get("count", str(PAGE)), given.get("cursor") or "0"
    if not is_number(size) or not 1 <= int(size) <= LONGEST_PAGE:
        raise Refusal("invalid", f"count must be from 1 to {LONGEST_PAGE}; given {shorten(size)!r}")
    if not is_number(start):
        raise Refusal("invalid", f"cursor must be the nextCursor of a page; given {shorten(start)!r}")
    end = int(start) + int(size)
    cursor = str(end) if end < len(items) else None
    listed = [show_item(item) for item in items[int(start) : end]]
    # The cursor is in two places, as some clients look in one and some in the other.
    return {name: listed, "nextCursor": cursor, "responseMetaData": {"nextCursor": cursor}}


def _resolve(call: CallContext) -> str:
    """Return the ID of the user in the path; of ``me``, and without one, that of the caller.

    Raises:
        Refusal: the user is not found.
    """
    named, users = call.params.get("userId", ME), call.state.users
    return call.user_id if named == ME and call.user_id and ME not in users else users.resolve(named)


def _list_users(call: CallContext) -> dict[str, Any]:
    users = call.state.users
    return _make_list(call, "users", UserIds(users), users.read)


def _list_members(call: CallContext) -> dict[str, Any]:
    return _make_list(call, "members", UserIds(call.state.users), lambda user_id: {"userId": user_id})


def _list_org_units(call: CallContext) -> dict[str, Any]:
    units = [{"orgUnitId": unit, "orgUnitName": name} for unit, name, _ in ORG_UNITS]
    return _make_list(call, "orgUnits", units)


def _name(kind: str, its_id: str) -> dict[str, Any]:
    return {f"{kind}Id": its_id, f"{kind}Name": "Stub"}


def _find_bot(call: CallContext) -> str:
    return call.state.callbacks.bot(call.params["botId"]).bot_id


def _send_message(call: CallContext) -> object:
    """Check the form of a bot's message, and put it into the outbox."""
    bot_id, channel_id = _find_bot(call), call.params.get("channelId")
    user_id = _resolve(call) if channel_id is None else None
    call.check_json_head()
    sent = call.json_object()
    content: Any = sent.get("content")
    kind = content.get("type") if isinstance(content, dict) else None
    if not isinstance(kind, str) or not kind:
        example = '{"content": {"type": "text", "text": "hello"}}'
        raise Refusal("invalid", f"content must be an object with a type, such as {example}")
    if json_text.has_half_character(sent):
        raise Refusal("invalid", f"the message has {HALF_CHARACTER} which cannot be sent")
    try:
        BOT_CONTENTS.get(kind, WireModel).from_wire(content)  # of other kinds, no fields are checked
    except ValidationError as invalid:
        raise Refusal("invalid", join_problems(list_problems(invalid, at="content"))) from None
    call.state.outbox.add(bot_id, user_id, channel_id, sent)
    return ABSENT


def _find_drive(call: CallContext) -> Place:
    """Return the place in the path that has files; ``me`` is the caller."""
    if "userId" in call.params:
        call.params = {**call.params, "userId": _resolve(call)}
    drive = DRIVES[tuple(name for name in call.params if name != "fileId")]
    return find_place(drive, call, call.authenticate())


def _list_files(call: CallContext) -> dict[str, Any]:
    drive, state = _find_drive(call), call.state
    folder = state.files.list_folder((drive, call.params.get("fileId")))

    def show_file(position: int) -> dict[str, object]:
        return make_upload_result(state.files.find_file(drive, folder.at(position)), state.rules)

    return _make_list(call, "files", range(len(folder)), show_file)


def _read_file(call: CallContext) -> dict[str, object]:
    stored = call.state.files.find_file(_find_drive(call), call.params["fileId"])
    return make_upload_result(stored, call.state.rules)


def _discover(call: CallContext) -> dict[str, Any]:
    """Return the endpoints of the authorization server (OpenID Connect Discovery 1.0)."""
    rules, issuer = call.state.rules, call.base_urls.auth
    basic = ["client_secret_basic"] if rules.deviations.get(deviations.CLIENT_AUTH) is not None else []
    revokes = call.state.stubs.find("auth", "POST", REVOKE) is not None
    return {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/oauth2/v2.0/authorize",
        "token_endpoint": f"{issuer}/oauth2/v2.0/token",
        "jwks_uri": f"{issuer}/oauth2/v2.0/keys",
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "scopes_supported": ["openid", "user", "file"],
        "id_token_signing_alg_values_supported": [KEY_ALGORITHM],
        "token_endpoint_auth_methods_supported": ["client_secret_post", *basic],
    } | ({"revocation_endpoint": f"{issuer}{REVOKE}"} if revokes else {})


def _revoke(call: CallContext) -> object:
    """Revoke a token (RFC 7009); of one that is unknown, there is nothing to do."""
    call.refuse_query()
    form = add_basic_credentials(call, call.form_fields())
    missing = [name for name in ("token", "client_id", "client_secret") if not form.get(name)]
    if missing:
        raise Refusal("missing", f"the revocation lacks {', '.join(missing)}")
    call.ignore_parameters(name for name in form if name not in REVOCATION)
    client = call.state.auth.check_client(form["client_id"], form["client_secret"])
    call.state.tokens.revoke(form["token"], client.client_id)
    return ABSENT


VIEWS: Final[Mapping[View, Callable[[CallContext], Any]]] = {
    "board": lambda call: _name("board", call.params["boardId"]),
    "boards": lambda call: _make_list(call, "boards", [_name("board", "board-1")]),
    "bot": lambda call: _name("bot", _find_bot(call)),
    "bots": lambda call: _make_list(call, "bots", [_name("bot", bot) for bot in call.state.callbacks.bots]),
    "discovery": _discover,
    "file": _read_file,
    "files": _list_files,
    "group": lambda call: _name("group", call.params["groupId"]),
    "groups": lambda call: _make_list(call, "groups", [_name("group", "group-1")]),
    "keys": lambda _: {"keys": [describe_public_key()]},
    "members": _list_members,
    "message": _send_message,
    "orgunits": _list_org_units,
    "revoke": _revoke,
    "user": lambda call: call.state.users.read(_resolve(call)),
    "users": _list_users,
}
"""What makes the body of each view, or `ABSENT` for none."""
