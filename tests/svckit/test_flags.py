"""Arguments that are on or off are not taken as text, which is always true to Python."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import svckit
from fakes import FakeService
from svckit.edits.changes import Changes, UserEdit
from svckit.errors import InvalidInput
from svckit.places import drive
from svckit.session.session import Session
from svckit.widgets.table.model import TableModel

FILES = drive("u-001")
ONE = FILES.file("file-1")
CHANGES = Changes([UserEdit("u-001", {"task": None}, {"task": "Sales"})])
TABLE = TableModel(pd.DataFrame({"n": [1]}))

CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "notify: wait": lambda svc, flag: svc.notify("text", wait=flag),
    "upload: overwrite": lambda svc, flag: svc.files.upload(b"", to=FILES, name="x", overwrite=flag),
    "upload: resumable": lambda svc, flag: svc.files.upload(b"", to=FILES, name="x", resumable=flag),
    "upload: progress": lambda svc, flag: svc.files.upload(b"", to=FILES, name="x", progress=flag),
    "resume: progress": lambda svc, flag: svc.files.resume(None, b"", progress=flag),
    "download: progress": lambda svc, flag: svc.files.download(ONE, progress=flag),
    "download: overwrite": lambda svc, flag: svc.files.download(ONE, "x", overwrite=flag),
    "upload_many: overwrite": lambda svc, flag: svc.files.upload_many({"x": b""}, to=FILES, overwrite=flag),
    "upload_many: resumable": lambda svc, flag: svc.files.upload_many({"x": b""}, to=FILES, resumable=flag),
    "upload_many: progress": lambda svc, flag: svc.files.upload_many({"x": b""}, to=FILES, progress=flag),
    "download_many: overwrite": lambda svc, flag: svc.files.download_many([ONE], "x", overwrite=flag),
    "download_many: progress": lambda svc, flag: svc.files.download_many([ONE], progress=flag),
    "apply: dry_run": lambda svc, flag: svc.users.apply(CHANGES, dry_run=flag),
    "apply: check": lambda svc, flag: svc.users.apply(CHANGES, check=flag),
    "apply: progress": lambda svc, flag: svc.users.apply(CHANGES, progress=flag),
    "frame: lists": lambda svc, flag: svckit.frames.users(svc, lists=flag),
    "table: many": lambda _, flag: TableModel(TABLE.frame, many=flag),
    "table: missing": lambda _, flag: TABLE.filter("n", missing=flag),
    "table: ascending": lambda _, flag: TABLE.sort("n", ascending=flag),
    "responses: pass_through": lambda svc, flag: svc.fake.responses(pass_through=flag),
    "httpx: pass_through": lambda svc, flag: svc.fake.httpx(pass_through=flag),
    "fault: applied": lambda svc, flag: svc.fake.faults.reset(applied=flag),
}


RANGES = "upload: resumable", "upload_many: resumable"  # 1 is the bytes of a range


@pytest.mark.parametrize(
    ("call", "given"),
    [(call, given) for call in CALLS for given in ("no", "", *(() if call in RANGES else (1,)))],
)
def test_only_true_and_false_are_taken(svc: Session, call: str, given: object, fake: FakeService) -> None:
    sent, name = len(fake.journal), call.rpartition(" ")[2]
    with pytest.raises(ValueError, match=rf"{name} must be True(, False,| or False).*; given {given!r}"):
        CALLS[call](svc, given)
    assert len(fake.journal) == sent


def test_a_profile_says_plainly_whether_it_is_a_fake(fake: FakeService) -> None:
    profile = svckit.Profile.from_facts(fake.facts)
    with pytest.raises(InvalidInput, match="profile 'fake': is_fake must be True or False; given 'false'"):
        svckit.Profile(**{name: getattr(profile, name) for name in profile.__slots__} | {"is_fake": "false"})
