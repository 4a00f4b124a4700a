"""Rules and deviations as one fake applies them, and their table."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fakes.rulebook.rule import Provenance
from svckit.display.card import render_groups
from svckit.models.base import wire_name

__all__ = ["DeviationStatus", "RuleStatus", "render_rules"]


class RuleStatus(NamedTuple):
    """A rule as one fake applies it: with the alternative chosen (None if documented) and the times used.

    Its provenance is ``observed`` if the alternative was measured; ``observed`` then has the result, the value, the
    number of requests, the source and the date. A rule that was refuted has them too, but stays ``assumed``.
    """

    id: str
    provenance: Provenance
    section: str
    text: str
    alternatives: tuple[str, ...]
    chosen: str | None
    used: int
    observed: Mapping[str, object] | None = None

    def record(self) -> dict[str, object]:
        """Return it as plain data: its fields by their wire names."""
        return _record(self._asdict())


class DeviationStatus(NamedTuple):
    """A deviation as one fake applies it: with the value chosen, None if it is off, and the times used."""

    id: str
    departs_from: tuple[str, ...]
    section: str
    text: str
    need: str
    values: tuple[str, ...]
    chosen: str | None
    used: int

    def record(self) -> dict[str, object]:
        """Return it as plain data: its fields by their wire names."""
        return _record(self._asdict())

    def record_as_rule(self) -> dict[str, object]:
        """Return it as plain data in the form of a rule, for a list of both."""
        return {
            "id": self.id,
            "provenance": "deviation",
            "section": self.section,
            "text": self.text,
            "alternatives": list(self.values),
            "chosen": self.chosen,
            "used": self.used,
        }


def render_rules(title: str, rules: Iterable[RuleStatus], deviations: Iterable[DeviationStatus]) -> str:
    """Render rules as HTML, in groups by area, and the deviations that are chosen."""
    row: tuple[str, ...]
    groups: dict[str, list[tuple[str, ...]]] = {}
    for r in rules:
        row = (r.id, r.provenance, r.chosen or "", ", ".join(r.alternatives), str(r.used), r.text)
        groups.setdefault(r.id.partition(".")[0], []).append(row)
    for d in deviations:
        if d.chosen:
            row = (d.id, "deviation", d.chosen, ", ".join(d.values), str(d.used), d.text)
            groups.setdefault("deviations", []).append(row)
    columns = ("rule", "provenance", "chosen", "alternatives", "times used", "text")
    return render_groups(title, columns, groups)


def _record(fields: Mapping[str, object]) -> dict[str, object]:
    return {
        wire_name(name): list(value) if isinstance(value, tuple) else value for name, value in fields.items()
    }
