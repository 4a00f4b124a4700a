"""The shapes of responses, beside the fake's OpenAPI document."""

from pathlib import Path

import pytest

from .shapes import differences, shape_of
from .shapes import main as check

ROOT = Path(__file__).parents[2]


def exchange(**changes):
    """A recording of one response, the user's, with changes."""
    body = {"domainId": "integer", "email": "string", "userName": {"lastName": "null"}}
    line = {"area": "api", "method": "PATCH", "path": "/users/{userId}", "status": 200}
    return {"version": 1, "exchanges": [line | {"type": "application/json", "body": body} | changes]}


USER = exchange()["exchanges"][0]["body"]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, None),
        ({"path": "*"}, None),
        ({"status": 418}, "answered 418; the fake answers 200, 400"),
        ({"type": "text/html", "body": None}, "answered 200 as text/html; the fake, as application/json"),
        ({"body": USER | {"email": "integer"}}, "the body.email is of the type integer, not string"),
        ({"body": USER | {"aliasEmails": ["string", "null"]}}, "the body.aliasEmails[] is of the type null"),
        ({"body": USER | {"userName": {"lastName": []}}}, "the body.userName.lastName is of the type array"),
        ({"body": {"domainId": "integer", "email": "string"}}, "the body has no userName"),
    ],
)
def test_differences_from_the_document_are_told(changes, found):
    told = differences(exchange(**changes))
    assert [found in each for each in told] == [True] * (found is not None), told


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "the following arguments are required: FILE"),
        (["nowhere.json"], "nowhere.json cannot be read: No such file or directory"),
        (["pyproject.toml"], "pyproject.toml is no recording"),
    ],
)
def test_what_is_no_recording_is_told(given, words, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as told:
        check(*given)
    assert told.value.code == 2
    assert words in capsys.readouterr().err


def test_names_that_the_description_has_not_are_no_part_of_a_shape():
    value = {"email": "x", "mina@example.com": 1, "Mina": 2, "rows": [{"email": None}, {"email": None}]}
    assert shape_of(value, frozenset({"email"})) == {
        "email": "string",
        "*1": "integer",
        "*2": [{"email": "null"}],
    }
