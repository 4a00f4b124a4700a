"""Operations of the file transfer: two steps up, two steps down."""

from functools import partial

from pydantic_core import to_json

from fakes import rulebook
from fakes.call import Call
from fakes.content import Content
from fakes.dialects import JSON
from fakes.exchange import Response
from fakes.parts.files import Report, StoredFile
from fakes.parts.tokens import Token
from fakes.parts.uploads import ContentRange, Place, Upload
from fakes.refusals import Refused
from fakes.routing import Handler
from fakes.rules import Rules
from svckit.models import paths
from svckit.models.files import UploadRequest
from svckit.models.times import format_date_time, parse_date_time

__all__ = ["download_step", "receive", "receive_raw", "send", "upload_step"]

FILE_RESOURCES = frozenset({"drive", "shared_folder", "shared_drive", "group_folder"})


def upload_step(place: paths.Place) -> Handler:
    """The first step of an upload to a place: a handler that answers with an upload address."""
    return partial(_request_upload, place)


def download_step(place: paths.Place) -> Handler:
    """The first step of a download from a place: a handler that redirects to the content."""
    return partial(_locate, place)


def _request_upload(place: paths.Place, call: Call) -> Response:
    caller = call.caller()
    where = _stored_at(place, call, caller)
    request = call.json(UploadRequest, rulebook.files.REQUEST)
    rules, target = call.state.rules, call.params.get("fileId")
    _check_modified_time(rules, request.modified_time)
    unknown = target is not None and not call.state.files.holds(where, target)
    if unknown and rules.choice(rulebook.files.PARENT) == "refused":
        raise Refused("no_file", f"there is no file and no folder {target!r} at {'/'.join(where)}")
    status = int(rules.choice(rulebook.files.UPLOAD_STATUS))
    upload = call.state.files.uploads.issue(where, target, request, caller.user_id)
    rules.follow(rulebook.files.UPLOAD_URL)
    return Response(
        status, [JSON], to_json({"uploadUrl": f"{call.addresses.storage}/uploads/{upload.address}"})
    )


def _check_modified_time(rules: Rules, time: str | None) -> None:
    if time is None:
        return
    try:
        parse_date_time(time)
    except ValueError as wrong:
        if rules.choice(rulebook.files.MODIFIED_TIME) == "date-time":
            raise Refused("invalid", f"modifiedTime {wrong}") from None


def receive(call: Call) -> Response:
    """The second step of an upload: take the content as multipart/form-data."""
    upload = _upload(call)
    form = call.form
    form.finish()
    call.state.rules.follow(rulebook.files.MULTIPART)
    if len(form.files) != 1:
        raise Refused(
            "invalid",
            f"the content is sent as one file part named Filedata, with a filename; {len(form.files)} file parts came",
        )
    part = form.files[0]
    described = part.name == "Filedata" or (part.name == "FileData" and "resourceName" in form.fields)
    if not described and call.state.rules.choice(rulebook.files.PART_NAME) == "Filedata-only":
        raise Refused("invalid", f"the file part must be named Filedata; it was named {part.name!r}")
    name = upload.request.file_name
    if part.file_name != name and call.state.rules.choice(rulebook.files.NAME) == "sent":
        name = part.file_name
    return _take(call, upload, name, part.content_type, part.content)


def receive_raw(call: Call) -> Response:
    """Content sent as it is, with PUT: not described, so refused unless the assumption is changed."""
    upload = _upload(call)
    if call.state.rules.choice(rulebook.files.RAW) == "refused":
        raise Refused(
            "invalid", "the content is sent with POST, as multipart/form-data with a file part named Filedata"
        )
    return _take(call, upload, upload.request.file_name, call.head.header("Content-Type"), call.content)


def _upload(call: Call) -> Upload:
    caller = call.caller()
    call.state.rules.follow(rulebook.files.BEARER)
    return call.state.files.uploads.find(call.params["address"], caller.user_id)


def _take(call: Call, upload: Upload, name: str, content_type: str | None, content: Content) -> Response:
    rules, header = call.state.rules, call.head.header("Content-Range")
    content_type = content_type or rules.choice(rulebook.files.DEFAULT_TYPE)
    if not (content_type.isascii() and content_type.replace("\t", " ").isprintable()):
        raise Refused(
            "invalid",
            "the media type of the content must be printable ASCII, or no header of a download could carry it; "
            f"it was {content_type!r}",
        )
    if header:
        rules.follow(rulebook.files.RESUMABLE)
        sent = ContentRange.parse(header)
        if sent.unit and rules.choice(rulebook.files.RANGE_UNIT) == "refused":
            raise Refused("wrong_range", f"Content-Range has no unit; it was {header!r}")
        if not upload.append(content, sent):
            status = int(rules.choice(rulebook.files.INCOMPLETE))
            return Response(status, [JSON], to_json({"offset": len(upload.received)}))
        content = upload.received
    stored = call.state.files.store(upload, name, content_type, content)
    rules.follow(rulebook.files.STORED)
    return Response(201, [JSON], to_json(_result(call, stored)))


def _locate(place: paths.Place, call: Call) -> Response:
    caller, rules = call.caller(), call.state.rules
    if call.query and rules.choice(rulebook.files.QUERY) == "refused":
        raise Refused("invalid", f"this operation has no query parameters; the query was {call.query!r}")
    file_id = call.params.get("fileId") or call.params.get("attachmentId")
    found = call.state.files.find(_stored_at(place, call, caller), file_id, call.params.get("revisionId"))
    rules.follow(rulebook.files.LOCATION)
    return Response(302, [("Location", f"{call.addresses.storage}/downloads/{found.address}")])


def send(call: Call) -> Response:
    """The second step of a download: send the content."""
    rules = call.state.rules
    call.caller()
    rules.follow(rulebook.files.BEARER)
    found = call.state.files.at_address(call.params["address"])
    content = found.write() if isinstance(found, Report) else found.content
    rules.follow(rulebook.files.CONTENT)
    headers = [("Content-Type", found.content_type), ("Content-Length", str(len(content)))]
    return Response(200, headers, content.chunks())


def _stored_at(place: paths.Place, call: Call, caller: Token) -> Place:
    """The place by the ids of its containers; users by their id, however they were addressed, and bots known."""
    where = [place.store]
    for name in place.container:
        value = call.params[name]
        if name == "userId":
            value = call.state.directory.find(value)
            call.permit(caller, value)
        elif name == "botId":
            value = call.state.callbacks.bot(value).bot_id
        elif call.state.rules.choice(rulebook.files.CONTAINERS) == "refused":
            raise Refused("not_found", f"there is no {name.removesuffix('Id')} {value!r}")
        where.append(value)
    return tuple(where)


def _result(call: Call, stored: StoredFile) -> dict[str, object]:
    latest, store = stored.latest, stored.place[0]
    result: dict[str, object] = {
        "fileId": stored.file_id,
        "fileName": stored.name,
        "fileSize": len(latest.content),
    }
    if store not in FILE_RESOURCES:
        return result
    if store != "drive" and call.state.rules.choice(rulebook.files.DRIVE_FIELDS) == "personal-drive":
        return result
    return result | {
        "parentFileId": stored.parent_id or "root",
        "accessedTime": format_date_time(latest.stored_at),
        "createdTime": format_date_time(stored.created_at),
        "modifiedTime": latest.modified,
        "filePath": f"/{stored.name}",
        "fileType": latest.content_type,
        "hasPermission": True,
        "permissionRootFileId": "root",
        "resourceLocation": 1,
        "statuses": [],
    }
