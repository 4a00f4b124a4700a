"""Admin calls for the data of a fake: users in any state, files at their places, and the state as a whole."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from fakes.handlers.admin import (
    AdminBody,
    read_json,
    read_object,
    refusing_invalid,
    respond,
)
from fakes.handlers.admin_calls import AdminCalls
from fakes.handlers.admin_schemas import (
    ANY_OBJECT,
    COUNT,
    TEXT,
    add_named,
    describe,
    make_list,
    make_object,
)
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.parts.own_data import OwnFile
from fakes.parts.stored_files import StoredFile

__all__ = ["admin"]

admin: AdminCalls = AdminCalls()

WHOLE_USER = add_named(
    "WholeUser",
    describe(ANY_OBJECT, "A user with the service's fields, of which email and userName are required."),
)
SNAPSHOT = add_named(
    "Snapshot", describe(ANY_OBJECT, "The whole state of a fake, as GET /snapshot returns it.")
)
MOST_LISTED = 10_000
"""The most users in one response."""


class NewFile(OwnFile, AdminBody):
    """A file to put at a place."""


@admin(
    "GET",
    "/users",
    "users.list",
    returns=make_object(users=make_list(ANY_OBJECT), count=describe(COUNT, "Number of all users.")),
    query={
        "skip": describe(COUNT, "Number of users to leave out at the beginning; 0 without it."),
        "limit": describe(COUNT, "Number of users at most, up to 10,000; 1,000 without it."),
    },
)
def list_users(call: CallContext, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return users with the service's fields, in the order of the directory: 1,000, or ``limit=``, after ``skip=``."""
    skip, limit = query.get("skip", 0), min(query.get("limit", 1000), MOST_LISTED)
    with call.domain.lock:
        directory = call.state.directory
        users = [directory[user_id] for user_id in islice(directory, skip, skip + limit)]
        return {"users": users, "count": len(directory)}


@admin(
    "GET",
    "/users/{userId}",
    "users.read",
    returns=make_object(
        userId=TEXT,
        loginId=TEXT,
        password=TEXT,
        linkId=TEXT,
        statuses=make_list(ANY_OBJECT),
        record=ANY_OBJECT,
    ),
    errors=(404,),
)
def read_user(call: CallContext) -> dict[str, Any]:
    """Return facts of a user that a test needs and no operation of the service returns, and the user's record."""
    state = call.state
    with call.domain.lock, state.rules.recording():
        user_id = state.users.resolve(call.params["userId"])
        return {
            "userId": user_id,
            "loginId": state.users.record(user_id)["email"],
            "password": state.auth.password(user_id),
            "linkId": state.users.link_id(user_id),
            "statuses": state.statuses.of(user_id),
            "record": state.users.record(user_id),
        }


@admin(
    "PUT",
    "/users/{userId}",
    "users.put",
    body=WHOLE_USER,
    returns=ANY_OBJECT,
    status=201,
    replaced=200,
    errors=(409,),
)
def put_user(call: CallContext) -> FakeResponse:
    """Add a whole user in any state, or replace the one with that ID; the body is a user with the service's fields."""
    user_id = call.params["userId"]
    given = read_object(call, "the body must be a JSON object, a user with the service's fields")
    if given.get("userId", user_id) != user_id:
        raise Refusal(
            "invalid",
            f"userId must be {user_id!r}, as in the path, or left out; given {given['userId']!r}",
        )
    with call.domain.lock:
        directory = call.state.directory
        status = 200 if user_id in directory else 201
        return respond(directory.put(given | {"userId": user_id}), status)


@admin("DELETE", "/users/{userId}", "users.remove", errors=(404, 409))
def remove_user(call: CallContext) -> None:
    """Remove a user, together with the tokens and statuses; files in the user's places stay."""
    with call.domain.lock:
        call.state.directory.remove(call.params["userId"])


@admin("GET", "/files", "files.list", returns=make_object(files=make_list(ANY_OBJECT)))
def list_files(call: CallContext) -> dict[str, Any]:
    """Return all files without their content, in the order in which they were first stored."""
    with call.domain.lock:
        return {"files": [stored.record() for stored in call.state.files.list_files()]}


@admin(
    "POST",
    "/files",
    "files.put",
    body=NewFile,
    returns=make_object(fileId=TEXT),
    status=201,
    errors=(404, 409),
)
def put_file(call: CallContext, given: NewFile) -> StoredFile:
    """Put a file at a place, such as /users/u-001/drive/files, and return its ID."""
    with call.domain.lock:
        return given.put_into(call.state.files)


@admin("GET", "/snapshot", "snapshot.take", returns=ANY_OBJECT, errors=(409,))
def take_snapshot(call: CallContext) -> dict[str, Any]:
    """Return the whole state."""
    return dict(call.domain.snapshot())


@admin("PUT", "/snapshot", "snapshot.restore", body=SNAPSHOT, errors=(409,))
def restore(call: CallContext) -> None:
    """Replace the whole state with a snapshot."""
    given = read_json(call)
    with refusing_invalid():
        call.domain.restore(given)


@admin("POST", "/reset", "reset")
def reset(call: CallContext) -> None:
    """Start again with the initial state."""
    call.domain.reset()
