"""What a frame of many users costs, as a ratio to `pandas.json_normalize` and the same typing.

Run it with ``python -m tests.benchmarks.frame_ratio``. Both sides make the same frame of the same records. They take
turns, the figure is the ratio of the processor's time, and of the most memory that Python objects and Arrow took.
The frame of the same users as response bodies is compared with `json.loads`, `json_normalize` and the typing of dates
and categories alone; the frame of a fake's sample users, with one of their records, read one by one.
"""

import gc
import json
import sys
import tracemalloc
from statistics import median
from time import process_time

import pandas as pd
from pydantic_core import to_json

from fakes import FakeService
from svckit import frames
from svckit.frames.user_columns import USERS
from tests.benchmarks.bounds import report
from tests.benchmarks.counting import read_memory, restart_peak

USERS_OF_THE_SAMPLE = 1000
RECORDS = 100_000
ROUNDS = 5
BOUND = 0.45
SAMPLE_BOUND = 0.2
MIB = 2**20


def records(count):
    """As many records as that, none of which shares anything with another, as a service sends them."""
    sample = list(FakeService.sample(users=USERS_OF_THE_SAMPLE).records("users"))
    return [json.loads(json.dumps(sample[number % len(sample)])) for number in range(count)]


def normalized(users):
    """The frame of the users, by way of `pandas.json_normalize`."""
    flat = pd.json_normalize(users)
    posts = [primary(user.get("organizations")) for user in users]
    units = [primary(post.get("orgUnits")) for post in posts]
    parts = {
        "organizations[primary].orgUnits[primary].": pd.json_normalize(units),
        "organizations[primary].": pd.json_normalize(posts),
        "": flat,
    }
    return pd.DataFrame({column.name: typed(column, values(column, parts, users)) for column in USERS})


def loaded(bodies):
    """The frame of the users of response bodies, flat as they are: only dates and categories are typed."""
    flat = pd.json_normalize([json.loads(body) for body in bodies])
    for column in USERS:
        if column.dtype not in ("string", "boolean", "Int64") and column.path in flat:
            flat[column.path] = typed(column, flat[column.path])
    return flat


def primary(many):
    """The item that is marked primary, else the first; nothing of an empty list."""
    return next((each for each in many or () if each.get("primary")), many[0] if many else {})


def values(column, parts, users):
    """What a column holds, before it is typed."""
    if column.derive:
        return pd.Series([column.derive(user) for user in users], dtype=object)
    name, _, how = column.path.removesuffix("]").rpartition("[")
    if how == "count":
        return pd.Series(
            [None if user.get(name) is None else len(user[name]) for user in users], dtype="Int64"
        )
    if how == "joined":
        return pd.Series([", ".join(user.get(name) or ()) or None for user in users], dtype=object)
    prefix = next(prefix for prefix in parts if column.path.startswith(prefix))
    part, key = parts[prefix], column.path.removeprefix(prefix)
    return part[key] if key in part else pd.Series([None] * len(users), dtype=object)


def typed(column, found):
    """A column as its dtype has it."""
    match column.dtype:
        case "datetime64[us, UTC]":
            return pd.to_datetime(found, format="ISO8601", errors="coerce", utc=True).dt.as_unit("us")
        case "datetime64[us]":
            return pd.to_datetime(found, format="%Y-%m-%d", errors="coerce").dt.as_unit("us")
        case "category":
            known = [*column.categories, *(each for each in found.dropna().unique())]
            return pd.Categorical(
                found, categories=pd.Index(list(dict.fromkeys(known)), dtype="str"), ordered=True
            )
        case dtype:
            return found.astype(dtype)


def seconds(make, users):
    """What the making of a frame takes of the processor."""
    start = process_time()
    make(users)
    return process_time() - start


def memory(make, users):
    """The most memory that was taken at once while a frame was made, and what the frame keeps."""
    tracemalloc.start()
    made = make(users)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak + int(made.memory_usage(deep=True).sum())


def resident(make, users):
    """The most resident memory that the making of a frame adds, as the system counts it; ``None`` where it does not."""
    if sys.platform != "linux":
        return None
    restart_peak()
    before = read_memory("VmRSS")
    make(users)
    return read_memory("VmHWM") - before


def main():
    """Print the ratios; 1 where one is over its bound."""
    users = records(RECORDS)
    gc.collect()
    gc.freeze()  # the records are not the frames' garbage
    # Ours comes first, for the second finds memory that the first gave back.
    peaks = [resident(make, users) for make in (frames.users, normalized)]
    turns = [(seconds(frames.users, users), seconds(normalized, users)) for _ in range(ROUNDS)]
    time = median(ours for ours, _ in turns) / median(theirs for _, theirs in turns)
    bodies = [to_json(user) for user in users]
    turns = [(seconds(frames.users, bodies), seconds(loaded, bodies)) for _ in range(ROUNDS)]
    of_bodies = median(ours for ours, _ in turns) / median(theirs for _, theirs in turns)
    del bodies
    fake = FakeService.sample(users=RECORDS)
    turns = [
        (seconds(frames.users, fake), seconds(lambda fake: frames.users([*fake.records("users")]), fake))
        for _ in range(ROUNDS)
    ]
    of_sample = median(ours / theirs for ours, theirs in turns)
    ours, theirs = memory(frames.users, users), memory(normalized, users)
    if None not in peaks:
        print(f"resident at most: {peaks[0] / MIB:.0f} MiB more against {peaks[1] / MIB:.0f} MiB")
    held = [
        report(f"time of {RECORDS:,} users", time, BOUND, "of json_normalize and the same typing"),
        report("time of as many bodies", of_bodies, BOUND, "of json.loads, json_normalize and some typing"),
        report("time of as many sample users", of_sample, SAMPLE_BOUND, "of their records"),
        report("memory", ours / theirs, 1.0, f"of {theirs / MIB:.0f} MiB"),
    ]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
