"""Rules of the values in the upload result of a drive file: the description names the fields but shows no values."""

from fakes.rulebook.sections import FILE_FIELDS

ROOT = FILE_FIELDS.assumed(
    "drive.root",
    "The parentFileId of a file at the top of its place, and every permissionRootFileId, is root; in the "
    "alternative, it is the ID of the user, group or drive.",
    ("root", "container"),
)
PATH = FILE_FIELDS.assumed(
    "drive.path",
    "filePath is the name below the ID of the folder, because folders and their names are not described; in the "
    "alternative, it is the name alone.",
    ("below-folder", "name-only"),
)
PERMISSION = FILE_FIELDS.assumed("drive.permission", "hasPermission is true.", ("true", "false"))
LOCATION = FILE_FIELDS.assumed("drive.location", "resourceLocation is 1.", ("1", "0"))
STATUSES = FILE_FIELDS.assumed(
    "drive.statuses",
    "statuses is empty; in the alternative, it contains the one status NORMAL.",
    ("none", "normal"),
)
TYPE = FILE_FIELDS.assumed(
    "drive.type",
    "fileType is the content type the file was sent with; in the alternative, it is the extension of its name.",
    ("media-type", "extension"),
)
TIMES = FILE_FIELDS.assumed(
    "drive.times",
    "accessedTime, and modifiedTime if none was announced, is the time when the content was stored, and createdTime "
    "the time when the file was; they have the offset of the clock, or in the alternative that of UTC.",
    ("clock", "utc"),
)
