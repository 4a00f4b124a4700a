"""The words of a lesson as data: titles, goals, sentences, hints and variants, in a TOML file and its translations."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any, NamedTuple

from fakes.lessons.feedback import Finding
from fakes.parts.journal_entry import JournalEntry
from svckit.display.masking import mask_beginning

__all__ = ["Said", "Words", "said", "say_first"]

SHOWN = 200
"""The most characters of a body, of a value that is not a text, or of what a function returned."""
NOTHING: Mapping[str, object] = MappingProxyType({})


class Said(NamedTuple):
    """The name of a sentence that says what happened, in the file of words, and the values that it names."""

    name: str
    values: Mapping[str, object]


def said(name: str, entry: JournalEntry | None = None, /, **values: object) -> Said:
    """Say what happened, by the name of a sentence.

    Args:
        name: the name, unique in the lesson.
        entry: the request that it happened at. The sentence can have in braces its ``request`` (the number), ``call``,
            ``url``, ``body``, ``status``, ``reason``, ``response`` and ``rules`` (those that are assumed).
        **values: what else the sentence has in braces. The data of the variant are there anyway, and so are values
            about all of the run, such as ``count`` and ``ending``, unless the variant has data of that name.
    """
    return Said(name, {**(describe_request(entry) if entry else {}), **values})


def say_first(
    mistakes: Mapping[str, object], entry: JournalEntry | None = None, /, **values: object
) -> Said | None:
    """Say the first of these sentences that is true, perhaps of a request; None if none is.

    Args:
        mistakes: whether each sentence is true, by its name.
        entry: the request.
        **values: what the sentences have in braces.
    """
    return next((said(name, entry, **values) for name, is_true in mistakes.items() if is_true), None)


def describe_request(entry: JournalEntry) -> dict[str, object]:
    """Return what a request says about itself, and, if it was refused, why."""
    reason = f": {entry.reason.rstrip('.')}" if entry.reason else ""
    section = f" ({entry.section})" if entry.section else ""
    return {
        "request": entry.number,
        "call": f"{entry.method} {entry.path}",
        "url": entry.url,
        "body": mask_beginning(entry.request_body, SHOWN),
        "status": entry.status,
        "reason": f"{reason}{section}",
        "response": mask_beginning(entry.response_body, SHOWN),
        "rules": ", ".join(entry.assumed),
    }


class _Values(Formatter):
    """Shortens values, and formats a number with the spec ``request|requests`` as that many requests."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> object:
        return _shorten(super().get_value(key, args, kwargs))

    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, many = format_spec.partition("|")
        return f"{value} {one if value == 1 else many}" if bar else format(value, format_spec)


@dataclass(frozen=True)
class Words:
    """The words of a lesson.

    Attributes:
        content: what the file holds: ``title``, ``minutes``, ``section``, ``function``, ``variants``, ``solved``, and
            ``checks``. Each variant is data, with its ``words``. Each check has a ``goal``, ``hints``, and sentences by
            names that are unique in the lesson. A sentence is a text, or a list of a text and hints of its own: a
            question, a pointer, and the place in the lesson. The table ``refused`` has names of sentences, by words of
            the reasons that the fake gives for a refusal; they are said where no check has a sentence.
        path: the file in English; None without one.
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

    @cached_property
    def sentences(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Each sentence with its hints, by name; a hint that it lacks is the one of its check."""
        found = {}
        for table in self.content["checks"].values():
            for name in (name for name in table if name not in ("goal", "hints")):
                sentence, *own = [table[name]] if isinstance(table[name], str) else table[name]
                found[name] = sentence, (*own, *table.get("hints", ())[len(own) :])
        return found

    def explain(self, happened: Said, known: Mapping[str, object] = NOTHING) -> Finding:
        """Return the sentence for what happened, with values that it names or that are known, and its hints.

        Raises:
            LookupError: there is no such sentence, or it names a value that is not given.
        """
        if happened.name not in self.sentences:
            names = ", ".join(sorted(self.sentences))
            raise LookupError(f"{self._place} has no sentence {happened.name!r}; it has {names}")
        sentence, hints = self.sentences[happened.name]
        filled = (self.fill(text, happened.values, known) for text in (sentence, *hints))
        return Finding(happened.name, next(filled), tuple(filled))

    def fill(self, sentence: str, values: Mapping[str, object], known: Mapping[str, object] = NOTHING) -> str:
        """Return a sentence with values in place of what it has in braces, else with those that are known anyway.

        Raises:
            LookupError: a value is not given.
        """
        try:
            return _Values().vformat(sentence, (), {**known, **values})
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
    if isinstance(english, Mapping):
        table = other if isinstance(other, Mapping) else {}
        return {key: _merge(value, table.get(key)) for key, value in english.items()}
    if isinstance(english, list):
        given = [other] if isinstance(other, str) else other if isinstance(other, list) else []
        return [_merge(*pair) for pair in zip_longest(english, given[: len(english)])]
    return other if other and isinstance(other, str | list) else english
