"""Rules of the file transfer."""

from fakes.rules import assumed, documented

TICKET = documented(
    "file.ticket", "Endpoints › File transfer", "The first step answers JSON with the address to upload to."
)
STORED = documented(
    "file.stored", "Endpoints › File transfer", "A successful upload is answered 201 with its result."
)
LOCATION = documented(
    "file.location", "Endpoints › File transfer", "The first step of a download answers 302 with a Location."
)
CONTENT = documented(
    "file.content",
    "Endpoints › File transfer",
    "The second step answers 200 with the content, Content-Type and Content-Length.",
)
BEARER = documented(
    "file.bearer", "Authentication", "Upload and download addresses also need the bearer header."
)
TICKET_STATUS = assumed(
    "file.ticket-status",
    "Endpoints › File transfer",
    "The first step of an upload answers 200.",
    "200",
    "201",
)
TICKET_LIFETIME = assumed(
    "file.ticket-lifetime", "Limits", "An upload address is valid for 24 hours.", "24h", "unlimited"
)
TICKET_REUSE = assumed(
    "file.ticket-reuse",
    "Endpoints › File transfer",
    "An upload address takes one upload.",
    "single-use",
    "reusable",
)
TICKET_USER = assumed(
    "file.ticket-user",
    "Authentication",
    "An upload address is bound to the user whose token asked for it.",
    "bound",
    "any-token",
)
PART_NAME = assumed(
    "file.part-name",
    "Endpoints › File transfer",
    "A file part of any name is accepted (Filedata, FileData, file).",
    "any",
    "Filedata-only",
)
SIZE = assumed(
    "file.size",
    "Endpoints › File transfer",
    "The content must have the fileSize that was announced.",
    "checked",
    "not-checked",
)
INVALID = assumed(
    "file.invalid",
    "Errors",
    "A request that lacks fileName or fileSize, or sends them wrong, is refused with 400.",
    "400",
    "422",
)
NOT_FOUND = assumed("file.not-found", "Errors", "A file that is not there is answered 404.", "404", "410")
SAME_NAME = assumed(
    "file.same-name",
    "Endpoints › File transfer",
    "Without overwrite, a second file of the same name in the same place stands beside the first.",
    "beside",
    "refused",
)
OVERWRITE = assumed(
    "file.overwrite",
    "Endpoints › File transfer",
    "overwrite, or uploading to the id of a stored file, makes a new revision of it.",
    "revision",
    "replace",
)
