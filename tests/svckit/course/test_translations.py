"""Lessons in another language: the same code, and all words of the lesson and its feedback."""

import ast
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fakes.lessons import grade
from fakes.lessons.grading import GENERAL
from svckit.course.catalogue import LESSONS, find_lesson

from .test_submissions import run

TRANSLATED = [(lesson, language) for lesson in LESSONS for language in lesson.translations]
LESSON = find_lesson("00")


def read_code(path: Path) -> list[str]:
    """Return the code of each cell without its comments, which are translated."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [ast.unparse(ast.parse("".join(cell["source"]))) for cell in cells if cell["cell_type"] == "code"]


def test_there_is_one_in_japanese() -> None:
    assert (LESSON, "ja") in TRANSLATED


@pytest.mark.parametrize(("lesson", "language"), TRANSLATED)
def test_the_code_is_the_same(lesson: Any, language: str) -> None:
    for english, other in zip(
        read_code(lesson.notebook), read_code(lesson.translations[language]), strict=True
    ):
        if "course.predict(" not in english:
            assert other.replace(f", language='{language}'", "") == english


@pytest.mark.parametrize(("lesson", "language"), TRANSLATED)
def test_every_word_of_the_lesson_is_translated(lesson: Any, language: str) -> None:
    english = lesson.load()
    for words, other in (
        (english.words, english.translate(language).words),
        (GENERAL, GENERAL.translate(language)),
    ):
        assert words.sentences.keys() == other.sentences.keys()
        for name, (sentence, hints) in words.sentences.items():
            assert other.sentences[name][0] != sentence, name
            assert not set(other.sentences[name][1]) & set(hints), name
    assert not {state.words for state in english.goals} & {
        state.words for state in english.translate(language).goals
    }


def test_feedback_is_in_japanese() -> None:
    feedback = grade(LESSON.load().translate("ja"), lambda svc, unit: svc.notify("Emi?"))
    assert repr(feedback).splitlines() == [
        "見て回る: 未達成",
        "  達成    メッセージを1件投稿する",
        "  未達成  1人をメンションする",
        "  未確認  その人は指定された部署にいる",
        "  達成    誰の情報も変更しない",
        "  リクエスト1は“Emi?”を投稿しました。誰もメンションされていません。",
        "  このテキストが誰に宛てたものか、サービスはどうやって知りますか\uff1f",
    ]
    assert (feedback.verdict, feedback.mistake) == ("not yet", "no markup")


def test_the_command_opens_the_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    module = import_module("svckit.cli.lab")  # the package has a function of this name
    monkeypatch.setattr(module, "lab", lambda notebook, **_: opened.append(notebook.name))
    for number in ("00", "08"):
        shown = run("open", number, "--language", "ja")
        assert shown.exit_code == 0, shown.output
    assert opened == ["00-look-around.ja.ipynb", "08-wait-when-told.ipynb"]
    assert "lesson 08 is not translated into ja" in shown.output
