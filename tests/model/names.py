"""Names for what operations learn, such as ``token:17`` for the token that operation 17 got."""

import re
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

NAME = re.compile(r"(token|code|refresh|ticket|upload|download|file|webhook|snapshot):\w+")
LATE = 8
"""So many names of a kind are picked most."""


class Names:
    """What was learned, by name, and the names by their kinds."""

    def __init__(self) -> None:
        self._learned: dict[str, str] = {}
        self._by_kind: dict[str, list[str]] = {}

    def learn(self, name: str, value: str) -> None:
        self._learned[name] = value
        self._by_kind.setdefault(name.partition(":")[0], []).append(name)

    def forget(self, names: Iterable[str]) -> None:
        for name in names:
            del self._learned[name]
            self._by_kind[name.partition(":")[0]].remove(name)

    def list_all(self) -> list[str]:
        return list(self._learned)

    def get(self, name: str) -> str | None:
        return self._learned.get(name)

    def look_up(self, value: Any) -> Any:
        """Return what a name stands for, or something that was never issued; any other value as it is."""
        if type(value) is str and NAME.fullmatch(value):
            return self._learned.get(value, "unknown-" + value.replace(":", "-"))
        return value

    def pick(self, rng: Random, kind: str, works: Callable[[Any], bool] = bool, junk: float = 0.01) -> str:
        """Pick a name of a kind, mostly a late one that works; sometimes one that stands for nothing."""
        known = self._by_kind.get(kind)
        if not known or rng.random() < junk:
            return f"{kind}:0"
        if rng.random() < 0.9:
            working = [name for name in known[-LATE:] if works(self._learned[name])]
            if working:
                return rng.choice(working)
        return rng.choice(known[-LATE:] if rng.random() < 0.7 else known)
