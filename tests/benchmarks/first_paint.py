"""What stands between a cell and its first picture: each explorer made over 100,000 users, and what is sent for it.

Run it with ``python -m tests.benchmarks.first_paint``. The figures are of the processor's time, in milliseconds, and
of the state and the code that go to the browser, in kilobytes. What the browser then takes is not in them.
"""

import json
import sys
from time import process_time

from ipywidgets.widgets.widget import _instances

from fakes import FakeService
from svckit.session.connect import connect
from svckit.widgets.explorers.explorer_panel import EXPLORERS, open_explorer

USERS = 100_000


def main(users=USERS):
    """Print the figures."""
    svc = connect(FakeService.sample(users=users, seed=0, now="2026-06-01T09:00:00+09:00"))
    print(f"{users:,} users")
    for name in EXPLORERS:
        before = set(_instances)
        start = process_time()
        explorer = open_explorer(name, svc)
        face = explorer.to_html()
        took = 1000 * (process_time() - start)
        states = [widget.get_state() for key, widget in list(_instances.items()) if key not in before]
        code = sum(len(str(state.pop(key, ""))) for state in states for key in ("_esm", "zipped"))
        sent = len(json.dumps(states, default=str))
        sizes = f"{sent / 1000:8.1f} kB state {code / 1000:6.1f} kB code {len(face) / 1000:6.1f} kB static"
        print(f"{name:16}{took:9.1f} ms {sizes}")
        if name == "users":
            start = process_time()
            explorer.wait()
            print(f"{'  all of them':16}{1000 * (process_time() - start):9.1f} ms")
        explorer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
