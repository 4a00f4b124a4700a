"""Badges: which words are shown with a dot, and its tone."""

import re
from typing import Final

__all__ = ["is_badged", "tone"]

BADGED: Final = frozenset({"Status", "State", "Outcome", "Method", "Provenance", "Result"})

TONES: Final = {
    "fake": "FAKE",
    "real": "REAL",
    "good": "active valid done delivered holds confirmed",
    "bad": "suspended deleted expired revoked rejected failed missing timed-out not-sent refuted DELETE",
    "open": "pending awaiting leave next assumed observed deviation POST PUT PATCH",
}
TONE_OF: Final = {word: name for name, words in TONES.items() for word in words.split()}


def is_badged(heading: str) -> bool:
    """Return whether the cells below a heading are badges.

    Examples:
        >>> is_badged("Status"), is_badged("Name")
        (True, False)
    """
    return heading in BADGED


def tone(words: str) -> str:
    """Return the tone of a badge: fake, real, good, bad, open for what is not decided or changes something, or plain.

    Examples:
        >>> [tone(words) for words in ("REAL", "200 OK", "✗ 404", "assumed: 401", "GET")]
        ['real', 'good', 'bad', 'open', 'plain']
    """
    word = re.split(r" \(|[:,]", words)[0].removeprefix("on ")
    if words.startswith("✗"):
        return "bad"
    if word[:3].isdigit():
        return "good" if word[0] < "4" else "bad"
    return TONE_OF.get(word, "plain")
