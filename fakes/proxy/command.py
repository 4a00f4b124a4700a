"""A program that runs as a child: its signals, and its exit code."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from threading import Event, Thread
from types import FrameType
from typing import Self

__all__ = ["Command"]

PASSED_ON = ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2")
FROM_TERMINAL = ("SIGINT", "SIGQUIT")
"""Signals that a terminal sends to the program as well."""
OF_A_SIGNAL = 128
"""What shells add to the number of the signal that ended a program."""


class Command:
    """A program that runs while this is used as a context manager, and gets the signals that this process gets.

    Args:
        words: the program with its arguments.
        environment: its environment.

    Attributes:
        ended: set once it has ended.

    Raises:
        FileNotFoundError: there is no such program.
        PermissionError: the file cannot be executed.
        OSError: the system cannot run it.

    Examples:
        >>> with Command([sys.executable, "-c", "raise SystemExit(3)"], os.environ) as command:
        ...     command.wait()
        3
    """

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        program = shutil.which(words[0])  # on Windows also npm.cmd for npm
        if program is None and os.path.dirname(words[0]) and os.path.exists(words[0]):
            raise PermissionError(f"{words[0]} is not an executable file")
        if program is None:
            raise FileNotFoundError(f"there is no program {words[0]!r}")
        self.ended = Event()
        self._words = [program, *words[1:]]
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._handlers: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}

    def __enter__(self) -> Self:
        """Start the program."""
        at_terminal = os.isatty(sys.__stdin__.fileno()) if sys.__stdin__ is not None else False
        for name in PASSED_ON:
            number = getattr(signal, name, None)
            # An ignored one stays ignored, by the program too: nohup starts programs so.
            if number and signal.getsignal(number) != signal.SIG_IGN:
                is_sent = at_terminal and name in FROM_TERMINAL
                self._handlers[number] = signal.signal(number, ignore if is_sent else self._pass_on)
        try:
            self._process = subprocess.Popen(self._words, env=self._environment)  # noqa: S603 - that is its purpose
        except BaseException:
            self._restore()
            raise
        Thread(target=self._watch, args=(self._process,), daemon=True).start()
        return self

    def __exit__(self, *_failure: object) -> None:
        """End the program if it still runs, and handle signals as before."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
        self._restore()

    def wait(self) -> int:
        """Wait for its end, and return its exit code as shells do: 128 and the number of the signal that ended it."""
        self.ended.wait()
        code = self._process.returncode if self._process is not None else 0
        return OF_A_SIGNAL - code if code < 0 else code

    def _watch(self, process: "subprocess.Popen[bytes]") -> None:
        process.wait()
        self.ended.set()

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        if self._process is None:
            raise SystemExit(OF_A_SIGNAL + number)
        self._process.send_signal(number)

    def _restore(self) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()


def ignore(_number: int, _frame: FrameType | None) -> None:
    """Do nothing about a signal; a program that is started meanwhile does what it does by default."""
