"""Predictions: say what will happen before you run it."""

from dataclasses import dataclass, replace

from svckit.display.card import render_text

__all__ = ["Prediction", "predict"]


@dataclass(frozen=True, repr=False)
class Prediction:
    """A guess at what will happen, made by `predict`.

    Attributes:
        question: what will happen?
        guess: the guess; None if there is none yet.
        outcome: what happened; empty until then.
    """

    question: str
    guess: object
    outcome: str = ""

    def compare(self, outcome: object) -> "Prediction":
        """Note what happened, and return the prediction, which then shows both.

        Args:
            outcome: what happened.
        """
        return replace(self, outcome=f"{outcome}")

    def __repr__(self) -> str:
        guess = f"Your guess: {'none yet' if self.guess is None else self.guess}"
        if self.outcome:
            return f"{self.question}\n{guess}\nIt was: {self.outcome}"
        todo = ". Write it into the cell in place of None, then run it again." if self.guess is None else ""
        return f"{self.question}\n{guess}{todo}"

    def _repr_html_(self) -> str:
        return render_text(repr(self))


def predict(question: str, guess: object = None) -> Prediction:
    """Write down a guess before running the code that tells.

    Args:
        question: what will happen?
        guess: your guess; None until you have one.

    Returns:
        The prediction; its `compare` shows it beside what happened.

    Examples:
        >>> from svckit import course
        >>> guess = course.predict("How many of 130 posts are refused?", 0)
        >>> guess.compare(10)
        How many of 130 posts are refused?
        Your guess: 0
        It was: 10
    """
    return Prediction(question, guess)
