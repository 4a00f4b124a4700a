"""The exercises of the course, a module each; their words are beside the notebooks."""

from fakes.lessons import Words
from svckit.jupyter.bundled import own_notebooks

__all__ = ["read_words"]


def read_words(lesson: str) -> Words:
    """Return the words of a lesson of svckit, by the name of its notebook without the extension."""
    return Words.read(own_notebooks() / "course" / f"{lesson}.toml")
