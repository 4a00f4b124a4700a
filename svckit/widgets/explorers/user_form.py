"""The form that changes a user."""

from svckit.models.fields import list_fields
from svckit.models.user import User, UserChange
from svckit.operations import users
from svckit.session.session import Session
from svckit.widgets.base.labels import in_words
from svckit.widgets.form.form import Form
from svckit.widgets.form.model import FormModel

__all__ = ["UserForm"]


class UserForm(Form):
    """A form that changes a user: each writable field can be left as is, set, or cleared.

    Limits, help and validation come from `svckit.models.UserChange`, so the form accepts what ``svc.users.update``
    sends. If the session knows the user's record (with a fake it always does), the form shows its values next to the
    fields. An object or list starts with its current value, because it is sent as a whole, without read-only parts.

    Args:
        svc: a session.
        user_id: user ID, login e-mail, or ``externalKey:<key>``.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> form = UserForm(svc, "u-001")
        >>> form.enter("nick_name", "Mina")
        >>> form.set_state("task", "clear")
        >>> form
        Change user u-001 [FAKE]
          Nick name  Mina
          Task       null
        Not sent yet
        >>> form.submit()
        >>> form.result.nick_name, form
        ('Mina', Change user u-001 [FAKE]
        Sent: Nick name, Task of u-001)
        >>> form.refresh()
        >>> form.close()
    """

    title = "Change user"
    verb = "Change the user"
    left = "Leave as is"

    def __init__(self, svc: Session, user_id: str) -> None:
        super().__init__(
            svc,
            user_id,
            lambda svc: FormModel(
                list_fields(UserChange), lambda values: users.update(user_id, **values), on=svc.profile
            ),
        )
        self.refresh()

    def resume(self, model: FormModel) -> None:
        """Resume a draft for the same user, next to the current record."""
        super().resume(model)
        self.refresh()

    def refresh(self) -> None:
        """Update the values the session knows of the user, without a request."""
        record = self.svc.user_record(self.user_id)
        self.model.current = {} if record is None else User.from_response(record).to_wire()
        self._show()

    def _accept(self, result: User) -> str:
        self.model.current = result.to_wire()
        return f"Sent: {', '.join(map(in_words, self._names))} of {self.user_id}"

    def _perform(self) -> None:
        self._names = list(self.values)
        super()._perform()
