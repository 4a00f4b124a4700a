"""Many operations at once, with a limit on parallel runs, an outcome for each, and cancellation.

`Batch` holds the jobs and their outcomes, without I/O; `run_threads` and `run_tasks` run them.
"""

import contextvars
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar, overload

from svckit.display.card import Shown, render_table
from svckit.errors import Cancelled, InvalidInput
from svckit.extras import needing
from svckit.http.messages import Operation
from svckit.models.phrases import describe_given

__all__ = [
    "Batch",
    "Cancel",
    "Job",
    "Outcome",
    "Outcomes",
    "Plan",
    "check_cancel",
    "run_tasks",
    "run_threads",
]

T = TypeVar("T")

SHOWN_FAILURES = 10


class Cancel(Protocol):
    """A signal to stop, such as a ``threading.Event`` or an ``asyncio.Event``."""

    def is_set(self) -> bool:
        """Return whether to stop."""


def check_cancel(cancel: Cancel | None) -> Cancel | None:
    """Check that a value is a signal to stop, or ``None``, and return it.

    Raises:
        InvalidInput: it is something else.
    """
    if cancel is not None and not callable(getattr(cancel, "is_set", None)):
        raise InvalidInput(
            f"cancel must be a threading.Event or another object with is_set(); given {describe_given(cancel)}"
        )
    return cancel


class Outcome(NamedTuple, Generic[T]):
    """The outcome of one job.

    Attributes:
        label: a name for the job, for people.
        value: its result; ``None`` if it has none.
        error: why it failed; ``None`` if it did not.
        begun: whether it was started at all; a job that is cancelled before has no error.
    """

    label: str
    value: T | None = None
    error: Exception | None = None
    begun: bool = True

    @property
    def state(self) -> Literal["ok", "failed", "not begun"]:
        """The state of the job, in a word or two."""
        if not self.begun:
            return "not begun"
        return "ok" if self.error is None else "failed"


class Outcomes(Shown, Sequence[Outcome[T]]):
    """The outcomes of many jobs, in the order they were given; shown as a table of what failed.

    Examples:
        >>> done = Outcomes("upload", [Outcome("a.txt", 1), Outcome("b.txt", error=OSError("disk full"))])
        >>> done
        upload: 1 of 2 done, 1 failed
          item   state   why
          b.txt  failed  disk full
        >>> [outcome.label for outcome in done.failed]
        ['b.txt']
    """

    _done = "done"
    """The word for those that succeeded."""

    def __init__(self, title: str, outcomes: Iterable[Outcome[T]]) -> None:
        self.title = title
        self._outcomes = tuple(outcomes)

    @property
    def ok(self) -> list[Outcome[T]]:
        """The outcomes that succeeded."""
        return [outcome for outcome in self if outcome.state == "ok"]

    @property
    def failed(self) -> list[Outcome[T]]:
        """The outcomes that did not succeed: failed, or not begun."""
        return [outcome for outcome in self if outcome.state != "ok"]

    def frame(self) -> Any:
        """Return a pandas frame with a row per outcome: ``item``, ``state``, ``why`` it failed, and more."""
        with needing("frame()"):
            import pandas as pd

        records = [self._record(outcome) for outcome in self]
        frame = pd.DataFrame(records, columns=list(self._record(Outcome(""))))
        return frame.convert_dtypes().astype({"item": "string", "state": "string", "why": "string"})

    def _record(self, outcome: Outcome[T]) -> dict[str, Any]:
        return {"item": outcome.label, "state": outcome.state, "why": _format_error(outcome)}

    @overload
    def __getitem__(self, index: int) -> Outcome[T]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Outcome[T], ...]: ...
    def __getitem__(self, index: int | slice) -> Outcome[T] | tuple[Outcome[T], ...]:
        return self._outcomes[index]

    def __len__(self) -> int:
        return len(self._outcomes)

    def _render(self) -> tuple[str, str]:
        failed = self.failed
        by_state = {
            state: sum(outcome.state == state for outcome in failed) for state in ("failed", "not begun")
        }
        counts = [f"{count} {state}" for state, count in by_state.items() if count]
        title = ", ".join([f"{self.title}: {len(self.ok)} of {len(self)} {self._done}", *counts])
        rows: list[tuple[str, str, str]] = [
            (outcome.label, outcome.state, _format_error(outcome) or "")
            for outcome in failed[:SHOWN_FAILURES]
        ]
        if len(failed) > SHOWN_FAILURES:
            rows.append((f"and {len(failed) - SHOWN_FAILURES} more", "", ""))
        return render_table(title, ("item", "state", "why"), rows)


def _format_error(outcome: Outcome[Any]) -> str | None:
    return None if outcome.error is None else str(outcome.error) or type(outcome.error).__name__


class Job(NamedTuple, Generic[T]):
    """One job of a batch.

    Attributes:
        label: a name for the job, for people.
        begin: makes the operation when its turn comes, given the signal to stop.
    """

    label: str
    begin: Callable[[Cancel], Operation[T]]


class Batch(Generic[T]):
    """Jobs and their outcomes; threads may share it. It is itself the `Cancel` of its jobs.

    Each worker takes jobs from `start_jobs`, runs them, and reports each with `succeed` or `fail`. When all workers are
    done, `check` raises what must not go unnoticed, and `outcomes` has the rest.

    Args:
        jobs: the jobs, in the order in which they start.
        cancel: when set, no further job starts.
        on_settled: called with the outcome after each job, never concurrently; for a progress bar.
    """

    def __init__(
        self,
        jobs: Iterable[Job[T]],
        *,
        cancel: Cancel | None = None,
        on_settled: Callable[[Outcome[T]], object] = lambda _: None,
    ) -> None:
        self._jobs = list(jobs)
        self._cancel = check_cancel(cancel)
        self._on_settled = on_settled
        self._found: list[Outcome[T]] = [Outcome(job.label, begun=False) for job in self._jobs]
        self._next = iter(range(len(self._jobs)))  # the numbers of the jobs that no worker has taken
        self._stopped = False
        self._assertion: AssertionError | None = None  # the first that failed in a job, for `check`
        self._changing = threading.Lock()  # around `_next` and `_found`, which workers share

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def outcomes(self) -> list[Outcome[T]]:
        """The current outcome of every job, in the order given."""
        return list(self._found)

    def is_set(self) -> bool:
        """Return whether the batch was stopped, or cancelled from outside."""
        return self._stopped or (self._cancel is not None and self._cancel.is_set())

    def stop(self) -> None:
        """Start no further job."""
        self._stopped = True

    @property
    def was_cut_short(self) -> bool:
        """True if some jobs never started, or were cancelled under way."""
        return any(not outcome.begun or isinstance(outcome.error, Cancelled) for outcome in self._found)

    def start_jobs(self) -> Iterator[tuple[int, Operation[T]]]:
        """Yield the remaining jobs as numbered operations; several workers may take from the batch at a time."""
        while not self.is_set():
            with self._changing:
                number = next(self._next, None)
            if number is None:
                return
            yield number, self._run_job(self._jobs[number])

    def succeed(self, number: int, value: T) -> None:
        """Record the result of a job."""
        self._settle(number, Outcome(self._jobs[number].label, value))

    def fail(self, number: int, error: Exception) -> None:
        """Record why a job failed; a failed assertion, such as `AssumptionRefused` from a fake, stops all jobs."""
        if isinstance(error, AssertionError):
            self._assertion = self._assertion or error
            self.stop()
        self._settle(number, Outcome(self._jobs[number].label, error=error))

    def check(self) -> None:
        """Raise a failed assertion: it means that a test fails, and is not an outcome to look at later.

        Raises:
            AssertionError: the first that failed.
        """
        if self._assertion is not None:
            raise self._assertion

    def _run_job(self, job: Job[T]) -> Operation[T]:
        """Make the operation only when it runs, so that an error in making it is part of the outcome."""
        return (yield from job.begin(self))

    def _settle(self, number: int, outcome: Outcome[T]) -> None:
        with self._changing:
            self._found[number] = outcome
            self._on_settled(outcome)


class Plan(NamedTuple, Generic[T]):
    """Many operations to run, written once for sessions with and without ``await``.

    Attributes:
        batch: the operations.
        workers: how many run at a time; ``None`` for as many as the session chooses.
        collect: returns the result when the batch has run.
    """

    batch: Batch[Any]
    workers: int | None
    collect: Callable[[], T]


def run_threads(run: Callable[[Operation[T]], T], batch: Batch[T], workers: int) -> None:
    """Run a batch in this thread and up to ``workers - 1`` others, if threads can be started.

    An interrupt (Ctrl-C, or the stop button of a notebook) stops the batch; jobs under way finish before this
    returns.

    Raises:
        InvalidInput: `workers` is not a whole number from 1.
        AssertionError: a job failed an assertion.
    """
    _check(workers)

    def work() -> None:
        for number, operation in batch.start_jobs():
            try:
                value = run(operation)
            except KeyboardInterrupt as interrupt:
                error = Cancelled("interrupted under way; the request may or may not have taken effect")
                error.upload = vars(interrupt).get("upload")  # which the upload under way has left there
                batch.fail(number, error)
                raise
            except Exception as error:  # noqa: BLE001 - a failure does not stop the others
                batch.fail(number, error)
            else:
                batch.succeed(number, value)

    helpers: list[threading.Thread] = []
    try:
        for _ in range(min(workers, len(batch)) - 1):
            # Each in the context of the caller, which may be recording what is sent.
            helper = threading.Thread(target=contextvars.copy_context().run, args=(work,), daemon=True)
            try:
                helper.start()
            except RuntimeError:  # no threads, such as in a browser
                break
            helpers.append(helper)
        work()
        _join(helpers)
    except KeyboardInterrupt:  # not raised again: the outcomes tell what is left to do
        batch.stop()
        _join(helpers)
    batch.check()


async def run_tasks(run: Callable[[Operation[T]], Awaitable[T]], batch: Batch[T], workers: int) -> None:
    """Run a batch in this many tasks.

    Raises:
        InvalidInput: `workers` is not a whole number from 1.
        AssertionError: a job failed an assertion.
    """
    import asyncio  # slow to import

    _check(workers)

    async def work() -> None:
        for number, operation in batch.start_jobs():
            try:
                value = await run(operation)
            except Exception as error:  # noqa: BLE001 - a failure does not stop the others
                batch.fail(number, error)
            else:
                batch.succeed(number, value)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(min(workers, len(batch))):
            tasks.create_task(work())
    batch.check()


def _join(threads: Iterable[threading.Thread]) -> None:
    for thread in threads:
        thread.join()


def _check(workers: object) -> None:
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise InvalidInput(f"workers must be a whole number from 1; given {workers!r}")
