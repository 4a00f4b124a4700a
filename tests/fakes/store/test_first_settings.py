"""A reset restores the settings that a served fake was started with, also after it has resumed from its state file."""

from contextlib import closing

import pytest

from fakes.serving import open_sample
from fakes.store.database import Damaged
from fakes.store.state_file import StateFile

from ..caller import NOW
from .state_files import database

FIRST = {
    "assume": {"api.unauthorized": "403"},
    "deviations": {"file.stored": "200"},
    "header_word": "ACME",
    "stubs": [{"method": "GET", "path": "/groups", "json": {"groups": []}}],
}


def settings(fake):
    return (
        fake.rules["api.unauthorized"].chosen,
        dict(fake.rules.deviations.chosen),
        fake.settings.header_word,
        [stub.name for stub in fake.stubs],
    )


def reset(path, **options):
    """Start a fake, change its settings, and return those after a reset."""
    with open_sample("key", state=path, **options) as fake:
        fake.rules.choose({"api.unauthorized": "401"}, deviations={"file.stored": None})
        fake.settings.header_word = "OTHER"
        fake.stubs.clear()
        fake.stub("GET", "/boards", json=[])
        fake.reset()
        return settings(fake)


def test_a_reset_restores_the_settings_of_the_first_start(path):
    first = reset(path, now=NOW, **FIRST)
    assert first == ("403", {"file.stored": "200"}, "ACME", ["GET /groups"])
    assert reset(path) == first
    assert reset(path) == first


def test_changes_stay_until_the_reset(path):
    with open_sample("key", now=NOW, state=path, **FIRST) as fake:
        fake.rules.choose({}, deviations={"file.stored": None})
        fake.stubs.clear()
    with open_sample("key", state=path) as fake:
        assert settings(fake) == ("403", {}, "ACME", [])


def test_settings_of_later_starts_are_kept_too(path):
    reset(path, now=NOW, **FIRST)
    stub = {"method": "GET", "path": "/groups", "json": {"groups": [1]}}
    for options in ({"header_word": "DESK", "deviations": {"file.step1-id": "sent"}, "stubs": [stub]}, {}):
        with open_sample("key", state=path, **options) as fake:
            fake.reset()
            chosen = {"file.stored": "200", "file.step1-id": "sent"}
            assert settings(fake) == ("403", chosen, "DESK", ["GET /groups"])
            assert next(iter(fake.stubs)).to_wire()["json"] == {"groups": [1]}


def test_the_policy_of_the_first_start_is_kept(path):
    with open_sample("key", now=NOW, state=path, assumptions="refuse") as fake:
        fake.rules.choose({}, "allow")
    with open_sample("key", state=path) as fake:
        assert fake.rules.policy == "allow"
        fake.reset()
        assert fake.rules.policy == "refuse"


def test_the_same_stubs_at_each_start_do_not_add_up(path):
    for _ in range(3):
        reset(path, stubs=FIRST["stubs"])
    file = StateFile(path)
    assert len(file.settings["stubs"]) == 1
    file.close()


def test_lost_settings_are_noticed(path):
    reset(path, now=NOW, **FIRST)
    database(path, "DELETE FROM rows WHERE collection = 'beginning'")
    with pytest.raises(Damaged, match="beginning does not have the rows"), open_sample("key", state=path):
        pass


def test_damaged_settings_are_noticed(path):
    reset(path, now=NOW, **FIRST)
    database(path, "UPDATE rows SET value = '{}' WHERE collection = 'beginning'")
    with (
        closing(StateFile(path)) as file,
        pytest.raises(Damaged, match="the settings of its beginning are not as they were written"),
    ):
        file.settings  # noqa: B018 - raises
