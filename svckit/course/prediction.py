"""Predictions: say what will happen before you run it."""

from svckit.display.card import render_text

__all__ = ["Prediction", "predict"]


class Prediction:
    """A guess at what will happen, made by `predict`."""

    def __init__(self, question: str, guess: object) -> None:
        self.question = question
        self.guess = guess

    def compare(self, outcome: object) -> "Prediction":
        """Note what happened, and return the prediction, which then shows both.

        Args:
            outcome: what happened.
        """
        compared = Prediction(self.question, self.guess)
        compared._outcome = f"{outcome}"
        return compared

    _outcome = ""

    def __repr__(self) -> str:
        if self.guess is None:
            guess = "Your guess: none yet. Write it into the cell in place of None, then run it again."
        else:
            guess = f"Your guess: {self.guess}"
        if not self._outcome:
            return f"{self.question}\n{guess}"
        return f"{self.question}\n{guess.partition('. ')[0]}\nIt was: {self._outcome}"

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
