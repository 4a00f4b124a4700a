"""Nulls in fields of a body that do not allow them: refused, or as good as absent."""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from fakes import rulebook
from fakes.http import json_text
from fakes.rulebook.refusing import describe_choices
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules
from svckit.models.base import WireModel

__all__ = ["choose_absent", "describe_absent", "find_nulls"]

Path = tuple[int | str, ...]


def find_nulls(invalid: ValidationError) -> list[Path]:
    """Return the paths of the fields that are null and must not be, from the errors of a body."""
    return [
        error["loc"]
        for error in invalid.errors(include_url=False)
        if error["input"] is None and error["type"] != "missing" and isinstance(error["loc"][-1], str)
    ]


def choose_absent(
    invalid: ValidationError,
    model: type[WireModel],
    sent: dict[str, Any],
    assumptions: Sequence[Rule],
    rules: Rules,
) -> list[Path]:
    """Return the paths of the nulls that count as absent, and note the assumptions that decide it.

    Args:
        invalid: the errors of the body.
        model: the model of the body.
        sent: the body.
        assumptions: those about its nulls; ``api.null-optional`` is only about fields that are not required.
        rules: the chosen alternatives.
    """
    nulls = find_nulls(invalid) if assumptions else []
    if not nulls:
        return []
    about = dict.fromkeys(assumptions, nulls)
    if rulebook.api.NULL_OPTIONAL in about:
        about[rulebook.api.NULL_OPTIONAL] = _leave_out_required(model, sent, nulls)
    absent: dict[Path, None] = {}
    for rule, paths in about.items():
        if rules.look_up(rule) == "as-absent":
            absent |= dict.fromkeys(paths)
    for rule, paths in about.items():
        # What another assumption has as absent already does not rest on this one.
        if paths and (rules.look_up(rule) == "as-absent" or not absent.keys() >= set(paths)):
            rules.apply(rule)
    return list(absent)


def describe_absent(
    invalid: ValidationError, model: type[WireModel], sent: dict[str, Any], assumptions: Sequence[Rule]
) -> str:
    """Return the choices that would allow a body if nulls are all that is wrong with it; otherwise an empty text."""
    nulls = find_nulls(invalid) if assumptions else []
    if not nulls or len(nulls) < invalid.error_count():
        return ""
    try:
        model.from_wire(json_text.remove_fields(sent, nulls), from_json=True)
    except ValidationError:
        return ""
    return " or ".join(describe_choices({rule.id: "as-absent"}) for rule in assumptions)


def _leave_out_required(model: type[WireModel], sent: dict[str, Any], nulls: list[Path]) -> list[Path]:
    """Return the paths of the nulls that are in optional fields: those that are not missing without them."""
    try:
        model.from_wire(json_text.remove_fields(sent, nulls), from_json=True)
    except ValidationError as invalid:
        missing = {error["loc"] for error in invalid.errors(include_url=False) if error["type"] == "missing"}
        return [path for path in nulls if path not in missing]
    return nulls
