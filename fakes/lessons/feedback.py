"""Feedback on an exercise, as text and as a card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import NamedTuple

from wcwidth import wcswidth

from fakes.parts.journal_entry import JournalEntry
from svckit.display.templates import TEMPLATES

__all__ = ["Feedback", "Finding", "GoalState"]

WORDS: dict[bool | None, str] = {True: "done", False: "not yet", None: "not seen"}
WIDTH = 96

_CARD = TEMPLATES.from_string(
    """\
<section role="status" aria-label="{{ feedback.title }}">
<p><strong>{{ feedback.title }}: {{ feedback.label(feedback.verdict) }}</strong></p>
<ul>
{% for state in feedback.goals %}
<li>{{ feedback.label(state.outcome) }}: {{ state.words }}</li>
{% endfor %}
</ul>
<p>{{ feedback.happened }}</p>
{% if feedback.details %}
<pre>{{ feedback.details }}</pre>
{% endif %}
{% if feedback.hint %}
<p><em>{{ feedback.hint }}</em></p>
{% endif %}
{% if feedback.solutions %}
<div style="display: flex; flex-wrap: wrap; gap: 2em">
{% for solution in feedback.solutions %}
<pre tabindex="0" aria-label="Solution {{ loop.index }}">{{ solution }}</pre>
{% endfor %}
</div>
{% endif %}
</section>"""
)


class Finding(NamedTuple):
    """A mistake that was found: its name, what happened, and hints, each clearer than the one before."""

    mistake: str
    happened: str
    hints: tuple[str, ...]

    def choose_hint(self, earlier: Sequence[str]) -> str:
        """Return the hint to give after earlier mistakes, by name.

        Examples:
            >>> finding = Finding("too soon", "Request 2 came too soon.", ("When did it come?", "Wait 60 s."))
            >>> finding.choose_hint([]), finding.choose_hint(["too soon", "refused", "too soon"])
            ('When did it come?', 'Wait 60 s.')
        """
        return self.hints[min(earlier.count(self.mistake), len(self.hints) - 1)]


@dataclass(frozen=True, slots=True)
class GoalState:
    """A goal of an exercise, and whether it is reached; None where the run shows neither."""

    words: str
    reached: bool | None

    @property
    def outcome(self) -> str:
        """The state in words."""
        return WORDS[self.reached]


@dataclass(frozen=True, slots=True, repr=False)
class Feedback:
    """Feedback on one try of an exercise.

    Attributes:
        title: the title of the exercise.
        solved: True if all goals are reached, under each variant.
        goals: the goals and their states.
        happened: what the function did, in a sentence or two; secrets are masked.
        hint: a question or a pointer; empty if solved.
        mistake: the name of the mistake that the hint is about; empty if solved.
        journal: the requests of the run, oldest first: request 3 is ``feedback.journal[2]``.
        details: lines from elsewhere about what happened, such as pytest's; may be empty.
        solutions: sources of the lesson's own solutions, once it is solved; a card shows them side by side.
        labels: outcomes and verdicts in another language.
    """

    title: str
    solved: bool
    goals: tuple[GoalState, ...]
    happened: str
    hint: str = ""
    mistake: str = ""
    journal: tuple[JournalEntry, ...] = ()
    details: str = ""
    solutions: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """``"solved"`` or ``"not yet"``."""
        return "solved" if self.solved else "not yet"

    def label(self, words: str) -> str:
        """Return an outcome or the verdict in the language of the feedback."""
        return self.labels.get(words, words)

    def __repr__(self) -> str:
        width = max(wcswidth(self.label(words)) for words in WORDS.values())
        lines = []
        for state in self.goals:
            label = self.label(state.outcome)
            lines.append(f"{label}{' ' * (width - wcswidth(label))}  {state.words}")
        lines += [*wrap(self.happened, WIDTH), *self.details.splitlines(), *wrap(self.hint, WIDTH)]
        return "\n  ".join([f"{self.title}: {self.label(self.verdict)}", *lines])

    def _repr_html_(self) -> str:
        return _CARD.render(feedback=self)
