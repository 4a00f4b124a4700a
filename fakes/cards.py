"""How the objects of a fake look in a notebook: an escaped table, the same from run to run."""

from collections.abc import Iterable, Sequence

from fakes.screens import templates

__all__ = ["card", "counted"]


def card(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A titled HTML table."""
    return templates().get_template("card.html.j2").render(title=title, columns=columns, rows=rows)


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun.

    Examples:
        >>> counted(1, "entry", "entries"), counted(2, "file")
        ('1 entry', '2 files')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"
