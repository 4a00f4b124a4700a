"""The words of a lesson: sentences with values, hints in levels, and translations."""

from pathlib import Path

import pytest

from fakes.lessons import Words, said
from svckit import connect

ENGLISH = """
title = "Post some"
variants = [{words = "two", count = 2}, {words = "three", count = 3}]

[checks.once]
goal = "each is posted once"
hints = ["How many times?", "Count.", "See “Here”."]
twice = "Request {request} repeats {count:message|messages}."
late = ["Request {request} is late.", "When is it due?"]
"""
JAPANESE = """
title = "いくつか送る"
variants = [{words = "二つ"}]

[checks.once]
hints = ["何回ですか。"]
late = "{request}番のリクエストは遅すぎます。"
"""


@pytest.fixture
def words(tmp_path: Path) -> Words:
    (tmp_path / "post.toml").write_text(ENGLISH, "utf-8")
    (tmp_path / "post.ja.toml").write_text(JAPANESE, "utf-8")
    return Words.read(tmp_path / "post.toml")


def test_a_sentence_has_the_hints_of_its_check(words: Words) -> None:
    assert words.explain(said("twice", request=2, count=1)) == (
        "twice",
        "Request 2 repeats 1 message.",
        ("How many times?", "Count.", "See “Here”."),
    )
    assert words.explain(said("twice", request=2, count=3)).happened == "Request 2 repeats 3 messages."


def test_a_hint_of_its_own_comes_in_place_of_the_one_of_its_check(words: Words) -> None:
    assert words.explain(said("late", request=2)).hints == ("When is it due?", "Count.", "See “Here”.")


def test_what_is_not_translated_stays_english(words: Words) -> None:
    japanese = words.translate("ja")
    assert japanese.content["title"] == "いくつか送る"
    assert japanese.content["variants"] == [{"words": "二つ", "count": 2}, {"words": "three", "count": 3}]
    assert japanese.goal("once") == "each is posted once"
    found = japanese.explain(said("late", request=2))
    assert found.happened == "2番のリクエストは遅すぎます。"
    assert found.hints == ("When is it due?", "Count.", "See “Here”.")
    assert japanese.explain(said("twice", request=2, count=1)).hints[0] == "何回ですか。"
    assert words.translate("fr") == words


@pytest.mark.parametrize(
    ("happened", "message"),
    [
        (said("thrice"), "post.toml has no sentence 'thrice'; it has late, twice"),
        (said("late"), "post.toml: 'request' is not given; given nothing; for: Request {request} is late."),
    ],
)
def test_what_is_missing_is_named(
    words: Words, happened: tuple[str, dict[str, object]], message: str
) -> None:
    with pytest.raises(LookupError) as caught:
        words.explain(happened)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_a_check_without_words_is_named(words: Words) -> None:
    with pytest.raises(LookupError, match=r"post.toml has no table \[checks.twice\]; it has once"):
        words.goal("twice")


def test_a_file_that_is_not_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "post.toml").write_text("title = Post", "utf-8")
    with pytest.raises(ValueError, match=r"post.toml is not TOML: "):
        Words.read(tmp_path / "post.toml")


def test_a_value_that_is_not_a_text_takes_one_line() -> None:
    with connect(seed=0) as svc:
        user = svc.users.read("u-001")
    found = Words({"checks": {}}).fill("It returned {returned}.", {"returned": user})
    assert "\n" in repr(user)
    assert "\n" not in found
    assert len(found) <= 220
