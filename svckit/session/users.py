"""``svc.users``: users and their profile statuses, one or many, for sessions with and without ``await``.

`svckit.operations` and `svckit.edits` define what they do; this module runs it, either way.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from svckit.models.user import User
from svckit.operations import users
from svckit.operations.batch import Cancel, Plan
from svckit.operations.journals import JournalPath
from svckit.operations.methods import (
    Group,
    async_batch_method,
    async_method,
    batch_method,
    method,
)

if TYPE_CHECKING:
    from svckit.edits import Applied, Changes
    from svckit.edits.applied import OnError
    from svckit.edits.comparison import Against, Edited

__all__ = ["AsyncUsers", "Users"]


class UsersBase(Group):
    """Users of the directory and their profile statuses."""

    title = "users"
    methods: Sequence[str] = ("update", "read", "set_status", "diff", "apply", "list_known")
    instead: Mapping[str, str] = MappingProxyType(
        {
            **dict.fromkeys(
                ("list", "all", "find", "search"),
                "list_known() gives users, svckit.frames.users(svc) a frame",
            ),
            "[]": "svc.users.read(user_id) reads one user",
            "for": "svc.users.list_known() lists users, svckit.frames.users(svc) makes a frame of them",
            "get": "read(user_id) reads one user",
            "patch": "update(user_id, …) changes a user",
            "create": "the service's description has no operation that creates users",
            "delete": "the service's description has no operation that deletes users",
        }
    )

    def list_known(self) -> list[User]:
        """Return the known users without a request.

        They are all users of a fake; of a real service, those that this session has read or changed.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> users = svc.users.list_known()
            >>> len(users), users[0].user_id
            (20, 'u-001')
        """
        return [User.from_response(record) for record in self._session.records("users")]


# `diff` and `apply` yield one plan each, which `batch_method` runs in threads and `async_batch_method` in tasks; what
# surrounds the ``yield``, such as a progress bar, lasts as long. `svckit.edits` is imported inside, as most sessions
# never need it.


@contextmanager
def diff(
    session: Any, edited: "Edited", *, against: "Against" = "known", workers: int | None = None
) -> Iterator[Plan["Changes"]]:
    """Compare edited users with what was read, and return the smallest changes, to review and to `apply`.

    The changes contain only fields that differ. A nested object or a list is included whole, because a partial
    update replaces it whole, but without the fields that only the service writes. All values are checked against
    all limits. ``changes.problems`` lists everything that is wrong, including columns and fields that do not exist
    or that only the service writes. ``changes.notices`` lists the cells of a sheet that a spreadsheet has changed by
    itself, such as a number without its zeros; they are not edits.

    In a frame, a missing value or empty text clears a field, a missing column leaves it unchanged, and a column
    for a part of a field (``last_name``, ``position_id``) changes that part. Columns named like whole fields
    (``organizations``, ``custom_fields``, … of ``svckit.frames.users(svc, lists=True)``) hold JSON. Take a new
    frame after applying: in the edited one, derived columns such as ``display_name`` are out of date.

    Args:
        edited: an edited frame of `svckit.frames.users`; a `svckit.models.User`; a mapping with ``user_id`` and
            fields by their names; or several users and mappings.
        against: ``known``: the records of ``svc.users.list_known()``, and other users are read. ``fresh``: all
            users are read again. Or earlier records, such as a ``svc.users.list_known()`` from before the
            editing; users that are missing from them are read.
        workers: how many users to read in parallel; by default 4, or 1 while a fake's clock stands still.

    Returns:
        The changes, by user; displayed as a table.

    Raises:
        InvalidInput: `edited` cannot be compared.
        ServiceError: a user could not be read. A user that does not exist is a problem, not an error.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> people = svckit.frames.users(svc)
        >>> people.loc[people["user_id"] == "u-003", ["nick_name", "last_name"]] = ["Mina", None]
        >>> changes = svc.users.diff(people)
        >>> [(edit.user_id, list(edit.after)) for edit in changes]
        [('u-003', ['user_name', 'nick_name'])]
        >>> svc.users.apply(changes)
        users.apply: 1 of 1 done
    """
    from svckit.edits.comparison import Comparison

    comparison = Comparison(edited, session.records("users"), against, find=session.user_record)
    yield Plan(comparison.reads, workers, comparison.changes)


@contextmanager
def apply(
    _session: Any,
    changes: "Changes",
    *,
    dry_run: bool = False,
    check: bool = False,
    workers: int | None = None,
    progress: bool | None = None,
    on_error: "OnError" = "continue",
    resume: "Applied | None" = None,
    cancel: Cancel | None = None,
    skip_problems: bool = False,
    journal: JournalPath | None = None,
) -> Iterator[Plan["Applied"]]:
    """Apply changes: one request per user, several users in parallel.

    A request that the service is too busy for (429, 502, 503, 504) is sent again, up to ``svc.retries`` times. A
    failure for one user is reported and does not stop the others. Ctrl-C, or a notebook's stop button, stops it
    after the requests under way; continue with ``apply(result.remaining)`` or ``apply(changes, resume=result)``.

    Args:
        changes: the result of `diff`.
        dry_run: only read the users, and report what would be sent, who is missing and who has changed since.
        check: read each user first, and skip one whose same fields somebody has changed since `diff`. This
            doubles the requests. The service's description has no way to do both at once, so a change in the
            moment between the two goes unnoticed.
        workers: how many users to change in parallel; by default 4, or 1 while a fake's clock stands still.
        progress: whether to show a bar; by default if anyone is watching and it takes more than a second.
        on_error: ``continue`` with the others, or ``stop`` to start no more.
        resume: an earlier result; users that are done in it are not changed again.
        cancel: when set, no further user is started; for example a ``threading.Event``.
        skip_problems: whether to leave out the fields with a problem, and the users given twice, and send the rest.
            A nested object is one field: a problem with the family name holds back the whole ``user_name``.
        journal: the path of a file that keeps which changes are done, so that another process can call again after
            a crash, with the same changes or after comparing again. It holds no values, and is deleted once every
            user was tried.

    Returns:
        An outcome per user: ``ok``, ``failed``, ``remaining``, ``frame()``.

    Raises:
        InvalidInput: the changes have problems, or two of them are for one user. Nothing was sent.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> changes = svc.users.diff({"user_id": "u-003", "nick_name": "Mina"})
        >>> svc.users.apply(changes, dry_run=True)
        dry run of users.apply: 1 of 1 would be sent
        What would be sent
          user   body
          u-003  {"nickName": "Mina"}
        >>> svc.users.apply(changes)
        users.apply: 1 of 1 done
    """
    from svckit.edits.applied import ApplyRun

    application = ApplyRun(
        changes,
        dry_run=dry_run,
        check=check,
        on_error=on_error,
        resume=resume,
        cancel=cancel,
        skip_problems=skip_problems,
        journal=journal,
    )
    with application.progress(progress):
        yield Plan(application.batch, workers, application.result)


class Users(UsersBase):
    """Users of the directory and their profile statuses."""

    update: Final = method(
        users.update,
        """\
>>> user = svc.users.update("u-003", nick_name="Mina", task=None)
>>> user.nick_name, user.task
('Mina', None)
""",
    )
    read: Final = method(
        users.read,
        """\
>>> svc.users.read("u-001").email
'hana.nakamura.001@example.com'
""",
    )
    set_status: Final = method(
        users.set_status,
        """\
>>> status = svc.users.set_status("u-001", "BUSY", "in a meeting", end="2026-06-01T10:00:00+09:00")
>>> status.schedule_type, status.status_message
('PRESENT', 'in a meeting')
""",
    )

    diff: Final = batch_method(diff)
    apply: Final = batch_method(apply)


class AsyncUsers(UsersBase):
    """Users of the directory and their profile statuses."""

    update: Final = async_method(users.update)
    read: Final = async_method(users.read)
    set_status: Final = async_method(users.set_status)

    diff: Final = async_batch_method(
        diff, "Compare edited users with what was read; see `svckit.session.users.Users.diff`."
    )
    apply: Final = async_batch_method(
        apply, "Apply changes to several users in parallel; see `svckit.session.users.Users.apply`."
    )
