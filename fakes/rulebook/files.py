"""Rules of the file transfer."""

from fakes.rulebook.rule import assumed, documented

SECTION = "Endpoints › File transfer"

UPLOAD_URL = documented(
    "file.upload-url", SECTION, "The first step responds with JSON that contains the URL to upload to."
)
REQUEST = documented(
    "file.request", SECTION, "fileName and fileSize are required; modifiedTime and overwrite are not."
)
STORED = documented("file.stored", SECTION, "A successful upload gets 201 with its result.")
MULTIPART = documented(
    "file.multipart",
    SECTION,
    "The content is sent as multipart/form-data: a part Filedata with a file name, or resourceName and FileData.",
)
RESUMABLE = documented(
    "file.resumable",
    SECTION,
    "A resumable upload sends Content-Range: <start>-<end>/<total> with each piece.",
)
LOCATION = documented(
    "file.location", SECTION, "The first step of a download responds with 302 and a Location."
)
CONTENT = documented(
    "file.content",
    SECTION,
    "The second step responds with 200, the content, Content-Type and Content-Length.",
)
BEARER = documented("file.bearer", "Authentication", "Upload and download URLs also need the bearer header.")

UPLOAD_STATUS = assumed(
    "file.upload-status", SECTION, "The first step of an upload responds with 200.", ("200", "201")
)
UPLOAD_LIFETIME = assumed(
    "file.upload-lifetime", "Limits", "An upload URL is valid for 24 hours.", ("24h", "unlimited")
)
UPLOAD_REUSE = assumed(
    "file.upload-reuse", SECTION, "An upload URL works for one upload.", ("single-use", "reusable")
)
UPLOAD_USER = assumed(
    "file.upload-user",
    "Authentication",
    "An upload URL is bound to the user whose token requested it.",
    ("bound", "any-token"),
)
PART_NAME = assumed(
    "file.part-name",
    SECTION,
    "A file part of any name is accepted (Filedata, FileData, file).",
    ("any", "Filedata-only"),
)
CONTENT_FIELD = assumed(
    "file.content-field",
    SECTION,
    "A part without a filename is the content if it is named FileData and resourceName is sent with it; the "
    "alternative also accepts a field Filedata, FileData or file alone as the content.",
    ("described", "any"),
)
FORM_LIMIT = assumed(
    "file.form-limit",
    "Limits",
    "A form of more than 16 parts, or of more than 64 KiB in its plain fields, is refused with 400.",
    ("400", "413"),
)
SIZE_LIMIT = assumed(
    "file.size-limit",
    "Limits",
    "Content may have any size; the alternatives refuse more than 10 MiB, announced or sent, with that status.",
    ("unlimited", "413", "400"),
)
RAW = assumed(
    "file.raw",
    SECTION,
    "Raw content sent with PUT to an upload URL is refused; the alternative stores it.",
    ("refused", "accepted"),
)
INCOMPLETE = assumed(
    "file.incomplete",
    SECTION,
    'A piece of a resumable upload that is not the last gets 200 with {"offset": <next byte>}.',
    ("200", "308"),
)
WRONG_RANGE = assumed(
    "file.wrong-range",
    "Errors › Other operations",
    "A Content-Range that cannot be read or does not continue the upload is refused with 400, and the upload stays as "
    "it was. The end of a range is its last byte, as in HTTP.",
    ("400", "416"),
)
RESUME_OFFSET = assumed(
    "file.resume-offset",
    "Errors › Other operations",
    "The refusal of a Content-Range says where the upload continues only in words; in the alternative also in its "
    'JSON, as "offset": <next byte>.',
    ("absent", "sent"),
)
SIZE = assumed(
    "file.size", SECTION, "The content must have the fileSize that was announced.", ("checked", "not-checked")
)
NOT_FOUND = assumed(
    "file.not-found",
    "Errors › Other operations",
    "A file that does not exist, and an upload URL that has expired, get 404.",
    ("404", "410"),
)
SAME_NAME = assumed(
    "file.same-name",
    SECTION,
    "Without overwrite, a second file of the same name in the same place is stored beside the first.",
    ("beside", "refused"),
)
PHOTO = assumed(
    "file.photo",
    SECTION,
    "The place of a photo takes any number of files, and its download is the one stored last; in the alternative, a "
    "second file that does not overwrite the first is refused with 409.",
    ("newest", "refused"),
)
OVERWRITE = assumed(
    "file.overwrite",
    SECTION,
    "overwrite, or uploading to the ID of a stored file, creates a new revision of it.",
    ("revision", "replace"),
)
OVERWRITE_TARGET = assumed(
    "file.overwrite-target",
    SECTION,
    "overwrite replaces a file of the same name in any place; if there are several, the one stored last. In the "
    "alternatives it replaces the one stored first, or is ignored outside drives and folders.",
    ("newest", "oldest", "file-resources"),
)
DRIVE_FIELDS = assumed(
    "file.drive-fields",
    "Resources and their fields › File resources",
    "Results for shared folders, collaborative drives and group folders have the drive-file fields too.",
    ("file-resources", "personal-drive"),
)
LOGS = assumed(
    "file.logs",
    SECTION,
    "Audit and message content logs are CSV with a header row, in UTF-8.",
    ("utf-8", "utf-8-bom"),
)
CONTAINERS = assumed(
    "file.containers",
    "Resources and their fields › Message events and notification messages",
    "Groups, boards, posts, contacts, collaborative drives and forms are not described: any ID is accepted.",
    ("any-id", "refused"),
)
PLACE = assumed(
    "file.place",
    SECTION,
    "A file is found only in the place where it was stored.",
    ("own-place", "anywhere"),
)
PARENT = assumed(
    "file.parent",
    SECTION,
    "A fileId in an upload path that does not belong to a stored file is a folder's, and the file is put below it.",
    ("folder", "refused"),
)
REVISION_NAME = assumed(
    "file.revision-name",
    SECTION,
    "A file takes the name that is announced with a new revision of it.",
    ("taken", "kept"),
)
REVISION_IDS = assumed(
    "file.revision-ids",
    SECTION,
    "The revisions of a file are 1, 2, and so on.",
    ("from-1", "from-0"),
)
RANGE_UNIT = assumed(
    "file.range-unit",
    SECTION,
    "A Content-Range may begin with the unit, bytes, in upper or lower case.",
    ("accepted", "refused"),
)
QUERY = assumed(
    "file.query",
    SECTION,
    "Query parameters of the first step of a download are ignored.",
    ("ignored", "refused"),
)
EMPTY_NAME = assumed(
    "file.empty-name",
    SECTION,
    "A fileName that is sent may be empty.",
    ("accepted", "refused"),
)
NAME = assumed(
    "file.name",
    SECTION,
    "A file is stored under the fileName that was announced, whatever name its content is sent with; the "
    "alternative uses resourceName if it is sent with FileData, otherwise the filename of the part.",
    ("announced", "sent"),
)
DEFAULT_TYPE = assumed(
    "file.default-type",
    SECTION,
    "Content that is sent without a content type is stored as application/octet-stream.",
    ("application/octet-stream", "text/plain"),
)
MODIFIED_TIME = assumed(
    "file.modified-time",
    SECTION,
    "modifiedTime may be any text, and is returned as sent.",
    ("any-text", "date-time"),
)
DOWNLOAD_REUSE = assumed(
    "file.download-reuse",
    SECTION,
    "A download URL can be used any number of times, as long as the file exists.",
    ("reusable", "single-use"),
)
DOWNLOAD_VALIDITY = assumed(
    "file.download-validity",
    "Authentication",
    "A download URL works with the token of any user, as long as the file exists. In the alternatives it works only "
    "for users who requested it, or for 24 hours.",
    ("unlimited", "same-user", "24h"),
)
