"""The engine of a form: entries, problems and the exact request preview, without a widget."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic_core import to_json

from svckit.display.masking import mask
from svckit.errors import InvalidInput
from svckit.http.explain import explain
from svckit.http.messages import Operation
from svckit.http.python_calls import write_python
from svckit.models.base import wire_name
from svckit.models.fields import FieldSpec
from svckit.models.phrases import describe_given
from svckit.models.problems import Problem
from svckit.profiles.profiles import Profile
from svckit.widgets.base.folding import fold, fold_words
from svckit.widgets.base.labels import full_label, label
from svckit.widgets.form.entry import STATES, FormField, State, list_values

__all__ = ["Check", "FormModel"]

Values = Mapping[str, Any]
_STEP = re.compile(r"\[([0-9]+)\]|\.?([^.\[\]]+)")
"""A step of a path: the number of an item, or the name of a field."""


class Check(NamedTuple):
    """The result of a form's check.

    Attributes:
        problems: the problems, by path.
        code: the request as ``Python``, the svckit call that sends it, as ``curl``, with the access token
            ``$ACCESS_TOKEN``, and its body as ``JSON``, where text that looks like a secret is masked, as in
            ``svckit.explain``; empty if there are problems.
    """

    problems: tuple[Problem, ...]
    code: tuple[tuple[str, str], ...] = ()


class FormModel:
    """Fields to leave, set or clear, for an operation that takes them as keywords.

    A path names a field: ``nick_name``, ``user_name.last_name``, ``organizations[0].org_units[1].position_id``.

    Args:
        fields: the field table; see `svckit.models.fields`.
        operation: makes the operation from the values. Its own checks are the form's, and its request is the
            preview.
        on: the profile whose URLs the preview shows.

    Attributes:
        query: what the shown fields are searched for.
        record: the record that the fields are filled from, with wire names; empty if it is unknown.

    Examples:
        >>> from svckit.models import UserChange
        >>> from svckit.models.fields import list_fields
        >>> from svckit.operations import users
        >>> form = FormModel(list_fields(UserChange), lambda values: users.update("u-001", **values))
        >>> form.enter("nick_name", "Mina")
        >>> form.set_state("task", "clear")
        >>> form.values()
        {'nick_name': 'Mina', 'task': None}
        >>> form.enter("nick_name", "M" * 101)
        >>> print(*form.check().problems)
        Nick name must have at most 100 characters; given 101 characters, "MMMMMM...…"
    """

    def __init__(
        self,
        fields: Iterable[FieldSpec],
        operation: Callable[[Values], Operation[Any]],
        *,
        on: Profile | None = None,
    ) -> None:
        self.fields: tuple[FieldSpec, ...] = tuple(fields)
        self.operation = operation
        self.on = on
        self.query = ""
        self.record: Mapping[str, Any] = {}
        self._held: dict[str, Any] = {}  # the values as the record has them, to tell what was edited
        self.entries: dict[str, FormField] = {}
        self.reset()

    def reset(self) -> None:
        """Discard all entries, and show the record's values again."""
        self.entries = {field.name: self._fill(field) for field in self.fields}
        self._held = {name: self._value(name) for name in self.entries if self.record}

    def prefill(self, record: Mapping[str, Any]) -> None:
        """Fill the fields from a record, with wire names; edited fields stay as they are.

        Examples:
            >>> from svckit.models import UserChange
            >>> from svckit.models.fields import list_fields
            >>> from svckit.operations import users
            >>> form = FormModel(list_fields(UserChange), lambda values: users.update("u-001", **values))
            >>> form.prefill({"userName": {"lastName": "Sato", "firstName": "Mina"}, "task": "Sales"})
            >>> form.enter("user_name.last_name", "Ito")
            >>> form.enter("task", "Sales")
            >>> form.values()
            {'user_name': {'last_name': 'Ito', 'first_name': 'Mina'}}
        """
        edited = {name: self.entries[name] for name in self.values()}
        self.record = record
        self.reset()
        self.entries |= edited

    def entry(self, path: str) -> FormField:
        """Return the field at a path.

        Raises:
            KeyError: there is no such field.
        """
        found: FormField | None = None
        for index, name in _STEP.findall(path):
            if found is None:
                found = self.entries.get(name)
            elif name:
                found = found.parts.get(name)
            else:
                found = found.items[int(index)] if int(index) < len(found.items) else None
            if found is None:
                break
        # A path that is not made of steps only, such as "a..b", names no field.
        if found is None or "".join(match[0] for match in _STEP.finditer(path)) != path:
            raise KeyError(f"the form has no field {path!r}; it has {', '.join(self.entries)}")
        return found

    def enter(self, path: str, text: str) -> None:
        """Type text into a field, which sets the field and its parents.

        Raises:
            KeyError: there is no such field.
            ValueError: the field is an object or a list, which has fields of its own, or the value is not text.
        """
        entry = self.entry(path)
        if not entry.is_typed:
            kind = "object" if entry.spec.kind == "object" else "array"
            raise ValueError(f"{path} is an {kind}: type into the fields in it")
        if not isinstance(text, str):
            raise ValueError(f"{path} takes text; given {describe_given(text)}")
        self._set(path)
        entry.enter(text)

    def set_state(self, path: str, state: State) -> None:
        """Leave a field as it is, set it, or clear it. A left field shows the record's value again.

        Raises:
            KeyError: there is no such field.
            ValueError: the field cannot have that state; the message has the possible states.
        """
        entry = self.entry(path)
        if state not in entry.states:
            can = " or ".join(entry.states)
            why = ": it cannot be null" if state == "clear" else ""
            raise ValueError(f"{path} can be {can}; given {state!r}{why if state in STATES else ''}")
        if path in self.entries and state == "leave":
            self.entries[path] = self._fill(entry.spec)
            return
        self._set(path)
        entry.state = state

    def add(self, path: str) -> None:
        """Add an item to a list, which sets it.

        Raises:
            ValueError: the field is not a list.
        """
        entry = self.entry(path)
        if entry.spec.kind != "list":
            raise ValueError(f"{path} is not a list, so nothing can be added to it")
        self._set(path)
        entry.add()

    def remove(self, path: str) -> None:
        """Remove an item from its list, which sets it."""
        entry = self.entry(path)
        if not entry.is_item:
            raise ValueError(f"{path} is not an item of a list; leave it out instead")
        self._set(path)
        self.entry(path.rpartition("[")[0]).items.remove(entry)

    def values(self) -> dict[str, Any]:
        """Return the fields that are set or cleared, by Python name, without those as in the record."""
        return {
            name: value
            for name, value in list_values(self.entries).items()
            if name not in self._held or repr(value) != repr(self._held[name])  # 1 == True, but not in JSON
        }

    @property
    def is_empty(self) -> bool:
        """True if no field is set or cleared."""
        return not self.values()

    def check(self) -> Check:
        """Check the form with the operation's own checks; return all problems, or the request."""
        values = self.values()
        missing = [
            Problem(name, f"{label(name)} is required")
            for name, entry in self.entries.items()
            if entry.spec.required and name not in values
        ]
        if missing:
            return Check(tuple(missing))
        try:
            request = self.operation(values)
            call = next(request)
            request.close()
            # An explanation truncates a long body; the preview has the whole.
            shown = explain(self.operation(values), on=self.on).requests[0].with_json(call.json)
        except InvalidInput as wrong:
            found = [self._add_label(problem) for problem in wrong.problems]
            return Check(tuple(found) or (Problem("", str(wrong)),))
        body = mask(to_json(call.json, indent=2).decode())
        return Check((), (("Python", write_python(shown)), ("curl", shown.curl), ("JSON", body)))

    def walk(self) -> Iterator[tuple[str, int, FormField]]:
        """Yield the visible fields with their paths and nesting depths."""
        for name, entry in self.entries.items():
            yield from entry.walk(name)

    def shown(self, also: Iterable[str] = ()) -> Iterator[tuple[str, int, FormField]]:
        """Yield the visible fields that match the query by label, name or help, and others, with those around them."""
        words = fold_words(self.query)
        texts = {path: fold(f"{full_label(path)} {path} {entry.spec.help}") for path, _, entry in self.walk()}
        found = {path for path, text in texts.items() if all(word in text for word in words)} | set(also)
        for path, depth, entry in self.walk():
            if path in found or any(wrong_path.startswith((f"{path}.", f"{path}[")) for wrong_path in found):
                yield path, depth, entry

    def nearest(self, path: str) -> str:
        """Return the path of a visible field: this one or its nearest visible parent; else empty text.

        Examples:
            >>> from svckit.models import UserChange
            >>> from svckit.models.fields import list_fields
            >>> from svckit.operations import users
            >>> model = FormModel(list_fields(UserChange), lambda values: users.update("u-001", **values))
            >>> model.nearest("custom_properties.Rank"), model.nearest("shoe_size")
            ('custom_properties', '')
        """
        there = {path for path, _, _ in self.walk()}
        ends = [*(mark.start() for mark in re.finditer(r"[.\[]", path)), len(path)]
        return next((path[:end] for end in reversed(ends) if path[:end] in there), "")

    def _add_label(self, problem: Problem) -> Problem:
        """Replace the field's name in a problem with its label in the form."""
        path, message = problem.path, problem.message
        if path and path == self.nearest(path) and message.startswith(path):
            message = full_label(path) + message.removeprefix(path)
        return Problem(path, message)

    def _fill(self, field: FieldSpec) -> FormField:
        """Return a field with the record's value, if known."""
        entry = FormField(field)
        known = self.record.get(wire_name(field.name))
        if known is not None:
            entry.fill(known)
        return entry

    def _value(self, name: str) -> Any:
        """Return the record's value of a field as the form would send it."""
        return None if self.record.get(wire_name(name)) is None else self.entries[name].value()

    def _set(self, path: str) -> None:
        """Set a field and its parents."""
        marks = [mark.start() for mark in re.finditer(r"[.\[]", path)]
        for end in (*marks, len(path)):
            self.entry(path[:end]).state = "set"
