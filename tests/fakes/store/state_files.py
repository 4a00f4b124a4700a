"""State files for tests: made, opened, and what is written to them."""

import sqlite3
from contextlib import contextmanager

from fakes import FakeService
from fakes.parts.domain import Beginning
from fakes.store.state_file import StateFile

from ..caller import NOW

BEGINNING = Beginning(users=20, seed=0, now=NOW)


@contextmanager
def kept(path, fake=None, beginning=BEGINNING):
    """A state file with its fake, which is a sample unless another is given."""
    file, fake = StateFile(path), fake or FakeService.sample(*beginning)
    file.attach(fake, beginning)
    yield fake, file
    file.close()


def rows_written(file):
    """How many rows and chunks are written or dropped for a response; with each, two counts change."""
    before = file._database._file.total_changes
    file.settle()
    return (file._database._file.total_changes - before) // 3


def database(path, statement):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(statement)
    connection.close()


def opened(path):
    """The state that a file holds; the file is not used on."""
    file, fake = StateFile(path), FakeService.sample(*BEGINNING)
    try:
        file.attach(fake, BEGINNING)
        return fake.snapshot()
    finally:
        file._database.close()


def rows_in(path):
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT * FROM rows ORDER BY rowid").fetchall()
    connection.close()
    return rows
