"""The data of a form's renderings."""

from collections.abc import Iterator
from typing import Any

from svckit.display.masking import mask
from svckit.edits.changes import Changes, diff_field, format_value
from svckit.widgets.base.labels import full_label, label
from svckit.widgets.form.entry import FormField
from svckit.widgets.form.model import FormModel

__all__ = ["describe_changes", "list_entries", "view_field"]


def view_field(path: str, depth: int, entry: FormField, problem: str) -> dict[str, Any]:
    """Return the data of one field; its limits are shown only in problems."""
    spec = entry.spec
    count = len(entry.text) if spec.kind == "text" else len(entry.items)
    return {
        "path": path,
        "depth": depth,
        "group": spec.group,
        "label": label(path),
        "name": full_label(path),
        "kind": spec.kind,
        "help": spec.help,
        "state": entry.state,
        "states": entry.states,
        "item": entry.is_item,
        "text": entry.text,
        "edited": entry.is_edited,
        "choices": spec.choices,
        "counted": spec.kind in ("text", "list") and spec.most is not None and count > spec.most,
        "count": count,
        "most": spec.most,
        "problem": problem,
    }


def list_entries(model: FormModel) -> Iterator[tuple[str, str]]:
    """Yield the fields that will be sent, as labels and values; of nested ones, the edited parts."""
    for name, value in model.values().items():
        edited = [(path, part) for path, _, part in model.entries[name].walk(name) if part.is_edited]
        for path, part in edited:
            yield full_label(path), "null" if part.state == "clear" else mask(part.text)
        if not edited:
            yield label(name), mask(format_value(value))


def describe_changes(changes: Changes) -> list[tuple[str, str, str]]:
    """Return the changes as labels with the values before and after, nested ones part by part.

    Examples:
        >>> from svckit.edits import UserEdit
        >>> names = {"lastName": "Sato", "firstName": "Ken"}, {"lastName": "Ito", "firstName": "Ken"}
        >>> before, after = ({"user_name": each, "task": task} for each, task in zip(names, ("Sales", None)))
        >>> describe_changes(Changes([UserEdit("u-001", before, after)]))
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
