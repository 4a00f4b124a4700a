"""What earlier versions stored is read, held to its format, and rewritten in the format of today."""

import json
import sqlite3
from pathlib import Path

import pytest

from fakes import FakeService
from fakes.serving import serve_sample
from fakes.store.database import APPLICATION, FORMAT
from fakes.store.state_file import StateFile

FORMATS = Path(__file__).with_name("formats")
SNAPSHOT = json.loads((FORMATS / "snapshot_of_state_file_1.json").read_text())


@pytest.fixture
def path(tmp_path):
    """A state file of format 1, in which all has been done."""
    path = tmp_path / "fake.db"
    connection = sqlite3.connect(path)
    connection.executescript((FORMATS / "state_file_1.sql").read_text())
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    return path


def attached(path):
    file = StateFile(path)
    fake = FakeService.sample(*file.beginning)
    file.attach(fake, file.beginning)
    return fake, file


def of_today():
    """The same state, restored from the snapshot that was taken of it."""
    fake = FakeService.sample()
    fake.restore(SNAPSHOT)
    return fake.snapshot()


def version(path):
    connection = sqlite3.connect(path)
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return found


def test_a_state_file_of_format_1_is_read_and_upgraded(path):
    for _ in range(2):
        fake, file = attached(path)
        assert fake.snapshot() == of_today()
        assert repr(fake.callbacks.bot("bot-1").receiver) == "<HttpReceiver: https://bot.example/callback>"
        assert file.beginning == (5, 0, "2026-06-01T09:00:00+09:00")
        file.close()
        assert version(path) == FORMAT


def test_a_state_file_of_format_1_has_no_settings_until_it_is_upgraded(path):
    with serve_sample("key", state=path, header_word="WORKS") as served:
        served.fake.reset()
        assert served.fake.settings.header_word == "WORKS"
    with serve_sample("key", state=path) as served:
        served.fake.settings.header_word = "OTHER"
        served.fake.reset()
        assert served.fake.settings.header_word == "WORKS"


def test_one_that_is_damaged_is_refused_and_left_as_it_is(path):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE rows SET value = '{}' WHERE collection = 'directory.users.changed'")
    connection.close()
    file = StateFile(path)
    with pytest.raises(ValueError, match=r"damaged: .*the record of u-00. lacks"):
        file.attach(FakeService.sample(*file.beginning), file.beginning)
    file.close()
    assert version(path) == 1


def test_an_upgrade_that_fails_can_be_tried_again(path):
    file = StateFile(path)
    file._database._file.execute("PRAGMA query_only = ON")
    with pytest.raises(OSError, match="could not be written"):
        file.attach(FakeService.sample(*file.beginning), file.beginning)
    file._database.close()
    assert version(path) == 1
    fake, file = attached(path)
    assert fake.snapshot() == of_today()
    file.close()
