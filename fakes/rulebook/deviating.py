"""The deviations of one fake: those chosen, and those that shaped its responses."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import chain
from types import MappingProxyType

from fakes.rulebook.choices import check_value
from fakes.rulebook.deviations import DEVIATIONS, Deviation
from fakes.rulebook.status import DeviationStatus
from svckit.display.card import render_table
from svckit.display.suggestions import UnknownName
from svckit.display.tab import PublicNames

__all__ = ["Deviations"]


class Deviations(PublicNames, internal="describe_noted end get note noted records_as_rules take_over"):
    """The deviations of one fake from documented rules, all of them off unless they are chosen.

    A deviation does what the service's description decides differently, because real clients need it. Each response
    that one shaped says so in the header ``X-Fake-Deviates``.

    Args:
        chosen: values by the ID of the deviation, such as ``{"file.stored": "200"}``.

    Raises:
        ValueError: an unknown deviation or value.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(deviations={"file.stored": "200"})
        >>> fake.rules.deviations
        <Deviations: 1 of 9 chosen: file.stored=200>
        >>> fake.rules.deviations["file.stored"].text
        'A successful upload gets 200, not 201.'
        >>> [deviation.id for deviation in fake.rules.deviations if deviation.chosen]
        ['file.stored']
    """

    def __init__(self, chosen: Mapping[str, str] | None = None) -> None:
        self._chosen = dict(chosen or {})
        for deviation_id, value in self._chosen.items():
            check_value(deviation_id, value)
        self.noted: list[Deviation] = []
        """Those that have shaped the current response so far."""
        self._used: Counter[str] = Counter()

    @property
    def chosen(self) -> Mapping[str, str]:
        """The chosen values by ID, read-only; `Rules.choose` changes them."""
        return MappingProxyType(self._chosen)

    def take_over(self, other: "Deviations") -> None:
        """Choose what another choice of deviations has."""
        self._chosen = other._chosen

    def get(self, deviation: Deviation) -> str | None:
        """Return the chosen value of a deviation, or None if it is off."""
        return self._chosen.get(deviation.id)

    def note(self, deviation: Deviation) -> None:
        """Note that a deviation shaped the current response."""
        if deviation not in self.noted:
            self.noted.append(deviation)

    def describe_noted(self) -> str:
        """Return those that have shaped the current response as text, separated by commas."""
        return ", ".join(f"{deviation.id}={self.get(deviation)}" for deviation in self.noted)

    def end(self) -> frozenset[str]:
        """Count the noted deviations, and return the IDs of the rules that they departed from."""
        self._used.update(deviation.id for deviation in self.noted)
        return frozenset(chain.from_iterable(deviation.departs_from for deviation in self.noted))

    def forget(self) -> None:
        """Reset the counts of how often deviations were used."""
        self._used.clear()

    def __iter__(self) -> Iterator[DeviationStatus]:
        return map(self._status, DEVIATIONS.values())

    def __len__(self) -> int:
        return len(DEVIATIONS)

    def __getitem__(self, deviation_id: str) -> DeviationStatus:
        if deviation_id not in DEVIATIONS:
            raise UnknownName("deviation", deviation_id, DEVIATIONS)
        return self._status(DEVIATIONS[deviation_id])

    def _status(self, deviation: Deviation) -> DeviationStatus:
        return DeviationStatus(**asdict(deviation), chosen=self.get(deviation), used=self._used[deviation.id])

    def records(self) -> Iterator[dict[str, object]]:
        """Yield the deviations as plain data.

        Examples:
            >>> next(Deviations().records())["id"]
            'token.client-auth'
        """
        return (deviation.record() for deviation in self)

    def records_as_rules(self) -> Iterator[dict[str, object]]:
        """Yield those that are chosen in the form of rules, for a list of both."""
        return (deviation.record_as_rule() for deviation in self if deviation.chosen)

    def describe(self) -> str:
        """Return the chosen values as text, separated by commas; empty if all are off.

        Examples:
            >>> Deviations({"file.stored": "200", "file.step1-id": "sent"}).describe()
            'file.stored=200, file.step1-id=sent'
        """
        return ", ".join(f"{deviation_id}={value}" for deviation_id, value in self.chosen.items())

    def __repr__(self) -> str:
        listed = f": {self.describe()}" if self.chosen else ""
        return f"<Deviations: {len(self.chosen)} of {len(self)} chosen{listed}>"

    def _repr_html_(self) -> str:
        rows = [(d.id, d.chosen or "", ", ".join(d.values), str(d.used), d.text, d.need) for d in self]
        columns = ("deviation", "chosen", "values", "times used", "text", "needed by")
        return render_table(repr(self).strip("<>"), columns, rows)[0]
