"""Places: where files are uploaded to and downloaded from.

A place knows its upload path and its download path, if it has one. Both come from the table of paths in
`svckit.models.paths` (the service's description, section "File transfer").

Examples:
    >>> from svckit import places
    >>> places.drive("u-001")
    places.drive('u-001'): upload to /users/u-001/drive/files; name a file with .file(…)
    >>> places.drive("u-001").file("file-1").revision("2").download_path
    '/users/u-001/drive/files/file-1/revisions/2/download'
"""

import inspect
import sys
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from svckit.addresses import quote_segment
from svckit.display.arguments import explaining_arguments, read_words
from svckit.display.card import Shown, render_card
from svckit.display.suggestions import no_attribute
from svckit.errors import InvalidInput
from svckit.models import paths
from svckit.models.base import python_name
from svckit.models.phrases import describe_given

__all__ = [
    "Place",
    "audit_logs",
    "bot",
    "comment",
    "contact_photo",
    "drive",
    "form_response",
    "group_folder",
    "message_logs",
    "note",
    "photo",
    "post",
    "shared_drive",
    "shared_folder",
]


@dataclass(frozen=True, slots=True, repr=False)
class Place:
    """The place of an existing or future file, made by the functions of this module.

    Attributes:
        store: what holds the files, such as ``drive``.
        names: the known path parameters: their names in the service's description, and the IDs.

    Raises:
        InvalidInput: an ID is not text that can stand in a path, such as ``".."``.

    Examples:
        >>> drive("u-001").file("file-1")
        places.drive('u-001').file('file-1'): upload to /users/u-001/drive/files/file-1; download from ...
    """

    store: str
    names: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name, value in self.names:
            if not _is_id(value):
                raise InvalidInput(
                    f"{python_name(name)} of {self.store} must be an ID as the service shows it; given {value!r}"
                )

    def file(self, file_id: str) -> "Place":
        """Name one file here by ID, to download it, or to upload into a folder or a new revision.

        Args:
            file_id: ID of the file or folder.

        Returns:
            Its place.

        Raises:
            InvalidInput: the files here have no IDs, or the place names a file already.
        """
        if self._file_parameter is None:
            raise InvalidInput(f"{self} does not take a file")
        return self._with(self._file_parameter, file_id)

    def revision(self, revision_id: str) -> "Place":
        """Name one revision of a file, to download it.

        Args:
            revision_id: ID of the revision.

        Returns:
            Its place.

        Raises:
            InvalidInput: the place does not name a file yet, or files here have no revisions.
        """
        if self._takes_revision:
            return self._with("revisionId", revision_id)
        hint = ": name the file first, with .file(…)" if self._leads_to("revisionId") else ""
        raise InvalidInput(f"{self} has no revisions{hint}")

    @property
    def upload_path(self) -> str | None:
        """The path that starts an upload; ``None`` if the place accepts no uploads."""
        return self._fill_path(paths.UPLOAD_PLACES)

    @property
    def download_path(self) -> str | None:
        """The path that starts a download; ``None`` if the place does not name a file."""
        return self._fill_path(paths.DOWNLOAD_PLACES)

    def _with(self, name: str, value: str) -> "Place":
        return Place(self.store, (*self.names, (name, value)))

    def _leads_to(self, name: str) -> bool:
        return name not in dict(self.names) and any(
            name in known.parameters for known in paths.DOWNLOAD_PLACES if known.store == self.store
        )

    def _fill_path(self, table: tuple[paths.TransferPath, ...]) -> str | None:
        template = _find_template(table, self.store, frozenset(dict(self.names)))
        if template is None:
            return None
        return template.format_map({name: quote_segment(value) for name, value in self.names})

    def __str__(self) -> str:
        """Return the place as written in code."""
        own = ", ".join(repr(value) for name, value in self.names if name not in _METHODS)
        steps = [f".{_METHODS[name]}({value!r})" for name, value in self.names if name in _METHODS]
        return f"places.{self.store}({own}){''.join(steps)}"

    def _list_ways(self) -> list[tuple[str, str]]:
        """List the possible actions, each with its path or method."""
        found = [
            ("upload to", self.upload_path),
            ("download from", self.download_path),
            ("name a file with", ".file(…)" if self._file_parameter else None),
            ("name a revision with", ".revision(…)" if self._takes_revision else None),
        ]
        return [(way, path) for way, path in found if path is not None]

    @property
    def _file_parameter(self) -> str | None:
        return next(filter(self._leads_to, ("fileId", "attachmentId")), None)

    @property
    def _takes_revision(self) -> bool:
        return "fileId" in dict(self.names) and self._leads_to("revisionId")

    def __dir__(self) -> list[str]:
        """List the names to complete: only those that can be used here."""
        absent = {"file": self._file_parameter is None, "revision": not self._takes_revision}
        return [name for name in object.__dir__(self) if not absent.get(name, False)]

    def __repr__(self) -> str:
        return f"{self}: {'; '.join(' '.join(way) for way in self._list_ways())}"

    def _repr_html_(self) -> str:
        return render_card(str(self), self._list_ways())[0]


@cache
def _find_template(
    table: tuple[paths.TransferPath, ...], store: str, parameters: frozenset[str]
) -> str | None:
    found = (known for known in table if known.store == store and set(known.parameters) == parameters)
    return next((known.template for known in found), None)


def check_place(place: Place, example: str = 'places.drive("u-001")') -> Place:
    """Check that a value is a place, and return it; the error shows the example.

    Raises:
        InvalidInput: it is something else, such as a path.
    """
    if not isinstance(place, Place):
        raise InvalidInput(f"a place looks like {example}; given {describe_given(place)}")
    return place


def _is_id(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(quote_segment(value))
    except ValueError:
        return False


_METHODS = {"fileId": "file", "attachmentId": "file", "revisionId": "revision"}  # that name these IDs


@explaining_arguments()
def drive(user_id: str) -> Place:
    """A member's own drive; ``.file(…)`` names a folder or a file in it.

    Args:
        user_id: ID of the member.

    Examples:
        >>> drive("u-001").upload_path
        '/users/u-001/drive/files'
    """
    return Place("drive", (("userId", user_id),))


@explaining_arguments()
def photo(user_id: str) -> Place:
    """A member's profile photo.

    Args:
        user_id: ID of the member.

    Examples:
        >>> photo("u-001").upload_path
        '/users/u-001/photo'
    """
    return Place("photo", (("userId", user_id),))


@explaining_arguments()
def bot(bot_id: str) -> Place:
    """Files that a bot sends and receives.

    Args:
        bot_id: ID of the bot.

    Examples:
        >>> bot("bot-1").upload_path
        '/bots/bot-1/attachments'
    """
    return Place("bot", (("botId", bot_id),))


@explaining_arguments()
def contact_photo(contact_id: str) -> Place:
    """The photo of a contact.

    Args:
        contact_id: ID of the contact.

    Examples:
        >>> contact_photo("c-1").upload_path
        '/contacts/c-1/photo'
    """
    return Place("contact_photo", (("contactId", contact_id),))


@explaining_arguments()
def post(board_id: str, post_id: str) -> Place:
    """Attachments of a board's post.

    Args:
        board_id: ID of the board.
        post_id: ID of the post.

    Examples:
        >>> post("b-1", "p-1").upload_path
        '/boards/b-1/posts/p-1/attachments'
    """
    return Place("post", (("boardId", board_id), ("postId", post_id)))


@explaining_arguments()
def comment(board_id: str, post_id: str, comment_id: str) -> Place:
    """Attachments of a comment on a post.

    Args:
        board_id: ID of the board.
        post_id: ID of the post.
        comment_id: ID of the comment.

    Examples:
        >>> comment("b-1", "p-1", "c-1").upload_path
        '/boards/b-1/posts/p-1/comments/c-1/attachments'
    """
    return Place("comment", (("boardId", board_id), ("postId", post_id), ("commentId", comment_id)))


@explaining_arguments()
def note(group_id: str, post_id: str) -> Place:
    """Attachments of a post in a group's note.

    Args:
        group_id: ID of the group.
        post_id: ID of the post.

    Examples:
        >>> note("g-1", "p-1").upload_path
        '/groups/g-1/note/posts/p-1/attachments'
    """
    return Place("note", (("groupId", group_id), ("postId", post_id)))


@explaining_arguments()
def group_folder(group_id: str) -> Place:
    """A group's folder; ``.file(…)`` names a folder or a file in it.

    Args:
        group_id: ID of the group.

    Examples:
        >>> group_folder("g-1").upload_path
        '/groups/g-1/folder/files'
    """
    return Place("group_folder", (("groupId", group_id),))


@explaining_arguments()
def shared_drive(sharedrive_id: str) -> Place:
    """A collaborative drive; ``.file(…)`` names a folder or a file in it.

    Args:
        sharedrive_id: ID of the drive.

    Examples:
        >>> shared_drive("s-1").upload_path
        '/sharedrives/s-1/files'
    """
    return Place("shared_drive", (("sharedriveId", sharedrive_id),))


@explaining_arguments()
def shared_folder(user_id: str, shared_folder_id: str) -> Place:
    """A folder that was shared with a member; ``.file(…)`` names a folder or a file in it.

    Args:
        user_id: ID of the member.
        shared_folder_id: ID of the folder.

    Examples:
        >>> shared_folder("u-001", "f-1").upload_path
        '/users/u-001/drive/sharedfolders/f-1/files'
    """
    return Place("shared_folder", (("userId", user_id), ("sharedFolderId", shared_folder_id)))


@explaining_arguments()
def form_response(form_id: str, response_id: str) -> Place:
    """Files sent with the response to a form; ``.file(…)`` names one. Download only.

    Args:
        form_id: ID of the form.
        response_id: ID of the response.

    Examples:
        >>> form_response("f-1", "r-1").file("file-1").download_path
        '/forms/f-1/responses/r-1/attachments/file-1'
    """
    return Place("form_response", (("formId", form_id), ("responseId", response_id)))


def audit_logs() -> Place:
    """The audit logs of the domain. Download only.

    Examples:
        >>> audit_logs().download_path
        '/audits/logs/download'
    """
    return Place("audit_logs")


def message_logs() -> Place:
    """The logs of message contents. Download only.

    Examples:
        >>> message_logs().download_path
        '/monitoring/message-contents/download'
    """
    return Place("message_logs")


class _Places(Shown, ModuleType):
    """The class of this module, which displays all places."""

    def __getattr__(self, name: str) -> None:
        raise no_attribute(__name__, name, __all__)

    def __dir__(self) -> list[str]:
        return list(__all__)  # the places, without the internals of this module

    def _render(self) -> tuple[str, str]:
        made = [(name, getattr(self, name)) for name in __all__ if name != "Place"]
        rows = [
            (f"{name}({', '.join(inspect.signature(make).parameters)})", read_words(make))
            for name, make in made
        ]
        return render_card("places", rows)


sys.modules[__name__].__class__ = _Places  # Python looks up the repr of an object in its class
