"""Group commit: many responses wait for one commit, so saving stays cheap under load."""

import asyncio
from collections.abc import Callable

__all__ = ["GroupCommit"]


class GroupCommit:
    """A queue in which each caller waits for a commit that starts after its call.

    A caller waits for at most one other commit. Commits run in a thread; all callers that arrive during one share the
    next. The queue belongs to one event loop.

    Args:
        commit: saves all changes, and returns once they are on the disk.
        has_changes: returns whether there is anything to save, so that a caller need not wait for a thread in vain.
    """

    def __init__(self, commit: Callable[[], None], has_changes: Callable[[], bool]) -> None:
        self._commit = commit
        self._has_changes = has_changes
        self._waiting: list[asyncio.Future[None]] = []
        self._task: asyncio.Task[None] | None = None

    async def settle(self) -> None:
        """Wait until all changes made so far are saved.

        Raises:
            Exception: the commit failed; every caller that waited for it gets the exception.
        """
        if self._task is None and not self._has_changes():
            return
        saved = asyncio.get_running_loop().create_future()
        self._waiting.append(saved)
        if self._task is None:
            self._task = asyncio.create_task(self._commit_all())
        await saved

    async def _commit_all(self) -> None:
        while self._waiting:
            waiting, self._waiting = self._waiting, []  # the changes of later callers need another commit
            failure: Exception | None = None
            try:
                await asyncio.to_thread(self._commit)
            except Exception as error:  # noqa: BLE001 - the callers raise it
                failure = error
            for saved in waiting:
                if not saved.done():  # its caller may have been cancelled
                    saved.set_result(None) if failure is None else saved.set_exception(failure)
        self._task = None
