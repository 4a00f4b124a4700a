"""A bad body costs little more than to read it, however large; what is told of it is short, and no secret."""

import contextlib
import json
import re

import pytest

from svckit.models.problems import Problem, join_problems, limit_problems

from ...bad_bodies import ACCEPTED, FURTHER, SHAPES
from ...work import count_steps, ratio
from ..caller import Caller, calling, make

MB = 1_000_000


@pytest.fixture(scope="module")
def patched():
    me = Caller(make())

    def patch(*chunks):
        with me.begin_update() as exchange:
            for chunk in chunks:
                exchange.feed(chunk)
            return exchange.finish()

    patch.fake = me.fake
    patch(b'{"customProperties": {"a": 1}, "shoeSize": 38}')
    return patch


def read(text):
    with contextlib.suppress(ValueError, RecursionError):
        json.loads(text)


@pytest.mark.parametrize("shape", [*SHAPES, *FURTHER, *ACCEPTED])
def test_cost_of_a_bad_body_grows_linearly(patched, shape):
    small, large = ((SHAPES | FURTHER | ACCEPTED)[shape](size).encode() for size in (10_000, 100_000))
    patched(small), patched(large)  # what is loaded at first use
    assert count_steps(lambda: patched(large)) <= 11 * count_steps(lambda: patched(small))


@pytest.mark.long
@pytest.mark.parametrize("shape", [*SHAPES, *FURTHER, *ACCEPTED])
def test_a_bad_body_costs_at_most_three_times_its_reading(patched, shape):
    # To write what is told of it costs as much whatever its size, which counts only where little is to be read.
    size = 5 * MB if shape in ("long names of custom properties", "wide letters", "escapes") else MB
    body = (SHAPES | FURTHER | ACCEPTED)[shape](size).encode()
    # What is not JSON from its first characters on costs nothing to read, and still it has to be taken in.
    floor = json.dumps("x" * MB).encode()

    def both():
        read(body)
        if shape in ("no JSON", "deep nesting"):
            read(floor)

    assert ratio(lambda: patched(body), both, at_most=3) <= 3  # measured: 0.2 to 2.2; up to 2000 before


@pytest.mark.parametrize("shape", [*SHAPES, *FURTHER])
@pytest.mark.parametrize("size", [1000, 300_000])
def test_a_bad_body_is_refused_and_told_of_in_few_words(patched, shape, size):
    answer = patched((SHAPES | FURTHER)[shape](size).encode())
    assert answer.status == 400
    assert len(answer.body) < 40_000
    assert len(patched.fake.journal[-1].request_body) < 100_000


def told(answer):
    """The problems that a response lists, and what it says at its end of others."""
    words = json.loads(answer.body)["description"]
    listed, _, more = words.partition("; and ")
    return len(
        re.findall(r"is not defined|is required|must (be|have)", listed)
    ), f"and {more}" if more else ""


@pytest.mark.parametrize(("count", "more"), [(50, None), (51, 1), (100_000, 99_950)])
def test_at_most_fifty_problems_are_listed(patched, count, more):
    body = json.dumps({"customProperties": {f"k{n}": [{}] for n in range(count)}})
    assert told(patched(body.encode())) == (50, f"and {more} more" if more else "")


def test_problems_of_several_fields_are_counted_together(patched):
    body = {"customProperties": {f"k{n}": 1 for n in range(100)}, "nickName": 7, "aliasEmails": ["x"] * 12}
    assert told(patched(json.dumps(body).encode())) == (50, "and 52 more")


def test_where_the_rest_is_not_looked_at_it_says_so(patched):
    body = {"i18nNames": [7] * 900, "nickName": 7}
    assert told(patched(json.dumps(body).encode())) == (50, "and 51 more, at least")


def test_problems_beyond_the_fiftieth_do_not_hide_those_of_the_domain(patched):
    body = {"organizations": [{}] * 24, "aliasEmails": ["a@b.test", "a@b.test"], "birthday": "2026-02-30"}
    answer = patched(json.dumps(body).encode())
    assert "birthday" in json.loads(answer.body)["description"]


@pytest.mark.parametrize("problems", [0, 1, 50, 51, 52, 1000])
def test_a_list_of_problems_is_short(problems):
    found = [Problem(f"a[{n}]", f"a[{n}] is required") for n in range(problems)]
    words = join_problems(found)
    assert words == join_problems(limit_problems(found))
    assert words.count("is required") == min(problems, 50)
    assert words.endswith(f"and {problems - 50} more") is (problems > 50)
    assert sum(problem.count for problem in limit_problems(limit_problems(found))) == problems


def test_ignored_fields_are_told_of_in_few_words(patched):
    answer = patched(json.dumps({f"field{n}": n for n in range(100_000)}).encode())
    assert answer.status == 200
    [ignored] = [value for name, value in answer.headers if name == "X-Fake-Ignored"]
    assert ignored.startswith("field0, field1, ")
    assert len(ignored) <= 1000
    assert len(repr(patched.fake.journal)) < 100_000
    assert len(patched.fake.journal[-1].ignored) <= 51


def test_fifty_ignored_fields_are_named_and_how_many_more_there_are(patched):
    answer = patched(json.dumps({"nickName": "Mina"} | {f"f{n}": n for n in range(70)}).encode())
    [ignored] = [value for name, value in answer.headers if name == "X-Fake-Ignored"]
    names = ignored.split(", ")
    assert names == [*(f"f{n}" for n in range(50)), "and 20 more"]


def test_refused_fields_are_named_likewise():
    with calling(make(assume={"api.extra-fields": "refused"})) as me:
        words = me.patch(**{f"f{n}": n for n in range(70)}).json()["description"]
    assert words.endswith("f48, f49, and 20 more")


def test_huge_array_is_refused_before_its_items(patched):
    body = {"organizations": [{"orgUnits": 7}] * 1001, "i18nNames": [{}] * 1000, "nickName": 7}
    words = json.loads(patched(json.dumps(body).encode()).body)["description"]
    assert words.startswith("organizations must have at most 1000 items; given an array of 1001; ")
    assert "user.array-limit" in words
    assert words.endswith("; nickName must be a string; given 7")


def test_a_secret_that_is_cut_is_not_told(patched):
    secret = "c4n4ry-8f2e"
    for value in (f"{'x' * 40} code={secret}{'y' * 1000}", f"{'x' * 40}://{secret}{'y' * 1000}@host"):
        for body in ({"nickName": value}, {"customProperties": {value: 1}}):
            assert secret[:5] not in patched(json.dumps(body).encode()).body.decode()


def test_unknown_fields_of_an_admin_call_are_told_likewise(admin):
    words = admin.refused("PATCH", "/domain", {f"f{n}": n for n in range(100_000)})
    assert words.startswith("f0 is not a field of this call; its fields are advancedPlan, ")
    assert words.endswith("; and 99950 more")
    assert len(words) < 20_000


def test_wrong_items_of_an_admin_call_are_told_likewise(admin):
    words = admin.refused("PATCH", "/domain", {"forbiddenEmailWords": [7] * 100_000})
    assert words.startswith("forbiddenEmailWords[0] must be a string; given 7; ")
    assert words.endswith("; and 50 more, at least")
