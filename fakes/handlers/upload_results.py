"""What a finished upload is answered with: what all places have in common, and the fields of drive files."""

from datetime import UTC, datetime
from pathlib import PurePosixPath

from fakes import rulebook
from fakes.parts.stored_files import StoredFile
from fakes.rules import Rules
from svckit.models.times import format_date_time

__all__ = ["upload_result"]

FILE_RESOURCES = frozenset({"drive", "shared_folder", "shared_drive", "group_folder"})


def upload_result(stored: StoredFile, rules: Rules) -> dict[str, object]:
    """The result of an upload, as it goes over the wire (section "File resources" of the service's description).

    The description names the fields of a drive file and does not show their values, so each rests on an
    assumption.
    """
    result: dict[str, object] = {
        "fileId": stored.file_id,
        "fileName": stored.name,
        "fileSize": len(stored.latest.content),
    }
    store = stored.place[0]
    if store not in FILE_RESOURCES:
        return result
    if store != "drive" and rules.choice(rulebook.files.DRIVE_FIELDS) == "personal-drive":
        return result
    return result | _position(stored, rules) | _times(stored, rules) | _kind(stored, rules)


def _position(stored: StoredFile, rules: Rules) -> dict[str, object]:
    """Where the file is, and whose permissions it has."""
    root = "root" if rules.choice(rulebook.drive.ROOT) == "root" else stored.place[-1]
    folder = stored.parent_id if rules.choice(rulebook.drive.PATH) == "below-folder" else None
    return {
        "parentFileId": stored.parent_id or root,
        "filePath": f"/{folder}/{stored.name}" if folder else f"/{stored.name}",
        "hasPermission": rules.choice(rulebook.drive.PERMISSION) == "true",
        "permissionRootFileId": root,
        "resourceLocation": int(rules.choice(rulebook.drive.LOCATION)),
    }


def _times(stored: StoredFile, rules: Rules) -> dict[str, object]:
    utc = rules.choice(rulebook.drive.TIMES) == "utc"

    def written(instant: datetime) -> str:
        return format_date_time(instant.astimezone(UTC) if utc else instant)

    latest = stored.latest
    modified = written(latest.stored_at) if latest.modified_time is None else latest.modified_time
    return {
        "accessedTime": written(latest.stored_at),
        "createdTime": written(stored.created_at),
        "modifiedTime": modified,
    }


def _kind(stored: StoredFile, rules: Rules) -> dict[str, object]:
    extension = PurePosixPath(stored.name).suffix.removeprefix(".")
    by_type = rules.choice(rulebook.drive.TYPE) == "media-type"
    return {
        "fileType": stored.latest.content_type if by_type else extension,
        "statuses": [] if rules.choice(rulebook.drive.STATUSES) == "none" else ["NORMAL"],
    }
