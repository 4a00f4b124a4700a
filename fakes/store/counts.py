"""Row counts of a state file: they reveal lost rows, which checksums of rows cannot."""

import sqlite3
from typing import Final

__all__ = ["SET_UP", "RowCounts", "find_differences", "keep_counts"]

Count = tuple[int, int]
"""The number of rows, and the sum of their checksums."""

WHOLE: Final = ""
"""The name under which a table's total is stored."""
COUNTED: Final = {"rows": "collection", "contents": "address", "files": "address"}
"""The tables whose rows are counted, and the column they are counted by."""
SET_UP: Final = """
    DROP TABLE IF EXISTS counts;
    CREATE TABLE counts (of_table TEXT NOT NULL, name TEXT NOT NULL, entries INTEGER NOT NULL,
                         checksums INTEGER NOT NULL, PRIMARY KEY (of_table, name)) WITHOUT ROWID;
    INSERT INTO counts VALUES ('rows', '', 0, 0), ('contents', '', 0, 0), ('files', '', 0, 0);
"""
# Only this connection has the triggers: other programs that delete rows leave the counts unchanged.
TRIGGERS: Final = (
    """CREATE TEMP TRIGGER {table}_put AFTER INSERT ON main.{table} BEGIN
        INSERT INTO counts VALUES ('{table}', new.{name}, 1, new.checksum), ('{table}', '', 1, new.checksum)
        ON CONFLICT (of_table, name) DO UPDATE
        SET entries = entries + excluded.entries, checksums = checksums + excluded.checksums;
    END""",
    """CREATE TEMP TRIGGER {table}_changed AFTER UPDATE ON main.{table} BEGIN
        UPDATE counts SET checksums = checksums + new.checksum - old.checksum
        WHERE of_table = '{table}' AND name IN (old.{name}, '');
    END""",
    """CREATE TEMP TRIGGER {table}_dropped AFTER DELETE ON main.{table} BEGIN
        UPDATE counts SET entries = entries - 1, checksums = checksums - old.checksum
        WHERE of_table = '{table}' AND name IN (old.{name}, '');
        DELETE FROM counts WHERE of_table = '{table}' AND name = old.{name} AND entries = 0;
    END""",
)


def keep_counts(file: sqlite3.Connection) -> None:
    """Start counting the rows that this connection writes."""
    for table, name in COUNTED.items():
        for trigger in TRIGGERS:
            file.execute(trigger.format(table=table, name=name))


class RowCounts(dict[str, Count]):
    """Counts of the rows that were read, by name."""

    def add(self, name: str, checksum: int) -> None:
        """Count one more row."""
        entries, checksums = self.get(name, (0, 0))
        self[name] = entries + 1, checksums + checksum


def find_differences(
    file: sqlite3.Connection, table: str, found: RowCounts
) -> dict[str, tuple[Count, Count]]:
    """Return the counts of a table that differ from the rows read, as pairs: read and written.

    Raises:
        ValueError: the counts do not add up to the total.
    """
    rows = file.execute("SELECT name, entries, checksums FROM counts WHERE of_table = ?", (table,))
    written = {name: (entries, checksums) for name, entries, checksums in rows}
    if written.pop(WHOLE, None) != tuple(map(sum, zip((0, 0), *written.values(), strict=True))):
        raise ValueError(f"the number of {table} is not as it was written")
    none = 0, 0
    both = {name: (found.get(name, none), written.get(name, none)) for name in written | found}
    return {name: (read, wrote) for name, (read, wrote) in both.items() if read != wrote}
