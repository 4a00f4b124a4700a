"""Sequence diagrams in Mermaid, which JupyterLab draws by itself.

JupyterLab would show an output that also has HTML as HTML, so a diagram is an output of its own.
"""

import re
from collections.abc import Iterable

from svckit.display.terminal import on_one_line

__all__ = ["SequenceDiagram", "label"]

_ENTITIES = {ord(mark): f"#{ord(mark)};" for mark in "#;<>&\"'%`\\{}"}
_ENTITY = re.compile("#([0-9]+);")


def label(text: str) -> str:
    """Escape text so that Mermaid shows it as it is, on one line.

    Examples:
        >>> label('a <b>; #1')
        'a #60;b#62;#59; #35;1'
    """
    return on_one_line(" ".join(text.split())).translate(_ENTITIES)


class SequenceDiagram:
    """A sequence diagram; JupyterLab (4.1 and newer) draws it, other tools show its text.

    Args:
        lines: statements of a Mermaid ``sequenceDiagram``, with all free text escaped by `label`.

    Attributes:
        source: the diagram for Mermaid; the text is the same for people, without the escapes.

    Examples:
        >>> diagram = SequenceDiagram([f"Note over api: {label('late; again')}"])
        >>> diagram
        sequenceDiagram
            Note over api: late; again
        >>> diagram.source.splitlines()[1]
        '    Note over api: late#59; again'
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.source: str = "\n".join(["sequenceDiagram", *(f"    {line}" for line in lines)])

    def __repr__(self) -> str:
        return _ENTITY.sub(lambda entity: chr(int(entity[1])), self.source)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/vnd.mermaid": self.source, "text/plain": repr(self)}
