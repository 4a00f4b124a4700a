"""The base of the parts of a domain, and the things that they share."""

from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from fakes.clock import Clock
from fakes.parts.changes import ChangeLog
from fakes.parts.decisions import Decisions
from fakes.parts.ids import Ids
from fakes.parts.settings import DomainSettings
from fakes.rulebook.rules import Rules

__all__ = ["Part", "Shared"]


class Shared(NamedTuple):
    """The things that all parts of a domain use.

    Attributes:
        clock: the clock.
        ids: issues IDs and secrets.
        rules: the chosen alternatives, and those that a response rests on.
        settings: the settings of the domain.
        changes: the log of changes of stored collections, which undoes them.
        decisions: the assumptions that earlier calls rested on.
        lock: held while the state is used.
    """

    clock: Clock
    ids: Ids
    rules: Rules
    settings: DomainSettings
    changes: ChangeLog
    decisions: Decisions
    lock: AbstractContextManager[Any]


class Part:
    """A part of a domain."""

    def __init__(self, shared: Shared) -> None:
        self._clock, self._ids, self._rules = shared.clock, shared.ids, shared.rules
        self._settings, self._lock = shared.settings, shared.lock
        self._changes, self._decisions = shared.changes, shared.decisions
