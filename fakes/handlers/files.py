"""Operations of the file transfer: two steps up, two steps down.

Up: `_request_upload` reads what is announced and returns an upload URL; `receive`, or `receive_bytes`, takes the
content, in one piece or in ranges, and returns the result. Down: `_locate` redirects to the content, and `send`
sends it.
"""

from collections.abc import Callable
from datetime import UTC
from functools import partial
from posixpath import splitext
from typing import Any

from pydantic_core import to_json

from fakes import rulebook
from fakes.handlers.context import CallContext, Reading
from fakes.handlers.error_formats import JSON
from fakes.handlers.routing import Operations
from fakes.http.content import StoredContent
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse, check_field_value
from fakes.http.multipart import MultipartForm, ReceivedFile
from fakes.parts.bearers import needs_no_bearer
from fakes.parts.stored_files import FILE_RESOURCES, Report, StoredFile
from fakes.parts.tokens import Token
from fakes.parts.uploads import AS_DESCRIBED, Asked, ContentRange, PendingUpload, Place
from fakes.rulebook import deviations
from fakes.rulebook.rules import Rules
from fakes.rulebook.text_lengths import compose
from svckit.models import paths
from svckit.models.files import UploadRequest, UploadResult, UploadTicket
from svckit.models.problems import shorten
from svckit.models.times import format_date_time, parse_date_time

__all__ = ["find_place", "first_steps", "make_upload_result", "second_steps"]

first_steps = Operations("api", "Endpoints › File transfer")
second_steps = Operations("storage", "Endpoints › File transfer")
UPLOAD = "/uploads/{address}"

SCOPE = "file"
BEHIND_REDIRECT = (
    "a download URL needs it too, and a client that follows the redirect itself drops the bearer token on the way to "
    "another host: request the Location URL with Authorization yourself"
)
"""Why a download has lost its bearer token, and what helps."""

READING = Reading(
    UploadRequest, rulebook.files.REQUEST, nulls=(rulebook.api.NULL, rulebook.api.NULL_OPTIONAL)
)
BOT = "bot"
"""The store of bot content."""


def _request_upload(place: paths.TransferPath, call: CallContext) -> FakeResponse:
    caller = call.authorize(SCOPE)
    where = find_place(place, call, caller)
    request, asked = _read_upload_request(place, call)
    rules, target = call.state.rules, call.params.get("fileId")
    if not request.file_name and rules.apply(rulebook.files.EMPTY_NAME) == "refused":
        raise Refusal("invalid", "fileName must not be empty")
    _check_modified_time(rules, request.modified_time)
    unknown = target is not None and not call.state.files.holds(where, target)
    if unknown and rules.apply(rulebook.files.PARENT) == "refused":
        raise Refusal("no_file", f"no file or folder {target!r} at {'/'.join(where)}")
    files = call.state.files
    file_id = files.choose_id(where, target, request) if asked.file_id else None
    upload = files.uploads.issue(where, target, request, caller.user_id, asked=asked, file_id=file_id)
    status = int(rules.apply(rulebook.files.UPLOAD_STATUS))
    rules.follow(rulebook.files.UPLOAD_URL)
    ticket: dict[str, object] = {"uploadUrl": f"{call.base_urls.storage}/uploads/{upload.address}"}
    if upload.file_id is not None:
        ticket["fileId"] = upload.file_id
    if asked.resume:
        ticket["offset"] = len(upload.received)
    return FakeResponse(status, [JSON], to_json(ticket))


for known in paths.UPLOAD_PLACES:
    first_steps(
        "POST",
        known.template,
        f"upload.{known.key}",
        takes=UploadRequest,
        returns=UploadTicket,
        does=f"Request a URL to upload to: {known.purpose}",
    )(partial(_request_upload, known))


def _read_upload_request(place: paths.TransferPath, call: CallContext) -> tuple[UploadRequest, Asked]:
    """Return the body of the first step of an upload, and what it asks for beyond the description.

    Raises:
        Refusal: the body is not valid.
    """
    try:
        if call.state.rules.deviations.chosen:
            return _read_deviating(place, call)
        return call.json(READING), AS_DESCRIBED
    except Refusal as refusal:
        lacks_only_size = refusal.kind == "missing" and [p.field for p in refusal.problems] == ["fileSize"]
        if lacks_only_size and place.store == BOT:
            refusal.remedy = deviations.REQUEST.recommend()
        raise


def _read_deviating(place: paths.TransferPath, call: CallContext) -> tuple[UploadRequest, Asked]:
    call.check_json_head()
    rules, sent = call.state.rules, dict(call.json_object())
    may_resume = rules.deviations.get(deviations.STEP1_OFFSET) is not None
    resume: Any = sent.pop("resume", False) if may_resume else False
    if not isinstance(resume, bool):
        rules.deviate(deviations.STEP1_OFFSET)
        raise Refusal("invalid", f"resume must be true or false; given {shorten(to_json(resume).decode())}")
    is_unsized = (
        place.store == BOT and "fileSize" not in sent and rules.deviate(deviations.REQUEST) is not None
    )
    if is_unsized:
        sent["fileSize"] = 0  # which the model requires; nobody reads it
    request = call.read_object(sent, READING)
    if resume:
        rules.deviate(deviations.STEP1_OFFSET)
    return request, Asked(is_unsized, resume, rules.deviate(deviations.STEP1_ID) is not None)


def _check_modified_time(rules: Rules, time: str | None) -> None:
    if time is None:
        return
    try:
        parse_date_time(time)
    except ValueError as wrong:
        if rules.apply(rulebook.files.MODIFIED_TIME) == "date-time":
            raise Refusal("invalid", f"modifiedTime {wrong}") from None


@second_steps("POST", UPLOAD, "storage.receive", body="multipart", returns=UploadResult)
def receive(call: CallContext) -> FakeResponse:
    """Send the content of an upload.

    The body is multipart/form-data.
    """
    upload = _find_upload(call)
    form = call.form
    form.finish()
    rules, resource = call.state.rules, form.fields.get("resourceName")
    rules.follow(rulebook.files.MULTIPART)
    part = _find_content(form, rules)
    call.ignore_parameters(
        [name for name in form.fields if name != "resourceName"]
        + [other.name for other in form.files if other is not part]
    )
    alternative = part.name == "FileData" and resource is not None
    described = part.name == "Filedata" or alternative or part.file_name is None
    if not described and rules.apply(rulebook.files.PART_NAME) == "Filedata-only":
        raise Refusal("invalid", f"the file part must be named Filedata; given {part.name!r}")
    name = resource if alternative else part.file_name
    return _take(call, upload, name, part.content_type, part.content)


def _find_content(form: MultipartForm, rules: Rules) -> ReceivedFile:
    """Return the part that carries the content: a file part, or a field that counts as one."""
    has_name = "resourceName" in form.fields
    parts = [
        part
        for part in form.files
        if part.file_name is not None
        or (has_name and part.name == "FileData")
        or rules.apply(rulebook.files.CONTENT_FIELD) == "any"
    ]
    if len(parts) == 1:
        return parts[0]
    fields = ", ".join(part.name for part in form.files if part not in parts)
    raise Refusal(
        "invalid",
        "send the content as one file part named Filedata, with a filename, or in the fields resourceName and "
        f"FileData; given {len(parts)} file parts" + (f", and without a filename {fields}" if fields else ""),
    )


@second_steps("PUT", UPLOAD, "storage.receive_bytes", body="content", returns=UploadResult)
def receive_bytes(call: CallContext) -> FakeResponse:
    """Send the content of an upload as raw bytes.

    This is not described, so it is refused unless the assumption is changed.
    """
    upload = _find_upload(call)
    if call.state.rules.apply(rulebook.files.RAW) == "refused":
        raise Refusal(
            "invalid", "send the content with POST, as multipart/form-data with a file part named Filedata"
        )
    return _take(call, upload, None, call.head.header("Content-Type"), call.content)


def _find_upload(call: CallContext) -> PendingUpload:
    uploads, address = call.state.files.uploads, call.params["address"]
    user_id = _authorize_storage(call, partial(uploads.get_user, address))
    call.refuse_query()
    call.state.rules.follow(rulebook.files.BEARER)
    return uploads.find(address, user_id)


def _take(
    call: CallContext,
    upload: PendingUpload,
    name: str | None,
    content_type: str | None,
    content: StoredContent,
) -> FakeResponse:
    rules = call.state.rules
    name = name if name is None or name.isascii() else compose(name, rules)
    content_type = (content_type or "").strip(" \t")
    try:
        check_field_value(content_type)
    except ValueError as wrong:
        raise Refusal("invalid", f"the media type of the content {wrong}") from None
    if header := call.head.header("Content-Range"):
        rules.follow(rulebook.files.RESUMABLE)
        try:
            sent = _read_range(header, rules)
            stored = call.state.files.store_range(upload, sent, name, content_type, content)
        except Refusal as refusal:
            if refusal.kind == "wrong_range":
                refusal.offset = len(upload.received)
            raise
        if stored is None:
            status = int(rules.apply(rulebook.files.INCOMPLETE))
            return FakeResponse(status, [JSON], to_json({"offset": sent.end + 1}))
    else:
        stored = call.state.files.store(upload, name, content_type, content)
    rules.follow(rulebook.files.STORED)
    status = int(rules.deviate(deviations.STORED) or 201)
    return FakeResponse(status, [JSON], to_json(make_upload_result(stored, rules)))


def _read_range(header: str, rules: Rules) -> ContentRange:
    """Return the range of a request."""
    sent = ContentRange.parse(header)
    if sent.unit and rules.apply(rulebook.files.RANGE_UNIT) == "refused":
        raise Refusal("wrong_range", f"Content-Range must have no unit; given {header!r}")
    return sent


def make_upload_result(stored: StoredFile, rules: Rules) -> dict[str, object]:
    """Return the result of an upload as sent (section "File resources" of the service's description).

    The description names the fields of a drive file but does not show their values, so each rests on an assumption.
    """
    result: dict[str, object] = {
        "fileId": stored.file_id,
        "fileName": stored.name,
        "fileSize": len(stored.latest.content),
    }
    store = stored.place[0]
    if store not in FILE_RESOURCES:
        return result
    if store != "drive" and rules.apply(rulebook.files.DRIVE_FIELDS) == "personal-drive":
        return result
    return (
        result
        | _make_location_fields(stored, rules)
        | _make_time_fields(stored, rules)
        | _make_kind_fields(stored, rules)
    )


def _make_location_fields(stored: StoredFile, rules: Rules) -> dict[str, object]:
    """Return the fields of the file's location and permissions."""
    root, folder = stored.place[-1], stored.parent_id
    if root != "root" and rules.apply(rulebook.drive.ROOT) == "root":
        root = "root"
    if folder and rules.apply(rulebook.drive.PATH) == "name-only":
        folder = None
    return {
        "parentFileId": stored.parent_id or root,
        "filePath": f"/{folder}/{stored.name}" if folder else f"/{stored.name}",
        "hasPermission": rules.apply(rulebook.drive.PERMISSION) == "true",
        "permissionRootFileId": root,
        "resourceLocation": int(rules.apply(rulebook.drive.LOCATION)),
    }


def _make_time_fields(stored: StoredFile, rules: Rules) -> dict[str, object]:
    latest, accessed, created = stored.latest, stored.latest.stored_at, stored.created_at
    if (accessed.utcoffset() or created.utcoffset()) and rules.apply(rulebook.drive.TIMES) == "utc":
        accessed, created = accessed.astimezone(UTC), created.astimezone(UTC)
    stored_at = format_date_time(accessed)
    modified = stored_at if latest.modified_time is None else latest.modified_time
    return {"accessedTime": stored_at, "createdTime": format_date_time(created), "modifiedTime": modified}


def _make_kind_fields(stored: StoredFile, rules: Rules) -> dict[str, object]:
    file_type, extension = stored.latest.content_type, splitext(stored.name)[1].removeprefix(".")
    if extension != file_type and rules.apply(rulebook.drive.TYPE) == "extension":
        file_type = extension
    return {
        "fileType": file_type,
        "statuses": [] if rules.apply(rulebook.drive.STATUSES) == "none" else ["NORMAL"],
    }


def _locate(place: paths.TransferPath, call: CallContext) -> FakeResponse:
    caller, rules = call.authorize(SCOPE), call.state.rules
    call.refuse_query(rulebook.files.QUERY)
    file_id = call.params.get("fileId") or call.params.get("attachmentId")
    where, revision = find_place(place, call, caller), call.params.get("revisionId")
    found = call.state.files.ask(caller.user_id, where, file_id, revision)
    rules.follow(rulebook.files.LOCATION)
    return FakeResponse(302, [("Location", f"{call.base_urls.storage}/downloads/{found.address}")])


for known in paths.DOWNLOAD_PLACES:
    does = f"Request the URL of a download: {known.purpose}"
    first_steps("GET", known.template, f"download.{known.key}", does=does)(partial(_locate, known))


@second_steps("GET", "/downloads/{address}", "storage.send")
def send(call: CallContext) -> FakeResponse:
    """Fetch the content of a download."""
    rules, address = call.state.rules, call.params["address"]
    requesters = call.state.files.list_requesters
    user_id = _authorize_storage(call, lambda: next(iter(requesters(address)), None))
    call.refuse_query()
    rules.follow(rulebook.files.BEARER)
    found = call.state.files.find_by_address(address, user_id)
    if isinstance(found, Report) and not any(map(call.state.users.administers, requesters(address))):
        rules.apply(rulebook.api.PERMISSION)  # else nobody would have the URL
    content = found.write() if isinstance(found, Report) else found.content
    rules.follow(rulebook.files.CONTENT)
    headers = [("Content-Type", found.content_type), ("Content-Length", str(len(content)))]
    return FakeResponse(200, headers, content.chunks())


def _authorize_storage(call: CallContext, find_user: Callable[[], str | None]) -> str:
    """Return the ID of the user for whom a second step acts.

    Args:
        call: the call.
        find_user: finds the user who requested the URL, if it was issued.

    Raises:
        Refusal: the bearer credential is not valid, or is missing and needed.
    """
    if needs_no_bearer(call.head, call.state.rules):
        call.state.rules.deviate(deviations.STORAGE_BEARER)
        return find_user() or ""
    try:
        return call.authorize(SCOPE).user_id
    except Refusal as refusal:
        if call.head.header("Authorization"):
            raise
        hint = "an upload URL needs it too" if call.head.method in ("POST", "PUT") else BEHIND_REDIRECT
        remedy = deviations.STORAGE_BEARER.recommend()
        raise Refusal(refusal.kind, f"{refusal.description}; {hint}", remedy=remedy) from None


def find_place(place: paths.TransferPath, call: CallContext, caller: Token) -> Place:
    """Return the place named by a request, with its users by ID, however the request names them.

    Raises:
        Refusal: a container is not found, or the caller may not use it.
    """
    where = [place.store]
    if not place.container:  # the logs of the domain
        call.require_permission(caller, None)
    for name in place.container:
        value = call.params[name]
        if name == "userId":
            value = call.state.users.resolve(value, caller.user_id)
            call.require_permission(caller, value)
        elif name == "botId":
            value = call.state.callbacks.bot(value).bot_id
        elif call.state.rules.apply(rulebook.files.CONTAINERS) == "refused":
            raise Refusal("not_found", f"{name.removesuffix('Id')} {value!r} not found")
        where.append(value)
    return tuple(where)
