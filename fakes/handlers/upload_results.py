"""Upload results: the fields that all places have in common, and those of drive files."""

from datetime import UTC
from pathlib import PurePosixPath

from fakes import rulebook
from fakes.parts.stored_files import FILE_RESOURCES, StoredFile
from fakes.rulebook.rules import Rules
from svckit.models.times import format_date_time

__all__ = ["make_upload_result"]


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
    if store != "drive" and rules.choice(rulebook.files.DRIVE_FIELDS) == "personal-drive":
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
    if root != "root" and rules.choice(rulebook.drive.ROOT) == "root":
        root = "root"
    if folder and rules.choice(rulebook.drive.PATH) == "name-only":
        folder = None
    return {
        "parentFileId": stored.parent_id or root,
        "filePath": f"/{folder}/{stored.name}" if folder else f"/{stored.name}",
        "hasPermission": rules.choice(rulebook.drive.PERMISSION) == "true",
        "permissionRootFileId": root,
        "resourceLocation": int(rules.choice(rulebook.drive.LOCATION)),
    }


def _make_time_fields(stored: StoredFile, rules: Rules) -> dict[str, object]:
    latest, instants = stored.latest, [stored.latest.stored_at, stored.created_at]
    if any(instant.utcoffset() for instant in instants) and rules.choice(rulebook.drive.TIMES) == "utc":
        instants = [instant.astimezone(UTC) for instant in instants]
    accessed, created = map(format_date_time, instants)
    modified = accessed if latest.modified_time is None else latest.modified_time
    return {"accessedTime": accessed, "createdTime": created, "modifiedTime": modified}


def _make_kind_fields(stored: StoredFile, rules: Rules) -> dict[str, object]:
    file_type, extension = stored.latest.content_type, PurePosixPath(stored.name).suffix.removeprefix(".")
    if extension != file_type and rules.choice(rulebook.drive.TYPE) == "extension":
        file_type = extension
    return {
        "fileType": file_type,
        "statuses": [] if rules.choice(rulebook.drive.STATUSES) == "none" else ["NORMAL"],
    }
