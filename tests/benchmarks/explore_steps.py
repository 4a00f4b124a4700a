"""What each step takes that people wait for: frames, edits found in them, and a table of 100,000 users, all columns.

Run it with ``python -m tests.benchmarks.explore_steps``. The figures are of the processor's time, in milliseconds.
"""

import gc
import sys
from time import process_time

from svckit import frames
from svckit.frames.export import export_to_bytes
from svckit.widgets.table.model import TableModel
from svckit.widgets.table.paged_table import PagedTable
from tests.benchmarks import frame_ratio

RECORDS = 100_000
LONG = ("organizations", "org_units", "alias_emails", "i18n_names", "relations", "custom_properties")


def people(count):
    """Records of so many users, whose texts differ as those of people do."""
    users = frame_ratio.records(count)
    for number, user in enumerate(users):
        user |= {
            "userId": f"u-{number:06}",
            "email": f"user.{number}@example.com",
            "employeeNumber": f"E{number}",
        }
    return users


def steps(users):
    """The steps in the order people take them: their names, and what to do."""
    made = {}

    def make(kind):
        made[kind] = getattr(frames, kind)(users)

    yield from ((f"frame of {kind}", lambda kind=kind: make(kind)) for kind in ("users", *LONG))
    frame = made["users"]
    frame.loc[5, "task"] = "other"
    yield "changes: one cell was edited", frame.svc.changes
    yield "changes: one cell, and sorted", frame.sort_values("email").svc.changes
    yield from table_steps(frame)


def table_steps(frame):
    """The steps of a table with all columns."""
    table = TableModel(frame, key="user_id")
    yield "table: first page", table.page_rows
    yield "table: first search", lambda: table.search("mina")
    yield "table: another search", lambda: table.search("mina sales")
    yield "table: no search", lambda: table.search("")
    yield "table: prepared for all columns", lambda: list(table.prepare())
    yield "table: first sort by text", lambda: table.sort("email")
    yield "table: sort the other way", lambda: table.sort("email", ascending=False)
    yield "table: sort by time", lambda: table.sort("activation_date")
    yield "table: choices with counts", lambda: table.choices("state")
    yield "table: filter by choice", lambda: table.filter("state", choices=["active"])
    yield "table: filter by text", lambda: table.filter("display_name", contains="sa")
    yield "table: counts while filtered", lambda: table.choices("org_unit_name")
    yield "table: a far page", lambda: table.go_to(500)
    yield "table: its rows", table.page_rows
    yield "table: select a row", lambda: table.select(table.keys[7])
    yield "table: rows to copy", table.rows_to_copy
    yield "table: summaries", table.summaries
    yield "table: summaries again", table.summaries
    yield "widget: made and painted", lambda: PagedTable(frame, key="user_id").close()
    yield "export as CSV", lambda: export_to_bytes(frame, "csv")
    yield "export as JSON", lambda: export_to_bytes(frame, "json")


def main(count=RECORDS):
    """Print the figures."""
    users = people(count)
    gc.collect()
    gc.freeze()  # the records are not the steps' garbage
    print(f"{count:,} users, {len(frames.columns('users'))} columns")
    for name, step in steps(users):
        start = process_time()
        step()
        print(f"{name:34}{1000 * (process_time() - start):8.1f} ms")
    gc.unfreeze()
    return 0


if __name__ == "__main__":
    sys.exit(main())
