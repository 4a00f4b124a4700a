"""Rules of the values in the upload result of a drive file: the description names the fields, and shows no value."""

from fakes.rulebook.rules import assumed

SECTION = "Resources and their fields › File resources"

ROOT = assumed(
    "drive.root",
    SECTION,
    "The parentFileId of a file at the top of its place, and every permissionRootFileId, is root; the alternative "
    "has the ID of the user, group or drive there.",
    "root",
    "container",
)
PATH = assumed(
    "drive.path",
    SECTION,
    "filePath is the name below the ID of the folder, as folders and their names are not described; the "
    "alternative is the name alone.",
    "below-folder",
    "name-only",
)
PERMISSION = assumed("drive.permission", SECTION, "hasPermission is true.", "true", "false")
LOCATION = assumed("drive.location", SECTION, "resourceLocation is 1.", "1", "0")
STATUSES = assumed(
    "drive.statuses",
    SECTION,
    "statuses is empty; the alternative has the one status NORMAL.",
    "none",
    "normal",
)
TYPE = assumed(
    "drive.type",
    SECTION,
    "fileType is the content type the file was sent with; the alternative is the extension of its name.",
    "media-type",
    "extension",
)
TIMES = assumed(
    "drive.times",
    SECTION,
    "accessedTime, and modifiedTime where none was announced, is when the content was stored, and createdTime when "
    "the file was; they have the offset of the clock, or in the alternative that of UTC.",
    "clock",
    "utc",
)
