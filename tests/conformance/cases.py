"""How a case says where it comes from."""

import pytest

from .description import ASSUMPTIONS, SECTIONS


def section(*names):
    """Mark a test with the sections of the service's description that it holds a target to."""
    unknown = [name for name in names if name not in SECTIONS]
    assert not unknown, f"the description has no section {unknown}"
    return pytest.mark.section(*names)


def assumed(*keys):
    """Mark a test as resting on assumptions; without this mark it is documented."""
    unknown = [key for key in keys if key not in ASSUMPTIONS]
    assert not unknown, f"there is no assumption {unknown}"
    return pytest.mark.assumed(*keys)


every_door = pytest.mark.every_door
"""Marks a case, or a row of its table, that a door could break: it is about framing, headers, URLs or bodies, or the
first of its operation. It runs through every door each time; others in process, and elsewhere as they are `wide`.
"""

safe = pytest.mark.safe
"""Marks a case that leaves nothing changed in a service: one to try on a real one."""


def writes(kind):
    """Mark a test that changes something of one kind in a service, and nothing else: one to try on a real one only
    with a throw-away user or webhook.
    """
    assert kind in WRITTEN, f"nothing of the kind {kind!r} is written"
    return pytest.mark.writes(kind)


WRITTEN = ("user", "status", "drive", "webhook")


def case(*values, id, marks=()):  # noqa: A002 - as pytest.param has it
    """A row of a table; ``marks`` are sections and assumptions of this row alone."""
    return pytest.param(*values, id=id, marks=marks)
