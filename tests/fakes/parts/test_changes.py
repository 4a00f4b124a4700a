"""Stored collections: dicts that note what changes in them, whichever way it does."""

import inspect
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.parts.changes import ChangeLog, Log, Stored, UnsavedChanges
from svckit.models.files import UploadRequest

from ...work import count_steps
from ..caller import make

KEYS = st.sampled_from("abcdef")
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["put", "put", "drop", "default"]), KEYS, st.integers(0, 9)),
        st.tuples(st.sampled_from(["clear", "update", "replace", "last", "join"]), KEYS, st.integers(0, 9)),
    ),
    max_size=12,
)


def act(kept, operation, key, value):
    """Change a dict in one of all ways."""
    if operation == "put":
        kept[key] = value
    elif operation == "drop":
        kept.pop(key, None)
    elif operation == "default":
        kept.setdefault(key, value)
    elif operation == "clear":
        kept.clear()
    elif operation == "update":
        kept.update({key: value, "a": value})
    elif operation == "join":
        kept |= {key: value}
    elif operation == "last" and kept:
        kept.popitem()
    elif operation == "replace":
        replacement = {key: value, "f": 0}
        kept.replace(replacement) if isinstance(kept, Stored) else (kept.clear(), kept.update(replacement))


def saved(rows, unsaved, collection):
    """Rows after what was unsaved has been saved: as a state file does it."""
    keys = unsaved.get("kept", {})
    if keys is None:
        return dict(collection)
    for key, moved in keys.items():
        if moved or key not in collection:
            rows.pop(key, None)
    rows.update((key, collection[key]) for key in keys if key in collection)
    return rows


@settings(max_examples=100, deadline=None, derandomize=True)
@given(batches=st.lists(st.tuples(OPERATIONS, st.booleans(), st.booleans()), max_size=6))
def test_what_is_unsaved_makes_rows_of_the_collection_again(batches):
    """In the order of the collection, whether or not calls are undone and commits fail."""
    changes = ChangeLog()
    kept, plain, rows = Stored(changes, "kept"), {}, {}
    unsaved, waiting = changes.watch(), UnsavedChanges()
    for operations, undone, fails in batches:
        before = dict(plain)
        changes.begin()
        for each in operations:
            act(kept, *each)
            act(plain, *each)
        assert list(kept.items()) == list(plain.items())
        if undone:
            changes.undo()
            plain = before
            assert list(kept.items()) == list(plain.items())
        else:
            changes.keep()
        waiting.add(unsaved.take())
        if not fails:
            rows, waiting = saved(rows, waiting, kept), unsaved.take()
            assert list(rows.items()) == list(plain.items())


def test_every_method_of_dict_that_changes_it_is_known():
    known = {name for name in vars(dict) if inspect.isroutine(getattr(dict, name))}
    reading = {"get", "items", "keys", "values", "copy", "fromkeys"}
    changing = {name for name in known if not name.startswith("__")} - reading
    changing |= {"__setitem__", "__delitem__", "__ior__"}
    assert changing <= vars(Stored).keys()


def test_nothing_is_noted_for_nobody():
    changes = ChangeLog()
    kept = Stored(changes, "kept")
    kept["a"] = 1
    changes.begin()
    kept["a"] = 2
    changes.keep()
    kept["a"] = 3
    assert not changes.listening


def test_everyone_who_watches_is_told_every_change():
    changes = ChangeLog()
    kept = Stored(changes, "kept")
    one, other = changes.watch(), changes.watch()
    kept["a"] = 1
    assert one.take() == {"kept": {"a": True}}
    kept["a"] = 2
    assert (one, other.take()) == ({"kept": {"a": False}}, {"kept": {"a": True}})
    kept.replace({})
    assert one.take() == other.take() == {"kept": None}


def test_what_follows_from_others_is_undone_and_not_saved():
    changes = ChangeLog()
    index = Stored(changes)
    unsaved = changes.watch()
    changes.begin()
    index["a"] = 1
    changes.undo()
    assert (index, changes.collections, unsaved) == ({}, {}, {})


@given(st.integers(1, 4), st.lists(st.integers(), max_size=12))
def test_a_log_keeps_the_latest_under_consecutive_numbers(capacity, entries):
    log = Log(capacity=capacity)
    for entry in entries:
        log.append(entry)
    latest = entries[-capacity:]
    assert list(log.values()) == latest
    assert list(log) == list(range(len(entries) - len(latest), len(entries)))
    assert [log.at(index) for index in range(-len(latest), len(latest))] == latest + latest
    for beyond in (len(latest), -len(latest) - 1):
        with pytest.raises(IndexError, match=f"there are {len(latest)} entries"):
            log.at(beyond)


def expiring_tokens(fake):
    return lambda: fake.state.tokens.issue_to_client("c", "u-001", "user")


def expiring_uploads(fake):
    request = UploadRequest(file_name="a.txt", file_size=1)
    return lambda: fake.state.files.uploads.issue(("drive", "u-001"), None, request, "u-001")


@pytest.mark.parametrize("expiring", [expiring_tokens, expiring_uploads])
def test_what_expires_is_forgotten_in_proportion_to_its_number(expiring):
    def forgetting(count):
        """The steps to forget so many, for each of them."""
        fake = make()
        issue = expiring(fake)
        for _ in range(count):
            issue()
        fake.clock.advance(days=4)
        return count_steps(issue) / count

    assert forgetting(4000) <= 1.1 * forgetting(400)


def taking_out_of(size, number):
    """Calls that take entries out from the middle, and put others in."""
    changes = ChangeLog()
    kept = Stored(changes, "kept")
    kept.update(dict.fromkeys(range(size), "entry"))

    def call():
        for _ in range(100):
            changes.begin()
            key = next(number)
            kept.pop(key)
            kept[-key] = "entry"
            changes.keep()

    return call


def logging_in(size, _):
    """Calls that each add to a full log."""
    changes = ChangeLog()
    log = Log(changes, "log", size)
    log.replace(dict.fromkeys(range(size), 7))

    def call():
        for _ in range(100):
            changes.begin()
            log.append(7)
            changes.keep()

    return call


@pytest.mark.parametrize("calling", [taking_out_of, logging_in])
def test_removal_cost_is_independent_of_size(calling):
    many, few = calling(100_000, count(50_000)), calling(10_000, count(5_000))
    many(), few()  # the first numbers the places
    assert count_steps(many) <= 1.1 * count_steps(few)


def test_undo_forgets_places_of_removed_entries():
    changes = ChangeLog()
    kept = Stored(changes, "kept")
    kept.update(a=1, b=2)
    changes.begin()
    del kept["b"]
    kept["c"] = 3
    del kept["c"]
    changes.undo()
    kept["c"] = 3
    changes.begin()
    del kept["a"]
    changes.undo()
    assert list(kept) == ["a", "b", "c"]
