"""Data that are not valid: all problems are reported together, with their rows, and nothing is loaded."""

import pandas as pd
import pytest

from fakes import FakeService
from fakes.http.errors import Refusal

from ..caller import NOW, make

MINA = {"email": "mina@company.example", "userName": {}}
RANK = {"name": "rank", "propertyType": "INTEGER", "multiValued": False}


def refused(data, **options):
    with pytest.raises(ValueError, match=r"data|problem|JSON|CSV|record|columns|users") as caught:
        FakeService.sample(data=data, now=NOW, **options)
    return str(caught.value)


def test_all_problems_of_records():
    said = refused(
        [
            MINA | {"userId": "a", "userExternalKey": "k", "nickname": "Mi"},
            MINA | {"email": "x" * 91, "isPending": "yes", "userName": {"lastname": "Sato"}},
            7,
            {"userId": "a", "email": "MINA@company.example", "userName": {}, "userExternalKey": "k"},
            {"userId": "b", "email": "b@company.example", "userName": {}, "domainId": 5},
            {"userId": "", "email": "c@company.example", "userName": {}},
            {"userId": "a", "email": "Mina@company.example", "userName": {}, "userExternalKey": "k"},
        ]
    )
    assert said.splitlines() == [
        "data has 12 problems, and nothing was loaded:",
        "  users[0]: nickname is not a field of a user; did you mean nickName?",
        f'  users[1]: email must have at most 90 characters; given 91 characters, "{"x" * 60}…"',
        '  users[1]: isPending must be true or false; given "yes"',
        "  users[2]: must be an object; given 7",
        "  users[3]: userId 'a' is also that of users[0]",
        "  users[3]: email 'MINA@company.example' is also that of users[0]",
        "  users[3]: userExternalKey 'k' is also that of users[0]",
        "  users[4]: domainId must be 10000001; given 5",
        "  users[5]: userId must have a length of at least 1; leave it out to have one",
        "  users[6]: userId 'a' is also that of users[0]",
        "  users[6]: email 'Mina@company.example' is also that of users[0]",
        "  users[6]: userExternalKey 'k' is also that of users[0]",
    ]


def test_nested_fields_that_are_not_known():
    assert "users[0]: userName.lastname is not a field of a user" in refused(
        [MINA | {"userName": {"lastname": "S"}}]
    )


@pytest.mark.parametrize("name", ["userId", "employmentTypeId"])
def test_half_a_surrogate_pair_is_refused(name):
    given = MINA | {"email": "b@b.example", name: "\ud800"}
    assert "users[1]: has half a character" in refused([MINA, given])
    directory = make().directory
    with pytest.raises(Refusal, match="has half a character"):
        directory.put(given)
    assert len(directory) == 20


def test_rows_of_csv_have_their_lines(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(
        'email,userName.lastName,nickname,isPending\na@b.example,"Sa\nto",,\n\nb@b.example,,,maybe,9\n'
    )
    assert refused(path).splitlines() == [
        "people.csv has 4 problems, and nothing was loaded:",
        "  the column 'nickname' is not a field of a user; did you mean nickName?",
        "  line 5: has 5 cells, and the header has 4; put a cell with a comma into double quotes",
        "  line 5: userName is required",
        '  line 5: isPending must be true or false; given "maybe"',
    ]


def test_rows_of_a_frame_have_their_numbers():
    assert "row 1: email is required" in refused(
        pd.DataFrame({"email": ["a@b.example", None], "last_name": ["S", "T"]})
    )


def test_a_state_without_flags_is_not_ignored():
    assert "the column 'state' follows from the flags" in refused(
        pd.DataFrame({"email": ["a@b.example"], "last_name": ["S"], "state": ["deleted"]})
    )


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", b"{", "a.json is not JSON"),
        ("a.json", b'[{"email": "a", "email": "b"}]', "has the key 'email' twice in one JSON object"),
        ("a.json", b'{"users": [], "users": []}', "a.json has the key 'users' twice in one JSON object"),
        ("a.json", b"7", "a.json must be a list of user records"),
        ("a.json", b'{"email": "a@b.example"}', "is a single user record; put it into a list"),
        ("a.json", b'{"user": []}', "user is not a kind of data; did you mean users?"),
        ("a.json", b'{"users": [{"name": "Mina"}]}', "name is not a field of a user; did you mean userName?"),
        ("a.json", b'{"users": {}}', "users must be a list; given a dict"),
        ("a.json", b"[]", "it has no users"),
        ("a.csv", b"", "it has no users"),
        ("a.csv", b"email,userName.lastName\n", "it has no users"),
        ("a.csv", b"email;userId\na@b.example;a\n", "separate the columns with commas"),
        ("a.csv", "email,task\nü@b.example".encode("latin-1"), "a.csv is not UTF-8, from byte 11 on"),
        ("a.csv", b'email,task\n"a', "a.csv is not CSV, line 2"),
        ("a.csv", b"email,email\na@b.example,b\n", "two columns have the values of email"),
    ],
)
def test_files_that_are_something_else(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    assert said in refused(path)


def test_a_path_without_a_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no file .*people\.json; name a JSON or CSV file"):
        FakeService.sample(data=tmp_path / "people.json")


@pytest.mark.parametrize("given", [7, b"[]"])
def test_other_values(given):
    assert "data must be the path of a JSON or CSV file" in refused(given)


def test_the_first_fifty_problems():
    said = refused([{} for _ in range(40)])
    assert said.startswith("data has 80 problems")
    assert said.endswith("\n  and 30 more")


def test_addresses_and_keys_of_the_sample():
    sample = FakeService.sample(users=3).directory["u-002"]
    said = refused(
        [MINA | {"email": sample["email"].upper(), "userExternalKey": sample["userExternalKey"]}], users=3
    )
    assert f"users[0]: email {sample['email'].upper()!r} already belongs to u-002" in said
    assert "users[0]: userExternalKey 'emp-00002' already belongs to u-002" in said


def photo(**changes):
    """A photo of a user, but for some members; None leaves one out."""
    item = {"place": "/users/mina/photo", "name": "a", "text": ""} | changes
    return {name: value for name, value in item.items() if value is not None}


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (photo(place=None), "files[0]: place is required"),
        (photo(text=None), "files[0]: needs either text, or content in base64"),
        (photo(text=None, content="ä"), "files[0]: content is not base64"),
        (photo(place="/users/mina/files"), "files[0]: there is no place '/users/mina/files'"),
        (photo(place="/users/u-001/photo"), "files[0]: there is no user 'u-001'"),
        (photo(place="/bots/b/attachments"), "files[0]: bot 'b' not found"),
        (photo(name="", typ="a/b"), "typ is not a field of it; did you mean type"),
        (photo(type="a\nb"), "files[0]: has a type that must be visible"),
        (photo(name="\udc00"), "files[0]: has half a character"),
        (photo(name=object()), "files[0]: name must be a string"),
        (7, "files[0]: must be an object; given 7"),
    ],
)
def test_files(item, said):
    assert said in refused({"users": [MINA | {"userId": "mina"}], "files": [item]})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"customProperties": {}}, "customProperties must be a list"),
        ({"customProperties": [{"name": "rank"}]}, "customProperties[0]: propertyType is required"),
        ({"customProperties": [RANK, RANK]}, "customProperties: two have the name 'rank'"),
        (
            {"customProperties": [RANK | {"options": ["1"]}]},
            "only a property of type STRING can have options",
        ),
        (
            {
                "customProperties": [RANK],
                "users": [MINA | {"customProperties": {"rank": "first", "size": 1}}],
            },
            "users[0]: customProperties.size is not defined; the domain defines rank",
        ),
        ({"customproperties": []}, "customproperties is not a kind of data; did you mean customProperties?"),
    ],
)
def test_custom_properties(given, said):
    assert said in refused(given)


@pytest.mark.parametrize(
    ("rooms", "said"),
    [
        ([{}], "rooms[0]: channelId is required"),
        ([{"channelId": "r", "webhooks": [""]}], "rooms[0]: webhooks[0] must have a length of at least 1"),
        (
            [{"channelId": "r", "bot": False, "webhooks": ["a"]}],
            "rooms[0]: has webhooks, so the bot must be in it",
        ),
        ([{"channelId": "r"}, {"channelId": "r"}], "rooms: two have the ID 'r'"),
        ([{"channelId": "r", "webhooks": list("abcdef")}], "rooms: a domain can have 5 webhooks; given 6"),
    ],
)
def test_rooms(rooms, said):
    assert said in refused({"rooms": rooms})


def test_what_is_set_up():
    said = refused(
        {
            "applications": [
                {
                    "clientId": "a",
                    "redirectUri": "/x",
                    "redirectUris": ["https://a.example/#b"],
                    "publicKey": "k",
                },
                {"clientId": "a", "id": 1},
            ],
            "bots": [{"botId": "a/b"}, {"callbackUrl": "x"}, {"botId": 7}, {"botId": "7"}, {"botId": True}],
            "rooms": [{"channelId": "r", "bot": False}],
            "webhooks": [{"title": "", "channelId": "s"}, {"title": "t", "channelId": "r", "url": "x"}],
        }
    )
    beginnings = [
        "data has 11 problems",
        "applications[0]: redirectUri must be a redirect URL, which is absolute",
        "applications[0]: redirectUris must be a redirect URL, which is absolute",
        "applications[0]: publicKey cannot be used: the key must be an RSA public key as PEM",
        "applications[1]: id is not a field of it",
        "bots[4]: botId must be",
        "webhooks[1]: the bot must be in the room 'r': leave its bot out",
        "bots: two have the botId '7'",
        "bots[0]: botId must be 1 to 100 visible ASCII characters without a slash; given 'a/b'",
        "bots[1]: callbackUrl cannot receive callbacks: a callback URL must be an absolute",
        "webhooks[0]: title must not be empty",
        "webhooks[1]: url must be that of a webhook",
    ]
    lines = [line.strip() for line in said.splitlines()]
    assert len(lines) == len(beginnings)
    assert all(map(str.startswith, lines, beginnings)), said


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"applications": [{}, {"clientId": "client-1"}]}, "two have the clientId 'client-1'"),
        ({"bots": [{}, {"botId": "bot-1"}]}, "bots[1]: the bot 'bot-1' already exists"),
        (
            {
                "webhooks": [{"title": "t", "channelId": "r"}] * 4,
                "rooms": [{"channelId": "r", "webhooks": ["a", "b"]}],
            },
            "a domain can have 5 webhooks; given 6",
        ),
        (
            {"webhooks": [{"title": "t", "channelId": "r", "url": "https://h/message/w"}] * 2},
            "two have the url 'w'",
        ),
    ],
)
def test_what_is_set_up_twice(data, said):
    assert said in refused(data)


def test_callback_urls_follow_the_rule():
    data = {"bots": [{"callbackUrl": "http://bot.example/"}]}
    said = refused(data, assume={"callback.address": "https-only"})
    assert "bots[0]: a callback URL must begin with https" in said
