"""Looking through a lesson: its words, its starter and its solutions."""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from unicodedata import normalize

from fakes.lessons import Exercise, Words, grade
from svckit.course.catalogue import Lesson, describe_error
from svckit.course.submissions import grade_exercise, list_cells
from svckit.display.card import quantity

__all__ = ["find_problems"]

QUOTE = r'\s?["“”„‟«»「」『』]\s?'
"""A quotation mark of any language."""
SEEDS = (0, 1_234_567, 16_777_215)
LEVELS = 3
"""How many hints each sentence has: a question, a pointer, and the place in the lesson."""


def find_problems(lesson: Lesson) -> list[str]:
    """Return what is not in order in a lesson, a sentence for each; none for a lesson that can be taught.

    Raises:
        ValueError: its words are not in order at all, or there is no notebook beside them.
    """
    if not lesson.notebook.is_file():
        raise ValueError(f"there is no {lesson.notebook.name} beside {lesson.words}")
    problems: list[str] = []
    try:
        problems.extend(_list_problems(lesson))  # those before an error stay
    except Exception as error:  # noqa: BLE001 - whatever the lesson's module raises
        problems.append(describe_error(error, lesson.words.parent))
    return problems


def _list_problems(lesson: Lesson) -> Iterator[str]:
    exercise = lesson.load()
    yield from _read_words(exercise, lesson.notebook)
    yield from _find_unknown(lesson, exercise.words)
    for language, notebook in lesson.translations.items():
        translated = exercise.translate(language)
        found = (*_compare_words(exercise.words, language), *_read_words(translated, notebook))
        yield from (f"{language}: {problem}" for problem in found)
    yield from _try_starter(lesson)
    yield from _try_solutions(lesson, exercise)


def _read_words(exercise: Exercise, notebook: Path) -> Iterator[str]:
    words, text = exercise.words, notebook.read_text("utf-8")
    for check in words.content["checks"]:
        if not words.goal(check):
            yield f"check {check}: it has no goal"
    headings = [
        line[3:].strip() for cell in json.loads(text)["cells"] for line in cell["source"] if line[:3] == "## "
    ]
    for name, (sentence, hints) in words.sentences.items():
        for text in (sentence, *hints):
            yield from (f"sentence {name!r}: {problem}, in: {text}" for problem in _find_odd_braces(text))
        if len(hints) != LEVELS or not all(hints):
            count = quantity(sum(map(bool, hints)), "hint")
            yield f"sentence {name!r}: {count}, not {LEVELS}: question, pointer, and place"
        elif not normalize("NFKC", hints[0]).endswith("?"):
            yield f"sentence {name!r}: its first hint is not a question"
        elif not any(re.search(f"{QUOTE}{re.escape(heading)}{QUOTE}", hints[2]) for heading in headings):
            yield f"sentence {name!r}: its last hint names no heading of the notebook; there are {', '.join(headings)}"


def _find_unknown(lesson: Lesson, words: Words) -> Iterator[str]:
    """Yield the sentences that the module of a lesson names, or its table of refusals, and its words have not."""
    module, known = lesson.module, ", ".join(words.sentences)
    for name in words.content.get("refused", {}).values():
        if name not in words.sentences:
            yield f"table [refused]: there is no sentence {name!r}; there are {known}"
    file = Path(str(module.__file__)).name
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "said" and node.args:
            name = getattr(node.args[0], "value", None)
            if isinstance(name, str) and name not in words.sentences:
                yield f"{file}, line {node.lineno}: there is no sentence {name!r}; there are {known}"


def _compare_words(english: Words, language: str) -> Iterator[str]:
    """Yield what a translation has and the English words have not, and the data that it has of a variant."""
    path = english.path and english.path.with_suffix(f".{language}.toml")
    if path is None or not path.is_file():
        return
    other = Words({"checks": {}, **Words.read(path).content})
    for variant in other.content.get("variants", ()):
        if {*variant} - {"words"}:
            yield f"variant {variant!r}: only its words are translated"
    for check in other.content["checks"]:
        if check not in english.content["checks"]:
            yield f"check {check}: the English words have {', '.join(english.content['checks'])}"
    for name, (sentence, _) in other.sentences.items():
        if name not in english.sentences:
            yield f"sentence {name!r}: the English words have {', '.join(english.sentences)}"
        elif unknown := _find_values(sentence) - _find_values(english.sentences[name][0]):
            yield f"sentence {name!r}: the English one has no {', '.join(sorted(unknown))} in braces"


def _find_odd_braces(text: str) -> Iterator[str]:
    try:
        for name, spec in ((name, spec) for _, name, spec, _ in Formatter().parse(text) if spec):
            if len(spec) > 1 and spec.isalpha():
                yield f"{{{name}:{spec}}} has one form, not two, as {{{name}:{spec}|{spec}s}} has"
    except ValueError as error:
        yield str(error)


def _find_values(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def _try_starter(lesson: Lesson) -> Iterator[str]:
    cells = "\n\n".join(list_cells(lesson.notebook, tagged=True))
    if f"def {lesson.function}(" not in cells:
        yield f"starter: no cell of the notebook is tagged as exercise and defines {lesson.function}"
        return
    feedback = grade_exercise("starter", cells, lesson).feedback
    if any(goal.reached for goal in feedback.goals) or feedback.mistake in ("", "raised"):
        yield f"starter: it should run and reach no goal; {feedback.happened}"


def _try_solutions(lesson: Lesson, exercise: Exercise) -> Iterator[str]:
    if not lesson.load_solutions():
        yield "solutions: there are none"
    for solve in lesson.load_solutions():
        for seed in SEEDS:
            feedback = grade(exercise, solve, seed)
            if not feedback.solved:
                yield f"{solve.__name__}, with the data of seed {seed}: {feedback.happened}"
                break
