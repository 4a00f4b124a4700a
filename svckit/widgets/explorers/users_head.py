"""The head of the users explorer: it refreshes the users of a session and reads more of them by ID."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from svckit.errors import InvalidInput, NotFound
from svckit.session.session import Session
from svckit.widgets.base.assets import style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.form.model import FormModel
from svckit.widgets.table.model import TableModel

__all__ = ["UsersDraft", "UsersHead"]

BETWEEN = re.compile(r"[\s,;\u3001\uff0c\uff1b]+")
"""Separators between pasted IDs, including Japanese ones."""

MAX_IDS = 100


@dataclass(frozen=True, slots=True)
class UsersDraft:
    """The text typed, each user's form draft, the user being changed, and the state of the table."""

    pasted: str = ""
    table: TableModel | None = None
    changing: str = ""
    typed: Mapping[str, FormModel] = field(default_factory=dict)


class ListedUsers(Protocol):
    """The users that a head controls."""

    def refresh(self) -> None:
        """Show the users the session knows now."""

    def select(self, user_id: str | None) -> None:
        """Select a user."""

    def collect(self) -> None:
        """Show the progress of the reading or its result."""

    def stop(self) -> None:
        """Stop reading."""

    def toggle_bulk_edit(self) -> None:
        """Show or close the form that changes all selected users."""


class UsersHead(Explorer[UsersDraft]):
    """A field for the IDs of users to read if the service cannot list them; a part of ``UsersExplorer``.

    Args:
        svc: the session.
        users: the users shown below.

    Attributes:
        reading: the number of users read so far while there are more to read, or None.
        selected: how many users are selected in the table.
        changing: whether the form that changes all of them is open.
    """

    _css = style("explorers/explorer.css", "explorers/users_head.css")
    template = "widgets/explorers/users.html"
    make_draft = UsersDraft

    def __init__(self, svc: Session, users: ListedUsers) -> None:
        self._users = users
        self.reading: int | None = None
        self.selected, self.changing = 0, False
        super().__init__(svc)

    @clear_error
    def write(self, text: str) -> None:
        """Fill in an ID without reading the user yet."""
        self._keep(replace(self.draft, pasted=text))

    def keep_table(self, table: TableModel) -> None:
        """Keep the state of the table."""
        self._remember(replace(self.draft, table=table))

    def keep_form(self, user_id: str, typed: FormModel | None = None) -> None:
        """Keep the user whose form is open, if any, and its draft."""
        also = {} if typed is None else {user_id: typed}
        self._remember(replace(self.draft, changing=user_id, typed={**self.draft.typed, **also}))

    def _remember(self, draft: UsersDraft) -> None:
        self.draft = self._drafts[self.svc][self.template] = draft

    @clear_error
    def read(self) -> None:
        """Read the users with the typed IDs, one by one, with updates without fields, which change nothing.

        IDs are separated by blanks, commas, semicolons or line breaks. Other users are read even if one is not found.

        Raises:
            InvalidInput: no ID was typed, or more than 100.
            NotFound: no such user.
            LookupError: some of several users could not be read; the message names them.
        """
        ids = list(dict.fromkeys(each for each in BETWEEN.split(self.draft.pasted) if each))
        if not ids:
            raise InvalidInput("no user was read: enter a user ID, a login e-mail or externalKey:<key>")
        if len(ids) > MAX_IDS:
            raise InvalidInput(f"no user was read: enter at most {MAX_IDS} IDs at a time; given {len(ids)}")
        read, failed = [], dict[str, Exception]()
        try:
            for each in ids:
                try:
                    read.append(self.svc.users.read(each).user_id)
                except (NotFound, InvalidInput) as error:
                    failed[each] = error
        finally:
            if read:
                self._users.refresh()
                self._users.select(read[0])
        if failed and len(ids) == 1:
            raise failed[ids[0]]
        if failed:
            why = "; ".join(f"{each}: {_explain(error)}" for each, error in failed.items())
            raise LookupError(f"{len(read)} of {len(ids)} users were read; failed: {why}")

    @clear_error
    def refresh(self) -> None:
        """Show the users the session knows now."""
        self._users.refresh()

    def show_reading(self, count: int | None) -> None:
        """Show the number of users read so far, or None if the reading has finished."""
        self.reading = count
        self._show()

    def show_selection(self, count: int, *, changing: bool) -> None:
        """Show how many users are selected, and whether the form that changes them is open."""
        self.selected, self.changing = count, changing
        self._show()

    def toggle_bulk_edit(self) -> None:
        """Show or close the form that changes all selected users."""
        self._users.toggle_bulk_edit()

    def stop(self) -> None:
        """Stop reading users."""
        self._users.stop()

    def _refresh(self) -> None:
        """Show the progress of the reading or its result."""
        self._users.collect()

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Handle a message from the browser."""
        match content:
            case {"do": "write", "field": "pasted", "text": str(text)}:
                self.write(text)
            case {"do": "refresh" | "read" | "stop" | "toggle_bulk_edit" as step}:
                getattr(self, step)()
            case _:
                raise ValueError(f"a users explorer does not understand {content!r}")

    def _view(self) -> dict[str, Any]:
        """Return the data for the live view."""
        return {
            "badge": self.badge,
            "pasted": self.draft.pasted,
            "reads": self.svc.listing_note is not None,
            "watched": self.reading is not None,
            "reading": "" if self.reading is None else self._describe_reading(self.reading),
            "done": self.reading,
            "total": self._total,
            "selected": self.selected,
            "changing": self.changing,
        }

    @property
    def _total(self) -> int:
        """The number of users, which only an in-process fake knows, or else 0."""
        return 0 if self.svc.fake is None else len(self.svc.fake.directory)

    def _describe_reading(self, count: int) -> str:
        of = f" of {self._total:,}" if self._total else ""
        return f"Reading users: {count:,}{of}"


def _explain(error: Exception) -> str:
    return "no such user" if isinstance(error, NotFound) else str(error)
