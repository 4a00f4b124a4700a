"""Imports of many modules at once."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["importing_many"]


@contextmanager
def importing_many() -> Iterator[None]:
    """Pause garbage collection in the block, for a fraction of a second.

    Nearly all that a module makes stays. To look through it again and again would take a tenth of a start.

    Examples:
        >>> with importing_many():
        ...     gc.isenabled()
        False
        >>> gc.isenabled()
        True
    """
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # what the program has frozen stays so
            gc.freeze()  # Both together take all objects as old, without a look at each.
            gc.unfreeze()
        if is_enabled:
            gc.enable()
