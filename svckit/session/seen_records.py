"""The records that a session has seen, as the service's description shows no operation that lists them."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from svckit.http.prepare import reveal
from svckit.models.files import UploadResult
from svckit.models.paths import UPLOAD_PLACES
from svckit.models.secret import Secret
from svckit.models.status import UserProfileStatus
from svckit.models.user import User

__all__ = ["SeenRecords"]

REVISIONS_SEEN = 10_000


class SeenRecords:
    """The users that a session has read or changed, the statuses it has set, and the files it has uploaded.

    Examples:
        >>> import svckit
        >>> user, seen = svckit.connect(now="2026-06-01T09:00:00+09:00").users.read("u-001"), SeenRecords()
        >>> seen.remember(user, "/users/u-001")
        >>> seen.user(user.email) is seen.user("externalKey:emp-00001") is seen.user("u-001") is user
        True
        >>> len(seen.records("users")), len(seen.records("journal"))
        (1, 0)
    """

    def __init__(self) -> None:
        self.users: dict[str, User] = {}
        # IDs by e-mail and external key. Users change these, so an entry may be out of date: `user` checks it.
        self._ids: dict[str, str] = {}
        self.statuses: dict[tuple[str, str | None], dict[str, Any]] = {}
        self.files: dict[tuple[str, str | None], dict[str, Any]] = {}
        self.revisions: deque[dict[str, Any]] = deque(maxlen=REVISIONS_SEEN)

    def user(self, key: str) -> User | None:
        """Return a user it has seen, by ID, login e-mail or ``externalKey:<key>``."""
        if key in self.users:
            return self.users[key]
        user = self.users.get(self._ids.get(key, ""))
        return user if user is not None and key in _list_other_names(user) else None

    def name_by_id(self, path: str) -> str:
        """Return the path of a user with the ID, whichever way it names a user it has seen; else the path itself."""
        key = path.removeprefix("/users/")
        user = self.user(key) if key in self._ids else None
        return f"/users/{user.user_id}" if user and user.user_id else path

    def remember(self, result: object, target: str | Secret) -> None:
        """Remember a user, a status, or an uploaded file and its place, in the form of a fake's records.

        A user has one current and one reserved status, so a new status replaces the last one of its schedule. The
        response to an upload does not name the revision it made: each upload is one, the newest last.
        """
        if isinstance(result, User):
            user_id = result.user_id or result.email
            self.users[user_id] = result
            self._ids |= dict.fromkeys(_list_other_names(result), user_id)
        elif isinstance(result, UploadResult):
            place = _find_container(reveal(target))
            record = self.files[place, result.file_id] = {**result.to_wire(), "place": place}
            self.revisions.append(record)
        elif isinstance(result, UserProfileStatus):
            user_id = unquote(reveal(target).split("/")[2])
            self.statuses[user_id, result.schedule_type] = {**result.to_wire(), "userId": user_id}

    def records(self, kind: str) -> Sequence[Mapping[str, Any]]:
        """Return the records of a kind as plain data; nothing of the kinds that no response shows."""
        match kind:
            case "users":
                return [user.to_wire() for user in [*self.users.values()]]
            case "statuses":
                return [*self.statuses.values()]
            case "files":
                return [*self.files.values()]
            case "revisions":
                return [*self.revisions]
        return ()


def _list_other_names(user: User) -> Sequence[str]:
    key = user.user_external_key
    return (user.email,) if key is None else (user.email, f"externalKey:{key}")


def _find_container(path: str) -> str:
    """Return what a path uploads into: the store and the IDs of the container, such as ``drive/u-001``."""
    for place in UPLOAD_PLACES:
        if found := place.pattern.fullmatch(path):
            return "/".join([place.store, *(unquote(found[name]) for name in place.container)])
    return path
