"""What explorers made of several widgets share: a head that goes by the rules of explorers, and what stands with it."""

from typing import Any

from ipywidgets import Box  # type: ignore[import-untyped]

from svckit.widgets.base.faces import RenderedWidget

__all__ = ["ExplorerBox"]


class ExplorerBox(RenderedWidget, Box):  # type: ignore[misc]  # ipywidgets is untyped
    """Widgets that are one explorer together.

    Attributes:
        head: the explorer among them, which they are closed and taken over with; None where there is no session.
    """

    head: Any
    children: tuple[Any, ...]

    def detach(self) -> None:
        """Be a part of something, which is not closed when another explorer of this kind is made."""
        if self.head is not None:
            self.head.detach()

    def hand_over(self) -> None:
        """Keep only the head, which says that another explorer has taken the place of this one."""
        others = [part for part in self.children if part is not self.head]
        self.children = (self.head,)
        for part in others:
            part.close()

    def close(self) -> None:
        """Free the explorer and its parts, here and in the browser; over a session, what was typed stays with it."""
        for part in self.children:  # none where __init__ was refused its arguments
            part.close()
        super().close()

    def to_html(self) -> str:
        """What its parts show as static HTML."""
        return "\n".join(filter(None, (part.to_html() for part in self.children)))

    def __repr__(self) -> str:
        return "\n\n".join(filter(None, map(repr, self.children)))
