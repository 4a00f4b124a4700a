"""The form that changes a user."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from svckit.edits import Applied, Changes, UserEdit
from svckit.edits.fields import compare_fields
from svckit.errors import InvalidInput
from svckit.http.messages import Operation
from svckit.models.fields import FieldSpec, group_fields, list_fields
from svckit.models.user import User, UserChange
from svckit.operations import users
from svckit.operations.batch import Outcome
from svckit.session.session import Session
from svckit.widgets.base.callbacks import button
from svckit.widgets.base.labels import in_words
from svckit.widgets.form.form import Form
from svckit.widgets.form.model import FormModel
from svckit.widgets.form.view import describe_changes

__all__ = ["ExplorerUserForm", "UserForm"]

FIELDS = group_fields(list_fields(UserChange), User.field_groups)


class UserForm(Form):
    """A form that changes a user: it shows the record, and sends the fields that were edited.

    Limits, help and validation come from `svckit.models.UserChange`, so the form accepts what ``svc.users.update``
    sends; groups and order are those of the record. The fields are filled from the record if the session knows it
    (with a fake it always does), else after :meth:`read`. An edited object or list is sent as a whole, without its
    read-only parts. Emptied text clears a field that can be null.

    Args:
        svc: a session.
        user_id: user ID, login e-mail, or ``externalKey:<key>``.

    Attributes:
        applied: the last change and its outcome; None before, or if the earlier values are unknown.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> form = UserForm(svc, "u-001")
        >>> form.enter("nick_name", "Mina")
        >>> form.enter("user_name.first_name", "Mina")
        >>> form.set_state("task", "clear")
        >>> form
        Change user u-001 [FAKE]
        To send
          User name, First name  Mina
          Nick name              Mina
          Task                   null
        Not sent yet
        >>> form.submit()
        >>> form.result.nick_name
        'Mina'
        >>> form
        Change user u-001 [FAKE]
        Sent: User name, Nick name, Task of u-001
        200 OK at 2026-06-01T09:00:00+09:00
        Changed
          Field                  Before      After
          User name, First name  Hana        Mina
          Nick name              Hana        Mina
          Task                   Night desk  –
        >>> form.undo()
        >>> form.result.nick_name
        'Hana'
        >>> form.read()
        >>> form.refresh()
        >>> form.close()
    """

    field_specs: ClassVar[Iterable[FieldSpec]] = FIELDS
    title = "Change user"
    verb = "Change the user"
    left = "Leave as is"

    def __init__(self, svc: Session, user_id: str) -> None:
        self.applied: Applied | None = None
        # Of the request under way: what it changes, if the record is known, and the fields that it has.
        self._edit: UserEdit | None = None
        self._names: list[str] = []
        super().__init__(svc, user_id)
        self.refresh()

    def resume(self, model: FormModel) -> None:
        """Resume a draft for the same user, next to the current record."""
        super().resume(model)
        self.refresh()

    def refresh(self) -> None:
        """Update the values the session knows of the user, without a request."""
        record = self.svc.user_record(self.user_id)
        self.model.prefill({} if record is None else User.from_response(record).to_wire())
        self._show()

    @button
    def read(self) -> None:
        """Read the user's record with an update without fields, which changes nothing."""
        self.model.prefill(self._request(lambda: self.svc.users.read(self.user_id)).to_wire())
        self._update()

    @button
    def undo(self) -> None:
        """Restore the fields that the last request changed; for a real service, only ask for confirmation.

        Fields that somebody has changed since are not overwritten.

        Raises:
            InvalidInput: nothing was sent, or an earlier value cannot be sent.
            Conflict: one of the fields has changed since.
        """
        inverse = self.applied.inverse if self.applied else Changes()
        inverse.raise_for_problems("nothing was undone: ")
        if not inverse:
            raise InvalidInput(
                "there is nothing to undo: send a change of a user whose record is known first"
            )
        self._ask_first("This goes to", lambda: self._restore(inverse))

    def _make_operation(self, values: Mapping[str, Any]) -> Operation[User]:
        return users.update(self.user_id, **values)

    def _restore(self, inverse: Changes) -> None:
        applied = self._request(lambda: self.svc.users.apply(inverse, check=True, progress=False))
        for outcome in applied.failed:
            raise outcome.error or InvalidInput("the undo did not start")
        self.applied, self.result = applied, applied[0].value
        self.model.prefill(self.result.to_wire())
        self._update(f"Undone: {self._name(inverse[0].after)}")

    def _perform(self) -> None:
        record, values = self.model.record, self.values
        self._edit = compare_fields(self.user_id, record, values)[0] if record else None
        self._names = list(values)
        super()._perform()

    def _accept(self, result: User) -> str:
        edit = self._edit
        if edit is not None:
            edit = UserEdit(result.user_id or edit.user_id, edit.before, edit.after)
            self.applied = Applied(Changes([edit]), [Outcome(edit.user_id, result)], dry_run=False)
        self.model.prefill(result.to_wire())
        return f"Sent: {self._name(self._names)}"

    def _name(self, fields: Any) -> str:
        return f"{', '.join(map(in_words, fields))} of {self.user_id}"

    def _view(self) -> dict[str, Any]:
        rows = describe_changes(self.applied.changes) if self.applied else []
        return super()._view() | {"changes": rows, "known": bool(self.model.record)}


class ExplorerUserForm(UserForm):
    """The form of an explorer, independent of other forms for the same user."""

    shared = False
