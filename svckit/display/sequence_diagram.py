"""A sequence diagram in Mermaid, which JupyterLab draws by itself.

An output that also has HTML would be shown as HTML there, so a diagram is a thing of its own.
"""

from collections.abc import Iterable

from svckit.display.terminal import on_one_line

__all__ = ["SequenceDiagram", "label"]

_ENTITIES = {ord(mark): f"#{ord(mark)};" for mark in "#;<>&\"'%`\\{}"}


def label(text: str) -> str:
    """Text that Mermaid shows as it is, on one line.

    Examples:
        >>> label('a <b>; #1')
        'a #60;b#62;#59; #35;1'
    """
    return on_one_line(" ".join(text.split())).translate(_ENTITIES)


class SequenceDiagram:
    """Who sends what to whom, in order; JupyterLab (4.1 and newer) draws it, elsewhere it is its own text.

    Args:
        lines: statements of a Mermaid ``sequenceDiagram``, every free text in them a `label`.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.source = "\n".join(["sequenceDiagram", *(f"    {line}" for line in lines)])

    def __repr__(self) -> str:
        return self.source

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/vnd.mermaid": self.source, "text/plain": self.source}
