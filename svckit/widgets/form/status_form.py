"""The form that registers a profile status."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from svckit.http.messages import Operation
from svckit.models.fields import FieldSpec, list_fields
from svckit.models.status import STATUS_ARGUMENTS, StatusRegistration, UserProfileStatus
from svckit.operations import users
from svckit.widgets.form.form import Form

__all__ = ["StatusForm"]

FIELDS = tuple(
    field._replace(name=STATUS_ARGUMENTS.get(field.name, field.name))
    for field in list_fields(StatusRegistration)
)


class StatusForm(Form):
    """A form that registers a profile status, such as busy or away, for now or for a reserved time.

    Limits, help and validation come from `svckit.models.StatusRegistration`; fields have the names of the arguments
    of ``svc.users.set_status``.

    Args:
        svc: a session.
        user_id: user ID, login e-mail, or ``externalKey:<key>``.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> form = StatusForm(svc, "u-001")
        >>> form.problems
        ('Profile status ID is required',)
        >>> form.enter("profile_status_id", "BUSY")
        >>> form.enter("message", "in a meeting")
        >>> print(dict(form.view["code"])["JSON"])
        {
          "profileStatusId": "BUSY",
          "statusMessage": "in a meeting"
        }
        >>> form.close()
    """

    field_specs: ClassVar[Iterable[FieldSpec]] = FIELDS
    title = "Set status of"
    verb = "Set the status"

    def _make_operation(self, values: Mapping[str, Any]) -> Operation[UserProfileStatus]:
        return users.set_status(self.user_id, **values)

    def _accept(self, result: UserProfileStatus) -> str:
        return f"Sent: {result.profile_status_id} of {self.user_id}, {result.schedule_type or 'registered'}"

    def _list_option_names(self) -> Mapping[str, str]:
        """Return the names of statuses as far as responses have shown them; the description has none."""
        known = (
            (status.get("profileStatusId"), status.get("profileStatusName"))
            for status in self.svc.records("statuses")
        )
        return {status: name for status, name in known if status and name}
