"""Files of drives and folders: their fields, parents, revisions, and overwriting."""

import re

import pytest

from .cases import assumed, case, documented, writes
from .places import DRIVE
from .transfer import download, download_revision, upload

DRIVE_FIELDS = {
    "parentFileId": str,
    "accessedTime": str,
    "createdTime": str,
    "filePath": str,
    "fileType": str,
    "hasPermission": bool,
    "permissionRootFileId": str,
    "resourceLocation": int,
    "statuses": list,
    "modifiedTime": str,
}


@writes("drive")
@documented("file.stored")
@pytest.mark.parametrize("name", DRIVE_FIELDS)
def test_upload_result_of_a_drive_file_has_also(target, me, name):
    value = upload(target, me)[name]
    assert type(value) is DRIVE_FIELDS[name]
    assert name != "statuses" or all(isinstance(status, str) for status in value)


@writes("drive")
@documented("file.stored")
@pytest.mark.parametrize("name", ["accessedTime", "createdTime", "modifiedTime"])
def test_times_of_a_drive_file_are_written_with_their_offset(target, me, name):
    value = upload(target, me)[name]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", value)


@writes("drive")
@documented("file.stored")
def test_modified_time_that_was_sent_is_the_files(target, me):
    sent = "2020-02-29T23:59:59+09:00"
    assert upload(target, me, modifiedTime=sent)["modifiedTime"] == sent


@writes("drive")
@assumed("file.modified-time")
@pytest.mark.parametrize("sent", ["yesterday", "2020-02-29", ""])
def test_modified_time_may_be_any_text(target, me, sent):
    assert upload(target, me, modifiedTime=sent)["modifiedTime"] == sent


@assumed("file.parent")
@pytest.mark.parametrize("folder", ["folder-1", "no such file"])
def test_id_in_an_upload_path_is_the_parent(target, me, folder):
    result = upload(target, me, DRIVE + "/{fileId}", ids={"fileId": folder})
    assert result["parentFileId"] == folder
    assert result["fileId"] != folder


FOLDERS = (
    "/users/{userId}/drive/files",
    "/groups/{groupId}/folder/files",
    "/sharedrives/{sharedriveId}/files",
    "/users/{userId}/drive/sharedfolders/{sharedFolderId}/files",
)


@assumed("drive.root", "drive.path", "drive.type", "drive.permission", "file.parent")
@pytest.mark.parametrize(
    ("path", "ids", "expected"),
    [
        case(DRIVE, {}, ("root", "/a.txt"), id="top"),
        case(DRIVE + "/{fileId}", {"fileId": "folder-1"}, ("folder-1", "/folder-1/a.txt"), id="folder"),
    ],
)
def test_path_of_a_drive_file_leads_through_its_folder(target, me, path, ids, expected):
    result = upload(target, me, path, ids=ids)
    assert (result["parentFileId"], result["filePath"]) == expected


@writes("drive")
@assumed("drive.root", "drive.path", "drive.type", "drive.permission")
@pytest.mark.parametrize(("field", "value"), [("fileType", "application/pdf"), ("hasPermission", True)])
def test_type_and_permission_of_a_drive_file(target, me, field, value):
    assert upload(target, me, content_type="application/pdf")[field] == value


@assumed("file.drive-fields")
@pytest.mark.parametrize("path", FOLDERS)
def test_other_file_resources_have_the_drive_fields_too(target, me, path):
    assert set(DRIVE_FIELDS) <= set(upload(target, me, path))


@assumed("file.overwrite", "file.revision-ids")
@pytest.mark.parametrize("path", FOLDERS)
def test_upload_to_a_stored_file_makes_a_new_revision(target, me, path):
    first = upload(target, me, path, b"one")
    second = upload(target, me, path + "/{fileId}", b"second", ids={"fileId": first["fileId"]})
    assert second["fileId"] == first["fileId"]
    assert second["fileSize"] == 6
    for revision, content in (("1", b"one"), ("2", b"second")):
        file_id = {"fileId": first["fileId"], "revisionId": revision}
        kept = download(target, me, path=path + "/{fileId}/revisions/{revisionId}/download", **file_id)
        assert kept.content == content
    assert download(target, me, first["fileId"], path + "/{fileId}/download").content == b"second"


@writes("drive")
@assumed("file.overwrite", "file.revision-name")
def test_a_file_takes_the_name_of_its_new_revision(target, me):
    first = upload(target, me, content=b"one", name="old.txt")
    second = upload(target, me, DRIVE + "/{fileId}", b"two", name="new.txt", ids={"fileId": first["fileId"]})
    assert (second["fileId"], second["fileName"]) == (first["fileId"], target.fresh("new.txt"))
    by_new_name = upload(target, me, content=b"three", name="new.txt", overwrite=True)
    assert by_new_name["fileId"] == first["fileId"]
    by_old_name = upload(target, me, content=b"four", name="old.txt", overwrite=True)
    assert by_old_name["fileId"] != first["fileId"]


@assumed("file.overwrite", "file.revision-name", "file.same-name")
def test_older_file_takes_over_a_freed_name(target, me):
    older, newer = (upload(target, me, content=content, name="same.txt") for content in (b"one", b"two"))
    upload(target, me, DRIVE + "/{fileId}", b"three", name="other.txt", ids={"fileId": newer["fileId"]})
    again = upload(target, me, content=b"four", name="same.txt", overwrite=True)
    assert again["fileId"] == older["fileId"]


@assumed("file.overwrite", "file.revision-ids")
@pytest.mark.parametrize("path", FOLDERS)
def test_overwrite_makes_a_new_revision_of_the_file_of_that_name(target, me, path):
    first = upload(target, me, path, b"one")
    second = upload(target, me, path, b"second", overwrite=True)
    assert second["fileId"] == first["fileId"]
    assert download(target, me, first["fileId"], path + "/{fileId}/download").content == b"second"


@writes("drive")
@assumed("file.same-name")
@pytest.mark.parametrize("more", [{}, {"overwrite": False}])
def test_without_overwrite_a_second_file_stands_beside_the_first(target, me, more):
    first = upload(target, me, content=b"one")
    second = upload(target, me, content=b"second", **more)
    assert second["fileId"] != first["fileId"]
    assert download(target, me, first["fileId"]).content == b"one"
    assert download(target, me, second["fileId"]).content == b"second"


@assumed("file.overwrite")
@pytest.mark.parametrize(
    ("path", "ids", "name"),
    [
        case(DRIVE, {}, "b.txt", id="another name"),
        case(DRIVE, {"userId": "u-002"}, "a.txt", id="another drive"),
        case(DRIVE + "/{fileId}", {"fileId": "folder-1"}, "a.txt", id="another folder"),
        case("/sharedrives/{sharedriveId}/files", {}, "a.txt", id="another kind of place"),
    ],
)
def test_overwrite_concerns_the_same_name_in_the_same_place_only(target, me, path, ids, name):
    first = upload(target, me, content=b"one")
    second = upload(target, me, path, b"second", name=name, ids=ids, overwrite=True)
    assert second["fileId"] != first["fileId"]
    assert download(target, me, first["fileId"]).content == b"one"


@writes("drive")
@assumed("file.overwrite", "file.revision-ids")
def test_revisions_are_counted_from_1(target, me):
    file_id = upload(target, me, content=b"1", overwrite=True)["fileId"]
    upload(target, me, content=b"2", overwrite=True)
    upload(target, me, content=b"3", overwrite=True)
    assert download_revision(target, me, file_id, "2") == b"2"
    assert download_revision(target, me, file_id, "1") == b"1"
    assert download_revision(target, me, file_id, "3") == b"3"
