"""``assumptions.toml``: measurements of a real service, read and written."""

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from fakes.persistence import Saved, describe_errors
from fakes.rulebook.choices import check_alternative, check_value
from fakes.rulebook.rule import RULEBOOK

__all__ = ["AssumptionsSource", "Measured", "MeasuredDeviation", "MeasuredRule", "read_measured"]

AssumptionsSource = str | os.PathLike[str] | Mapping[str, Any]
"""The path of the file, or its data."""


class MeasuredRule(Saved):
    """A measured assumption.

    Attributes:
        result: ``confirmed`` if the default fits, ``alternative`` if another does, ``refuted`` if none does.
        value: the alternative that fits; None if refuted.
        seen: the number of requests that decided it.
        statuses: the statuses of their responses.
    """

    result: Literal["confirmed", "alternative", "refuted"]
    value: str | None = None
    seen: Annotated[int, Field(ge=1)]
    statuses: list[int] = Field(default=[])


class MeasuredDeviation(Saved):
    """A measured deviation: its value, and the number of requests that showed it."""

    value: str
    seen: Annotated[int, Field(ge=1)]


class Measured(Saved):
    """Measurements of a real service, in the form of ``assumptions.toml``.

    Attributes:
        source: the traffic that it was measured with.
        date: the day of the newest request.
        rules: the measured assumptions by rule ID.
        deviations: the measured deviations by ID.

    Examples:
        >>> rule = MeasuredRule(result="alternative", value="403", seen=3)
        >>> measured = Measured(source="HAR, 3 requests", date="2026-06-01", rules={"api.unauthorized": rule})
        >>> print(measured.to_toml())
        version = 1
        source = "HAR, 3 requests"
        date = "2026-06-01"
        <BLANKLINE>
        [rules."api.unauthorized"]
        result = "alternative"
        value = "403"
        seen = 3
        <BLANKLINE>
    """

    version: Literal[1] = 1
    source: str = ""
    date: str = ""
    rules: dict[str, MeasuredRule] = Field(default={})
    deviations: dict[str, MeasuredDeviation] = Field(default={})

    @model_validator(mode="after")
    def _check_values(self) -> Self:
        for rule_id, rule in self.rules.items():
            _check_rule(rule_id, rule)
        for deviation_id, deviation in self.deviations.items():
            check_value(deviation_id, deviation.value)
        return self

    @property
    def chosen(self) -> dict[str, str]:
        """The alternatives that fit, by rule ID."""
        return {rule_id: rule.value for rule_id, rule in self.rules.items() if rule.value is not None}

    @property
    def deviating(self) -> dict[str, str]:
        """The values of the deviations by ID."""
        return {deviation_id: deviation.value for deviation_id, deviation in self.deviations.items()}

    def without(self, names: Collection[str]) -> "Measured":
        """Return what was measured without rules and deviations that are chosen otherwise; refuted ones stay."""
        return self.model_copy(
            update={
                "rules": {
                    name: rule
                    for name, rule in self.rules.items()
                    if name not in names or rule.result == "refuted"
                },
                "deviations": {
                    name: deviation for name, deviation in self.deviations.items() if name not in names
                },
            }
        )

    def describe(self, rule_id: str) -> dict[str, Any] | None:
        """Return the measurement of a rule as plain data, with its source and date; None if it was not measured.

        Examples:
            >>> Measured(rules={"file.raw": MeasuredRule(result="refuted", seen=2)}).describe("file.raw")
            {'result': 'refuted', 'value': None, 'seen': 2, 'statuses': [], 'source': '', 'date': ''}
        """
        rule = self.rules.get(rule_id)
        return None if rule is None else {**rule.model_dump(), "source": self.source, "date": self.date}

    def to_toml(self) -> str:
        """Return the text of the file."""
        head = [f"{name} = {json.dumps(getattr(self, name))}" for name in ("version", "source", "date")]
        lines = ["\n".join(head)]
        for kind in ("rules", "deviations"):
            for name, measured in getattr(self, kind).items():
                values = measured.model_dump(exclude_none=True, exclude_defaults=True).items()
                lines.append(
                    f'[{kind}."{name}"]\n'
                    + "\n".join(f"{key} = {json.dumps(value)}" for key, value in values)
                )
        return "\n\n".join(lines) + "\n"


def _check_rule(rule_id: str, rule: MeasuredRule) -> None:
    alternatives = RULEBOOK[rule_id].alternatives if rule_id in RULEBOOK else ()
    check_alternative(rule_id, rule.value or next(iter(alternatives), ""))
    fits = (
        "refuted" if rule.value is None else "confirmed" if rule.value == alternatives[0] else "alternative"
    )
    if rule.result != fits:
        raise ValueError(
            f"{rule_id}: result {rule.result!r} does not fit its value {rule.value!r}; the result is {fits!r} then"
        )


def read_measured(source: AssumptionsSource) -> Measured:
    """Read ``assumptions.toml``.

    Args:
        source: the path of the file, or its data.

    Raises:
        ValueError: it is not such a file, or names an unknown rule, deviation or value.
        OSError: it cannot be read.

    Examples:
        >>> read_measured({"version": 1, "rules": {"file.raw": {"result": "refuted", "seen": 2}}}).chosen
        {}
        >>> read_measured({"version": 2})
        Traceback (most recent call last):
        ...
        ValueError: the assumptions: this svckit reads version 1; given version 2; measure again with `svckit observe`
    """
    name, data = "the assumptions", source
    if not isinstance(data, Mapping):
        import tomllib  # no other start needs it

        name = Path(data).name
        try:
            data = tomllib.loads(Path(data).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise FileNotFoundError(f"there is no file {data}; `svckit observe` writes one") from None
        except ValueError as broken:  # not UTF-8, or not TOML
            raise ValueError(f"{name} is not TOML: {broken}") from None
    if data.get("version") != 1:
        given = f"given version {data.get('version')!r}" if "version" in data else "it gives none"
        raise ValueError(f"{name}: this svckit reads version 1; {given}; measure again with `svckit observe`")
    try:
        return Measured.model_validate(dict(data))
    except ValidationError as invalid:
        raise ValueError(f"{name}: {describe_errors(invalid).removeprefix('Value error, ')}") from None
