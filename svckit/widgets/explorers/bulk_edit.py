"""One change of several users: review it, try it, apply it, and undo it."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Final

import pandas as pd

from svckit.display.card import quantity
from svckit.display.masking import mask
from svckit.display.python_code import write_call
from svckit.edits import Applied, Changes
from svckit.edits.rows import EDITABLE
from svckit.errors import InvalidInput
from svckit.frames.cells import plain
from svckit.models.user_parts import display_name
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_names
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.base.labels import in_words
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.form.view import describe_changes

__all__ = ["BulkEdit"]

SHOWN: Final = 20
"""The number of users whose changes or failures are shown."""

MOST_WITH_CODE: Final = 200
"""The code has all IDs, so it is shown for no more users."""

CODE: Final = """\
import pandas as pd

edited = {}
svc.users.apply(svc.users.diff(edited), check=True)"""


@dataclass(frozen=True, slots=True)
class BulkDraft:
    """The draft of a bulk edit, which its session keeps.

    Attributes:
        fields: the new values by column; empty text is not sent, None clears.
        inverse: what undoes the last change.
        was_undone: whether that was an undo, so that its inverse does it again.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    inverse: Changes = field(default_factory=Changes)
    was_undone: bool = False


class BulkEdit(Explorer[BulkDraft]):
    """A form that gives fields of several users the same values, with a preview, a dry run, and undo.

    Fields are the columns of ``svckit.frames.users`` that can be edited, also parts of a field such as ``last_name`` or
    ``position_id``. A user whose same field somebody has changed since the preview is left as is.

    Args:
        svc: a session.
        users: the IDs of the users, or a frame with them, such as ``table.selected_rows``.
        on_change: called after users were changed.
        fields: the values by column; None clears.

    Attributes:
        changes: the preview, which :meth:`apply` sends; None without one.
        result: the outcomes of the last dry run, change or undo; None before.

    Raises:
        TypeError: `svc` is not a session, or is one for ``await``.
        InvalidInput: there are no users, or a field is not known.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> edit = BulkEdit(svc, ["u-002", "u-003"], task="Sales")
        >>> edit
        Change 2 users [FAKE]
        Task: Sales
        Preview: 2 fields of 2 users
          User                 Field  Before      After
          Lopez Petra (u-002)  Task   Night desk  Sales
          Emi Kim (u-003)      Task   Night desk  Sales
        >>> print(edit.code)
        import pandas as pd
        <BLANKLINE>
        edited = pd.DataFrame({"user_id": ["u-002", "u-003"], "task": "Sales"}, dtype="object")
        svc.users.apply(svc.users.diff(edited), check=True)
        >>> edit.dry_run()
        >>> edit.result
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
        >>> edit.write(location="Osaka")
        >>> edit.select(["u-004"])
        >>> edit.preview()
        >>> len(edit.changes)
        1
        >>> edit.close()
    """

    template = "widgets/explorers/bulk_edit.html"
    make_draft: ClassVar[type[BulkDraft]] = BulkDraft

    def __init__(
        self,
        svc: Session,
        users: Iterable[str] | pd.DataFrame,
        on_change: Callable[[], None] = lambda: None,
        **fields: Any,
    ) -> None:
        self.users: tuple[str, ...] = tuple(
            plain(users["user_id"]) if isinstance(users, pd.DataFrame) else users
        )
        if not self.users:
            raise InvalidInput("there is nobody to change: select users first")
        self.changes: Changes | None = None
        self.result: Applied | None = None
        # What the last change could not do; sending it again adds to its undo.
        self._left: Changes | None = None
        self._on_change = on_change
        self._status = self._at = ""  # what the last request did, and when
        super().__init__(svc)
        if fields:
            self.write(**fields)
            self.preview()

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Fill in new values, in place of those before; see :meth:`preview`.

        Args:
            **fields: the values by column; None clears.

        Raises:
            InvalidInput: no such column, or it cannot be edited.
        """
        check_names(fields, EDITABLE)
        self.changes = None
        self._keep(replace(self.draft, fields=fields))

    def select(self, users: Sequence[str]) -> None:
        """Choose other users, which discards the preview.

        Args:
            users: their IDs.
        """
        self.users, self.changes = tuple(users), None
        self.cancel()

    @button
    def preview(self) -> None:
        """Compare the new values with the users' records; read those that the session does not know.

        Raises:
            InvalidInput: no value was entered.
        """
        values = self._values
        if not values:
            raise InvalidInput("nothing was compared: choose a field, and enter its value or clear it")
        cells = {"user_id": self.users, **{name: [value] * len(self.users) for name, value in values.items()}}
        self.changes = self.svc.users.diff(pd.DataFrame(cells, dtype="object"))
        self._show()

    @button
    def dry_run(self) -> None:
        """Only read the users, and report who is missing and who was changed since the preview."""
        self._run(self._check(), dry_run=True)

    @button
    def apply(self) -> None:
        """Change the users; for a real service, only ask, and :meth:`confirm` does it.

        Raises:
            InvalidInput: there is no preview, or it has problems, or nothing differs.
        """
        changes = self._check()
        self._ask_first(f"This changes {quantity(len(changes), 'user')}", partial(self._run, changes))

    @button
    def undo(self) -> None:
        """Restore the fields of the users that were changed; for a real service, only ask.

        Raises:
            InvalidInput: nobody was changed, or an earlier value cannot be sent.
        """
        inverse = self.draft.inverse
        inverse.raise_for_problems("nothing was undone: ")
        if not inverse:
            raise InvalidInput("there is nothing to undo: nobody was changed")
        what = f"This restores {quantity(len(inverse), 'user')}"
        self._ask_first(what, partial(self._run, inverse, undoes=True))

    @property
    def code(self) -> str:
        """The same as Python, ready to run where ``svc`` is a session; masked, and empty without values."""
        columns = {
            name: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
            for name, value in self._values.items()
        }
        frame = write_call("pd.DataFrame", {"user_id": list(self.users), **columns}, dtype="object")
        return mask(CODE.format(frame)) if columns else ""

    @property
    def _values(self) -> dict[str, Any]:
        return {name: value for name, value in self.draft.fields.items() if value != ""}

    def _check(self) -> Changes:
        if self.changes is None:
            raise InvalidInput("nothing was sent: look at the preview first")
        self.changes.raise_for_problems("nothing was sent: ")
        if not self.changes:
            raise InvalidInput("nothing was sent: these users have the values already")
        return self.changes

    def _run(self, changes: Changes, *, dry_run: bool = False, undoes: bool = False) -> None:
        done = "would be changed" if dry_run else "restored" if undoes else "changed"
        self.result = result = self.svc.users.apply(
            changes, dry_run=dry_run, check=not dry_run, progress=False
        )
        self._at = self.svc.clock.now().isoformat()
        self._status = f"{len(result.ok)} of {quantity(len(result), 'user')} {done}"
        if not dry_run:
            self._note_inverse(result.inverse, was_undone=undoes, continues=changes is self._left)
            self.changes = self._left = result.remaining or None
            self._on_change()
        self._show()

    def _note_inverse(self, inverse: Changes, *, was_undone: bool, continues: bool) -> None:
        """Keep what undoes a change; one that changed nobody leaves the one before to be undone."""
        if not (inverse or inverse.problems):
            return
        before = self.draft.inverse if continues else Changes()
        both = Changes([*before, *inverse], [*before.problems, *inverse.problems])
        self._keep(replace(self.draft, inverse=both, was_undone=was_undone))

    def _write(self, name: str, entry: str | bool) -> None:
        if name == "field":
            self.write(**({str(entry): ""} if entry else {}))
        elif name == "clear":
            self.write(**dict.fromkeys(self.draft.fields, None if entry else ""))
        else:
            self.write(**{**self.draft.fields, name: entry})

    def _view(self) -> dict[str, Any]:
        fields, failed = self.draft.fields, self.result.failed if self.result else []
        changes = Changes() if self.changes is None else self.changes
        rows = [
            (self._name(edit.user_id), *row) for edit in changes[:SHOWN] for row in describe_changes([edit])
        ]
        return {
            "title": f"Change {quantity(len(self.users), 'user')}",
            "columns": [("", "–"), *((name, in_words(name)) for name in EDITABLE)],
            "chosen": next(iter(fields), ""),
            "fields": [
                (name, in_words(name), "null" if value is None else value) for name, value in fields.items()
            ],
            "clears": bool(fields) and all(value is None for value in fields.values()),
            "preview": "" if self.changes is None else _summarize(changes, len(self.users)),
            "rows": rows,
            "problems": [problem.message for problem in changes.problems[:SHOWN]],
            "ready": bool(changes) and not changes.problems,
            "status": self._status,
            "at": self._at,
            "failed": [
                (self._name(outcome.label), str(outcome.error or outcome.state)) for outcome in failed[:SHOWN]
            ],
            "undoes": _name_undoing(self.draft),
            "code": [("Python", self.code if len(self.users) <= MOST_WITH_CODE else "")],
        }

    def _name(self, user_id: str) -> str:
        name = display_name(self.svc.user_record(user_id) or {})
        return f"{name} ({user_id})" if name else user_id


def _name_undoing(draft: BulkDraft) -> str:
    """Return the name of the button that undoes the last change; empty without one."""
    what = "Redo" if draft.was_undone else "Undo"
    return f"{what} ({quantity(len(draft.inverse), 'user')})" if draft.inverse else ""


def _summarize(changes: Changes, users: int) -> str:
    fields, same = sum(len(edit.after) for edit in changes), users - len(changes) - len(changes.problems)
    shown = f"; the first {SHOWN} are shown" if len(changes) > SHOWN else ""
    as_is = f"; {quantity(same, 'user')} already as entered" if same > 0 else ""
    return f"{quantity(fields, 'field')} of {quantity(len(changes), 'user')}{shown}{as_is}"
