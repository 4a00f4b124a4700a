"""Who may connect to the grader, and for how long."""

import socket
import threading
from multiprocessing.connection import Listener

import pytest

from svckit.course import far_function


def test_nobody_is_accepted_for_a_process_that_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Noted(Listener):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)  # type: ignore[arg-type]
            made.append(self)

    monkeypatch.setattr(far_function, "Listener", Noted)
    monkeypatch.setattr(far_function, "LONGEST_WAIT", 0.1)
    before = {*threading.enumerate()}
    with far_function.connect_to(seconds=60):
        silent = socket.create_connection(made[0].address)
        started = {*threading.enumerate()} - before
    silent.close()
    for thread in started:
        thread.join(60)
        assert not thread.is_alive()
