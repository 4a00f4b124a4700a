"""The words of a lesson as data: titles, goals, sentences and hints, in a TOML file and its translations."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from fakes.lessons.feedback import Finding
from svckit.display.masking import mask_beginning

__all__ = ["Said", "Words", "said"]

SHOWN = 200
"""The most characters of a value that is not a text."""


class Said(NamedTuple):
    """The name of a sentence that says what happened, in the file of words, and the values that it names."""

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
            ``checks``. Each check has a ``goal``, ``hints``, and sentences by names that are unique in the lesson. A
            sentence is a text, or a list of a text and hints of its own: a question, a pointer, and the place in the
            lesson.
        path: the file in English; None if there is none.
        language: the language's code.

    Examples:
        >>> late = ["Request {request} came {seconds:second|seconds} too soon.", "How long is a minute?"]
        >>> words = Words({"checks": {"patience": {"goal": "it waits", "hints": ["", "Wait."], "late": late}}})
        >>> words.explain(said("late", request=3, seconds=1))
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
        """Return the goal of a check; empty if it has none.

        Raises:
            LookupError: the file has no such check.
        """
        if check not in self.content["checks"]:
            raise LookupError(
                f"{self._place} has no table [checks.{check}]; it has {', '.join(self.content['checks'])}"
            )
        return str(self.content["checks"][check].get("goal", ""))

    @property
    def sentences(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Each sentence with its hints, by name; a hint that it lacks is the one of its check."""
        found = {}
        for table in self.content["checks"].values():
            for name in (name for name in table if name not in ("goal", "hints")):
                sentence, *own = [table[name]] if isinstance(table[name], str) else table[name]
                found[name] = sentence, (*own, *table.get("hints", ())[len(own) :])
        return found

    def explain(self, happened: Said) -> Finding:
        """Return the sentence for what happened, and its hints.

        Raises:
            LookupError: there is no such sentence, or it names a value that is not given.
        """
        if happened.name not in self.sentences:
            known = ", ".join(sorted(self.sentences))
            raise LookupError(f"{self._place} has no sentence {happened.name!r}; it has {known}")
        sentence, hints = self.sentences[happened.name]
        return Finding(happened.name, self.fill(sentence, happened.values), hints)

    def fill(self, sentence: str, values: Mapping[str, object]) -> str:
        """Return a sentence with values in place of what it has in braces.

        Raises:
            LookupError: a value is not given.
        """
        try:
            return _Counting().vformat(sentence, (), {name: _shorten(each) for name, each in values.items()})
        except LookupError as error:
            raise LookupError(
                f"{self._place}: {error} is not given; given {', '.join(values) or 'nothing'}; for: {sentence}"
            ) from None

    @property
    def _place(self) -> str:
        return str(self.path or "the words")


def _shorten(value: object) -> object:
    """Return a value as a sentence has it: whatever is not a number, a text or an error in one line, and not long."""
    if value is None or isinstance(value, int | float | str | BaseException):
        return value
    return mask_beginning(" ".join(str(value).split()), SHOWN)


def _merge(english: Any, other: Any) -> Any:
    """Return the other language's words, and English ones where they are missing, in tables and lists alike."""
    if isinstance(english, Mapping) and isinstance(other, Mapping):
        return {key: _merge(value, other.get(key)) for key, value in english.items()}
    if isinstance(english, list):
        given = [other] if isinstance(other, str) else other or []
        return [_merge(*pair) for pair in zip_longest(english, given[: len(english)])]
    return other or english
