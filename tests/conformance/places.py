"""The upload and download paths of the service's description, section Endpoints › File transfer, literally."""

import re

# path of step 1 of an upload
UPLOADS = (
    "/bots/{botId}/attachments",
    "/users/{userId}/photo",
    "/contacts/{contactId}/photo",
    "/boards/{boardId}/posts/{postId}/attachments",
    "/boards/{boardId}/posts/{postId}/comments/{commentId}/attachments",
    "/groups/{groupId}/note/posts/{postId}/attachments",
    "/groups/{groupId}/folder/files/{fileId}",
    "/groups/{groupId}/folder/files",
    "/users/{userId}/drive/files/{fileId}",
    "/users/{userId}/drive/files",
    "/sharedrives/{sharedriveId}/files/{fileId}",
    "/sharedrives/{sharedriveId}/files",
    "/users/{userId}/drive/sharedfolders/{sharedFolderId}/files/{fileId}",
    "/users/{userId}/drive/sharedfolders/{sharedFolderId}/files",
)

# path of step 1 of a download, and the path by which its file is uploaded (None: the service has made it)
DOWNLOADS = (
    ("/bots/{botId}/attachments/{fileId}", "/bots/{botId}/attachments"),
    ("/users/{userId}/photo", "/users/{userId}/photo"),
    ("/contacts/{contactId}/photo", "/contacts/{contactId}/photo"),
    (
        "/boards/{boardId}/posts/{postId}/attachments/{attachmentId}",
        "/boards/{boardId}/posts/{postId}/attachments",
    ),
    (
        "/boards/{boardId}/posts/{postId}/comments/{commentId}/attachments/{attachmentId}",
        "/boards/{boardId}/posts/{postId}/comments/{commentId}/attachments",
    ),
    (
        "/groups/{groupId}/note/posts/{postId}/attachments/{attachmentId}",
        "/groups/{groupId}/note/posts/{postId}/attachments",
    ),
    ("/groups/{groupId}/folder/files/{fileId}/download", "/groups/{groupId}/folder/files"),
    (
        "/groups/{groupId}/folder/files/{fileId}/revisions/{revisionId}/download",
        "/groups/{groupId}/folder/files",
    ),
    ("/users/{userId}/drive/files/{fileId}/download", "/users/{userId}/drive/files"),
    ("/users/{userId}/drive/files/{fileId}/revisions/{revisionId}/download", "/users/{userId}/drive/files"),
    ("/sharedrives/{sharedriveId}/files/{fileId}/download", "/sharedrives/{sharedriveId}/files"),
    (
        "/sharedrives/{sharedriveId}/files/{fileId}/revisions/{revisionId}/download",
        "/sharedrives/{sharedriveId}/files",
    ),
    (
        "/users/{userId}/drive/sharedfolders/{sharedFolderId}/files/{fileId}/download",
        "/users/{userId}/drive/sharedfolders/{sharedFolderId}/files",
    ),
    (
        "/users/{userId}/drive/sharedfolders/{sharedFolderId}/files/{fileId}/revisions/{revisionId}/download",
        "/users/{userId}/drive/sharedfolders/{sharedFolderId}/files",
    ),
    ("/audits/logs/download", None),
    ("/forms/{formId}/responses/{responseId}/attachments/{attachmentId}", None),
    ("/monitoring/message-contents/download", None),
)

STORED = [row for row in DOWNLOADS if row[1]]
LOGS = ("/audits/logs/download", "/monitoring/message-contents/download")
FORM_ATTACHMENT = "/forms/form-1/responses/response-1/attachments/attachment-1"
DRIVE = "/users/{userId}/drive/files"
DRIVE_DOWNLOAD = "/users/{userId}/drive/files/{fileId}/download"
DRIVE_REVISION = "/users/{userId}/drive/files/{fileId}/revisions/{revisionId}/download"


def filled(path, facts, **ids):
    """A path with ids: those given, the sample user and bot, and made-up ones for other containers."""
    known = {"userId": facts["user_id"], "botId": facts["bot_id"], "revisionId": "1"}
    if "fileId" in ids:
        known["attachmentId"] = ids["fileId"]
    return re.sub(r"{(\w+)}", lambda name: (known | ids).get(name[1], f"{name[1]}-x"), path)
