"""What explorers share that do something long beside the notebook, one thing at a time."""

from collections.abc import Generator

from svckit.widgets.base.background import Work
from svckit.widgets.base.callbacks import show_errors
from svckit.widgets.explorers.explorer import Draft, Explorer

__all__ = ["WorkingExplorer"]


class WorkingExplorer(Explorer[Draft]):
    """An explorer with work that is under way, or was; it is stopped with the explorer."""

    _work: Work | None = None

    def stop(self) -> None:
        """Cancel what is on its way, after the step under way."""
        if self._work is not None:
            self._work.cancel()

    def wait(self, timeout: float | None = None) -> None:
        """Wait for the end of what is on its way."""
        if self._work is not None:
            self._work.wait(timeout)

    def _start(self, steps: Generator[None, None, None]) -> None:
        """Begin work; the steps handle their own failures, by :meth:`_fail`."""
        self._work = Work(steps)
        self._work.start()

    @show_errors
    def _fail(self, failure: Exception) -> None:
        """Show what went wrong where nobody is there to handle it."""
        raise failure

    def _end(self) -> None:
        self.stop()
        super()._end()
