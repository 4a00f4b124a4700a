"""The edited fields of one user, and their comparison with the record that was read."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from svckit.display.normal_form import compose
from svckit.edits.changes import UserEdit
from svckit.edits.sheet import name_field
from svckit.errors import InvalidInput
from svckit.models.base import python_name, wire_name
from svckit.models.problems import Problem
from svckit.models.user import User, UserChange
from svckit.operations import checks
from svckit.operations.users import WRITABLE, explain_unknown

__all__ = ["EditedRow", "compare_fields"]

Record = Mapping[str, Any]
BARE: Mapping[str, Any] = {"domainId": 0, "email": "", "userName": {}}  # required in every record
WAITING = "is sent as a whole, so its other edits wait until the problem is fixed"
_ANY: TypeAdapter[Any] = TypeAdapter(Any, config=ConfigDict(ser_json_inf_nan="constants"))


@dataclass(slots=True)
class EditedRow:
    """The edits of one user.

    Attributes:
        user_id: the user.
        values: the complete values of edited fields, by Python name.
        drafts: the complete values of nested fields with an edited part, by Python name.
        cells: how many parts of each nested field are edited.
        refused: the nested fields with a part that is not possible; no part of them is sent without the others.
        problems: the edits that are not possible.
        notices: the cells that a spreadsheet or an encoding has changed; their values are kept.
    """

    user_id: str
    values: dict[str, Any] = field(default_factory=dict)
    drafts: dict[str, Any] = field(default_factory=dict)
    cells: Counter[str] = field(default_factory=Counter)
    refused: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    notices: list[Problem] = field(default_factory=list)

    def refuse(self, column: str, why: str, given: object = None, *, part_of: str = "") -> None:
        """Note why an edit is not possible, and the nested field that is not sent for it."""
        self.problems.append(self._describe(column, why, given))
        self.refused.add(part_of)

    def keep(self, column: str, why: str, given: object) -> None:
        """Note why a cell is not an edit, although it differs."""
        self.notices.append(self._describe(column, why, given))

    def _describe(self, column: str, why: str, given: object) -> Problem:
        shown = None if given is None else str(given)
        return Problem(f"{self.user_id}.{column}", f"{self.user_id}: {column} {why}", shown)

    def merge_drafts(self) -> "EditedRow":
        """Move the drafts to the values, and return the row."""
        for name, draft in self.drafts.items():
            if name in self.values:
                self.refuse(
                    name, "is edited as a whole and in a column for a part of it; edit only one of them"
                )
                del self.values[name]
            elif name in self.refused:
                self.refuse(name, WAITING)
            else:
                self.values[name] = draft or None if name == "messenger" else draft
        return self

    def explain_waiting(self) -> None:
        """Note which parts of nested fields are not sent because the comparison found a problem with others."""
        wrong = Counter(name_field(problem.path, self.user_id) for problem in self.problems)
        for name in self.values:
            if self.cells[name] > wrong[name] > 0:
                self.refuse(name, WAITING)


def compare_fields(
    user_id: str, before: Record, values: Mapping[str, Any]
) -> tuple[UserEdit | None, list[Problem]]:
    """Return the changes that give a user's fields these values.

    Args:
        user_id: the user.
        before: the record that was read, with wire names.
        values: complete values of fields, by Python or wire name; an absent field is not changed.

    Returns:
        The edit, ``None`` without differences, and all its problems.
    """
    wanted, problems = {}, []
    for given, value in values.items():
        name, plain = python_name(given), _plain(value)
        if _compose_texts(plain) == _compose_texts(before.get(wire_name(name))) or name == "user_id":
            continue
        if name in WRITABLE:
            wanted[name] = plain
        else:
            problems.append(explain_unknown(given))
    try:
        after = checks.validate(UserChange, wanted, operation="users.diff") if wanted else {}
    except InvalidInput as wrong:
        problems += [problem for problem in wrong.problems if isinstance(problem, Problem)]
        bad = {python_name(problem.field) for problem in problems}
        good = {name: value for name, value in wanted.items() if name not in bad}
        edit, more = compare_fields(user_id, before, good) if len(good) < len(wanted) else (None, [])
        return edit, [*_of_user(user_id, problems), *more]
    differing = {}
    for wire, value in after.items():
        name = python_name(wire)
        if _differs(wire, value, before):
            differing[name] = value
        elif _contradicts(_with_read_only(name, wanted[name]), _with_read_only(name, before.get(wire))):
            problems.append(Problem(name, f"{name}: the difference is read-only, only the service writes it"))
    problems = _of_user(user_id, problems)
    ordered = {name: differing[name] for name in WRITABLE if name in differing}
    if not ordered:
        return None, problems
    return UserEdit(user_id, {name: before.get(wire_name(name)) for name in ordered}, ordered), problems


def _of_user(user_id: str, problems: list[Problem]) -> list[Problem]:
    return [replace(p, path=f"{user_id}.{p.path}", message=f"{user_id}: {p.message}") for p in problems]


def _compose_texts(value: Any) -> Any:
    """Return a value with its texts composed (NFC): they look the same as decomposed, and name the same."""
    match value:
        case str():
            return compose(value)
        case list():
            return [_compose_texts(item) for item in value]
        case dict():
            return {name: _compose_texts(item) for name, item in value.items()}
        case _:
            return value


def _differs(name: str, value: Any, before: Record) -> bool:
    """Return whether a field has another meaning than before; the same instant at another offset has not."""
    given = UserChange.from_response({name: value})
    try:
        held = UserChange.from_response({name: before[name]} if name in before else {})
    except ValidationError:  # the service may hold values that it would not accept
        return True
    return bool(getattr(given, python_name(name)) != getattr(held, python_name(name)))


def _contradicts(given: Any, held: Any) -> bool:
    """Return whether a value contradicts the held one; omitted parts do not."""
    if isinstance(given, dict) and isinstance(held, dict):
        return any(_contradicts(value, held.get(name)) for name, value in given.items())
    if isinstance(given, list) and isinstance(held, list) and len(given) == len(held):
        return any(map(_contradicts, given, held))
    return bool(given != held)


def _with_read_only(name: str, value: Any) -> Any:
    """Return the plain value of a field, including its read-only parts."""
    try:
        return _plain(getattr(User.from_response({**BARE, wire_name(name): value}), name))
    except ValidationError:
        return None


def _plain(value: Any) -> Any:
    """Convert a value to its wire form, except for dates, which have a format of their own."""
    if value is None or isinstance(value, str | int | date):
        return value
    try:
        return _ANY.dump_python(value, mode="json", by_alias=True, exclude_unset=True)
    except PydanticSerializationError:
        return value  # not JSON; the check of the field reports it
