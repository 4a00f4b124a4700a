"""What looks again at the users of a session, and reads those that it has not met."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from svckit.errors import InvalidInput, NotFound
from svckit.session.session import Session
from svckit.widgets.base.assets import script, style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.form.model import FormModel
from svckit.widgets.table.model import TableModel

__all__ = ["UsersDraft", "UsersHead"]

BETWEEN = re.compile(r"[\s,;\u3001\uff0c\uff1b]+")
"""What stands between IDs that were pasted, also as one types it in Japanese."""

MOST_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class UsersDraft:
    """What was typed, also into the form of each user, who is being changed, and the table as it was left."""

    pasted: str = ""
    table: TableModel | None = None
    changing: str = ""
    typed: Mapping[str, FormModel] = field(default_factory=dict)


class ListedUsers(Protocol):
    """The users that a head is of."""

    def look(self, user_id: str | None = None) -> None:
        """Show what the session knows now, and select the user of that ID, if one is given."""

    def collect(self) -> None:
        """Take in what was read meanwhile."""

    def stop(self) -> None:
        """Read no more."""


class UsersHead(Explorer[UsersDraft]):
    """A field for the ID of a user to read, where the service cannot list them; a part of ``UsersExplorer``.

    Args:
        svc: the session.
        users: the users that are shown below.

    Attributes:
        reading: how many users were read by now, while there are more to read; else None.
    """

    _esm = script("base/entries.js", "base/succession.js", "explorers/explorer.js", "explorers/users_head.js")
    _css = style("explorers/explorer.css", "explorers/users_head.css")
    template = "users"  # the table beside it has the static face
    make_draft = UsersDraft

    def __init__(self, svc: Session, users: ListedUsers) -> None:
        self._users = users
        self.reading: int | None = None
        super().__init__(svc)

    @clear_error
    def write(self, text: str) -> None:
        """Type an ID, without reading yet."""
        self._keep(replace(self.draft, pasted=text))

    def keep_table(self, table: TableModel) -> None:
        """Keep how the table was left."""
        self._remember(replace(self.draft, table=table))

    def keep_form(self, user_id: str, typed: FormModel | None = None) -> None:
        """Keep whose form is open, if any, and what was typed into it."""
        also = {} if typed is None else {user_id: typed}
        self._remember(replace(self.draft, changing=user_id, typed={**self.draft.typed, **also}))

    def _remember(self, draft: UsersDraft) -> None:
        self.draft = self._drafts[self.svc][self.template] = draft

    @clear_error
    def read(self) -> None:
        """Read the users whose IDs were typed, one after the other, by updates without fields, which change nothing.

        Between IDs stand blanks, commas, semicolons or lines. A user who is not there keeps no other back.

        Raises:
            InvalidInput: nothing was typed, or more than 100 IDs.
            NotFound: there is no such user.
            LookupError: of several, some could not be read; says which.
        """
        ids = list(dict.fromkeys(each for each in BETWEEN.split(self.draft.pasted) if each))
        if not ids:
            raise InvalidInput("nobody was read: type a user ID, a login e-mail or externalKey:<key>")
        if len(ids) > MOST_AT_ONCE:
            raise InvalidInput(
                f"nobody was read: {MOST_AT_ONCE} IDs at a time at most, {len(ids)} were typed"
            )
        read, failed = [], dict[str, Exception]()
        try:
            for each in ids:
                try:
                    read.append(self.svc.users.read(each).user_id)
                except (NotFound, InvalidInput) as wrong:
                    failed[each] = wrong
        finally:
            if read:
                self._users.look(read[0])
        if failed and len(ids) == 1:
            raise failed[ids[0]]
        if failed:
            why = "; ".join(f"{each}: {_reason(wrong)}" for each, wrong in failed.items())
            raise LookupError(f"{len(read)} of {len(ids)} users were read; not read were {why}")

    @clear_error
    def look(self) -> None:
        """Show what the session knows now."""
        self._users.look()

    def show_reading(self, count: int | None) -> None:
        """Show how many users were read by now; with None that none are being read."""
        self.reading = count
        self._show()

    def refresh(self) -> None:
        """Take in what was read meanwhile."""
        self._users.collect()

    def stop(self) -> None:
        """Read no more users."""
        self._users.stop()

    def _html(self) -> str:
        """Nothing: what it does takes a kernel."""
        return ""

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Do what the browser asks for."""
        match content:
            case {"do": "write", "field": "pasted", "text": str(text)}:
                self.write(text)
            case {"do": "look" | "read" | "stop" as step}:
                getattr(self, step)()
            case _:
                raise ValueError(f"a users explorer does not understand {content!r}")

    def _view(self) -> dict[str, Any]:
        """What the browser shows."""
        return {
            "badge": self.badge,
            "pasted": self.draft.pasted,
            "reads": self.svc.listing_note is not None,
            "reading": "" if self.reading is None else self._reading_words(self.reading),
            "done": self.reading or 0,
            "total": self._total,
            "asking": "",
        }

    @property
    def _total(self) -> int:
        """How many users there are, which only a fake in process tells; else 0."""
        return 0 if self.svc.fake is None else len(self.svc.fake.directory)

    def _reading_words(self, count: int) -> str:
        of = f" of {self._total:,}" if self._total else ""
        return f"Reading users: {count:,}{of}"

    def _text(self) -> str:
        return ""


def _reason(wrong: Exception) -> str:
    return "there is no such user" if isinstance(wrong, NotFound) else str(wrong)
