"""Rules of the file transfer."""

from fakes.rulebook.sections import (
    AUTHENTICATION,
    DESCRIBED_LIMITS,
    FILE_FIELDS,
    FILE_TRANSFER,
    MESSAGE_FIELDS,
    OTHER_ERRORS,
)

UPLOAD_URL = FILE_TRANSFER.documented(
    "file.upload-url", "The first step responds with JSON that contains the URL to upload to."
)
REQUEST = FILE_TRANSFER.documented(
    "file.request", "fileName and fileSize are required; modifiedTime and overwrite are not."
)
STORED = FILE_TRANSFER.documented("file.stored", "A successful upload gets 201 with its result.")
MULTIPART = FILE_TRANSFER.documented(
    "file.multipart",
    "The content is sent as multipart/form-data: a part Filedata with a file name, or resourceName and FileData.",
)
RESUMABLE = FILE_TRANSFER.documented(
    "file.resumable",
    "A resumable upload sends Content-Range: <start>-<end>/<total> with each piece.",
)
LOCATION = FILE_TRANSFER.documented(
    "file.location", "The first step of a download responds with 302 and a Location."
)
CONTENT = FILE_TRANSFER.documented(
    "file.content",
    "The second step responds with 200, the content, Content-Type and Content-Length.",
)
BEARER = AUTHENTICATION.documented("file.bearer", "Upload and download URLs also need the bearer header.")

UPLOAD_STATUS = FILE_TRANSFER.assumed(
    "file.upload-status", "The first step of an upload responds with 200.", ("200", "201")
)
UPLOAD_LIFETIME = DESCRIBED_LIMITS.assumed(
    "file.upload-lifetime", "An upload URL is valid for 24 hours.", ("24h", "unlimited")
)
UPLOAD_REUSE = FILE_TRANSFER.assumed(
    "file.upload-reuse", "An upload URL works for one upload.", ("single-use", "reusable")
)
UPLOAD_USER = AUTHENTICATION.assumed(
    "file.upload-user",
    "An upload URL is bound to the user whose token requested it.",
    ("bound", "any-token"),
)
PART_NAME = FILE_TRANSFER.assumed(
    "file.part-name",
    "A file part of any name is accepted (Filedata, FileData, file).",
    ("any", "Filedata-only"),
)
CONTENT_FIELD = FILE_TRANSFER.assumed(
    "file.content-field",
    "A part without a filename is the content if it is named FileData and resourceName is sent with it; the "
    "alternative also accepts a field Filedata, FileData or file alone as the content.",
    ("described", "any"),
)
FORM_LIMIT = DESCRIBED_LIMITS.assumed(
    "file.form-limit",
    "A form of more than 16 parts, or of more than 64 KiB in its plain fields, is refused with 400.",
    ("400", "413"),
)
SIZE_LIMIT = DESCRIBED_LIMITS.assumed(
    "file.size-limit",
    "Content may have any size; the alternatives refuse more than 10 MiB, announced or sent, with that status.",
    ("unlimited", "413", "400"),
)
RAW = FILE_TRANSFER.assumed(
    "file.raw",
    "Raw content sent with PUT to an upload URL is refused; the alternative stores it.",
    ("refused", "accepted"),
)
INCOMPLETE = FILE_TRANSFER.assumed(
    "file.incomplete",
    'A piece of a resumable upload that is not the last gets 200 with {"offset": <next byte>}.',
    ("200", "308"),
)
WRONG_RANGE = OTHER_ERRORS.assumed(
    "file.wrong-range",
    "A Content-Range that cannot be read or does not continue the upload is refused with 400, and the upload stays as "
    "it was. The end of a range is its last byte, as in HTTP.",
    ("400", "416"),
)
RESUME_OFFSET = OTHER_ERRORS.assumed(
    "file.resume-offset",
    "The refusal of a Content-Range says where the upload continues only in words; in the alternative also in its "
    'JSON, as "offset": <next byte>.',
    ("absent", "sent"),
)
SIZE = FILE_TRANSFER.assumed(
    "file.size", "The content must have the fileSize that was announced.", ("checked", "not-checked")
)
NOT_FOUND = OTHER_ERRORS.assumed(
    "file.not-found",
    "A file that does not exist, and an upload URL that has expired, get 404.",
    ("404", "410"),
)
SAME_NAME = FILE_TRANSFER.assumed(
    "file.same-name",
    "Without overwrite, a second file of the same name in the same place is stored beside the first.",
    ("beside", "refused"),
)
PHOTO = FILE_TRANSFER.assumed(
    "file.photo",
    "The place of a photo takes any number of files, and its download is the one stored last; in the alternative, a "
    "second file that does not overwrite the first is refused with 409.",
    ("newest", "refused"),
)
OVERWRITE = FILE_TRANSFER.assumed(
    "file.overwrite",
    "overwrite, or uploading to the ID of a stored file, creates a new revision of it.",
    ("revision", "replace"),
)
OVERWRITE_TARGET = FILE_TRANSFER.assumed(
    "file.overwrite-target",
    "overwrite replaces a file of the same name in any place; if there are several, the one stored last. In the "
    "alternatives it replaces the one stored first, or is ignored outside drives and folders.",
    ("newest", "oldest", "file-resources"),
)
DRIVE_FIELDS = FILE_FIELDS.assumed(
    "file.drive-fields",
    "Results for shared folders, collaborative drives and group folders have the drive-file fields too.",
    ("file-resources", "personal-drive"),
)
LOGS = FILE_TRANSFER.assumed(
    "file.logs",
    "Audit and message content logs are CSV with a header row, in UTF-8.",
    ("utf-8", "utf-8-bom"),
)
CONTAINERS = MESSAGE_FIELDS.assumed(
    "file.containers",
    "Groups, boards, posts, contacts, collaborative drives and forms are not described: any ID is accepted.",
    ("any-id", "refused"),
)
PLACE = FILE_TRANSFER.assumed(
    "file.place",
    "A file is found only in the place where it was stored.",
    ("own-place", "anywhere"),
)
PARENT = FILE_TRANSFER.assumed(
    "file.parent",
    "A fileId in an upload path that does not belong to a stored file is a folder's, and the file is put below it.",
    ("folder", "refused"),
)
REVISION_NAME = FILE_TRANSFER.assumed(
    "file.revision-name",
    "A file takes the name that is announced with a new revision of it.",
    ("taken", "kept"),
)
REVISION_IDS = FILE_TRANSFER.assumed(
    "file.revision-ids",
    "The revisions of a file are 1, 2, and so on.",
    ("from-1", "from-0"),
)
RANGE_UNIT = FILE_TRANSFER.assumed(
    "file.range-unit",
    "A Content-Range may begin with the unit, bytes, in upper or lower case.",
    ("accepted", "refused"),
)
QUERY = FILE_TRANSFER.assumed(
    "file.query",
    "Query parameters of the first step of a download are ignored.",
    ("ignored", "refused"),
)
EMPTY_NAME = FILE_TRANSFER.assumed(
    "file.empty-name",
    "A fileName that is sent may be empty.",
    ("accepted", "refused"),
)
NAME = FILE_TRANSFER.assumed(
    "file.name",
    "A file is stored under the fileName that was announced, whatever name its content is sent with; the "
    "alternative uses resourceName if it is sent with FileData, otherwise the filename of the part.",
    ("announced", "sent"),
)
DEFAULT_TYPE = FILE_TRANSFER.assumed(
    "file.default-type",
    "Content that is sent without a content type is stored as application/octet-stream.",
    ("application/octet-stream", "text/plain"),
)
MODIFIED_TIME = FILE_TRANSFER.assumed(
    "file.modified-time",
    "modifiedTime may be any text, and is returned as sent.",
    ("any-text", "date-time"),
)
DOWNLOAD_REUSE = FILE_TRANSFER.assumed(
    "file.download-reuse",
    "A download URL can be used any number of times, as long as the file exists.",
    ("reusable", "single-use"),
)
DOWNLOAD_VALIDITY = AUTHENTICATION.assumed(
    "file.download-validity",
    "A download URL works with the token of any user, as long as the file exists. In the alternatives it works only "
    "for users who requested it, or for 24 hours.",
    ("unlimited", "same-user", "24h"),
)
