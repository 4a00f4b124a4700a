"""``svc.users``: users and their profile statuses, one at a time or many, for sessions with and without ``await``.

What they do is in `svckit.operations` and `svckit.edits`; here it is run, in the one way or the other.
"""

from types import MappingProxyType

from svckit.edits import Applied, Changes, Comparison
from svckit.edits.applied import ApplyRun, OnError
from svckit.edits.comparison import Against, Edited
from svckit.models.user import User
from svckit.operations import users
from svckit.operations.batch import Cancel, run_tasks, run_threads
from svckit.operations.methods import Group, async_method, method
from svckit.tracebacks import hiding_inner_frames

__all__ = ["AsyncUsers", "Users"]


class UsersBase(Group):
    """Users of the directory and their profile statuses."""

    title = "users"
    methods = ("update", "read", "set_status", "diff", "apply", "list_known")
    instead = MappingProxyType(
        {
            **dict.fromkeys(
                ("list", "all", "find", "search"),
                "list_known() gives users, svckit.frames.users(svc) a frame",
            ),
            "get": "one user is read with read(user_id)",
            "patch": "a user is changed with update(user_id, …)",
            "create": "the service's description has no operation that makes users",
            "delete": "the service's description has no operation that deletes users",
        }
    )

    def list_known(self) -> list[User]:
        """The users that can be shown, without a call: of a fake all; else those this session has met."""
        return [User.from_response(record) for record in self._session.records("users")]


SESSION = """\
>>> import svckit
>>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
"""


class Users(UsersBase):
    """Users of the directory and their profile statuses."""

    update = method(
        users.update,
        SESSION
        + """\
>>> user = svc.users.update("u-003", nick_name="Mina", task=None)
>>> user.nick_name, user.task
('Mina', None)
""",
    )
    read = method(
        users.read,
        SESSION
        + """\
>>> svc.users.read("u-001").email
'hana.nakamura.001@example.com'
""",
    )
    set_status = method(
        users.set_status,
        SESSION
        + """\
>>> status = svc.users.set_status("u-001", "BUSY", "in a meeting", end="2026-06-01T10:00:00+09:00")
>>> status.schedule_type, status.status_message
('PRESENT', 'in a meeting')
""",
    )

    def diff(self, edited: Edited, *, against: Against = "known", workers: int | None = None) -> Changes:
        """Compare edited users with what was read; gives the smallest changes, to look at and to `apply`.

        Only fields that differ are in the changes. A nested object or a list is there whole, because a partial
        update replaces it whole; what only the service writes is left out of it. All values are checked against
        all limits here; what is wrong is in ``changes.problems``, all at once, and so are columns and fields that
        do not exist or that only the service writes.

        In a frame a missing value or empty text clears, a column that is not there leaves its field alone, and a
        column that shows a part of a field (``last_name``, ``position_id``) changes that part. Columns named like
        whole fields (``organizations``, ``custom_fields``, … of ``svckit.frames.users(svc, lists=True)``) hold
        JSON. Take a new frame after applying: columns that follow from others, such as ``display_name``, are out of
        date in the edited one.

        Args:
            edited: a frame of `svckit.frames.users`, edited, or a long one, such as `svckit.frames.alias_emails`
                (``frame.svc.changes`` can also say what its missing rows mean); a `svckit.models.User`; a mapping
                with ``user_id`` and fields by their names; or several users and mappings.
            against: ``known``: the records this session can show without a call (``svc.users.list_known()``), and the
                users it does not know are read. ``fresh``: all are read anew. Or records kept from before, such
                as a ``svc.users.list_known()`` from when the editing began; users that are not among them are read.
            workers: how many are read side by side; left out, 4, under a fake's standing clock 1.

        Raises:
            InvalidInput: this is nothing that can be compared.
            ServiceError: a user could not be read. That there is no such user is a problem, not an error.

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
        with hiding_inner_frames:
            comparison = Comparison(edited, self._session.records("users"), against)
        run_threads(self._session.run, comparison.reads, self._session.choose_workers(workers))
        return comparison.changes()

    def apply(
        self,
        changes: Changes,
        *,
        dry_run: bool = False,
        check: bool = False,
        workers: int | None = None,
        progress: bool | None = None,
        on_error: OnError = "continue",
        resume: Applied | None = None,
        cancel: Cancel | None = None,
    ) -> Applied:
        """Make changes: one call a user, so many users side by side, never two calls for one user.

        What fails for one user is reported and does not keep the others from being changed. Ctrl-C, or a
        notebook's stop button, ends it after the calls under way; go on with ``apply(result.remaining)`` or
        ``apply(changes, resume=result)``.

        Args:
            changes: what `diff` gave.
            dry_run: only read the users, and say what would be sent, who is not there and who has changed since.
            check: read each user first, and leave one that somebody has changed in the same fields since `diff`;
                that doubles the calls. The service's description has no way to do both at once, so a moment is
                left in which a change of somebody else goes unseen.
            workers: how many users are changed side by side; left out, 4, under a fake's standing clock 1.
            progress: whether to show a bar; left out, where people look on and it takes more than a second.
            on_error: ``continue`` with the others, or ``stop`` to begin no more.
            resume: an earlier result; users that are done in it are not changed again.
            cancel: when set, no further user is begun; a ``threading.Event``, for example.

        Returns:
            An outcome a user: ``ok``, ``failed``, ``remaining``, ``frame()``.

        Raises:
            InvalidInput: the changes have problems, two of them are of one user, or this session has made some of
                them before, without ``check``. Nothing was sent.
        """
        application = ApplyRun(
            changes,
            by=self._session,
            dry_run=dry_run,
            check=check,
            on_error=on_error,
            resume=resume,
            cancel=cancel,
        )
        with application.progress(progress):
            run_threads(self._session.run, application.batch, self._session.choose_workers(workers))
        return application.result()


class AsyncUsers(UsersBase):
    """Users of the directory and their profile statuses."""

    update = async_method(users.update)
    read = async_method(users.read)
    set_status = async_method(users.set_status)

    async def diff(
        self, edited: Edited, *, against: Against = "known", workers: int | None = None
    ) -> Changes:
        """Compare edited users with what was read; see `svckit.session.users.Users.diff`."""
        with hiding_inner_frames:
            comparison = Comparison(edited, self._session.records("users"), against)
        await run_tasks(self._session.run, comparison.reads, self._session.choose_workers(workers))
        return comparison.changes()

    async def apply(
        self,
        changes: Changes,
        *,
        dry_run: bool = False,
        check: bool = False,
        workers: int | None = None,
        progress: bool | None = None,
        on_error: OnError = "continue",
        resume: Applied | None = None,
        cancel: Cancel | None = None,
    ) -> Applied:
        """Make changes, so many users side by side; see `svckit.session.users.Users.apply`."""
        application = ApplyRun(
            changes,
            by=self._session,
            dry_run=dry_run,
            check=check,
            on_error=on_error,
            resume=resume,
            cancel=cancel,
        )
        with application.progress(progress):
            await run_tasks(self._session.run, application.batch, self._session.choose_workers(workers))
        return application.result()
