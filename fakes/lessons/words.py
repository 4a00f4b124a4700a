"""What a lesson says, as data: titles, goals, sentences and hints, in a TOML file and its translations."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from fakes.lessons.feedback import Finding

__all__ = ["Said", "Words", "said"]


class Said(NamedTuple):
    """What happened: the name of a sentence in the file of words, and the values that it names."""

    name: str
    values: Mapping[str, object]


def said(name: str, /, **values: object) -> Said:
    """Say what happened, by the name of a sentence.

    Args:
        name: the name, unique in the lesson.
        **values: what the sentence has in braces, such as ``request=12``.
    """
    return Said(name, values)


class _Counting(Formatter):
    """Formats a number with the spec ``request|requests`` as that many requests."""

    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, many = format_spec.partition("|")
        return f"{value} {one if value == 1 else many}" if bar else format(value, format_spec)


@dataclass(frozen=True)
class Words:
    """The words of a lesson.

    Attributes:
        content: what the file holds: ``title``, ``minutes``, ``section``, ``function``, ``variants``, ``solved``, and
            ``checks``. Each check has a ``goal``, ``hints``, and sentences by name. A sentence is a text, or a list of
            a text and hints of its own: a question, a pointer, and the place in the lesson.
        path: the file in English; None if there is none.
        language: the language's code.

    Examples:
        >>> late = ["Request {request} came {seconds:second|seconds} too soon.", "How long is a minute?"]
        >>> words = Words({"checks": {"patience": {"goal": "it waits", "hints": ["", "Wait."], "late": late}}})
        >>> words.explain("patience", said("late", request=3, seconds=1))
        Finding(mistake='late', happened='Request 3 came 1 second too soon.', hints=('How long is a minute?', 'Wait.'))
    """

    content: Mapping[str, Any]
    path: Path | None = None
    language: str = "en"

    @classmethod
    def read(cls, path: Path) -> "Words":
        """Read a file of words.

        Raises:
            OSError: the file cannot be read.
            ValueError: it is not TOML.
        """
        try:
            return cls(tomllib.loads(path.read_text("utf-8")), path)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{path} is not TOML: {error}") from None

    def translate(self, language: str) -> "Words":
        """Return the words in another language, from the file beside this one; a word that it lacks stays English.

        Args:
            language: its code, such as ``"ja"``, which stands before the extension: ``08-wait-when-told.ja.toml``.
        """
        path = self.path and self.path.with_suffix(f".{language}.toml")
        if path is None or not path.is_file():
            return self
        return Words(_merge(self.content, Words.read(path).content), self.path, language)

    def goal(self, check: str) -> str:
        """Return the goal of a check; empty if it has none."""
        return str(self._find(check).get("goal", ""))

    def explain(self, check: str, happened: Said) -> Finding:
        """Return the sentence that a check has for what happened, and its hints.

        Raises:
            LookupError: the file has no such sentence, or the sentence names a value that is not given.
        """
        table = self._find(check)
        if happened.name not in table:
            raise LookupError(f"{self._place(check)} has no sentence {happened.name!r}; it has {', '.join(table)}")
        entry = table[happened.name]
        sentence, *own = [entry] if isinstance(entry, str) else entry
        hints = (*own, *table.get("hints", ())[len(own) :])
        return Finding(happened.name, self.fill(sentence, happened.values), hints)

    def fill(self, sentence: str, values: Mapping[str, object]) -> str:
        """Return a sentence with values in place of what it has in braces.

        Raises:
            LookupError: a value is not given.
        """
        try:
            return _Counting().vformat(sentence, (), values)
        except LookupError as error:
            raise LookupError(
                f"{self.path or 'the words'}: {error} is not given; given {', '.join(values)}; for: {sentence}"
            ) from None

    def _find(self, check: str) -> Mapping[str, Any]:
        checks: Mapping[str, Mapping[str, Any]] = self.content.get("checks", {})
        if check not in checks:
            raise LookupError(f"{self._place(check)} is missing; there are {', '.join(checks)}")
        return checks[check]

    def _place(self, check: str) -> str:
        return f"{self.path or 'the words'}: the table [checks.{check}]"


def _merge(english: Any, other: Any) -> Any:
    """Return the other language's words, and English ones where they are missing, in tables and lists alike."""
    if isinstance(english, Mapping) and isinstance(other, Mapping):
        return {key: _merge(value, other.get(key)) for key, value in english.items()}
    if isinstance(english, list):
        given = [other] if isinstance(other, str) else other or []
        return [_merge(value, word) for value, word in zip(english, [*given, *[None] * len(english)])]
    return other or english
