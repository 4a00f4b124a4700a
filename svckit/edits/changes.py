"""The changes that apply edits to the users of a service."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, overload

from svckit.display.card import quantity, render_table
from svckit.display.terminal import on_one_line
from svckit.edits.sheet import Sheet, list_owners, name_field
from svckit.errors import InvalidInput
from svckit.extras import needing
from svckit.models.base import wire_name
from svckit.models.problems import Problem, join_problems
from svckit.models.user_parts import Messenger, OrgUnitChange, UserName, UserOrganizationChange

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Changes", "UserEdit", "diff_field", "format_value"]


ROWS = 20
LONGEST_CELL = 48
BIRTHDAY = frozenset({"birthday", "birthday_calendar_type"})  # a day means nothing without its calendar
WRITABLE = frozenset().union(
    *(part.wire_names() for part in (UserOrganizationChange, OrgUnitChange, Messenger, UserName))
)


@dataclass(frozen=True, slots=True)
class UserEdit:
    """The changes of one user.

    Attributes:
        user_id: the user.
        before: the original values of the changed fields, by Python name: JSON values, ``None`` if absent.
        after: their new values; ``None`` clears.
    """

    user_id: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    @property
    def body(self) -> dict[str, Any]:
        """The request body: the new values by wire name."""
        return {wire_name(name): value for name, value in self.after.items()}


class Changes(Sequence[UserEdit]):
    """Minimal changes, one `UserEdit` per user, in the order of the users; made by ``svc.users.diff``.

    Attributes:
        problems: the edits that cannot be sent. As long as there are any, nothing is applied, unless they are skipped.
        notices: the cells of a sheet that a spreadsheet or an encoding has changed, such as numbers without their
            leading zeros; they are not edits, and the values of the records are kept.
        sheet: the sheet that the edits were read from, if they were.

    Examples:
        >>> Changes([UserEdit("u-001", {"nick_name": "Hana", "task": "Sales"}, {"nick_name": "Mina", "task": None})])
        Changes: 2 fields of 1 user
          user_id  field      before   after
          u-001    nick_name  "Hana"   "Mina"
                   task       "Sales"  null
    """

    def __init__(
        self,
        edits: Iterable[UserEdit] = (),
        problems: Iterable[Problem] = (),
        *,
        notices: Iterable[Problem] = (),
        sheet: Sheet | None = None,
    ) -> None:
        self._edits = tuple(edits)
        self.problems: tuple[Problem, ...] = tuple(problems)
        self.notices: tuple[Problem, ...] = tuple(notices)
        self.sheet = sheet

    def raise_for_problems(self, prefix: str = "") -> None:
        """Raise an error if there are problems.

        Raises:
            InvalidInput: there are problems; the message lists them after ``prefix``.
        """
        if self.problems:
            raise InvalidInput(f"{prefix}{join_problems(self.problems)}", self.problems)

    def select(self, edits: Iterable[UserEdit]) -> "Changes":
        """Return some of the edits as changes, with all problems."""
        return Changes(edits, self.problems, notices=self.notices, sheet=self.sheet)

    @property
    def sendable(self) -> "Changes":
        """The changes without the fields that have a problem, and without the users who have one as a whole."""
        bad: dict[str, set[str]] = {}
        for problem in self.problems:
            for owner in list_owners(problem.path):
                bad.setdefault(owner, set()).add(name_field(problem.path, owner))
        left = (_leave_out(bad.get(edit.user_id, frozenset()), edit) for edit in self)
        some = self.select(edit for edit in left if edit.after)
        some.problems = ()
        return some

    def problems_frame(self) -> "pd.DataFrame":
        """Return a row per problem: ``row`` of the sheet, ``user_id``, ``column``, ``value``, ``limit``, ``problem``.

        The column is the heading in the sheet. Without a sheet, the row is missing.

        Examples:
            >>> import svckit
            >>> from io import StringIO
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> people = svckit.frames.read_users(StringIO("user_id,telephone\\nu-002,none\\n"))
            >>> svc.users.diff(people).problems_frame()[["row", "user_id", "column", "value"]]
               row user_id     column   value
            0    2   u-002  telephone  "none"
        """
        with needing("problems_frame()"):
            import pandas as pd

        known = self.sheet or Sheet({owner: () for edit in self for owner in [edit.user_id]}, {})
        nameless = iter(known.rows.get(str(None), ()))
        rows: list[tuple[Any, ...]] = []
        for problem in self.problems:
            user, places, column = known.locate(problem.path)
            limit = None if problem.limit is None else str(problem.limit)
            if problem.path.startswith("["):  # a row without a user
                places = list(islice(nameless, 1))
            rows += [
                (row, user or None, column, problem.given, limit, problem.message)
                for row in places or (None,)
            ]
        names = ["row", "user_id", "column", "value", "limit", "problem"]
        frame = pd.DataFrame(rows, columns=names, dtype="object")
        return frame.astype({"row": "Int64", **dict.fromkeys(names[1:], "string")})

    def frame(self) -> "pd.DataFrame":
        """Return a row per field: ``user_id``, ``field``, ``before``, ``after``.

        All columns are text; other values are written as JSON, and null is missing.
        """
        with needing("frame()"):
            import pandas as pd

        rows = [
            (edit.user_id, name, _text(edit.before[name]), _text(edit.after[name]))
            for edit in self
            for name in edit.after
        ]
        return pd.DataFrame(rows, columns=["user_id", "field", "before", "after"], dtype="string")

    @overload
    def __getitem__(self, index: int) -> UserEdit: ...
    @overload
    def __getitem__(self, index: slice) -> "Changes": ...
    def __getitem__(self, index: int | slice) -> "UserEdit | Changes":
        """Return one edit, or a slice of them as changes, with all problems."""
        if isinstance(index, slice):
            return self.select(self._edits[index])
        return self._edits[index]

    def __len__(self) -> int:
        return len(self._edits)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Changes):
            return NotImplemented
        return self._edits == other._edits and self.problems == other.problems

    __hash__: ClassVar[None] = None  # type: ignore[assignment] # edited values can be lists

    def __repr__(self) -> str:
        return "\n".join(plain for _, plain in self._tables())

    def _repr_html_(self) -> str:
        return "\n".join(html for html, _ in self._tables())

    def _tables(self) -> list[tuple[str, str]]:
        rows = [
            ("" if number else edit.user_id, path, *_side_by_side(before, after))
            for edit in self
            for number, (path, before, after) in enumerate(
                part for name in edit.after for part in diff_field(name, edit.before[name], edit.after[name])
            )
        ]
        fields = sum(len(edit.after) for edit in self)
        title = f"Changes: {quantity(fields, 'field')} of {quantity(len(self), 'user')}"
        tables = [_table(title, ("user_id", "field", "before", "after"), rows)]
        if self.problems:
            found = f"{quantity(len(self.problems), 'problem')} to fix or skip before anything is applied"
            left = len(self.sendable)
            found += f"; skipping leaves {quantity(left, 'user')} to change" if left else ""
            tables.append(_table_of(found, self.problems))
        if self.notices:
            kept = quantity(len(self.notices), "cell")
            tables.append(_table_of(f"{kept} not edited, but changed by a spreadsheet", self.notices))
        return tables


def _leave_out(fields: Set[str], edit: UserEdit) -> UserEdit:
    """Return an edit without some fields, an empty name standing for all of them."""
    fields = fields | BIRTHDAY if fields & BIRTHDAY else fields
    names = [] if "" in fields else [name for name in edit.after if name not in fields]
    return replace(
        edit,
        before={name: edit.before[name] for name in names},
        after={name: edit.after[name] for name in names},
    )


def diff_field(
    path: str, before: Any, after: Any, longest: int = LONGEST_CELL
) -> Iterator[tuple[str, Any, Any]]:
    """Yield the differences in a field, part by part if it is nested and longer than ``longest``.

    Examples:
        >>> long = "x" * 48
        >>> list(diff_field("messenger", {"protocol": "CUSTOM", "id": long}, {"protocol": "MSGR_A", "id": long}))
        [('messenger.protocol', 'CUSTOM', 'MSGR_A')]
    """
    before = _drop_read_only(before, after)
    parts: list[tuple[str, Any, Any]] = []
    if max(len(_line(before)), len(_line(after))) > longest:
        if isinstance(before, dict) and isinstance(after, dict):
            parts = [(f"{path}.{name}", before.get(name), after.get(name)) for name in {**after, **before}]
        elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
            numbered = enumerate(zip(before, after, strict=True))
            parts = [(f"{path}[{number}]", was, now) for number, (was, now) in numbered]
    found = [difference for part in parts if part[1] != part[2] for difference in diff_field(*part, longest)]
    yield from found or [(path, before, after)]


def _drop_read_only(before: Any, after: Any) -> Any:
    """Remove read-only fields from the old value; they are not sent, so no change has them."""
    if isinstance(before, dict) and isinstance(after, dict):
        known = after.keys() | WRITABLE
        return {
            name: _drop_read_only(value, after.get(name)) for name, value in before.items() if name in known
        }
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [_drop_read_only(was, now) for was, now in zip(before, after, strict=True)]
    return before


def format_value(value: Any) -> str:
    """Format a value as JSON on one line, cut if long."""
    return _cut(_line(value))


def _side_by_side(before: Any, after: Any) -> tuple[str, str]:
    """Format two values, cut so that the difference is visible."""
    was, now = _line(before), _line(after)
    if _cut(was) == _cut(now) and was != now:
        same = next((n for n, (old, new) in enumerate(zip(was, now, strict=False)) if old != new), len(was))
        begin = max(same - LONGEST_CELL // 4, 0)
        was, now = f"…{was[begin:]}", f"…{now[begin:]}"
    return _cut(was), _cut(now)


def _line(value: Any) -> str:
    return on_one_line(json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _table_of(title: str, problems: Iterable[Problem]) -> tuple[str, str]:
    return _table(title, ("where", "what"), [(problem.path, problem.message) for problem in problems])


def _table(title: str, columns: Sequence[str], rows: Sequence[tuple[str, ...]]) -> tuple[str, str]:
    more = len(rows) - ROWS
    rest = [(f"and {more} more", *[""] * (len(columns) - 1))] if more > 0 else []
    return render_table(title, columns, [*rows[:ROWS], *rest])
