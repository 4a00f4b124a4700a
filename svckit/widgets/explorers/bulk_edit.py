"""One change of several users: review it, try it, apply it, and undo it."""

__all__ = ["BulkEdit"]


class BulkEdit:
    """The same values for fields of several users.

    Args:
        svc: a session.
        users: the IDs of the users, or a frame with them, such as ``table.selected_rows``.
        fields: the values, by the columns of ``svckit.frames.users``, also for a part of a field, such as
            ``last_name`` or ``position_id``; None clears.
        on_change: called when users were changed.

    Attributes:
        changes: the differences from the records that the session knows; other users are read.
        result: the outcomes of the last dry run, change or undo; None before.
        question: what :meth:`confirm` does, if it is waiting for it, else empty text.

    Raises:
        TypeError: `svc` is not a session, or is one for ``await``.
        InvalidInput: there are no users or no fields.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> edit = BulkEdit(svc, ["u-002", "u-003"], {"task": "Sales"})
        >>> edit
        Changes: 2 fields of 2 users
          user_id  field  before           after
          u-002    task   "Night desk"     "Sales"
          u-003    task   "Mobile client"  "Sales"
        >>> edit.dry_run()
        dry run of users.apply: 2 of 2 would be sent
        What would be sent
          user   body
          u-002  {"task": "Sales"}
          u-003  {"task": "Sales"}
        >>> edit.apply()
        >>> edit.result
        users.apply: 2 of 2 done
        >>> edit.undo()
        >>> svc.users.read("u-002").task
        'Night desk'
    """
