"""Operations of the file transfer: two steps up, two steps down."""

from functools import partial

from pydantic_core import to_json

from fakes import rulebook
from fakes.call import Call
from fakes.dialects import JSON
from fakes.exchange import Response
from fakes.multipart import FilePart, MultipartForm
from fakes.parts.files import Place, Revision, StoredFile
from fakes.refusals import Refused
from fakes.routing import Handler
from svckit.models import paths
from svckit.models.files import UploadRequest
from svckit.models.times import format_date_time

__all__ = ["download_step", "receive", "send", "upload_step"]

DEFAULT_TYPE = "application/octet-stream"


def upload_step(place: paths.Place) -> Handler:
    """The first step of an upload to a place: a handler that answers with an upload address."""
    return partial(_request_upload, place)


def download_step(place: paths.Place) -> Handler:
    """The first step of a download from a place: a handler that redirects to the content."""
    return partial(_locate, place)


def _request_upload(place: paths.Place, call: Call) -> Response:
    caller = call.caller()
    request = call.json(UploadRequest)
    files, rules = call.state.files, call.state.rules
    ticket = files.issue(_stored_at(place, call), call.params.get("fileId"), request, caller.user_id)
    rules.follow(rulebook.files.TICKET)
    status = int(rules.choice(rulebook.files.TICKET_STATUS))
    url = f"{call.addresses.storage}/uploads/{ticket.ticket_id}"
    return Response(status, [JSON], to_json({"uploadUrl": url}))


def receive(call: Call) -> Response:
    """The second step of an upload: take the content."""
    rules, caller = call.state.rules, call.caller()
    rules.follow(rulebook.files.BEARER)
    ticket = call.state.files.ticket(call.params["ticketId"], caller.user_id)
    part = _file_part(call)
    stored = call.state.files.store(ticket, part.content_type or DEFAULT_TYPE, part.content)
    rules.follow(rulebook.files.STORED)
    return Response(201, [JSON], to_json(_result(stored, ticket.place)))


def _locate(place: paths.Place, call: Call) -> Response:
    call.caller()
    file_id = call.params.get("fileId") or call.params.get("attachmentId")
    revision = call.state.files.find(_stored_at(place, call), file_id, call.params.get("revisionId"))
    call.state.rules.follow(rulebook.files.LOCATION)
    return Response(302, [("Location", f"{call.addresses.storage}/downloads/{revision.address}")])


def send(call: Call) -> Response:
    """The second step of a download: send the content."""
    rules = call.state.rules
    call.caller()
    rules.follow(rulebook.files.BEARER)
    revision = call.state.files.at_address(call.params["address"])
    rules.follow(rulebook.files.CONTENT)
    return _content(revision)


def _content(revision: Revision) -> Response:
    headers = [("Content-Type", revision.content_type), ("Content-Length", str(len(revision.content)))]
    return Response(200, headers, revision.content.chunks())


def _stored_at(place: paths.Place, call: Call) -> Place:
    """The place by the ids of its containers; users by their id, however they were addressed, and bots known."""
    where = [place.store]
    for name in place.container:
        value = call.params[name]
        if name == "userId":
            value = call.state.directory.find(value)
        elif name == "botId":
            value = call.state.callbacks.bot(value).bot_id
        where.append(value)
    return tuple(where)


def _file_part(call: Call) -> FilePart:
    form = call.form or MultipartForm("")
    form.finish()
    if len(form.files) != 1:
        raise Refused(
            "invalid",
            f"the content is sent as one file part named Filedata, with a filename; {len(form.files)} file parts came",
        )
    part = form.files[0]
    if part.name != "Filedata" and not (part.name == "FileData" and "resourceName" in form.fields):
        call.state.rules.choice(rulebook.files.PART_NAME)
    return part


def _result(stored: StoredFile, place: Place) -> dict[str, object]:
    latest = stored.latest
    result: dict[str, object] = {
        "fileId": stored.file_id,
        "fileName": stored.name,
        "fileSize": len(latest.content),
    }
    if place[0] == "drive":
        result |= {
            "parentFileId": stored.parent_id or "root",
            "accessedTime": format_date_time(latest.stored_at),
            "createdTime": format_date_time(stored.created_at),
            "modifiedTime": latest.modified_time or format_date_time(latest.stored_at),
            "filePath": f"/{stored.name}",
            "fileType": latest.content_type,
            "hasPermission": True,
            "permissionRootFileId": "root",
            "resourceLocation": 1,
            "statuses": [],
        }
    return result
