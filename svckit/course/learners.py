"""Learners: a name and a group, which determine the data of the exercises."""

import os
from dataclasses import dataclass

__all__ = ["FILE", "Learner", "current_learner", "learner"]

FILE = "svckit-progress.json"
"""The name of the file with a learner's progress, in the folder of the notebook."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A learner.

    Attributes:
        name: the learner's name, or any other word.
        group: the class; empty outside a class.
    """

    name: str
    group: str = ""

    @property
    def seed(self) -> int:
        """The seed of this learner's data, from 0 to 16,777,215.

        Examples:
            >>> Learner("Mina", "spring").seed == Learner("Mina", "autumn").seed
            False
        """
        from hashlib import sha256

        return int.from_bytes(sha256(f"{self.group}{self.name}".encode()).digest()[:3], "big")


_current: Learner | None = None


def learner(name: str, group: str = "") -> Learner:
    """Say who learns here, so that exercises have data of your own and progress is kept.

    The environment variables SVCKIT_LEARNER and SVCKIT_GROUP do the same, as a class on a hub sets them. Once an
    exercise has been checked, the other notebooks in the folder know the learner from the file of progress. Without
    all of these, everybody has the same data, and nothing is kept.

    Args:
        name: your name, or any other word.
        group: the name of your class.

    Raises:
        ValueError: the name is empty.

    Examples:
        >>> from svckit import course
        >>> course.learner("Mina", group="spring")
        Learner(name='Mina', group='spring')
        >>> course.learner(" ")
        Traceback (most recent call last):
        ...
        ValueError: a learner needs a name: any word that nobody else in the group uses
    """
    global _current  # noqa: PLW0603 - one kernel has one learner
    if not name.strip():
        raise ValueError("a learner needs a name: any word that nobody else in the group uses")
    _current = Learner(name.strip(), group.strip())
    return _current


def current_learner() -> Learner | None:
    """Return the learner who was named here; None if nobody was."""
    if _current is not None:
        return _current
    name = os.environ.get("SVCKIT_LEARNER", "").strip()
    return Learner(name, os.environ.get("SVCKIT_GROUP", "").strip()) if name else None
