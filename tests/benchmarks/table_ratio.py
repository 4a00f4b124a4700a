"""What the steps of a table of 100,000 users take, all columns, compared with pandas writing the frame as CSV.

Run it with ``python -m tests.benchmarks.table_ratio``. The figures are ratios of the processor's time within one run.
"""

import gc
import sys
from time import process_time

from svckit import frames
from svckit.frames.export import export_to_bytes
from svckit.widgets.table.model import TableModel
from tests.benchmarks import frame_ratio

RECORDS = 100_000
DEFAULT = ["user_id", "display_name", "email", "org_unit_name", "position_name", "state"]


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


def seconds(step, repeats=3):
    """The least time that a step takes."""
    times = []
    for _ in range(repeats):
        start = process_time()
        step()
        times.append(process_time() - start)
    return min(times)


def ratios(count=RECORDS):
    """The ratio of each step, by name, once the table is prepared."""
    frame = frames.users(people(count))
    gc.collect()
    unit = seconds(lambda: frame.to_csv(index=False), repeats=1)
    table = TableModel(frame, key="user_id", columns=DEFAULT, many=True)
    for _ in table.prepare():
        pass
    table.toggle(table.keys[0])
    steps = {
        "page": lambda: (table.go_to(7), table.page_rows()),
        "sort": lambda: (table.sort("email"), table.page_rows()),
        "select": lambda: (table.toggle(table.keys[7]), table.page_rows()),
        "search": lambda: (table.search("mina sales"), table.search("")),
        "summaries": table.summaries,
        "CSV": lambda: export_to_bytes(frame, "csv"),
    }
    return {name: seconds(step) / unit for name, step in steps.items()}


def main(count=RECORDS):
    """Print the ratios."""
    for name, ratio in ratios(count).items():
        print(f"{name:12}{ratio:8.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
