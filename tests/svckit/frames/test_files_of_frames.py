"""Frames of every kind as files: nothing is lost, and no spreadsheet runs anything."""

from datetime import date

import openpyxl
import pandas as pd
import pytest

import svckit
from fakes import FakeService
from svckit import frames, places

NOW = "2026-06-01T09:00:00+09:00"
FORMULA = '=HYPERLINK("https://example.com")'


@pytest.fixture(scope="module")
def svc():
    fake = FakeService.sample(users=8, now=NOW)
    svc = svckit.connect(fake)
    change = {"task": FORMULA, "alias_emails": ["a@example.com", "b@example.com"], "hired_date": "2020-04-01"}
    relations = [{"relation_user_id": "u-002", "relation_name": "-Manager"}]
    names = [{"language": "ja_JP", "last_name": "佐藤", "first_name": "美奈"}]
    fields = [{"custom_field_id": "floor", "value": "+3"}]
    svc.users.update("u-001", relations=relations, i18n_names=names, custom_fields=fields, **change)
    svc.users.set_status("u-001", "BUSY", message="@home", end="2026-06-01T12:30:00+09:00")
    svc.files.upload(b"name", to=places.drive("u-001"), name="=people.csv")
    svc.notify("-1+1", title="CI", button=("Open", "https://example.com"))
    fake.callbacks.connect("bot-1", lambda headers, body: None)
    fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": FORMULA})
    return svc


def build(svc, kind):
    source = svckit.lifecycle.table(date(2026, 6, 1)) if kind == "lifecycle" else svc.fake
    return getattr(frames, kind)(svc if kind in ("credentials", "journal") else source)


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet"])
@pytest.mark.parametrize("kind", [kind for kind in frames.KINDS if kind != "events"])
def test_a_frame_survives_the_round_trip(svc, tmp_path, kind, suffix):
    frame, path = build(svc, kind), tmp_path / f"frame.{suffix}"
    write = {"csv": frame.svc.to_csv, "xlsx": frame.svc.to_excel, "parquet": frame.svc.to_parquet}
    write[suffix](path)
    pd.testing.assert_frame_equal(frames.read(path, kind), frame)


def test_formulas_are_text_that_nothing_runs(svc, tmp_path):
    frames.users(svc.fake).svc.to_csv(tmp_path / "users.csv")
    frames.statuses(svc.fake).svc.to_excel(tmp_path / "statuses.xlsx")
    assert ",\"'=HYPERLINK(" in (tmp_path / "users.csv").read_text("utf-8-sig")
    _, status = openpyxl.load_workbook(tmp_path / "statuses.xlsx").active.iter_rows(values_only=True)
    assert "'@home" in status


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet"])
def test_an_index_with_a_name_is_a_column(svc, tmp_path, suffix):
    frame, path = frames.users(svc.fake), tmp_path / f"frame.{suffix}"
    indexed = frame.set_index("user_id")
    write = {"csv": indexed.svc.to_csv, "xlsx": indexed.svc.to_excel, "parquet": indexed.svc.to_parquet}
    write[suffix](path)
    assert frames.read(path, "users")["user_id"].tolist() == frame["user_id"].tolist()


def test_what_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ValueError, match="no such frame: 'status'; did you mean statuses"):
        frames.read(tmp_path / "a.csv", "status")
    with pytest.raises(ValueError, match=r"named \.csv, \.xlsx or \.parquet; given 'a\.txt'"):
        frames.read(tmp_path / "a.txt", "statuses")
