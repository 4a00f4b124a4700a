"""The data of a form's renderings."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, tzinfo
from typing import Any, Final

from svckit.display.masking import mask
from svckit.edits.changes import UserEdit, diff_field, format_value
from svckit.models.fields import FieldSpec
from svckit.widgets.base.labels import full_label, label
from svckit.widgets.form.entry import FormField
from svckit.widgets.form.model import FormModel

__all__ = ["describe_changes", "describe_state", "in_groups", "list_entries", "view_field"]

LONG: Final = 150
"""A text that may be longer gets several lines."""


def view_field(
    path: str,
    depth: int,
    entry: FormField,
    *,
    changed: Collection[str],
    known: bool,
    problem: str,
    zone: tzinfo | None,
) -> dict[str, Any]:
    """Return the data of one field; its limits are shown only in problems, and a time in the zone."""
    spec, cleared = entry.spec, entry.state == "clear"
    local = _in_zone(entry.text, zone) if spec.kind == "time" else None
    return {
        "path": path,
        "list": path.rpartition("[")[0],
        "depth": depth,
        "label": label(path),
        "name": full_label(path),
        "group": spec.group,
        "kind": spec.kind,
        "typed": entry.is_typed,
        "type": "datetime-local" if local is not None else "date" if spec.kind == "date" else "text",
        "options": _list_options(spec),
        "rows": 2 if spec.kind == "json" or (spec.kind == "text" and (spec.most or 0) > LONG) else 0,
        "help": spec.help,
        "hint": "null" if cleared and entry.is_edited else spec.meaning if spec.kind == "time" else "",
        "state": entry.state,
        "item": entry.is_item,
        "text": "" if cleared else entry.text if local is None else local,
        "edited": entry.is_edited or path in changed,
        "clears": "clear" in entry.states and not cleared and (entry.has_content or not known),
        "reverts": not depth and "leave" in entry.states and entry.state != "leave",
        "problem": problem,
    }


def _in_zone(text: str, zone: tzinfo | None) -> str | None:
    """Return a time as a picker of times has it; None if it is not one."""
    try:
        at = datetime.fromisoformat(text) if text else None
        return "" if at is None else at.astimezone(zone).isoformat()[:19] if at.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _list_options(spec: FieldSpec) -> tuple[str, ...]:
    given = ("yes", "no") if spec.kind == "flag" else spec.choices
    return ("", *given) if given else ()


def in_groups(fields: Iterable[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Split fields into groups; those in another field are in its group."""
    groups: list[tuple[str, list[dict[str, Any]]]] = []
    for field in fields:
        if not groups or not (field["depth"] or field["group"] == groups[-1][0]):
            groups.append((field["group"], []))
        groups[-1][1].append(field)
    return groups


def describe_state(changed: Collection[str], pending: Iterable[str], wrong: Collection[str]) -> str:
    """Return the status of a form that was not sent yet.

    Examples:
        >>> describe_state(["task"], [], ["task"])
        '1 to correct before it can be sent'
    """
    required = ", ".join(pending)
    if wrong:
        return f"{len(wrong)} to correct before it can be sent"
    if required:
        return f"Required: {required}"
    return "Not sent yet" if changed else "Nothing to send: edit a field"


def list_entries(model: FormModel) -> Iterator[tuple[str, str]]:
    """Yield the fields that will be sent, as labels and values; of nested ones, the edited parts."""
    for name, value in model.values().items():
        edited = [(path, part) for path, _, part in model.entries[name].walk(name) if part.is_edited]
        for path, part in edited:
            yield full_label(path), "null" if part.state == "clear" else mask(part.text)
        if not edited:
            yield label(name), mask(format_value(value))


def describe_changes(changes: Iterable[UserEdit]) -> list[tuple[str, str, str]]:
    """Return the changes as labels with the values before and after, nested ones part by part.

    Examples:
        >>> from svckit.edits import UserEdit
        >>> names = {"lastName": "Sato", "firstName": "Ken"}, {"lastName": "Ito", "firstName": "Ken"}
        >>> before, after = ({"user_name": name, "task": task} for name, task in zip(names, ("Sales", None)))
        >>> describe_changes([UserEdit("u-001", before, after)])
        [('User name, Last name', 'Sato', 'Ito'), ('Task', 'Sales', '–')]
    """
    return [
        (full_label(path), _format(before), _format(after))
        for edit in changes
        for name, value in edit.after.items()
        for path, before, after in diff_field(name, edit.before[name], value, longest=0)
    ]


def _format(value: Any) -> str:
    return "–" if value is None else mask(value if isinstance(value, str) else format_value(value))
