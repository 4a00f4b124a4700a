"""The users of a session where pandas is missing: a table, the record of the selected user, and its form."""

from collections.abc import Mapping
from typing import Any

from svckit.models.user import User
from svckit.models.user_parts import display_name, find_state
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_session, find_badge
from svckit.widgets.explorers.explorer_box import ExplorerBox
from svckit.widgets.form.user_form import ExplorerUserForm
from svckit.widgets.record.record_view import RecordView
from svckit.widgets.table.plain_table import PlainTable

__all__ = ["COLUMNS", "PlainUsersExplorer", "show_user"]

COLUMNS = {
    "user_id": "ID",
    "display_name": "Name",
    "email": "Email",
    "org_unit_name": "Org unit",
    "position_name": "Position",
    "state": "State",
}
PLAIN = "With pandas this table also has filters, other columns, files to save, and a form for several users."


class PlainUsersExplorer(ExplorerBox):
    """The users explorer of the panel where pandas is missing; see `svckit.widgets.UsersExplorer`.

    Args:
        svc: a session.

    Attributes:
        table: the users, a `svckit.widgets.table.plain_table.PlainTable`.
        record: the record of the selected user.
        form: the form that changes the selected user; None unless :meth:`change` opened it.

    Examples:
        >>> import svckit
        >>> explorer = PlainUsersExplorer(svckit.connect(now="2026-06-01T09:00:00+09:00"))
        >>> explorer.table.search("finance")
        >>> explorer.table.select("u-005")
        >>> explorer.change()
        >>> explorer.form.enter("nick_name", "Mina")
        >>> explorer.form.submit()
        >>> explorer.table.selected_record["nickName"]
        'Mina'
        >>> explorer.close()
    """

    head = None
    form: ExplorerUserForm | None = None

    def __init__(self, svc: Session) -> None:
        check_session(svc, "UsersExplorer")
        self.svc = svc
        self.record: RecordView = RecordView(
            hint="Select a user to see the record.", change=self._toggle_form
        )
        self.table: PlainTable = PlainTable(
            self._read(),
            COLUMNS,
            key="user_id",
            caption="Users",
            badge=find_badge(svc),
            note=" ".join(filter(None, (svc.listing_note, PLAIN))),
            on_refresh=self.refresh,
        )
        self.table.layout.flex, self.record.layout.flex = "3 1 46em", "1 1 21em"
        self.table.observe(self._show_record, "selected")
        super().__init__(
            [self.table, self.record],
            classes=("svckit-with-record",),
            flex_flow="row wrap",
            align_items="flex-start",
        )

    def change(self) -> None:
        """Show the form that changes the selected user, if there is one."""
        user = self.table.selected
        if self.form is None and user is not None:
            self.form = ExplorerUserForm(self.svc, user)
            self.form.layout.flex = "1 1 100%"
            self.form.observe(self._follow_form, "view")
            self.children: tuple[Any, ...] = (self.table, self.record, self.form)

    def close_form(self) -> None:
        """Close the form."""
        form, self.form = self.form, None
        if form is not None:
            self.children = (self.table, self.record)
            form.close()

    def refresh(self) -> None:
        """Show what has changed since."""
        self.table.replace(self._read())
        self._show_record()

    def _read(self) -> list[dict[str, Any]]:
        return [describe_user(record) for record in self.svc.records("users")]

    def _toggle_form(self) -> None:
        if self.form is None:
            self.change()
        else:
            self.close_form()
        self._show_record()

    def _follow_form(self, change: Mapping[str, Any]) -> None:
        old, new = change["old"], change["new"]
        if new["outcome"] and any(new[name] != old[name] for name in ("outcome", "changes")):
            self.refresh()

    def _show_record(self, _change: object = None) -> None:
        key = self.table.selected
        if self.form is not None and self.form.user_id != key:
            self.close_form()
        record = None if key is None else self.svc.user_record(key)
        show_user(self.record, record, str(key), changing=self.form is not None)


def show_user(view: RecordView, record: Mapping[str, Any] | None, key: str, *, changing: bool) -> None:
    """Show a user's record, with a head of what matters most; None clears the view."""
    if record is None:
        view.clear()
        return
    shown = describe_user(record)
    places = filter(None, (shown["orgUnitName"], shown["positionName"]))
    view.show(
        record,
        title=shown["displayName"] or key,
        key=key,
        order=User.field_groups,
        about=(record.get("email") or "", " · ".join(places)),
        state=shown["state"],
        changing=changing,
    )


def describe_user(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a user's record with the derived columns of a table.

    Examples:
        >>> unit = {"primary": True, "orgUnitName": "Sales", "positionName": "Lead"}
        >>> user = describe_user({"organizations": [{"primary": True, "orgUnits": [unit]}]})
        >>> user["orgUnitName"], user["positionName"], user["state"]
        ('Sales', 'Lead', 'active')
    """
    unit = find_primary((find_primary(record.get("organizations")) or {}).get("orgUnits")) or {}
    places = {name: unit.get(name) for name in ("orgUnitName", "positionName")}
    return {**record, "displayName": display_name(record), "state": find_state(record), **places}


def find_primary(places: list[dict[str, Any]] | None) -> dict[str, Any] | None:
    """Return the primary one of a user's organizations or org units, else the first; None without one."""
    listed = [place for place in places or () if place]
    return next((place for place in listed if place.get("primary")), listed[0] if listed else None)
