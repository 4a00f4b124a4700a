"""A state file of a fake that began with data of your own: it resumes from them, resets to them, saves changes."""

import json
from contextlib import closing

import pytest

from fakes import FakeService
from fakes.parts.domain import Beginning
from fakes.serving import open_sample
from fakes.store.state_file import StateFile

from ..admin import Admin
from ..caller import NOW, calling
from .state_files import database, kept, rows_written

MINA = {"userId": "mina", "email": "mina@company.example", "userName": {"lastName": "Sato"}}
KENJI = {"userId": "kenji", "email": "kenji@company.example", "userName": {}}
BEGINNING = Beginning(0, 0, NOW)


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.json"
    path.write_text(
        json.dumps({"users": [MINA, KENJI], "rooms": [{"channelId": "team", "webhooks": ["CI"]}]})
    )
    return path


def test_it_resumes_without_the_data_and_resets_to_them(tmp_path, people):
    state = tmp_path / "fake.db"
    with open_sample("key", now=NOW, data=people, state=state) as fake:
        assert fake.facts["users"] == ["mina", "kenji"]
        admin = Admin(fake)
        assert admin("DELETE", "/users/kenji").status_code == 204
        assert admin("PUT", "/users/u-001", KENJI | {"userId": "u-001", "isPending": True}).status_code == 201
        saved = fake.snapshot()
    for data in (None, people):
        with open_sample("key", data=data, state=state) as fake:
            assert fake.snapshot() == saved
            assert fake.facts["user_id"] == "mina"
            assert fake.facts["users"] == ["mina", "u-001"]
    with open_sample("key", state=state) as fake:
        fake.reset()
        assert fake.facts["users"] == ["mina", "kenji"]
    with open_sample("key", state=state) as fake:
        assert fake.facts["users"] == ["mina", "kenji"]
        assert fake.webhooks.rooms() == ["team"]


@pytest.mark.parametrize(("first", "start"), [(None, "without --data"), ([KENJI], "with other data")])
def test_other_data_than_it_began_with_are_refused(tmp_path, people, first, start):
    with open_sample("key", now=NOW, data=first, state=tmp_path / "fake.db"):
        pass
    said = f"the state file was created {start}, but --data people.json was given; omit the option to resume"
    with pytest.raises(ValueError, match=said), open_sample("key", data=people, state=tmp_path / "fake.db"):
        pass


def test_a_change_writes_one_user_and_not_the_data(path):
    users = [KENJI | {"userId": f"k-{at}", "email": f"k{at}@company.example"} for at in range(500)]
    with kept(path, FakeService.sample(*BEGINNING, data=users), BEGINNING) as (fake, file):
        rows_written(file)
        with calling(fake, "k-7") as me:
            assert rows_written(file) <= 4  # tokens
            me.patch("k-9", nickName="K")
            assert rows_written(file) == 1
        fake.directory.put(fake.directory["k-3"] | {"isDeleted": True})
        assert rows_written(file) == 1
        fake.directory.put(MINA)
        assert rows_written(file) == 2
        fake.directory.remove("mina")
        assert rows_written(file) == 2


def test_removed_users_of_the_sample_stay_removed(path):
    with kept(path) as (fake, _):
        fake.directory.remove("u-002")
    with kept(path) as (fake, _):
        assert [*fake.directory][:2] == ["u-001", "u-003"]


def test_damaged_data_are_noticed(path):
    with kept(path, FakeService.sample(*BEGINNING, data=[MINA]), BEGINNING):
        pass
    database(path, "UPDATE own_data SET content = '{}'")
    with (
        closing(StateFile(path)) as file,
        pytest.raises(ValueError, match="the data of its fake are not as they were written"),
    ):
        file.own_data  # noqa: B018 - raises
