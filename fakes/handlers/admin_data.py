"""Admin calls for data of your own: users in any state, bots, and files at their places."""

from pydantic import Field

from fakes.handlers.admin import AdminBody, read_body, read_json, refuse_body, respond, respond_no_content
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.parts.own_data import OwnFile
from svckit.models.base import OrAbsent

__all__ = ["NewBot", "NewFile", "add_bot", "put_file", "put_user", "remove_user"]


class NewBot(AdminBody):
    """A new bot, and the URL that receives its callbacks."""

    bot_id: OrAbsent[str] = Field(default=None)
    callback_url: str | None = Field(default=None)


class NewFile(OwnFile, AdminBody):
    """A file to put at a place."""


def put_user(call: CallContext) -> FakeResponse:
    """Add a whole user in any state, or replace the one with that ID; the body is a user with the service's fields."""
    user_id, given = call.params["userId"], read_json(call)
    if not isinstance(given, dict):
        raise Refusal("invalid", "the body must be a JSON object, a user with the service's fields")
    if given.get("userId", user_id) != user_id:
        raise Refusal(
            "invalid",
            f"userId must be {user_id!r}, as in the path, or left out; given {given['userId']!r}",
        )
    with call.domain.lock:
        directory = call.state.directory
        status = 200 if user_id in directory else 201
        return respond(directory.put(given | {"userId": user_id}), status)


def remove_user(call: CallContext) -> FakeResponse:
    """Remove a user, together with the tokens and statuses; files in the user's places stay."""
    refuse_body(call)
    with call.domain.lock:
        call.state.directory.remove(call.params["userId"])
    return respond_no_content()


def add_bot(call: CallContext) -> FakeResponse:
    """Add a bot, and return its ID and its secret; without a botId, one is issued."""
    given = read_body(call, NewBot)
    with call.domain.lock:
        try:
            bot = call.state.callbacks.add_bot(given.bot_id, given.callback_url)
        except ValueError as wrong:
            raise Refusal("invalid", str(wrong)) from None
    return respond({"botId": bot.bot_id, "botSecret": bot.secret}, 201)


def put_file(call: CallContext) -> FakeResponse:
    """Put a file at a place, such as /users/u-001/drive/files, and return its ID."""
    given = read_body(call, NewFile)
    with call.domain.lock:
        stored = given.put_into(call.state.files)
    return respond({"fileId": stored.file_id}, 201)
