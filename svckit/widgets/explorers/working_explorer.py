"""Base class of explorers that do long work in the background, one task at a time."""

from collections.abc import Generator

from svckit.widgets.base.background import Work
from svckit.widgets.base.callbacks import button, show_errors
from svckit.widgets.explorers.explorer import Draft, Explorer

__all__ = ["WorkingExplorer"]


class WorkingExplorer(Explorer[Draft]):
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

    _work: Work | None = None
    _running = False
    """Whether work is under way."""

    @button
    def stop(self) -> None:
        """Stop the work after the current step."""
        if self._work is not None:
            self._work.stop()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the work is finished.

        Args:
            timeout: seconds to wait at most; None waits until then.
        """
        if self._work is not None:
            self._work.wait(timeout)

    def _start(self, steps: Generator[None, None, None]) -> None:
        """Start work, and show that it runs, its failure, and its end."""
        self._running = True
        self._show()
        self._work = Work(self._watch_over(steps))
        self._work.start()

    def _watch_over(self, steps: Generator[None, None, None]) -> Generator[None, None, None]:
        try:
            yield from steps
        except Exception as failure:  # noqa: BLE001 - a thread has no caller to handle it
            self._fail(failure)
        finally:
            self._running = False
            self._show()

    @show_errors
    def _fail(self, failure: Exception) -> None:
        """Show a failure that has no caller to handle it."""
        raise failure

    def _end(self) -> None:
        self.stop()
        super()._end()
