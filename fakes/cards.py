"""How a fake and its journal look in a notebook: escaped HTML, the same from run to run."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fakes.screens import templates

if TYPE_CHECKING:
    from fakes.journal import Journal
    from fakes.service import FakeService

__all__ = ["fake_card", "journal_card"]


def fake_card(fake: "FakeService") -> str:
    """What a fake holds, and the names to reach it by."""
    clock = fake.clock.now().isoformat(timespec="seconds") if fake.clock.standing else "runs with the system"
    rows = [
        ("clock", f"stands at {clock}" if fake.clock.standing else clock),
        ("directory", f"{len(fake.directory)} users, {fake.facts['users'][0]} to {fake.facts['users'][-1]}"),
        ("files", _counted(len(fake.files.stored()), "file")),
        ("webhooks", _counted(len(fake.webhooks.all()), "entry", "entries")),
        ("callbacks", f"bots: {', '.join(fake.callbacks.bots)}"),
        ("journal", _counted(len(fake.journal), "exchange")),
        ("rules", repr(fake.rules).strip("<>").partition(": ")[2]),
    ]
    return _table("The fake service", ("part", "holds"), rows)


def journal_card(journal: "Journal") -> str:
    """The latest exchanges."""
    rows = [
        (
            str(entry.number),
            entry.method,
            entry.url,
            str(entry.status),
            entry.operation,
            ", ".join(entry.assumed),
        )
        for entry in journal.latest()
    ]
    older = len(journal) - len(rows)
    title = f"Journal: {_counted(len(journal), 'exchange')}" + (
        f", the latest {len(rows)} shown" if older else ""
    )
    return _table(title, ("no.", "method", "URL", "status", "operation", "assumed"), rows)


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def _table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return templates().get_template("card.html.j2").render(title=title, columns=columns, rows=rows)
