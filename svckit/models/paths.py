"""The places that files are uploaded to and downloaded from.

From the service's description, section "File transfer". Uploads and downloads with the same ``store`` share their
files: what one uploads the other downloads. Templates are relative to the base URL of the resource API; ``{…}``
marks a path parameter. The description writes the path of form responses without a leading slash; it is read as
the same path with one.

Examples:
    >>> [place.key for place in DOWNLOAD_PLACES if place.store == "drive"]
    ['drive_file', 'drive_revision']
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from svckit.addresses import compile_template

__all__ = ["DOWNLOAD_PLACES", "UPLOAD_PLACES", "TransferPath"]

_PARAMETER = re.compile(r"\{(\w+)\}")
_OF_THE_FILE = ("fileId", "attachmentId", "revisionId")


@dataclass(frozen=True)
class TransferPath:
    """A place that files are uploaded to or downloaded from.

    Attributes:
        key: short name, unique among the uploads and among the downloads.
        store: short name of what holds the files, shared by the uploads and downloads that meet there.
        template: path of the first step, with ``{…}`` for its parameters.
        purpose: what is kept there.
    """

    key: str
    store: str
    template: str
    purpose: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of its paths; the groups are the parameters.

        Examples:
            >>> UPLOAD_PLACES[0].pattern.fullmatch("/bots/bot-1/attachments")["botId"]
            'bot-1'
        """
        return compile_template(self.template)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The path parameters in order.

        Examples:
            >>> UPLOAD_PLACES[3].parameters
            ('boardId', 'postId')
        """
        return tuple(_PARAMETER.findall(self.template))

    @cached_property
    def container(self) -> tuple[str, ...]:
        """The path parameters of the file's container, without those of the file itself.

        Examples:
            >>> DOWNLOAD_PLACES[0].container
            ('botId',)
        """
        return tuple(name for name in self.parameters if name not in _OF_THE_FILE)


_USER = "/users/{userId}"
_POST = "/boards/{boardId}/posts/{postId}"
_COMMENT = _POST + "/comments/{commentId}"
_NOTE = "/groups/{groupId}/note/posts/{postId}"
_FOLDER = "/groups/{groupId}/folder/files"
_DRIVE = _USER + "/drive/files"
_SHARED_DRIVE = "/sharedrives/{sharedriveId}/files"
_SHARED_FOLDER = _USER + "/drive/sharedfolders/{sharedFolderId}/files"
_FORM = "/forms/{formId}/responses/{responseId}"
_MESSAGES = "/monitoring/message-contents"
_FILE = "/{fileId}"
_CONTENT = "/{fileId}/download"
_REVISION = "/{fileId}/revisions/{revisionId}/download"
_ATTACHMENT = "/attachments/{attachmentId}"

UPLOAD_PLACES: Final = (
    TransferPath("bot", "bot", "/bots/{botId}/attachments", "content a bot sends"),
    TransferPath("photo", "photo", _USER + "/photo", "profile photo of a member"),
    TransferPath("contact_photo", "contact_photo", "/contacts/{contactId}/photo", "photo of a contact"),
    TransferPath("post", "post", _POST + "/attachments", "attachment of a board's post"),
    TransferPath("comment", "comment", _COMMENT + "/attachments", "attachment of a comment on a post"),
    TransferPath("note", "note", _NOTE + "/attachments", "attachment of a post in a group's note"),
    TransferPath("group_folder_file", "group_folder", _FOLDER + _FILE, "file below a group's folder"),
    TransferPath("group_folder", "group_folder", _FOLDER, "file at the top of a group's folder"),
    TransferPath("drive_file", "drive", _DRIVE + _FILE, "file below a member's drive"),
    TransferPath("drive", "drive", _DRIVE, "file at the top of a member's drive"),
    TransferPath(
        "shared_drive_file", "shared_drive", _SHARED_DRIVE + _FILE, "file below a collaborative drive"
    ),
    TransferPath("shared_drive", "shared_drive", _SHARED_DRIVE, "file at the top of a collaborative drive"),
    TransferPath("shared_folder_file", "shared_folder", _SHARED_FOLDER + _FILE, "file below a shared folder"),
    TransferPath("shared_folder", "shared_folder", _SHARED_FOLDER, "file at the top of a shared folder"),
)
"""The 14 places to upload a file to; the ID in a ``…_file`` place is a folder's, or that of a file to revise."""

DOWNLOAD_PLACES: Final = (
    TransferPath("bot", "bot", "/bots/{botId}/attachments/{fileId}", "content a bot sent or received"),
    TransferPath("photo", "photo", _USER + "/photo", "profile photo of a member"),
    TransferPath("contact_photo", "contact_photo", "/contacts/{contactId}/photo", "photo of a contact"),
    TransferPath("post", "post", _POST + _ATTACHMENT, "attachment of a board's post"),
    TransferPath("comment", "comment", _COMMENT + _ATTACHMENT, "attachment of a comment on a post"),
    TransferPath("note", "note", _NOTE + _ATTACHMENT, "attachment of a post in a group's note"),
    TransferPath("group_folder_file", "group_folder", _FOLDER + _CONTENT, "file of a group's folder"),
    TransferPath("group_folder_revision", "group_folder", _FOLDER + _REVISION, "revision of such a file"),
    TransferPath("drive_file", "drive", _DRIVE + _CONTENT, "file of a member's drive"),
    TransferPath("drive_revision", "drive", _DRIVE + _REVISION, "revision of such a file"),
    TransferPath(
        "shared_drive_file", "shared_drive", _SHARED_DRIVE + _CONTENT, "file of a collaborative drive"
    ),
    TransferPath(
        "shared_drive_revision", "shared_drive", _SHARED_DRIVE + _REVISION, "revision of such a file"
    ),
    TransferPath("shared_folder_file", "shared_folder", _SHARED_FOLDER + _CONTENT, "file of a shared folder"),
    TransferPath(
        "shared_folder_revision", "shared_folder", _SHARED_FOLDER + _REVISION, "revision of such a file"
    ),
    TransferPath("audit_logs", "audit_logs", "/audits/logs/download", "audit logs of the domain"),
    TransferPath(
        "form_response", "form_response", _FORM + _ATTACHMENT, "file sent with the response to a form"
    ),
    TransferPath("message_logs", "message_logs", _MESSAGES + "/download", "logs of message contents"),
)
"""The 17 places to download a file from. The last three stores have no upload."""
