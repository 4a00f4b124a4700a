"""Problems teach: where, what the limit is, what was given; all at once and never a secret."""

import pytest
from pydantic import ValidationError

from svckit.models import MessageEvent, TokenSet, UserChange
from svckit.models.problems import Problem, list_problems


def _problems(model, body):
    with pytest.raises(ValidationError) as caught:
        model.from_wire(body)
    return list_problems(caught.value)


LONG = "x" * 101
BEGINNING = f'101 characters, "{LONG[:60]}…"'


@pytest.mark.parametrize(
    ("body", "message", "given", "limit"),
    [
        ({"nickName": LONG}, f"nickName must have at most 100 characters; given {BEGINNING}", BEGINNING, 100),
        (
            {"aliasEmails": ["x"] * 11},
            "aliasEmails must have at most 10 items; given an array of 11",
            "an array of 11",
            10,
        ),
        (
            {"birthdayCalendarType": "MOON"},
            "birthdayCalendarType must be 'SOLAR' or 'LUNAR'; given \"MOON\"",
            '"MOON"',
            "'SOLAR' or 'LUNAR'",
        ),
        ({"email": None}, "email must be a string and cannot be null", "null", None),
        ({"messenger": {"protocol": "CUSTOM"}}, "messenger.messengerId is required", None, None),
        (
            {"birthday": "x"},
            "birthday must be a date written YYYY-MM-DD, such as 2026-06-01; given 'x'",
            '"x"',
            None,
        ),
        (
            {"domainId": 2**31},
            "domainId must be at most 2147483647; given 2147483648",
            "2147483648",
            2147483647,
        ),
        (
            {"domainId": 10.0},
            "domainId must be written without a decimal point or exponent; given 10.0",
            "10.0",
            None,
        ),
        ({"domainId": 10.5}, "domainId must be a whole number; given 10.5", "10.5", None),
        ({"domainId": "10"}, 'domainId must be a whole number; given "10"', '"10"', None),
    ],
)
def test_a_problem_names_the_field_the_limit_and_what_was_given(body, message, given, limit):
    path = message.partition(" ")[0]
    assert _problems(UserChange, body) == [Problem(path, message, given, limit)]


def test_a_body_that_is_no_object():
    given = "an array of 0"
    assert _problems(UserChange, "[]") == [Problem("", f"the body must be an object; given {given}", given)]


def test_patterns_are_explained_in_words():
    [telephone, zone] = _problems(UserChange, {"telephone": "none", "timeZone": "Tokyo"})
    assert "digits (at least one)" in telephone.message
    assert "Region/City" in zone.message
    assert "[" not in telephone.message + zone.message


def test_all_problems_come_together_in_the_order_of_the_fields():
    body = (
        '{"task": 1, "relations": [{"relationName": 2}], "email": null,'
        ' "organizations": [{"domainId": 1, "primary": true}, {"orgUnits": [{"orgUnitId": 3}]}]}'
    )
    expected = [
        "email",
        "organizations[1].domainId",
        "organizations[1].primary",
        "organizations[1].orgUnits[0].orgUnitId",
        "organizations[1].orgUnits[0].primary",
        "task",
        "relations[0].relationName",
    ]
    assert [problem.path for problem in _problems(UserChange, body)] == expected


def test_paths_are_in_wire_names_also_for_python_names():
    with pytest.raises(ValidationError) as caught:
        UserChange(nick_name=5, i18n_names=[3], custom_properties={"my_rank": float("nan")})
    assert [problem.path for problem in list_problems(caught.value)][:2] == ["i18nNames[0]", "nickName"]


@pytest.mark.parametrize(
    "body",
    [
        '{"nickName": ' + "9" * 4000 + "}",
        '{"domainId": ' + "9" * 4000 + "}",
        '{"domainId": ' + "9" * 10_000 + "}",
        '{"domainId": 1e400}',
        '{"customProperties": {"{x}": ' + "[" * 500 + "]" * 500 + '}, "task": {}}',
        '{"task": "\\ud800"}',
    ],
)
def test_outlandish_input_is_told_briefly(body):
    found = _problems(UserChange, body)
    assert found
    assert all(len(problem.message) < 300 for problem in found)


@pytest.mark.parametrize("body", ["", "{", b"\xff", "{'a': 1}"])
def test_a_body_that_is_not_json(body):
    [problem] = _problems(UserChange, body)
    assert problem.path == ""
    assert problem.message.startswith("the body is not valid JSON: ")


@pytest.mark.parametrize("text", [r"\ud800", r"\ud800x", r"\ud800\n", r"\ud800\u0041", r"\udc00"])
def test_half_a_character_is_told_as_that(text):
    [problem] = _problems(UserChange, f'{{"task": "{text}"}}')
    assert problem.message.startswith(
        "the body is not valid JSON: half a character, a \\uD800 to \\uDFFF without its other half, at line 1 column "
    )
    [problem] = _problems(UserChange, r'{"task": "\u12"}')
    assert problem.message == "the body is not valid JSON: invalid escape at line 1 column 15"


def test_secrets_are_never_echoed():
    canary = "c4n4ry-8f2e"
    found = _problems(TokenSet, {"access_token": [canary], "refresh_token": {"x": canary}, "scope": 1})
    found += _problems(TokenSet, {"access_token": canary})
    found += _problems(UserChange, {"locale": f"https://hooks.example/message/{canary}"})
    found += _problems(UserChange, {"timeZone": f"Authorization: Bearer {canary}"})
    found += _problems(UserChange, {"birthday": f"code={canary}"})
    found += _problems(UserChange, f'{{"access_token": "{canary}')
    assert found
    assert not [problem for problem in found if canary in repr(problem)]


def test_the_type_of_a_content_is_no_part_of_a_path():
    body = {"type": "message", "content": {"type": "image", "fileId": 7}}
    assert [problem.path for problem in _problems(MessageEvent, body)] == [
        "source",
        "issuedTime",
        "content.fileId",
    ]


def test_a_part_is_placed_where_it_stands():
    with pytest.raises(ValidationError) as caught:
        UserChange.from_wire({"task": 1})
    assert [problem.path for problem in list_problems(caught.value, at="users[3]")] == ["users[3].task"]


HALF = "\u30ab\u3099"


def wide(text):
    """Text in full width."""
    return "".join(chr(ord(each) + 0xFEE0) for each in text)


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        ({"userName": {"phoneticLastName": "さとう"}}, 'given "さとう"; did you mean サトウ?'),
        (
            {"userName": {"phoneticLastName": HALF}},
            f'given "{HALF}", which is decomposed (NFD); did you mean \u30ac?',
        ),
        ({"userName": {"phoneticLastName": "佐藤"}}, 'given "佐藤"'),
        ({"telephone": wide("03-5555") + "ー" + wide("0001")}, "did you mean 03-5555-0001?"),
        ({"telephone": wide("(03)5555") + "\u3000" + wide("0001")}, "did you mean (03)55550001?"),
        ({"telephone": "none"}, 'given "none"'),
    ],
)
def test_what_an_input_method_wrote_in_another_form_is_recognized(body, ending):
    (problem,) = _problems(UserChange, body)
    assert str(problem).endswith(ending)
