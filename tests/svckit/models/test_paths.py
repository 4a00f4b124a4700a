"""The table of places."""

from svckit.models import DOWNLOAD_PLACES, UPLOAD_PLACES


def test_every_place_is_there_once():
    assert (len(UPLOAD_PLACES), len(DOWNLOAD_PLACES)) == (14, 17)
    for places in (UPLOAD_PLACES, DOWNLOAD_PLACES):
        assert len({place.key for place in places}) == len(places)
        assert len({place.template for place in places}) == len(places)
        assert all(place.template.startswith("/") and place.purpose for place in places)
        assert all(
            place.key in {f"{place.store}{end}" for end in ("", "_file", "_revision")} for place in places
        )


def test_what_goes_up_comes_down_at_the_same_container():
    for upload in UPLOAD_PLACES:
        downloads = [place for place in DOWNLOAD_PLACES if place.store == upload.store]
        assert {place.container for place in downloads} == {upload.container}
        assert all(place.template.startswith(upload.template) for place in downloads)


def test_three_stores_have_no_upload():
    uploads = {place.store for place in UPLOAD_PLACES}
    alone = [place.store for place in DOWNLOAD_PLACES if place.store not in uploads]
    assert alone == ["audit_logs", "form_response", "message_logs"]


def test_four_stores_keep_revisions_and_folders():
    revisions = {place.store for place in DOWNLOAD_PLACES if "revisionId" in place.parameters}
    folders = {place.store for place in UPLOAD_PLACES if "fileId" in place.parameters}
    assert revisions == folders == {"group_folder", "drive", "shared_drive", "shared_folder"}


def test_parameters():
    [place] = [place for place in DOWNLOAD_PLACES if place.key == "shared_folder_revision"]
    assert place.parameters == ("userId", "sharedFolderId", "fileId", "revisionId")
    assert place.container == ("userId", "sharedFolderId")
