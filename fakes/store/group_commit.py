"""Group commit: many answers wait for one commit, so that saving costs a server little however many it serves."""

import asyncio
from collections.abc import Callable

__all__ = ["GroupCommit", "NotSaved"]


class NotSaved(OSError):
    """Raised where changes could not be saved; they stay to be saved with the next ones.

    Args:
        why: what went wrong.
        what: what that means for the changes, and what to do.
    """

    def __init__(self, why: str, what: str) -> None:
        super().__init__(f"{why}, so {what}")
        self.why = why


class GroupCommit:
    """Lets each caller wait for a commit that began after it came, and for no more than one besides.

    While one commit is under way, in a thread, all who come wait for the next together. It belongs to one event loop.

    Args:
        commit: saves everything there is to save, and returns when it is safe.
    """

    def __init__(self, commit: Callable[[], None]) -> None:
        self._commit = commit
        self._under_way: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def settle(self) -> None:
        """Wait until all that has happened so far is saved.

        Raises:
            Exception: what the commit raised, for each who waited for it.
        """
        if self._next is None:
            self._next = asyncio.create_task(self._after(self._under_way))
        await asyncio.shield(self._next)

    async def _after(self, earlier: asyncio.Task[None] | None) -> None:
        if earlier is not None:
            await asyncio.wait([earlier])
        self._under_way, self._next = self._next, None  # who comes now has not been looked at
        await asyncio.to_thread(self._commit)
