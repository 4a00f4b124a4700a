"""Users of your own, from a path, records or a frame: they are the domain, and facts, sign-in and calls follow them."""

import json

import pandas as pd
import pytest

import svckit
from fakes import FakeService

from ..caller import NOW, calling, restored

MINA = {
    "userId": "mina",
    "email": "mina@company.example",
    "userName": {"lastName": "Sato", "firstName": "Mina"},
}
KENJI = {"userId": "u-900", "email": "kenji@company.example", "userName": {}, "isAdministrator": True}
CSV = """\
userId,email,userName.lastName,isAdministrator,aliasEmails,leaveOfAbsence.isLeaveOfAbsence,customProperties.rank
mina,mina@company.example,Sato,,"m@company.example, mi@company.example",TRUE,3

u-900,kenji@company.example,Tanaka,yes,,,
"""


def make(data, **options):
    return FakeService.sample(data=data, now=NOW, **options)


def test_they_are_all_the_users_there_are():
    fake = make([MINA, KENJI])
    assert fake.facts["users"] == ["mina", "u-900"]
    assert (fake.facts["user_id"], fake.facts["login_id"]) == ("mina", "mina@company.example")
    assert fake.facts["password"] == fake.auth.password("mina")
    assert fake.state.users.administrator == "u-900"
    assert repr(fake).startswith("<FakeService: 2 users,")
    assert repr(fake.snapshot()).startswith("<Snapshot, version 2: 2 users,")
    assert "mina to u-900" in fake._repr_html_()
    with calling(fake, "mina") as me:
        missing = me.patch("u-001").json()["description"]
    assert "there is no user 'u-001'; this domain has 2 users, such as mina" in missing


def test_a_session_signs_in_as_the_first_who_is_active():
    gone = MINA | {"userId": "gone", "email": "gone@company.example", "isDeleted": True}
    with svckit.connect(make([gone, MINA])) as svc:
        assert svc.users.read("mina@company.example").user_id == "mina"
        assert svc.fake.journal[-1].user_id == "mina"
        stored = svc.files.upload(b"hello", to=svckit.places.drive("mina"), name="a.txt")
        assert stored.file_name == "a.txt"


def test_the_sample_is_added_if_it_is_asked_for():
    fake = make([MINA], users=3)
    assert fake.facts["users"] == ["u-001", "u-002", "u-003", "mina"]
    assert fake.facts["user_id"] == "mina"
    assert fake.state.users.administers("u-001")


def test_one_of_the_sample_can_be_replaced():
    fake = make([MINA | {"userId": "u-002"}], users=3)
    assert [*fake.directory] == ["u-001", "u-002", "u-003"]
    assert fake.directory["u-002"]["email"] == "mina@company.example"


def test_an_error_tells_of_users_with_their_own_ids():
    fake = FakeService.sample(users=3, now=NOW)
    fake.directory.put(MINA)
    with calling(fake) as me:
        description = me.api("PATCH", "/users/nobody", json={}).json()["description"]
    assert "u-001 to u-003, and 1 with their own IDs" in description


def test_what_is_left_out_has_the_defaults():
    record = make([MINA]).directory["mina"]
    sample = FakeService.sample(users=1).directory["u-001"]
    assert list(record) == list(sample)
    assert record["userName"]["phoneticLastName"] is None
    assert (record["organizations"], record["telephone"], record["searchable"]) == ([], None, True)
    assert record["leaveOfAbsence"]["isLeaveOfAbsence"] is False
    assert svckit.models.User.from_wire(record).locale == "ja_JP"


def test_names_that_were_given_stay_and_known_ones_are_added():
    post = {"primary": True, "levelName": "Boss", "orgUnits": [{"orgUnitId": "ou-dev", "primary": True}]}
    record = make([MINA | {"employmentTypeName": "Free", "organizations": [post]}]).directory["mina"]
    assert record["employmentTypeName"] == "Free"
    assert record["organizations"][0]["levelName"] == "Boss"
    assert record["organizations"][0]["domainId"] == record["domainId"]
    assert record["organizations"][0]["orgUnits"][0]["orgUnitName"] == "Development"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_files_of_csv(tmp_path, mark):
    path = tmp_path / "people.csv"
    path.write_text(mark + CSV, encoding="utf-8")
    fake = make(path)
    mina = fake.directory["mina"]
    assert mina["aliasEmails"] == ["m@company.example", "mi@company.example"]
    assert mina["leaveOfAbsence"]["isLeaveOfAbsence"] is True
    assert mina["customProperties"] == {"rank": 3}
    assert fake.state.users.administrator == "u-900"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("wrap", [lambda users: users, lambda users: {"users": users}])
def test_files_of_json(tmp_path, mark, wrap):
    path = tmp_path / "people.json"
    path.write_bytes(mark + json.dumps(wrap([MINA, KENJI])).encode())
    assert [*make(str(path)).directory] == ["mina", "u-900"]


def test_other_iterables():
    assert [*make(iter([MINA])).directory] == ["mina"]
    assert [*make({"users": (each for each in [MINA])}).directory] == ["mina"]


def test_a_frame_of_wire_paths_and_of_records():
    columns = {"email": ["mina@company.example"], "userName.lastName": ["Sato"], "isPending": [True]}
    assert make(pd.DataFrame(columns)).directory["user-001"]["isPending"] is True
    assert make(pd.DataFrame([MINA, KENJI])).state.users.administrator == "u-900"


def test_ids_are_issued_by_position():
    given = [MINA, {"email": "a@b.example", "userName": {}}, KENJI | {"userId": "user-002"}]
    assert [*make(given).directory] == ["mina", "user-002-2", "user-002"]


def test_reset_and_forks_have_them_and_snapshots_too():
    fake = make([MINA, KENJI])
    before = fake.snapshot()
    with calling(fake, "mina") as me:
        me.patch("mina", nickName="Mi")
    fork = fake.fork()
    assert fork.directory["mina"]["nickName"] == "Mi"
    assert restored(fake).facts["user_id"] == "mina"
    for each in (fake, fork):
        each.reset()
        after = each.snapshot()
        assert after | {"tokens": 0, "ids": 0} == before | {"tokens": 0, "ids": 0}
        assert each.directory["mina"]["nickName"] is None


def test_they_pass_under_refused_assumptions():
    fake = make({"users": [MINA], "rooms": [{"channelId": "r", "webhooks": ["A"]}]}, assumptions="refuse")
    assert fake.facts["user_id"] == "mina"
