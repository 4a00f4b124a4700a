"""The directory as a mapping of user IDs to copies of records, and the search for one by another value."""

import pytest

from ..caller import make


@pytest.fixture
def directory():
    return make().directory


def test_an_unknown_id_is_named_with_the_nearest(directory):
    with pytest.raises(KeyError, match=r"no user 'u-0011'; did you mean u-011.*has the users u-001 to u-020"):
        directory["u-0011"]
    for key in (3, None, ["u-001"]):
        with pytest.raises(KeyError, match="there is no user"):
            directory[key]
        assert key not in directory
    assert directory.get("nobody") is None


@pytest.mark.parametrize("changed", [False, True])
def test_what_is_returned_is_a_copy(directory, changed):
    if changed:
        directory.put(directory["u-002"] | {"nickName": "Mina"})
    before = directory["u-002"]
    for record in (directory["u-002"], directory.find(external_key="emp-00002"), dict(directory)["u-002"]):
        record["organizations"].clear()
        record["userName"]["lastName"] = "Kato"
    assert directory["u-002"] == before


def test_it_is_shown_without_its_users(directory):
    assert repr(directory) == "<Directory: 20 users>"
    directory.remove("u-003")
    assert repr(directory) == "<Directory: 19 users>"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"email": ""},
        {"email": None},
        {"email": 3},
        {"email": "a@example.com", "external_key": "emp-00001"},
    ],
)
def test_a_search_is_for_one_text(directory, given):
    with pytest.raises(TypeError, match="find takes either email= or external_key=, as text; given "):
        directory.find(**given)
