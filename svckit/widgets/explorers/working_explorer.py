"""Base class of explorers that do long work in the background, one task at a time."""

from collections.abc import Generator

from svckit.widgets.base.background import Worker
from svckit.widgets.base.callbacks import button
from svckit.widgets.explorers.explorer import Draft, Explorer

__all__ = ["WorkingExplorer"]


class WorkingExplorer(Worker, Explorer[Draft]):
    """An explorer with background work, which stops when the explorer is closed.

    Examples:
        >>> import svckit
        >>> explorer = svckit.widgets.NotificationsExplorer(svckit.connect(now="2026-06-01T09:00:00+09:00"))
        >>> explorer.write(text="hello")
        >>> explorer.burst(3)
        >>> explorer.stop()
        >>> explorer.wait()
        >>> explorer.close()
    """

    _running = False
    """Whether work is under way."""

    @button
    def stop(self) -> None:
        """Stop the work after the current step."""
        super().stop()

    def _start(self, steps: Generator[None, None, None]) -> None:
        """Start work, and show that it runs, its failure, and its end."""
        self._running = True
        self._show()
        super()._start(self._watch_over(steps))

    def _watch_over(self, steps: Generator[None, None, None]) -> Generator[None, None, None]:
        try:
            yield from steps
        except Exception as failure:  # noqa: BLE001 - a thread has no caller to handle it
            self._fail(failure)
        finally:
            self._running = False
            self._show()

    def _end(self) -> None:
        self.stop()
        super()._end()
